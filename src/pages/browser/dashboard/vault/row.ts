/**
 * A proof as one row of the list. It keeps only the shown members, because a list may hold a hundred thousand proofs.
 */
import type { ProofView } from '../../../../proofs/view.ts'
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

const statusWords: Readonly<Record<string, readonly [word: string, kind: Kind]>> = {
  verified: ['Verified', 'good'],
  partially_verified: ['Partly verified', 'warning'],
  expired: ['Expired', 'warning'],
  revoked: ['Revoked', 'bad'],
  replaced: ['Replaced', 'plain'],
  secret_sealed: ['Sealed', 'plain'],
}

/** Statuses of publishing begin with "verified", because the claims hold even if a copy failed. */
export const describeStatus = (status: string): readonly [word: string, kind: Kind] =>
  statusWords[status] ?? (status.startsWith('verified') ? ['Verified', 'good'] : [status, 'plain'])

export const privacyWords: Readonly<Record<Privacy, { readonly word: string; readonly meaning: string }>> = {
  private: { word: 'Private', meaning: 'Only you see what it says, and the wallets you share it with.' },
  unlisted: {
    word: 'By link',
    meaning: 'Everybody who has its id or its link sees what it says. It is listed nowhere.',
  },
  listed: { word: 'Public', meaning: 'Everybody sees what it says, and finds it listed under your wallet.' },
}
