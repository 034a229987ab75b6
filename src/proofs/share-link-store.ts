/** Links that open a proof, in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { type ErasureBounds, type ErasureStage, isFound, type Selection, standsProof } from '../db/erasing.ts'
import { label, pick, pickDigits, query, type RowOf } from '../db/query.ts'
import { readLinkedAccount } from '../profiles/store.ts'
import { walletLinkId } from '../verifiers/roles.ts'
import { type AccountText, writeAccount, writeUnknown } from '../wallet/account.ts'
import { holdProof } from './ground-store.ts'
import { readSigner } from './owner.ts'
import type { ProofRow } from './proof.ts'

export interface NewShareLink {
  readonly proofId: number
  /** profiles.id of the maker, with whom the link ends. */
  readonly profile: number
  /** SHA-256 of the token, 64 hexadecimal digits. */
  readonly digest: string
  readonly label: string | null
  readonly createdAt: number
  readonly expiresAt: number
  /** Links that ended before this time have ended for sure. */
  readonly endedBefore: number
  readonly most: number
}

/** `gone`: the proof was revoked or erased in the meantime. */
export async function insertShareLink(db: Db, link: NewShareLink): Promise<'made' | 'full' | 'gone'> {
  const result = await db.write([
    holdProof(link.proofId),
    // The sweep has not come by yet, and what has ended takes no place.
    {
      sql: 'DELETE FROM share_links WHERE proof_id = ?1 AND expires_at <= ?2',
      params: [link.proofId, link.endedBefore],
    },
    {
      sql: `INSERT INTO share_links (digest, proof_id, label, created_at, expires_at, profile)
            SELECT unhex(?1), p.id, ?3, ?4, ?5, ?7 FROM proofs p
            WHERE p.id = ?2 AND p.revoked_at IS NULL AND ${standsProof('p')}
              AND (SELECT count(*) FROM share_links WHERE proof_id = ?2) < ?6`,
      params: [link.digest, link.proofId, link.label, link.createdAt, link.expiresAt, link.most, link.profile],
      must: true,
    },
  ])
  if ('changes' in result) return 'made'
  return (await db.read(selectStanding).get(link.proofId)) ? 'full' : 'gone'
}

const selectStanding = query<[number]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM proofs p WHERE p.id = ?1 AND p.revoked_at IS NULL AND ${standsProof('p')}`

export type ShareLinkRow = RowOf<typeof selectLinks>

const selectLinks = query<[proofId: number, now: number, limit: number]>()`
  SELECT ${pickDigits('share_links l', 'digest')},
    ${pick('share_links l', 'label', 'createdAt', 'expiresAt', 'openedCount', 'lastOpenedAt')}
  FROM share_links l WHERE l.proof_id = ?1 AND l.expires_at > ?2 ORDER BY l.created_at DESC, l.digest LIMIT ?3`

/** Those in force, the newest first. */
export const listShareLinks = (db: Db, proofId: number, now: number, limit: number): Promise<ShareLinkRow[]> =>
  db.read(selectLinks).all(proofId, now, limit)

export type OwnShareLinkRow = RowOf<typeof selectOwnLinks>

/** In the order of the index, so that each page costs its own rows alone. */
const selectOwnLinks = query<[maker: string, after: string, now: number, limit: number, accounts: string]>()`
  SELECT ${pickDigits('share_links l', 'digest')}, '0x' || lower(hex(p.q_hash)) AS ${label('qHash', 'text')},
    ${pick('share_links l', 'label', 'createdAt', 'expiresAt', 'openedCount', 'lastOpenedAt')}
  FROM share_links l JOIN proofs p ON p.id = l.proof_id
  WHERE l.profile = (SELECT id FROM profiles WHERE account = ?1) AND l.digest > unhex(?2) AND l.expires_at > ?3
    AND ${standsProof('p')} AND p.account_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?5))
  ORDER BY l.digest LIMIT ?4`

/**
 * Those in force to the proofs of `accounts` (accounts.id) that a person made. `maker`: the primary account. `after`:
 * hexadecimal digits of a digest, before which the page does not begin.
 */
export const listLinksByMaker = (
  db: Db,
  maker: AccountText,
  {
    accounts,
    after,
    now,
    limit,
  }: { readonly accounts: readonly number[]; readonly after: string; readonly now: number; readonly limit: number },
): Promise<OwnShareLinkRow[]> => db.read(selectOwnLinks).all(maker, after, now, limit, JSON.stringify(accounts))

/** `prefix`: the first digits of the digest, in lower case. False where there is none. */
export async function deleteShareLink(db: Db, proofId: number, prefix: string): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: 'DELETE FROM share_links WHERE proof_id = ?1 AND substr(lower(hex(digest)), 1, ?3) = ?2',
        params: [proofId, prefix, prefix.length],
        must: true,
      },
    ],
    'free',
  )
  return 'changes' in result
}

/** Deletes links that a person made: rows before the profile itself, whose deletion ends the rest. */
export const dropShareLinks = (profile: number, rows: number): Statement => ({
  sql: 'DELETE FROM share_links WHERE digest IN (SELECT digest FROM share_links WHERE profile = ?1 LIMIT ?2)',
  params: [profile, rows],
})

/**
 * A revoked wallet-link ends the links that its primary wallet shared of the other wallet's proofs, for good: a new
 * wallet-link does not bring them back. They stay while another wallet-link of the two stands.
 */
export const dropLinksOfUnlinked = (
  proof: Pick<ProofRow, 'id' | 'account' | 'walletAddress' | 'record'>,
): Statement[] =>
  proof.record.rows
    .filter(({ verifierId, verified }) => verifierId === walletLinkId && verified)
    .map(({ data }) => {
      const { wallet, contractOn } = readLinkedAccount(data)
      return {
        sql: `DELETE FROM share_links
              WHERE profile = (SELECT id FROM profiles WHERE account = ?1)
                AND EXISTS (SELECT 1 FROM proofs p JOIN accounts a ON a.id = p.account_id
                  WHERE p.id = share_links.proof_id AND (a.address = ?2 OR a.address LIKE ?3))
                AND NOT EXISTS (SELECT 1 FROM wallet_links w JOIN proofs p ON p.id = w.proof_id
                  WHERE w.wallet = ?4 AND w.other = ?5 AND p.id <> ?6 AND p.revoked_at IS NULL AND p.superseded = 0
                    AND p.account_id = (SELECT account_id FROM proofs WHERE id = ?6))`,
        params: [
          writeAccount(readSigner(proof)),
          writeAccount({ wallet, contractOn }),
          writeUnknown(wallet, '%'),
          proof.walletAddress,
          wallet,
          proof.id,
        ],
      }
    })

/** Erasing a wallet's proofs dissolves its wallet-links, and so nothing is left that the person may share. */
export const erasureOfShareLinks: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectEarlierLinks(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectEarlierLinks(erasure)
    return [{ sql: `DELETE FROM share_links WHERE digest IN (${sql} LIMIT ?)`, params: [...params, rows] }]
  },
}

const selectEarlierLinks = ({ wallet, erasedAt }: ErasureBounds): Selection => ({
  sql: `SELECT digest FROM share_links
        WHERE profile = (SELECT id FROM profiles WHERE account = ?) AND created_at <= ?`,
  params: [wallet, erasedAt],
})

const selectOpened = query<[digest: string, now: number]>()`
  SELECT ${pick('share_links l', 'expiresAt')}, '0x' || lower(hex(p.q_hash)) AS ${label('qHash', 'text')},
    (SELECT account FROM profiles WHERE id = l.profile) AS ${label('maker', 'text or null')}
  FROM share_links l JOIN proofs p ON p.id = l.proof_id
  WHERE l.digest = unhex(?1) AND l.expires_at > ?2 AND p.revoked_at IS NULL AND ${standsProof('p')}`

/** The proof that a link in force opens, and the primary account of its maker. */
export const findShared = async (db: Db, digest: string, now: number): Promise<RowOf<typeof selectOpened> | null> =>
  db.read(selectOpened).get(digest, now)

/** Counts an opening. */
export async function countOpened(db: Db, digest: string, now: number): Promise<void> {
  await db.write([
    {
      sql: 'UPDATE share_links SET opened_count = opened_count + 1, last_opened_at = ?2 WHERE digest = unhex(?1)',
      params: [digest, now],
    },
  ])
}
