/** The words of the dashboard's payments. */

export const payments = {
  title: 'Payments',
  lead: 'What you received at your gates, and what you got at other gates.',
  tabs: { received: 'Received', bought: 'What I got', paid: 'What I paid', unmatched: 'Owed' },
  nothingBought: 'You have not passed a gate yet',
  boughtHere: 'What you get at the gates of this server is listed here. The address of a gate ends with its id:',
  copyAddress: 'Copy the address',
  nothingPaid: 'You have not paid anything here',
  paidHere: 'Your payments at the gates of this server are listed here, with their transactions and receipts.',
  received: 'Received',
  paymentCount: 'Payments',
  passCount: 'Passes, free ones included',
  list: 'Payments received',
  nothingReceived: 'No payments yet',
  receivedHere: <T>(build: T) => [
    'A gate with a price takes payments as soon as it is active. ',
    build,
    '. The money goes to you, not through this server. This command shows the ways to pay here:',
  ],
  build: 'Build a gate',
  noneInDays: 'Nothing in this period',
  showAll: 'Show all dates',
  save: 'Save as CSV',
  saved: (count: string, isOne: boolean, isAll: boolean) =>
    isAll ? `Saved ${count} ${isOne ? 'row' : 'rows'}.` : `Saved the newest ${count} rows.`,
}

/** One sale: its row and its window. */
export const sale = {
  free: 'Free',
  refunded: (amount: string) => `${amount} USD refunded`,
  to: 'to ',
  as: 'as ',
  gate: 'Gate',
  version: (version: number) => `, version ${version}`,
  givenTo: 'Given to',
  byWallet: 'With your wallet',
  when: 'When',
  receipt: 'Receipt',
  openReceipt: 'Open the receipt',
  confirmation: 'Confirmation',
  openConfirmation: 'Open the confirmation',
  paid: 'Paid',
  refundedName: 'Refunded',
  from: 'From',
  transactionOn: (chain: string) => `Transaction on ${chain}`,
  reference: 'Reference',
  openExplorer: 'Open in the explorer',
  showRewards: 'Show what I got',
  reward: 'What you got',
  onlyAccess: 'You got access. There is nothing more to show.',
  /** By the words of the CSV file, which are the same in every language. */
  states: {
    disputed: {
      word: 'Disputed',
      sentence:
        'The holder of the card disputes the payment. The reward is withheld, and its place is kept. If you win the dispute, the reward is given again.',
    },
    'taken back': {
      word: 'Taken back',
      sentence: 'The payment was refunded, disputed or dropped by the chain. The reward is withheld.',
    },
    'refunded in part': {
      word: 'Partly refunded',
      sentence: 'A small part of the payment was refunded. The reward stays given.',
    },
    'let in': { word: 'Let in', sentence: 'The gate was free.' },
    paid: { word: 'Paid', sentence: 'The payment is final, and the reward was given.' },
    'paid (settling)': {
      word: 'Paid, not final',
      sentence: 'The reward was given. The payment is not final yet, so the server watches it.',
    },
  },
}

/** Payments that bought nothing. */
export const unmatched = {
  atGates: 'At your gates',
  allBought: 'Every payment at your gates bought something.',
  byWallets: 'By your wallets',
  allUsed: 'Each of your payments bought something.',
  none: 'Nothing here',
  more: 'Show more',
  states: { owed: 'Owed', refunding: 'Being refunded', refunded: 'Refunded', used: 'Used' },
  reasons: {
    GATE_SOLD_OUT: 'The gate was sold out when it arrived.',
    GATE_LIMIT_REACHED: 'The wallet had reached its limit when it arrived.',
    GATE_ENDED: 'The gate had ended when it arrived.',
    GATE_PAUSED: 'The gate was paused when it arrived.',
    GATE_NOT_FOUND: 'The gate was deleted or private when it arrived.',
    PROOF_NOT_VERIFIED: 'The proof was revoked or had expired when it arrived.',
    PROOF_NOT_FOUND: 'The proof was erased before it arrived.',
    AMOUNT_TOO_LOW: 'It was less than the price.',
    RECIPIENT_CHANGED: 'It went to the former recipient of the gate.',
    PAYMENT_TOO_OLD: 'It was too old when someone named it.',
    GATE_FREE: 'The gate was free by then.',
    GATE_NOT_STARTED: 'The gate had not started yet.',
    GATE_REQUIREMENTS_NOT_MET: 'The wallet had not proved what the gate asks for.',
    QUOTE_ENDED: 'It arrived after the kept price and place had ended.',
    ALREADY_FULFILLED: 'Another payment for the same proof came first.',
  },
  refunding: 'This server is refunding it to the card.',
  youGaveBack: 'You said that you gave it back. Nobody can use it any more.',
  sellerGaveBack: 'The seller says that it was given back. You cannot use it any more.',
  refunded: 'It was refunded to the card.',
  used: 'It bought something at another gate of the same seller.',
  goneFromYou: 'The chain dropped it, so you do not have the money. Do not send it back. The server looks for it.',
  goneFromSeller: 'The chain dropped it. The server looks for it. Nobody can use it until it is back.',
  withYou: 'You have the money, and nobody can use it here. Give it back, and say so here first.',
  withSeller: 'The seller has the money. Ask the seller to give it back.',
  payerMayUse: (isQuoted: boolean) =>
    `You have the money. ${isQuoted ? 'Its payer, or the buyer with the quote,' : 'Its payer'} can use it for any gate of yours that costs no more. Before you send it back, say so here.`,
  youMayUse: (isQuoted: boolean) =>
    `The seller has the money. You can use it for any gate of the same seller that costs no more: give the transaction there. ${isQuoted ? 'The wallet that paid can do so, too.' : 'Use the wallet that paid.'} Or ask the seller to give it back.`,
  sendBack: 'I am sending it back',
  sendBackTitle: 'Give this payment back?',
  sendBackYes: 'Mark it as given back',
  sendBackFirst:
    'Press this before you send the money. Otherwise the payer can still use it at another gate of yours, and you lose it twice. If this is refused, do not send the money.',
  sendBackEffect: 'The payer sees that you gave it back. This server does not check it. You cannot undo this.',
  gate: 'Gate',
  paid: 'Paid',
  from: 'From',
  transaction: 'Transaction',
  reference: 'Reference',
  sentBackBy: 'Sent back by',
}
