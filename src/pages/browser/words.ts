/** Describes an error, and the remedy, in words. */
import { refusalSentences, writeRefusal } from '../refusal-words.ts'
import { isSessionOver, NoAnswer, Refusal } from './json-api.ts'
import { NoAccount, WrongAnswer } from './wallet.ts'
import { type Explanation, explainWalletError, type WalletTask } from './wallet-error.ts'

/** `wallet` is the name of the wallet that was asked, where one was. */
export const describeError = (error: unknown, wallet?: string): string => explainError(error, wallet).text

/** As describeError, with the text of others beside its summary. */
export function explainError(error: unknown, wallet = 'The wallet', task: WalletTask = 'sign'): Explanation {
  if (error instanceof NoAnswer)
    return {
      text: `This server did not answer. Check the connection, then try again.${task === 'sign' ? ' You are not signed in.' : ''}`,
    }
  if (error instanceof Refusal) return { text: describeRefusal(error) }
  if (error instanceof NoAccount)
    return { text: `${wallet} gave no account. Unlock it, choose an account for this site, then try again.` }
  if (error instanceof WrongAnswer)
    return { text: `${wallet} did not answer with ${error.message}. Try again, or use another wallet.` }
  return explainWalletError(error, wallet, task)
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
