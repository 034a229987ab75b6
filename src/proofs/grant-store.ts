/** Access grants in the database: SQL and nothing else. */

import { writeSourceCondition } from '../auth/ending-store.ts'
import type { Source } from '../auth/identity.ts'
import type { Db } from '../db/db.ts'
import { standsGrant, standsProof } from '../db/erasing.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { type SpentSignature, spendSignature } from '../db/spent-signature.ts'
import { nameTurn } from '../db/turns.ts'
import type { AccountText } from '../wallet/account.ts'
import { holdProof } from './ground-store.ts'

/**
 * Grants a viewer, or moves the end of an earlier grant of the same source. A proof revoked or erased in the meantime
 * is `gone`; a revoked credential is `source-ended`. Grants of the wallet and of its credentials are counted apart. So
 * a stolen credential cannot take the wallet's places.
 */
export async function insertAccessGrant(
  db: Db,
  grant: {
    readonly proofId: number
    readonly viewer: AccountText
    readonly createdAt: number
    readonly expiresAt: number | null
    /** Grants that ended before this time have ended for sure. */
    readonly endedBefore: number
    readonly source: Source
  },
  spent: SpentSignature | undefined,
  most: GrantBounds,
): Promise<'granted' | 'spent' | 'gone' | 'full' | 'source-full' | 'source-ended'> {
  const { proofId, viewer, source } = grant
  const result = await db.write([
    ...spendSignature(spent),
    holdProof(proofId),
    // The sweep has not come by yet, and what has ended takes no place.
    {
      sql: 'DELETE FROM access_grants WHERE proof_id = ?1 AND expires_at <= ?2',
      params: [proofId, grant.endedBefore],
    },
    {
      sql: `INSERT INTO access_grants (proof_id, viewer, created_at, expires_at, source_kind, source_id, link_proof)
            SELECT p.id, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS BIGINT) FROM proofs p
            WHERE p.id = ?1 AND p.revoked_at IS NULL AND ${standsProof('p')} AND ${writeSourceCondition('?5', '?6', '?7')}
              AND ((${writePlacesTakenSql('?1', '?6')} < ?8 AND ${writeGrantsMadeSql('?6', '?9')} < ?9) OR EXISTS (
                SELECT 1 FROM access_grants WHERE proof_id = ?1 AND viewer = ?2 AND source_id = ?6))
            ON CONFLICT (proof_id, viewer, source_id) DO UPDATE SET created_at = excluded.created_at,
              expires_at = excluded.expires_at, source_kind = excluded.source_kind`,
      params: [
        proofId,
        viewer,
        grant.createdAt,
        grant.expiresAt,
        source.kind,
        source.id,
        source.linkProof,
        most.ofProof,
        most.ofSource,
      ],
      must: true,
      turns: [nameTurn('account', viewer), ...(source.id === '' ? [] : [nameTurn('source', source.id)])],
    },
    // The wallet's own grant replaces those of its credentials.
    ...(source.id === ''
      ? [
          {
            sql: "DELETE FROM access_grants WHERE proof_id = ?1 AND viewer = ?2 AND source_id <> ''",
            params: [proofId, viewer],
          },
        ]
      : []),
  ])
  if ('changes' in result) return 'granted'
  if (spent && result.refusedAt === 0) return 'spent'
  if (await isRevoked(db, proofId)) return 'gone'
  if ((await countPlaces(db, proofId, source.id)) >= most.ofProof) return 'full'
  return (await countMade(db, source.id, most.ofSource)) >= most.ofSource ? 'source-full' : 'source-ended'
}

export interface GrantBounds {
  /** Wallets that may read one proof by the wallet itself, and as many again by all its credentials: `full`. */
  readonly ofProof: number
  /** Grants of one credential over all proofs, because they end in one write: `source-full`. */
  readonly ofSource: number
}

/** Counts the wallet's own grants for an empty source, else those of all its credentials. */
const writePlacesTakenSql = (proofId: string, sourceId: string): string =>
  `(SELECT count(*) FROM access_grants WHERE proof_id = ${proofId} AND (source_id = '') = (${sourceId} = ''))`

const selectCountPlaces = query<[number, string]>()`
  SELECT ${writePlacesTakenSql('?1', '?2')} AS ${label('count', 'number')}`

const countPlaces = async (db: Db, proofId: number, sourceId: string): Promise<number> =>
  (await db.read(selectCountPlaces).get(proofId, sourceId))?.count ?? 0

/** Counts to `most` and no further. The wallet itself, whose source is empty, has made none. */
const writeGrantsMadeSql = (sourceId: string, most: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM access_grants WHERE source_id = ${sourceId} AND source_id <> '' LIMIT ${most}) made)`

const selectCountMade = query<
  [string, number]
>()`SELECT ${writeGrantsMadeSql('?1', '?2')} AS ${label('made', 'number')}`

const countMade = async (db: Db, sourceId: string, most: number): Promise<number> =>
  (await db.read(selectCountMade).get(sourceId, most))?.made ?? 0

const selectRevoked = query<[number]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM proofs p WHERE p.id = ?1 AND p.revoked_at IS NULL AND ${standsProof('p')}`

const isRevoked = async (db: Db, proofId: number): Promise<boolean> =>
  (await db.read(selectRevoked).get(proofId)) === null

export type AccessGrantRow = RowOf<typeof selectAccessGrants>

const writeInForceSql = (alias: string): string => `(${alias}.expires_at IS NULL OR ${alias}.expires_at > ?2)`
/** Unix milliseconds, later than any end. */
const never = 9_007_199_254_740_991

const selectAccessGrants = query<[number, number, number]>()`
  SELECT ${pick('access_grants g', 'viewer', 'createdAt', 'expiresAt', { source: 'sourceKind' })}
  FROM access_grants g
  WHERE g.proof_id = ?1 AND ${writeInForceSql('g')} AND ${standsGrant('g')} AND NOT EXISTS (
         SELECT 1 FROM access_grants o
         WHERE o.proof_id = g.proof_id AND o.viewer = g.viewer AND ${writeInForceSql('o')}
           AND (coalesce(o.expires_at, ${never}) > coalesce(g.expires_at, ${never})
             OR (coalesce(o.expires_at, ${never}) = coalesce(g.expires_at, ${never}) AND o.source_id < g.source_id)))
  ORDER BY g.created_at DESC, g.viewer LIMIT ?3`

/** Grants in force, the newest first. A viewer with several has the longest. */
export const listAccessGrants = (db: Db, proofId: number, now: number, limit: number): Promise<AccessGrantRow[]> =>
  db.read(selectAccessGrants).all(proofId, now, limit)

/** Ends a grant, and spends the signature whether there was one or not. */
export async function withdrawAccessGrant(
  db: Db,
  proofId: number,
  viewer: AccountText,
  spent: SpentSignature | undefined,
): Promise<'withdrawn' | 'nothing' | 'spent'> {
  const spending = spendSignature(spent)
  const result = await db.write(
    [...spending, { sql: 'DELETE FROM access_grants WHERE proof_id = ?1 AND viewer = ?2', params: [proofId, viewer] }],
    spending.length > 0 ? 'mark' : 'free',
  )
  if (!('changes' in result)) return 'spent'
  return result.changes[spending.length] === 0 ? 'nothing' : 'withdrawn'
}

const selectAccessGrant = query<[number, string, number]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM access_grants g
  WHERE g.proof_id = ?1 AND g.viewer = ?2 AND (g.expires_at IS NULL OR g.expires_at > ?3) AND ${standsGrant('g')}`

export const hasAccessGrant = async (db: Db, proofId: number, viewer: AccountText, now: number): Promise<boolean> =>
  (await db.read(selectAccessGrant).get(proofId, viewer, now)) !== null
