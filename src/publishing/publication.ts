/**
 * Publishing: recording a proof's qHash on chains, through the Ethereum Attestation Service. This folder owns the orders
 * (the outbox), the transactions that fulfil them and what readers see of their progress. Which proofs are published,
 * and when one is revoked, is decided in proofs/ and verification/.
 */
import type { Hex } from '../outside/chains/chain.ts'

/** `timestamp` records that the qHash existed, `revoke` that its owner revoked the proof. */
export type PublicationAction = 'timestamp' | 'revoke'

/**
 * - `waiting`: no transaction of it can be on its way.
 * - `sent`: a transaction was signed and stored, and may have been sent, or not.
 * - `mined`: the nonce is used, or somebody else recorded the same, in `blockNumber`. What that came to is decided when
 *   the block is deep enough.
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
  /** Of every version that may be mined; the last is the newest, or the one that was mined. */
  readonly hashes: readonly Hex[]
  readonly blockNumber: number | null
  /** A decimal integer. */
  readonly gasUsed: string | null
  /** What the contract says. */
  readonly recordedAt: number | null
  readonly finishedAt: number | null
  readonly reason: string | null
}

/** What a proof was asked to be recorded on. */
export interface PublishingPlan {
  /** The hub chain of that time; null when only copies were asked for. */
  readonly hubChainId: number | null
  /** The other chains, each once. */
  readonly targetChains: readonly number[]
}

export const listChains = ({ hubChainId, targetChains }: PublishingPlan): readonly number[] =>
  hubChainId === null ? targetChains : [hubChainId, ...targetChains]
