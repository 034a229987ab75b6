/** Describes an error in words. "Refused", "unreachable" and "could not be looked up" are three different answers. */
import { ProofgateError } from '../../../client/client.ts'
import { writeRefusal } from '../../refusal-words.ts'

export function describeProblem(error: unknown): string {
  // The text of a thrown error is for whoever mends the page.
  if (!(error instanceof ProofgateError)) {
    console.error(error)
    return 'Something failed in this page. Reload it.'
  }
  const { code, status, message, details, retryAfterSeconds, requestId } = error
  if (status === 0)
    return 'The server does not answer. Nothing is known of whether it did what was asked: look again in a moment.'
  if (code === 'RATE_LIMIT_EXCEEDED')
    return `That was too often. Wait ${retryAfterSeconds ?? 60} seconds, then try again.`
  return writeRefusal({ code, message, isUncertain: details?.uncertain === true, requestId })
}
