/** Runs work of many calls: when the server asks to wait, it waits and continues. */
import { ProofgateError } from '../../../../client/client.ts'

export interface RetryPolicy {
  readonly signal: AbortSignal
  /** Called with the seconds that the server asks to wait. */
  waits(seconds: number): void
}

/**
 * The answer of the call; undefined when it was stopped while waiting. Errors: those of the call, except rate limiting.
 */
export async function retry<T>(call: () => Promise<T>, { signal, waits }: RetryPolicy): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ProofgateError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error
      const seconds = error.retryAfterSeconds ?? 30
      waits(seconds)
      await pause(seconds * 1000, signal)
    }
  }
  return undefined
}

/** Ends early when the work is stopped. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
