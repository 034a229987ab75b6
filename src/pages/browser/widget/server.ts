/** The address of the server, and the requests of the elements, which need no identity. */
import { ProofgateError } from '../../../client/error.ts'
import { makeSender } from '../../../client/request.ts'
import { parseWebUrl } from '../../../web-url.ts'
import type { ProofState } from './widget.d.ts'

export const isQHash = (text: unknown): text is string => typeof text === 'string' && /^0x[0-9a-f]{64}$/.test(text)

/**
 * The address of the server with a trailing slash. The default is the script's origin with a proxy's path prefix.
 * Undefined for an invalid address.
 */
export function parseServer(given: string | null): URL | undefined {
  const address = given ? `${given.replace(/\/+$/, '')}/` : new URL('./', import.meta.url).href
  // Another scheme would be opened as it is, and `javascript:` would run.
  return parseWebUrl(address)
}

const waitMs = 15_000

const ask = <T>(server: URL, path: string, query: Readonly<Record<string, string>>, signal: AbortSignal) =>
  makeSender({ url: server.href, timeoutMs: waitMs })<{ readonly data: T }>('GET', `/api/v1/${path}`, {
    query,
    signal,
  })

interface SeenProof {
  readonly status: string
  readonly privacyLevel: string
  /** Present for a public proof. */
  readonly walletAddress?: string
}

const readProof = async (server: URL, qHash: string, signal: AbortSignal): Promise<SeenProof> =>
  (await ask<SeenProof>(server, `proofs/${qHash}`, {}, signal)).data

/** Returns the state of a proof. Rejects only with the reason of the signal. */
export async function readState(server: URL, qHash: string, signal: AbortSignal): Promise<ProofState> {
  try {
    const { status, privacyLevel } = await readProof(server, qHash, signal)
    if (status === 'revoked' || status === 'expired') return status
    if (status === 'partially_verified') return 'partial'
    if (status === 'imported') return status
    if (!status.startsWith('verified')) return 'unreachable'
    return privacyLevel === 'private' ? 'private' : 'holds'
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // A 404 from something else at that address says nothing about the proof.
    return error instanceof ProofgateError && error.status === 404 && error.code === 'NOT_FOUND'
      ? 'unknown'
      : 'unreachable'
  }
}

interface Checked {
  readonly gate: { readonly allRequiredSatisfied: boolean }
}

/**
 * Whether the wallet of this proof passes the gate, by public data; null when only the owner could tell. The wallet
 * defaults to that of the proof. Errors: ProofgateError.
 */
export async function passes(
  server: URL,
  { gateId, qHash, walletAddress }: { gateId: string; qHash: string; walletAddress: string | null },
  signal: AbortSignal,
): Promise<boolean | null> {
  const proof = await readProof(server, qHash, signal)
  const address = proof.walletAddress ?? walletAddress
  if (address === null) return null
  const { gate } = (await ask<Checked>(server, 'proofs/check', { gateId, address }, signal)).data
  if (gate.allRequiredSatisfied) return true
  return proof.privacyLevel === 'private' ? null : false
}
