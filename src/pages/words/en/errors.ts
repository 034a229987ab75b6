/** The words about errors: refusals of the server, errors of wallets, and checks without a proof. */
import type { ErrorCode } from '../../../errors.ts'

const again = 'Try again in a moment.'
const fault = `Something failed on this server. ${again}`
const outdated = 'This page is out of date. Reload it, then try again.'
const combination = 'These checks do not go together. Make one proof after the other.'

/** A sentence for each code. */
export const refusals: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Something that you entered is not valid. Check it, then try again.',
  INVALID_WALLET_ADDRESS: 'This is not a wallet address of that network. Check it, then try again.',
  INVALID_VERIFIER_DATA: 'Something in the form is not valid. Check each field, then try again.',
  INVALID_VERIFIER_COMBINATION: combination,
  INVALID_VERIFIER_FLOW_COMBINATION: combination,
  VERIFIER_NOT_FOUND: 'This server does not offer this check. Ask its operator.',
  VERIFICATION_FAILED: 'What you entered is not what we found. Check each field and the wallet.',
  PROOF_NOT_VERIFIED: 'This proof is revoked or expired. Make a new one.',
  GATE_REQUIREMENTS_NOT_MET: 'Your proofs do not meet the requirements of this gate.',
  GATE_CHECK_INCOMPLETE: 'This wallet has too many proofs to check at once. Ask the owner of the gate.',
  GATE_MISCONFIGURED: 'This gate is not set up correctly. Ask its owner.',
  GATE_PAUSED: 'This gate is paused.',
  GATE_NOT_STARTED: 'This gate is not open yet.',
  GATE_ENDED: 'This gate is closed.',
  SIGNATURE_INVALID: 'The signature is not from this wallet. Choose the wallet again, then sign again.',
  EXPIRED_SIGNATURE: 'The text was signed too late. Try again with a new one.',
  WALLET_AUTH_REQUIRED: 'Your session has ended. Nothing was changed. Sign in again.',
  PAYMENT_REQUIRED: 'This has a price. We have not found your payment yet.',
  FORBIDDEN: 'This wallet may not do that. Sign in with the right wallet.',
  NOT_FOUND: 'This does not exist here, or you may not see it.',
  PROOF_NOT_FOUND: 'This proof does not exist here, or you may not see it.',
  GATE_NOT_FOUND: 'This gate does not exist here, or you may not see it.',
  METHOD_NOT_ALLOWED: outdated,
  CONFLICT: 'This was changed or done already. Reload the page to see the current state.',
  PAYMENT_ALREADY_USED: 'This payment was used before. Each payment counts once.',
  GATE_SOLD_OUT: 'This gate is sold out.',
  GATE_LIMIT_REACHED: 'This wallet has passed this gate as often as it may.',
  FULFILLMENT_SUSPENDED: 'The payment was taken back, so you have no access now.',
  PAYLOAD_TOO_LARGE: 'This is too long for the server. Make it shorter, then try again.',
  UNSUPPORTED_MEDIA_TYPE: outdated,
  RATE_LIMIT_EXCEEDED: 'Too many requests. Wait a minute, then try again.',
  HEADERS_TOO_LARGE: outdated,
  INTERNAL_ERROR: fault,
  SERVICE_UNAVAILABLE: fault,
  STORAGE_FULL: 'The disk of this server is nearly full, so it stores nothing new. Tell its operator.',
  VERIFIER_UNAVAILABLE: `A source outside of this server did not answer. ${again}`,
}

export const errors = {
  fault,
  uncertain: 'We do not know whether this was saved. Reload the page and look before you try again.',
  /** The message of the server, which is English. `sentence` stands for it in other languages. */
  told: (message: string, _sentence: string): string => message,
  request: (sentence: string, id: string): string =>
    `${sentence} If it happens again, tell the operator: request ${id}.`,
  noAnswer: 'This server did not answer. Check your connection, then try again.',
  noAnswerToChange:
    'This server did not answer. It may have done what you asked. Check your connection, then reload this page and look.',
  theWallet: 'The wallet',
  noAccount: (wallet: string): string =>
    `${wallet} gave no account. Unlock it, choose an account for this site, then try again.`,
  wrongAnswer: (wallet: string, wanted: string): string =>
    `${wallet} did not answer with ${wanted}. Try again, or use another wallet.`,
  /** What a wallet should have answered. */
  wanted: {
    signature: 'a signature',
    sameText: 'a signature of the text as it was',
    chain: 'its chain',
    transaction: 'the hash of a transaction',
    payChain: 'the chain to pay on',
  },
  tooMany: (wait: string): string => `Too many requests. Wait ${wait}, then try again.`,
  usedText: 'You signed in with this text before. Try again with a new one.',
  nameTaken: 'Another wallet has this name here. Choose another one.',
  again: (sentence: string, wait: string): string => `${sentence} Try again in ${wait}.`,
  noChain:
    'This is a contract wallet, and this server cannot reach its chain. Use a wallet with its own key. Or switch the wallet to another chain, then try again. The operator of this server can also add the chain.',
  /** The gate reserves no place for a buyer who has not paid, though some places are left. */
  unheld: {
    TOO_MANY_PLACES_OF_NETWORK:
      'Your network holds as many unpaid places here as it may. The other places are kept for buyers elsewhere.',
    TOO_MANY_PLACES_OF_WALLET:
      'This wallet holds as many unpaid places at other gates as it may. Pay for one of them first.',
    PLACE_ENDED_UNPAID: 'A place was held for this wallet and not paid for. Other buyers come first for a while.',
  },
  minute: 'a minute',
  seconds: (count: number): string => `${count} seconds`,
  minutes: (count: number): string => `${count} minutes`,
  hours: (count: number): string => `${count} hours`,
}

/** Errors of wallets and their nodes. */
export const walletErrors = {
  /** By the task of the wallet. */
  withoutEffect: { sign: 'Nothing was signed.', pay: 'Nothing was paid.' },
  declined: 'You declined in the wallet.',
  silent: (wallet: string): string => `${wallet} did not say why. Open it and unlock it, then try again.`,
  said: 'Message of the wallet',
  unreachable: (wallet: string): string =>
    `${wallet} could not reach its network. Look in the wallet before you try again: it may have done something.`,
  fewCoins: (wallet: string): string => `${wallet} has too few coins to pay the network fee.`,
  fewTokens: (wallet: string): string => `${wallet} holds too little of the token.`,
  earlier: (wallet: string): string =>
    `${wallet} still waits for an earlier transaction. Finish or cancel that one first.`,
  reverts: (wallet: string): string => `${wallet} says that the network would refuse this transaction.`,
  answered: (wallet: string, message: string): string => `${wallet} answered: ${message}`,
  failed: (wallet: string): string => `${wallet} reported an error.`,
  busy: (wallet: string): string =>
    `${wallet} already shows a request. Open the wallet and answer that one, then try again.`,
  locked: (wallet: string): string =>
    `${wallet} is locked, or does not allow this site. Unlock it, allow this site, then try again.`,
  unable: {
    sign: (wallet: string): string => `${wallet} cannot sign texts. Use another wallet.`,
    pay: (wallet: string): string => `${wallet} cannot pay from this page. Use another wallet.`,
  },
  offline: (wallet: string): string => `${wallet} is not connected to its network. Connect it, then try again.`,
  unknownChain: (wallet: string, chain: string): string =>
    `${wallet} does not know the network ${chain}. Add it there, then pay again.`,
  toAdd: 'What to add',
  network: 'Network',
  chainId: 'Chain id',
  coin: 'Coin',
  explorer: 'Explorer',
}

/** A page whose session has ended. */
export const sessionOver = {
  over: 'Your session has ended. Nothing was changed. What you typed is still here.',
  signIn: 'Sign in again',
  back: 'It opens in a new tab. Then come back to this one.',
  somebodyElse: (wallet: string): string => `Another wallet is signed in now. Sign in with ${wallet} to go on.`,
  here: 'You are signed in again. Nothing was lost. Press the button once more.',
}

/** A claim that did not become a proof. */
export const outcome = {
  unsure: 'This server did not answer. We do not know whether your proof was made.',
  onceOnly: 'You can try again. At worst, you have the same proof twice.',
  lookUpFailed: 'A source outside of this server gave no usable answer.',
  soon: again,
  inSeconds: (count: number): string => `Try again in ${count} seconds.`,
  refused: 'The check failed.',
  noProof: 'No proof was made.',
  checkAgain: 'Check again',
  unreached: 'We could not check this.',
  undecided: 'Nothing was decided, and nothing was saved.',
  tryAgain: 'Try again',
}

const setRecord = 'Set the record as the form shows it. Wait some minutes, then check again.'
const otherWallet = 'The form names another wallet than the one that makes the proof.'

/** By the failure reason of the check. Other reasons need no advice beyond their message. */
export const failureAdvice: Readonly<Record<string, string>> = {
  NO_SUCH_NAME: setRecord,
  NO_TXT_RECORD: setRecord,
  DNAME_IN_THE_WAY: 'Set the record at the name in the message. Wait some minutes, then check again.',
  CNAME_IN_THE_WAY: 'Remove the CNAME and set the record as the form shows it. Wait some minutes, then check again.',
  WALLET_NOT_LISTED: 'Compare the record with the one in the form, letter by letter.',
  NOT_TOKEN_OWNER: 'Is it in another wallet of yours? Use that one.',
  BALANCE_TOO_LOW: 'Do you hold more in another wallet? Use that one, or ask for less.',
  LINK_SIGNATURE_EXPIRED: 'Sign with the second wallet again.',
  WALLET_SANCTIONED: 'You cannot change that here. Use another wallet.',
}

/** For reasons whose messages name members of the request. */
export const failureReasons: Readonly<Record<string, string>> = {
  OWNER_MISMATCH: otherWallet,
  WALLET_MISMATCH: otherWallet,
  PRIMARY_MISMATCH: otherWallet,
  LINK_SIGNATURE_EXPIRED: 'The second wallet signed too long ago.',
  CONTENT_HASH_MISMATCH: 'The text is not the one that was named.',
}

/** While a server that does not answer is asked again. */
export const serverReturn = { away: 'This server does not answer. This page tries again by itself …' }
