/**
 * Publishing: recording a proof's qHash on chains, through the Ethereum Attestation Service. This folder owns the
 * orders (the outbox), the transactions that fulfill them and the view of their progress. proofs/ and verification/
 * decide the published proofs and the time of a revocation.
 */
import type { Hex } from '../outside/chains/chain.ts'

/** `timestamp` records that the qHash existed, `revoke` that its owner revoked the proof. */
export type PublicationAction = 'timestamp' | 'revoke'

/**
 * - `waiting`: no transaction of it can be on its way.
 * - `sent`: a transaction was signed and stored, and may have been sent.
 * - `mined`: the nonce is used, or another account recorded the same, in `blockNumber`. The outcome is decided when the
 *   block is deep enough.
 * - `confirmed`: the contract holds it.
 * - `failed`: given up, for `reason`.
 */
export type PublicationState = 'waiting' | 'sent' | 'mined' | 'confirmed' | 'failed'

/** An order to record one proof on one chain. Times are Unix milliseconds. */
export interface Publication {
  readonly id: number
  readonly proofId: number
  readonly qHash: Hex
  readonly chainId: number
  readonly action: PublicationAction
  readonly state: PublicationState
  readonly askedAt: number
  /** The sender of the transaction, in lower case. */
  readonly account: Hex | null
  readonly nonce: number | null
  /** The newest version of the transaction, signed. */
  readonly signed: Hex | null
  readonly signedAt: number | null
  /** The hashes of every version that may be mined. The last is the newest, or the mined one. */
  readonly hashes: readonly Hex[]
  readonly blockNumber: number | null
  /** A decimal integer. */
  readonly gasUsed: string | null
  /** The time in the contract. */
  readonly recordedAt: number | null
  readonly finishedAt: number | null
  readonly reason: string | null
}

/** The chains on which a proof was ordered to be recorded. */
export interface PublishingPlan {
  /** The hub chain of that time; null when only copies were asked for. */
  readonly hubChainId: number | null
  /** The other chains, each once. */
  readonly targetChains: readonly number[]
}

export const listChains = ({ hubChainId, targetChains }: PublishingPlan): readonly number[] =>
  hubChainId === null ? targetChains : [hubChainId, ...targetChains]
