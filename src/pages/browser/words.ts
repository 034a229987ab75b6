/** Describes an error, and the remedy, in words. */
import { writeRefusal } from '../refusal-words.ts'
import { refusals, errors as words } from '../words/en/errors.ts'
import { isSessionOver, NoAnswer, Refusal } from './json-api.ts'
import { NoAccount, PhoneEnded, WrongAnswer } from './wallet.ts'
import { type Explanation, explainWalletError, type WalletTask } from './wallet-error.ts'

/** `wallet` is the name of the wallet that was asked, where one was. */
export const describeError = (error: unknown, wallet?: string): string => explainError(error, wallet).text

/** As describeError, with the text of others beside its summary. */
export function explainError(error: unknown, wallet = words.theWallet, task: WalletTask = 'sign'): Explanation {
  if (error instanceof NoAnswer) return { text: error.mayHaveHappened ? words.noAnswerToChange : words.noAnswer }
  if (error instanceof Refusal) return { text: describeRefusal(error) }
  if (error instanceof PhoneEnded) return { text: error.message }
  if (error instanceof NoAccount) return { text: words.noAccount(wallet) }
  if (error instanceof WrongAnswer) return { text: words.wrongAnswer(wallet, words.wanted[error.wanted]) }
  return explainWalletError(error, wallet, task)
}

function describeRefusal(refusal: Refusal): string {
  if (isSessionOver(refusal)) return refusals.WALLET_AUTH_REQUIRED
  const { code, message, details, reason, retryAfterSeconds, requestId } = refusal
  if (code === 'RATE_LIMIT_EXCEEDED') return words.tooMany(writeWait(retryAfterSeconds))
  if (code === 'CONFLICT' && reason === 'NONCE_USED') return words.usedText
  if (code === 'CONFLICT' && reason === 'NAME_TAKEN') return words.nameTaken
  if (code === 'CONFLICT' && isUnheld(reason)) return words.again(words.unheld[reason], writeWait(retryAfterSeconds))
  if (code === 'VERIFIER_UNAVAILABLE' && reason === 'NO_CHAIN') return words.noChain
  return writeRefusal({ code, message, isUncertain: details.uncertain === true, requestId })
}

/** The gate reserves no place for a buyer who has not paid, though some places are left. */
export const isUnheld = (reason: string | undefined): reason is keyof typeof words.unheld =>
  reason !== undefined && Object.hasOwn(words.unheld, reason)

const writeWait = (seconds: number | undefined): string => {
  if (seconds === undefined) return words.minute
  if (seconds < 90) return words.seconds(seconds)
  if (seconds < 7200) return words.minutes(Math.ceil(seconds / 60))
  return words.hours(Math.ceil(seconds / 3600))
}
