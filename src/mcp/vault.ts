/** The contents of a person's vault: their proofs in numbers, over all of their wallets. */

import { Type } from '@sinclair/typebox'
import type { Account, Identity } from '../auth/identity.ts'
import type { Parts } from '../parts.ts'
import { findOwnAccounts } from '../proofs/account-store.ts'
import { findAccountCounts, findIdsByVerifier, listProofs } from '../proofs/list-store.ts'
import { readWholePage } from '../proofs/page-store.ts'
import { type ProofRow, readStatus } from '../proofs/proof.ts'
import { agentDelegationId } from '../verifiers/roles.ts'

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

const listAccountIds = (db: Parts['db'], accounts: readonly Account[]): number[] => [
  ...new Set(accounts.flatMap((account) => findOwnAccounts(db, account))),
]

/** The newest proofs that are neither revoked nor replaced, of all wallets of the person. */
const listNewest = ({ db, now }: Pick<Parts, 'db' | 'now'>, { accounts }: Identity): readonly ProofRow[] =>
  listProofs(db, {
    accounts: listAccountIds(db, accounts),
    isOwner: true,
    filter: {},
    before: undefined,
    offset: 0,
    limit: mostEmbedded,
    now: now(),
  }).rows

/** The newest of these with a verified row of one verifier, found without reading the others. */
export function listByVerifier({ db }: Pick<Parts, 'db'>, { accounts }: Identity, verifierId: string): ProofRow[] {
  const ids = accounts.flatMap((account) =>
    findIdsByVerifier(db, findOwnAccounts(db, account), verifierId, { isOwner: true, limit: mostEmbedded }),
  )
  return readWholePage(db, [...new Set(ids)].sort((one, other) => other - one).slice(0, mostEmbedded))
}

export function summarizeProfile(parts: Parts, identity: Identity) {
  const proofs = listNewest(parts, identity)
  const total = listAccountIds(parts.db, identity.accounts).reduce(
    (sum, account) => sum + findAccountCounts(parts.db, account).current,
    0,
  )
  const byVerifier: Record<string, number> = {}
  const latestByVerifier: Record<string, LatestOf> = {}
  const latestByCategory: Record<string, LatestOf> = {}
  const latestByScope: Record<string, LatestOf> = {}
  for (const proof of proofs) {
    const latest = { qHash: proof.qHash, status: readStatus(proof, parts.now()), createdAt: proof.createdAt }
    for (const { verifierId, verified, data } of proof.record.rows) {
      if (!verified) continue
      byVerifier[verifierId] = (byVerifier[verifierId] ?? 0) + 1
      latestByVerifier[verifierId] ??= latest
      latestByCategory[parts.catalog.known.get(verifierId)?.category ?? 'other'] ??= latest
      if (verifierId === agentDelegationId && typeof data.scope === 'string') latestByScope[data.scope] ??= latest
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
