/** What a person has: their proofs in numbers, over all of their wallets. */
import { Type } from '@sinclair/typebox'
import type { Identity } from '../http/identity.ts'
import type { Parts } from '../parts.ts'
import { findAccountCounts, listProofs } from '../proofs/list-store.ts'
import { type ProofRow, statusAt } from '../proofs/proof.ts'

const Latest = Type.Object({
  qHash: Type.String(),
  status: Type.String(),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
})

export const ProfileSummary = Type.Object({
  proofsSummary: Type.Object({
    total: Type.Integer({ description: 'Proofs that are neither revoked nor replaced.' }),
    embeddedCount: Type.Integer({ description: 'How many of them, the newest, the rest of this is made from.' }),
    isTruncated: Type.Boolean(),
    byVerifier: Type.Record(Type.String(), Type.Integer()),
    latestByVerifier: Type.Record(Type.String(), Latest),
    latestByCategory: Type.Record(Type.String(), Latest),
    latestByScope: Type.Record(Type.String(), Latest, { description: 'Of agent-delegation, by its scope.' }),
  }),
})

const mostEmbedded = 200

/** The newest proofs that are neither revoked nor replaced, of each wallet of the person. */
export function ownProofs(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { accounts }: Identity,
  verifierIds?: readonly string[],
): ProofRow[] {
  return accounts
    .flatMap((account) => [
      ...listProofs(db, {
        accounts: [account],
        isOwner: true,
        filter: { verifierIds },
        before: undefined,
        offset: 0,
        limit: mostEmbedded,
        now: now(),
      }).rows,
    ])
    .sort((a, b) => b.id - a.id)
}

export function profileSummary(parts: Parts, identity: Identity) {
  const proofs = ownProofs(parts, identity).slice(0, mostEmbedded)
  const total = identity.accounts.reduce(
    (sum, { wallet, contractOn }) =>
      contractOn === undefined ? sum + findAccountCounts(parts.db, wallet).current : sum,
    0,
  )
  const byVerifier: Record<string, number> = {}
  const latestByVerifier: Record<string, LatestOf> = {}
  const latestByCategory: Record<string, LatestOf> = {}
  const latestByScope: Record<string, LatestOf> = {}
  for (const proof of proofs) {
    const latest = { qHash: proof.qHash, status: statusAt(proof, parts.now()), createdAt: proof.createdAt }
    for (const { verifierId, verified, data } of proof.record.rows) {
      if (!verified) continue
      byVerifier[verifierId] = (byVerifier[verifierId] ?? 0) + 1
      latestByVerifier[verifierId] ??= latest
      latestByCategory[parts.catalog.known.get(verifierId)?.category ?? 'other'] ??= latest
      if (verifierId === 'agent-delegation' && typeof data.scope === 'string') latestByScope[data.scope] ??= latest
    }
  }
  const known = Math.max(total, proofs.length)
  return {
    proofsSummary: {
      total: known,
      embeddedCount: proofs.length,
      isTruncated: known > proofs.length,
      byVerifier,
      latestByVerifier,
      latestByCategory,
      latestByScope,
    },
  }
}

interface LatestOf {
  readonly qHash: string
  readonly status: string
  readonly createdAt: number
}
