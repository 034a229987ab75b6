/** Kinds of failed requests, and their words. "Refused", "unreachable" and "signed out" are three different answers. */
import { ProofgateError } from '../../../client/client.ts'
import { writeRefusal } from '../../refusal-words.ts'
import { failure as words } from '../../words/en/dashboard.ts'

/** The session ended, or another tab signed in as somebody else. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof ProofgateError &&
  (error.code === 'WALLET_AUTH_REQUIRED' || (error.code === 'FORBIDDEN' && error.message.includes('X-CSRF-Token')))

/** No server answered: nothing at all came, or a proxy in front of it answered without a request id of the server. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ProofgateError &&
  (error.status === 0 || ([502, 503, 504].includes(error.status) && error.requestId === undefined))

/** `isRepeated`: the request was a read, which the page repeats by itself. */
export function describeProblem(error: unknown, { isRepeated = false } = {}): string {
  if (isUnreachable(error)) return isRepeated ? words.unread : words.unsure
  // The text of a thrown error is for whoever mends the page.
  if (!(error instanceof ProofgateError)) {
    console.error(error)
    return words.page
  }
  const { code, message, uncertain, retryAfterSeconds, requestId } = error
  if (code === 'RATE_LIMIT_EXCEEDED') return words.tooMany(retryAfterSeconds ?? 60)
  return writeRefusal({ code, message, isUncertain: uncertain, requestId })
}
