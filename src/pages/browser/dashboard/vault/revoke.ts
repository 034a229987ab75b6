/**
 * Revokes one or many proofs, one after the other, so that it can be stopped. It goes as fast as the rate limit allows.
 */
import { callApi } from '../api.ts'
import { tellOthers } from './news.ts'
import { retry } from './retry-policy.ts'

export async function revokeProof(qHash: string): Promise<void> {
  await callApi('POST', `/api/v1/proofs/revoke-self/${qHash}`, { body: {} })
  tellOthers({ revoked: qHash })
}

interface Revoking {
  readonly signal: AbortSignal
  /** Seconds that the server asks to wait; undefined once it goes on. */
  waits(seconds: number | undefined): void
  revoked(qHash: string): void
}

/**
 * Stops at the first failure, and between two proofs on request; revoked proofs stay revoked. Errors: ProofgateError.
 */
export async function revokeAll(ids: readonly string[], { signal, waits, revoked }: Revoking): Promise<void> {
  for (const qHash of ids) {
    const isDone = await retry(() => revokeProof(qHash).then(() => true), { signal, waits })
    if (!isDone) return
    waits(undefined)
    revoked(qHash)
  }
}
