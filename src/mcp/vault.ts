/** The contents of a person's vault: their proofs in numbers, over all of their wallets. */

import { Type } from '@sinclair/typebox'
import type { Account, Identity } from '../auth/identity.ts'
import { flatMapInOrder, mapInOrder } from '../in-order.ts'
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

const listAccountIds = async (db: Parts['db'], accounts: readonly Account[]): Promise<number[]> => [
  ...new Set(await flatMapInOrder(accounts, (account) => findOwnAccounts(db, account))),
]

/** The newest proofs that are neither revoked nor replaced, of all wallets of the person. */
const listNewest = async (
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { listAccounts }: Identity,
): Promise<readonly ProofRow[]> =>
  (
    await listProofs(db, {
      accounts: await listAccountIds(db, await listAccounts()),
      isOwner: true,
      filter: {},
      before: undefined,
      offset: 0,
      limit: mostEmbedded,
      now: now(),
    })
  ).rows

/** The newest of these with a verified row of one verifier, found without reading the others. */
export async function listByVerifier(
  { db }: Pick<Parts, 'db'>,
  { listAccounts }: Identity,
  verifierId: string,
): Promise<ProofRow[]> {
  const ids = await flatMapInOrder(await listAccounts(), async (account) =>
    findIdsByVerifier(db, await findOwnAccounts(db, account), verifierId, { isOwner: true, limit: mostEmbedded }),
  )
  return readWholePage(db, [...new Set(ids)].sort((one, other) => other - one).slice(0, mostEmbedded))
}

export async function summarizeProfile(parts: Parts, identity: Identity) {
  const proofs = await listNewest(parts, identity)
  const counts = await mapInOrder(await listAccountIds(parts.db, await identity.listAccounts()), (account) =>
    findAccountCounts(parts.db, account),
  )
  const total = counts.reduce((sum, { current }) => sum + current, 0)
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
