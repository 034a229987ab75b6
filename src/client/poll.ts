/** Waits for a proof: reads it again, less and less often, until its status is final. */
import { ProofgateError } from './error.ts'
import type { PollOptions, Proof } from './module.d.ts'

const longestMs = 15_000

/** Every status that is not known as pending is final. */
const isUnderWay = (status: string): boolean =>
  /^(processing|verified_crosschain_(initiated|propagating)$)/.test(status)

export async function pollAnswer(
  read: () => Promise<Proof>,
  { timeoutMs = 120_000, intervalMs = 1000, onProof, signal }: PollOptions,
): Promise<Proof> {
  const end = Date.now() + timeoutMs
  let status: string | undefined
  for (let waitMs = intervalMs; ; waitMs = Math.min(waitMs * 1.5, longestMs)) {
    let cause: unknown
    try {
      const proof = await read()
      onProof?.(proof)
      status = proof.status
      if (!isUnderWay(status)) return proof
    } catch (error) {
      if (!(error instanceof ProofgateError && error.retryable)) throw error
      cause = error
    }
    // Random delays keep many clients from returning to one server at once.
    const pauseMs = Math.max(
      waitMs * (0.75 + Math.random() / 2),
      ((cause as ProofgateError | undefined)?.retryAfterSeconds ?? 0) * 1000,
    )
    if (Date.now() + pauseMs > end)
      throw new ProofgateError('TIMEOUT', `the proof is ${status ?? 'not known'} after ${timeoutMs / 1000} seconds`, {
        status: 0,
        details: { status },
        cause,
      })
    await pause(pauseMs, signal)
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
