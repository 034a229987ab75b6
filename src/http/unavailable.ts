/** The answer when an outside look-up failed. */
import { AppError, type ErrorDetails } from '../errors.ts'
import type { OutsideError } from '../outside/failure.ts'

/** `what` begins the sentence: "nft-ownership", "the signature". Shows no more of the source than the name of its setting. */
export const makeUnavailableError = (
  what: string,
  { source, fault, happened, retryAfterSeconds }: OutsideError,
  details: ErrorDetails = {},
): AppError =>
  new AppError(
    'VERIFIER_UNAVAILABLE',
    `${what} could not be looked up: ${source} ${happened}. This does not mean no, and nothing was stored; try again in ${retryAfterSeconds} s`,
    { ...details, source, fault },
    { 'retry-after': String(retryAfterSeconds) },
  )
