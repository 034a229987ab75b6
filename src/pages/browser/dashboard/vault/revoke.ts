/** Revoking, one or many: one after the other, so that it can be stopped, and as fast as the server allows. */
import { ProofgateError } from '../../../../client/client.ts'
import { api } from '../api.ts'
import { tellOthers } from './news.ts'

export async function revokeProof(qHash: string, signal?: AbortSignal): Promise<void> {
  await api('POST', `/api/v1/proofs/revoke-self/${qHash}`, { body: {}, ...(signal ? { signal } : {}) })
  tellOthers({ revoked: qHash })
}

export interface Progress {
  readonly done: number
  readonly of: number
  /** Seconds that the server asked to wait. */
  readonly waiting?: number
}

/** Stops at the first that fails, and between two when asked to: what is revoked stays revoked. Errors: ProofgateError. */
export async function revokeAll(
  ids: readonly string[],
  { signal, say, revoked }: { signal: AbortSignal; say(progress: Progress): void; revoked(qHash: string): void },
): Promise<void> {
  for (let done = 0; done < ids.length; ) {
    if (signal.aborted) return
    say({ done, of: ids.length })
    try {
      await revokeProof(ids[done]!)
      revoked(ids[done]!)
      done++
    } catch (error) {
      if (!(error instanceof ProofgateError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error
      const seconds = error.retryAfterSeconds ?? 30
      say({ done, of: ids.length, waiting: seconds })
      await pause(seconds * 1000, signal)
    }
  }
}

/** Ends early where it is not waited for any more. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
