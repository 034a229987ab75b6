/** Work of many calls: where the server asks to wait, it waits and goes on. */
import { ProofgateError } from '../../../../client/client.ts'

export interface Patience {
  readonly signal: AbortSignal
  /** Called with the seconds that the server asked for. */
  waits(seconds: number): void
}

/** What the call answers; undefined where it was stopped while waiting. Errors: those of the call, but for that one. */
export async function patiently<T>(call: () => Promise<T>, { signal, waits }: Patience): Promise<T | undefined> {
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

/** Ends early where nobody waits for it any more. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
