/** The data of a proof beyond its columns. */

import type { NotPortable } from '../envelope/portable-proof.ts'
import type { PublishingPlan } from '../publishing/publication.ts'
import type { Evidence } from '../verifiers/verifier.ts'

export interface ProofOptions {
  readonly privacyLevel: 'private' | 'public'
  readonly publicDisplay: boolean
  readonly storeOriginalContent: boolean
  /** Absent: nothing is recorded on a chain. */
  readonly publishing?: PublishingPlan
  readonly enableIpfs: boolean
  readonly meta: Readonly<Record<string, unknown>> & { readonly title?: string; readonly tags?: readonly string[] }
}

export interface VerifiedRow {
  readonly verifierId: string
  readonly verified: boolean
  readonly status: string
  readonly data: Evidence
  /** Gates may compare it (match.ts), and it is never shown. */
  readonly hidden?: Evidence
}

/** The data of a proof beyond its columns: the JSON of `proofs.record`. */
export interface ProofRecord {
  readonly verifierIds: readonly string[]
  readonly rows: readonly VerifiedRow[]
  readonly meta: ProofOptions['meta']
  readonly storeOriginalContent: boolean
  readonly subjectWallet?: string
  readonly publishing?: PublishingPlan
  readonly ipfs?: PinnedSnapshot
  /** The reason for a missing portable form. Older proofs do not have it. */
  readonly notPortable?: NotPortable
  /** For the short form of a large record in lists (record-summary.ts): evidence and meta are cut. */
  readonly isShortened?: true
}

/** The address of a public proof's snapshot. */
export interface PinnedSnapshot {
  readonly cid: string
  readonly gateway?: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Bytes. */
  readonly size: number
}
