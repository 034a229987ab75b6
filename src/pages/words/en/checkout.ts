/** The words of the checkout of a gate. */

/** A gate, before anything is asked. */
export const gateHead = {
  price: 'Price',
  free: 'Free',
  once: 'one-time payment',
  needs: 'You need',
  noNeeds: 'Nothing but a wallet',
  payBy: 'Pay with',
  token: (symbol: string, network: string): string => `${symbol} on ${network}`,
  card: 'Card',
  signInAgain: 'Show what I got',
  reward: 'You get',
  /** By the type of the reward, where its owner gave no name. */
  rewards: { access_granted: 'Access', redirect: 'A link', download: 'A file', reveal: 'A text' },
  when: 'Delivered',
  /** By the settlement moment of a payment on a chain. */
  moments: {
    first_block: 'after the first block',
    confirmations: 'once the network confirms',
    final: 'once final, within half an hour',
  },
  left: 'Left',
  held: (left: number, held: number): string =>
    held < left
      ? `${left}. Someone is paying for ${held} of them now.`
      : `${left}. Others are paying for all of them now. An unpaid place becomes free again.`,
  heldLast: '1. Someone is paying for it now. If they do not pay, it becomes free again.',
  opens: 'Opens',
  closes: 'Closes',
  draft: 'This gate is a draft. Only you can see it.',
  paused: 'This gate is paused by its owner. Nobody gets in for now.',
  notStarted: (when: string | undefined): string =>
    when === undefined ? 'This gate is not open yet.' : `This gate is not open yet. It opens on ${when}.`,
  ended: (when: string | undefined): string =>
    when === undefined ? 'This gate has ended.' : `This gate ended on ${when}.`,
  soldOut: (total: number): string =>
    `Sold out. All ${total} are taken. Ask the owner of the gate whether more will come.`,
  passedBefore: 'Did you pass this gate before? Sign in to see what you got.',
  noAnswer: 'This server did not answer. Check your connection, then reload this page.',
  notFound: 'It may be deleted, private or not published yet. Check the link, or ask the person who sent it to you.',
}

/** Who sells, at the head of the checkout. */
export const seller = {
  offeredBy: 'Offered by',
  wallet: 'The owner gave no name.',
  verifiedDomain: 'Verified domain',
  domainShown: 'A proof of this wallet shows that it controls this domain.',
}

/** What a gate asks for. */
export const gateNeeds = {
  perhapsEnough: 'You may not need all of these. You can go on as soon as you have enough.',
  list: 'Guest list',
  listLead: 'The owner lets in the wallets on a list.',
  isOnList: ' you are on it',
  isNotOnList: ' you are not on it',
  has: ' you have it',
  optional: ' optional',
  missing: ' missing',
  is: (name: string, value: string): string => `${name}: ${value}`,
  atLeast: (name: string, value: string): string => `${name}: at least ${value}`,
  atMost: (name: string, value: string): string => `${name}: at most ${value}`,
  final: 'A proof counts once its block is final. This takes some minutes.',
  recheck: 'This server asks the chain again before you get anything.',
  prove: (title: string): string => `Prove: ${title}`,
}

/** The way through a gate. */
export const checkout = {
  looking: 'Looking for your proofs …',
  paidBefore: <T>(transaction: T) => [
    'You have paid in transaction ',
    transaction,
    '. Do not pay again. The payment counts once you have everything that this gate asks for.',
  ],
  tryAgain: 'Try again',
  notOnList: 'You are not on the list. A proof does not help here.',
  theOwner: 'the owner of the gate',
  sendAddress: (who: string): string => `Send your address to ${who} and ask to be added to the list.`,
  copyAddress: 'Copy my address',
  askOperator: <T>(link: T) => ['You do not know them? Write to the ', link, '.'],
  operator: 'operator of this server',
  goOn: (title: string): string => `Go on: ${title}`,
  passedBefore: 'You passed this gate before. You can see what you got again. This costs nothing.',
  showAgain: 'Show it again',
  complete: 'You have everything that this gate asks for.',
  toPayment: 'Go on to the payment',
  get: 'Get it now',
  enter: 'Enter',
  lookingAtPayment: 'Looking for the payment …',
  asking: 'Getting it …',
  notSettled: 'Not confirmed yet. This page looks again by itself …',
  stopWaiting: 'Stop waiting (your payment stays)',
  lookLater: 'Not confirmed yet. Your payment stays. Look again later.',
  lookAgain: 'Look again',
  /** Refusals that end the checkout, and what happened to a payment. */
  notCharged: 'No payment was used.',
  boughtNothing: 'Your payment arrived and bought nothing. See Payments, “Owed”, in your dashboard.',
  soldOut: 'This gate sold out in the meantime.',
  limitReached: 'This wallet has passed this gate as often as it may.',
  ended: 'This gate closed in the meantime.',
  suspended:
    'The payment was refunded, disputed, or dropped by the chain, so you have no access now. Make a new proof and pay again, or ask the owner of the gate.',
  paymentUsed: 'This payment was used for another gate or another proof. Each payment counts once.',
  needsChanged: 'A proof that this gate needs no longer counts. Reload this page to see which one.',
}

/** Choosing how to pay, and the three steps of a payment. */
export const paying = {
  title: (amount: string): string => `Pay ${amount} US dollars`,
  whichWallet: 'Choose the wallet that pays',
  send: 'Send the payment',
  sent: 'Payment sent',
  confirm: 'Confirmed by the network',
  inNoBlock: 'Waiting for its first block',
  elsewhere: 'Waiting for the confirmation',
  done: 'You get access here',
  final: (confirmations: number): string =>
    `${confirmations} ${confirmations === 1 ? 'confirmation' : 'confirmations'}, not final yet`,
  confirmations: (count: number, needed: number): string => `${count} of ${needed} confirmations`,
  comes: (moment: string): string => `Access comes ${moment}.`,
  /** Each completes "Access comes". By the settlement moment. */
  moments: {
    first_block: 'with the first block, in about a minute',
    confirmations: 'when the network has confirmed it, mostly within minutes',
    final: 'when it is final, mostly within half an hour',
  },
  soon: 'in about a minute',
  onItsWay: 'Your payment is on its way',
  transaction: 'Transaction',
  once: 'Do not pay again. You can close this page and come back later in this browser.',
  lookAgain: 'Look again',
  said: 'Message of the server',
  notSettled: 'Not confirmed yet.',
  anotherOne: 'Does your wallet show another transaction?',
  unknown: 'No network of this server knows this transaction yet. If you sped it up, it has another hash.',
  lookAtAnother: 'Look at this one',
  failed: 'If your wallet says that it failed or was dropped, you paid nothing.',
  neverSent: 'It was never sent. Choose how to pay',
  hash: 'must be 0x and 64 hexadecimal digits',
  hashHint: 'The hash of the transfer, from your wallet or an explorer.',
}

/** What a gate gives. */
export const reward = {
  title: 'You have access',
  kept: 'This page does not keep what you got. Come back with the same wallet to see it again.',
  receipt: 'Open the receipt',
  confirmation: 'Open the confirmation',
  granted: 'Your wallet has access now.',
  download: (host: string): string => `Download from ${host}`,
  goOn: (host: string): string => `Go on to ${host}`,
  copy: 'Copy the text',
}
