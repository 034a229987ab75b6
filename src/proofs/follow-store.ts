/** Blocks of claims until they are final: SQL and nothing else. follow.ts decides about them. */

import { claimRow } from '../db/claim.ts'
import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { type MovedTimes, moveLook } from '../db/moved-times.ts'
import { pick, pickHash, pickPresent, query, type RowOf } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import { finalities } from './finality.ts'
import { requireSameProof } from './ground-store.ts'
import { type FollowedBlock, type ProofRow, readFirst52Bits } from './proof.ts'

/** The first look comes soon: most blocks that are replaced are replaced at once. */
const firstLookMs = 10_000

export const insertFollowed = (
  { qHash, createdAt }: ProofRow,
  { place, chain, blockNumber, blockHash }: FollowedBlock,
): Statement => ({
  sql: `INSERT INTO followed_blocks (proof_id, place, chain, block_number, block_hash, state, followed_since, look_at)
        SELECT id, ?3, ?4, ?5, unhex(?6), 'holds', ${writeLatestSql('?7')}, ?8 FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2)`,
  must: true,
  params: [
    readFirst52Bits(qHash),
    qHash.slice(2),
    place,
    chain,
    blockNumber,
    blockHash.slice(2),
    createdAt,
    createdAt + firstLookMs,
  ],
})

const selectDueChains = query<[number]>()`
  SELECT DISTINCT ${pick('followed_blocks', 'chain')}
  FROM followed_blocks WHERE look_at <= ?1`

/** The chains with blocks due for a check. */
export const listDueChains = async (db: Db, now: number): Promise<string[]> =>
  (await db.read(selectDueChains).all(now)).map(({ chain }) => chain)

const selectFollowed = query<[now: number, limit: number, chain: string]>()`
  SELECT ${pick('followed_blocks f', 'proofId', 'place', 'chain', 'blockNumber', 'state', 'followedSince')},
    ${pickPresent('followed_blocks f', 'lookAt')}, ${pickHash('followed_blocks f', 'blockHash')},
    ${pickHash('proofs p', 'qHash')}, ${pick('proofs p', 'revokedAt')}
  FROM followed_blocks f CROSS JOIN proofs p ON p.id = f.proof_id
  WHERE f.look_at <= ?1 AND f.chain = ?3 AND ${standsProof('p')} ORDER BY f.look_at LIMIT ?2`

/** A block that is followed and due. */
export type Followed = RowOf<typeof selectFollowed>

/** The next blocks of a chain to check. Blocks of proofs being erased go with the proof. */
export const listFollowed = (db: Db, chain: string, now: number, limit: number): Promise<Followed[]> =>
  db.read(selectFollowed).all(now, limit, chain)

/** A parallel check of the same block has changed the row, and then this one changes nothing. */
const sameRow = 'proof_id = ?1 AND place = ?2 AND block_hash = unhex(?3) AND state = ?4'
const listRowParams = ({ proofId, place, blockHash, state }: Followed) => [proofId, place, blockHash.slice(2), state]

/** Takes a block for a look. Undefined when another process has it. */
export const claimFollowed = (db: Db, followed: Followed, until: number): Promise<Followed | undefined> =>
  claimRow(
    db,
    followed,
    { ...followed, lookAt: until },
    {
      sql: `UPDATE followed_blocks SET look_at = ?6 WHERE ${sameRow} AND look_at = ?5`,
      params: [...listRowParams(followed), followed.lookAt, until],
    },
  )

export const postponeLook = async (db: Db, followed: Followed, lookAt: number): Promise<void> => {
  await db.write(
    [
      {
        sql: `UPDATE followed_blocks SET look_at = ?5 WHERE ${sameRow}`,
        params: [...listRowParams(followed), lookAt],
      },
    ],
    'free',
  )
}

const selectOthers = (states: string): string =>
  `EXISTS (SELECT 1 FROM followed_blocks WHERE proof_id = ?1 AND state IN (${states}))`

/** The block is final. The proof is, once all of its blocks are. */
export async function settleFollowed(db: Db, followed: Followed, now: number): Promise<boolean> {
  const result = await db.write(
    [
      requireSameProof(followed.proofId, followed.qHash),
      {
        sql: `UPDATE followed_blocks SET state = 'final', look_at = NULL WHERE ${sameRow}`,
        params: listRowParams(followed),
        must: true,
      },
      {
        sql: `DELETE FROM followed_blocks WHERE proof_id = ?1 AND place = ?2 AND read_again_at IS NULL`,
        params: [followed.proofId, followed.place],
      },
      {
        sql: `UPDATE proofs SET finality = ${finalities.final}, updated_at = ?2
              WHERE id = ?1 AND finality = ${finalities.followed} AND NOT ${selectOthers("'holds', 'missing'")}`,
        params: [followed.proofId, now],
      },
    ],
    'free',
  )
  return 'changes' in result
}

export interface ReadAgain {
  readonly blockNumber: number
  readonly blockHash: string
  /** Whether the claim holds there. */
  readonly holds: boolean
  readonly readAt: number
  readonly lookAt: number
}

/** The block was replaced, and the claim read again at another one. False where another look was first. */
export async function moveFollowed(
  db: Db,
  followed: Followed,
  { blockNumber, blockHash, holds, readAt, lookAt }: ReadAgain,
): Promise<boolean> {
  const result = await db.write(
    [
      requireSameProof(followed.proofId, followed.qHash),
      {
        sql: `UPDATE followed_blocks SET block_number = ?5, block_hash = unhex(?6), state = ?7, read_again_at = ?8, look_at = ?9
              WHERE ${sameRow}`,
        params: [
          ...listRowParams(followed),
          blockNumber,
          blockHash.slice(2),
          holds ? 'holds' : 'missing',
          readAt,
          lookAt,
        ],
        must: true,
      },
      {
        sql: `UPDATE proofs SET updated_at = ?2,
                finality = CASE WHEN ${selectOthers("'missing'")} THEN ${finalities.replaced} ELSE ${finalities.followed} END
              WHERE id = ?1 AND revoked_at IS NULL`,
        params: [followed.proofId, readAt],
      },
    ],
    'free',
  )
  return 'changes' in result
}

/** Ends the following of a proof: it was revoked, or its finality was unknown for too long. */
export async function endFollowing(db: Db, { proofId, qHash }: Pick<Followed, 'proofId' | 'qHash'>): Promise<boolean> {
  const result = await db.write(
    [requireSameProof(proofId, qHash), { sql: 'DELETE FROM followed_blocks WHERE proof_id = ?1', params: [proofId] }],
    'free',
  )
  return countRowsChanged(result, 1) > 0
}

const selectLater = query<[proofIds: string]>()`
  SELECT ${pick('followed_blocks f', 'proofId', 'place', 'chain', 'blockNumber', 'state')},
    ${pickPresent('followed_blocks f', 'readAgainAt')}, ${pickHash('followed_blocks f', 'blockHash')}
  FROM json_each(?1) asked CROSS JOIN followed_blocks f ON f.proof_id = CAST(asked.value AS BIGINT)
  WHERE f.read_again_at IS NOT NULL ORDER BY f.proof_id, f.place`

/** The block of a later reading of a claim. */
export type LaterReading = RowOf<typeof selectLater>

/** Claims of these proofs that were read at another block than their evidence names, by the id of the proof. */
export async function findLaterReadings(
  db: Db,
  proofs: readonly Pick<ProofRow, 'id' | 'finality'>[],
): Promise<ReadonlyMap<number, readonly LaterReading[]>> {
  const asked = proofs.flatMap(({ id, finality }) => (finality === null ? [] : [id]))
  const rows = asked.length === 0 ? [] : await db.read(selectLater).all(JSON.stringify(asked))
  return Map.groupBy(rows, ({ proofId }) => proofId)
}

export const movedFollowTimes: MovedTimes = moveLook('UPDATE followed_blocks', 'look_at')
