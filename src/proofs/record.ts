/** The data of a proof beyond its columns. */

import type { NotPortable } from '../envelope/portable-proof.ts'
import type { PublishingPlan } from '../publishing/publication.ts'
import { agentDelegationId, agentIdentityId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { type Visibility, visibilities } from './visibility.ts'

export interface ProofOptions {
  readonly privacyLevel: 'private' | 'public'
  readonly publicDisplay: boolean
  readonly storeOriginalContent: boolean
  readonly keepPortable: boolean
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
  /** The portable form is kept for the owner. Also true in effect where the content is stored. */
  readonly keepsPortable?: true
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

/** The names under which an agent is found without knowing its signer: columns of its proofs, when they are listed. */
interface AgentNames {
  /** How it calls itself, in agent-identity. */
  readonly agentId: string | null
  /** The wallet of the agent that may act, in agent-delegation. */
  readonly grantedTo: string | null
}

export function readAgentNames({ rows }: Pick<ProofRecord, 'rows'>, visibility: Visibility): AgentNames {
  const readNamed = (id: string, member: string): string | null => {
    if (visibility !== visibilities.listed) return null
    const value = rows.find(({ verifierId, verified }) => verifierId === id && verified)?.data[member]
    return typeof value === 'string' ? value : null
  }
  return { agentId: readNamed(agentIdentityId, 'agentId'), grantedTo: readNamed(agentDelegationId, 'agentWallet') }
}
