/** Describes an error, and the remedy, in words. */
import { chooseWords, isForReaders, refusalSentences, writeRefusal } from '../refusal-words.ts'
import { isSessionOver, NoAnswer, Refusal } from './json-api.ts'
import { NoAccount, WrongAnswer } from './wallet.ts'

/** `wallet` is the name of the wallet that was asked, where one was. */
export function describeError(error: unknown, wallet = 'The wallet'): string {
  if (error instanceof NoAnswer)
    return 'This server did not answer. Check the connection, then try again. You are not signed in.'
  if (error instanceof Refusal) return describeRefusal(error)
  if (error instanceof NoAccount)
    return `${wallet} gave no account. Unlock it, choose an account for this site, then try again.`
  if (error instanceof WrongAnswer)
    return `${wallet} did not answer with ${error.message}. Try again, or use another wallet.`
  return describeWalletError(error, wallet)
}

function describeRefusal(refusal: Refusal): string {
  if (isSessionOver(refusal)) return refusalSentences.WALLET_AUTH_REQUIRED
  const { code, message, details, reason, retryAfterSeconds, requestId } = refusal
  if (code === 'RATE_LIMIT_EXCEEDED') return `Too many requests. Wait ${writeWait(retryAfterSeconds)}, then try again.`
  if (code === 'CONFLICT' && reason === 'NONCE_USED')
    return 'This text was used to sign in before. Try again: you get a new one.'
  if (code === 'CONFLICT' && isUnheld(reason)) return `${unheld[reason]} Try again in ${writeWait(retryAfterSeconds)}.`
  if (code === 'VERIFIER_UNAVAILABLE' && reason === 'NO_CHAIN')
    return 'This is a contract wallet, and this server has no access to its chain, so it cannot ask whether the wallet signed. Choose a wallet with a key of its own; or switch the wallet to another chain and try again; or ask the operator of this server to add the chain.'
  return writeRefusal({ code, message, isUncertain: details.uncertain === true, requestId })
}

/** The gate reserves no place for a buyer who has not paid, though some places are left. */
const unheld = {
  TOO_MANY_PLACES_OF_NETWORK:
    'Your network holds as many places here as it may without paying, and the others are kept for buyers elsewhere.',
  TOO_MANY_PLACES_OF_WALLET:
    'This wallet holds as many places at other gates as it may without paying. Pay one of them first.',
  PLACE_ENDED_UNPAID: 'A place was held for this wallet and not paid, so others come first for a while.',
} as const

export const isUnheld = (reason: string | undefined): reason is keyof typeof unheld =>
  reason !== undefined && Object.hasOwn(unheld, reason)

const writeWait = (seconds: number | undefined): string => {
  if (seconds === undefined) return 'a minute'
  if (seconds < 90) return `${seconds} seconds`
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`
  return `${Math.ceil(seconds / 3600)} hours`
}

/** Codes: EIP-1193 and EIP-1474. Wallets of other kinds use the same codes, or messages. */
function describeWalletError(error: unknown, wallet: string): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
  }
  const text = typeof message === 'string' ? message : ''
  if (code === 4001 || code === 'ACTION_REJECTED' || /\b(reject|denied|declined|cancel)/i.test(text))
    return 'You declined in the wallet. Nothing was signed.'
  switch (code) {
    case -32002:
      return `${wallet} already shows a request. Open the wallet and answer that one, then try again.`
    case 4100:
      return `${wallet} is locked, or does not allow this site to ask. Unlock it, allow this site, then try again.`
    case 4200:
    case -32601:
      return `${wallet} cannot sign texts. Use another wallet.`
    case 4900:
    case 4901:
      return `${wallet} is not connected to its network. Connect it, then try again.`
  }
  return isForReaders(text)
    ? `${wallet} answered: ${chooseWords(text, '')} Nothing was signed.`
    : `${wallet} did not sign, and did not say why. Open it, see whether it is unlocked, then try again.`
}
