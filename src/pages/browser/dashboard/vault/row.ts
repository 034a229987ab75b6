/**
 * A proof as one row of the list. It keeps only the shown members, because a list may hold a hundred thousand proofs.
 */

import type { ProofView } from '../../../../proofs/view.ts'
import { proofStates } from '../../../words/en/vault.ts'
import { findWords, nameProof, summarizeProof } from '../verifier-words.ts'

export type Privacy = 'private' | 'unlisted' | 'listed'

export interface ProofRow {
  readonly qHash: string
  readonly title: string
  /** A summary, when the title does not say it already. */
  readonly saying: string
  readonly verifiers: string
  /** `replaced`, or a status of the API. */
  readonly status: string
  readonly privacy: Privacy
  /** Unix milliseconds. */
  readonly at: number
  readonly wallet: string
}

export const readStatus = ({ status, superseded }: Pick<ProofView, 'status' | 'superseded'>): string =>
  superseded && status !== 'revoked' ? 'replaced' : status

export const readPrivacy = ({
  privacyLevel,
  publicDisplay,
}: Pick<ProofView, 'privacyLevel' | 'publicDisplay'>): Privacy =>
  privacyLevel === 'private' ? 'private' : publicDisplay ? 'listed' : 'unlisted'

export function toRow(proof: ProofView): ProofRow {
  const title = nameProof(proof)
  const saying = summarizeProof(proof)
  return {
    qHash: proof.qHash,
    title,
    saying: saying === title ? '' : saying,
    verifiers: (proof.verifierIds ?? []).map((id) => findWords(id).title).join(', '),
    status: readStatus(proof),
    privacy: readPrivacy(proof),
    at: proof.createdAt,
    wallet: proof.walletAddress ?? '',
  }
}

type Kind = 'plain' | 'good' | 'warning' | 'bad' | 'info'

const kinds: Readonly<Record<keyof typeof proofStates.status, Kind>> = {
  verified: 'good',
  partially_verified: 'warning',
  imported: 'warning',
  expired: 'warning',
  revoked: 'bad',
  replaced: 'plain',
  secret_sealed: 'plain',
}

const isWorded = (status: string): status is keyof typeof kinds => Object.hasOwn(kinds, status)

/** Statuses of publishing begin with "verified", because the claims hold even if a copy failed. */
export function describeStatus(status: string): readonly [word: string, kind: Kind] {
  if (isWorded(status)) return [proofStates.status[status], kinds[status]]
  return status.startsWith('verified') ? describeStatus('verified') : [status, 'plain']
}

export const keepsText = ({ options }: Pick<ProofView, 'options'>): boolean => options?.storeOriginalContent === true

/** A claim of content whose text is not kept. */
export const hasFingerprint = (proof: Pick<ProofView, 'options' | 'verifiedVerifiers'>): boolean =>
  !keepsText(proof) &&
  (proof.verifiedVerifiers ?? []).some(
    ({ data }) => typeof (data as { contentHash?: unknown }).contentHash === 'string',
  )
