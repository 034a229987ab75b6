/** Signing keys in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'

export type KeyRow = RowOf<typeof selectKeys>

export interface NewKey {
  readonly kid: string
  readonly alg: string
  readonly sealed: string
  readonly publicJwk: string
}

const selectKeys = query<[]>()`
  SELECT ${pick('oauth_keys', 'kid', 'alg', 'sealed', 'publicJwk', 'createdAt', 'notBefore', 'retiredAt')}
  FROM oauth_keys ORDER BY not_before DESC, created_at DESC, kid`

/** The newest to be used first. */
export const listKeys = (db: Db): Promise<KeyRow[]> => db.read(selectKeys).all()

/**
 * Inserts a key. It signs at once if no other key does, else after `overlapMs`, when cached JWK sets have it. The
 * others retire at that time. With `isOnly` it must be the only unretired key of its algorithm.
 */
export const insertKey = (
  { kid, alg, sealed, publicJwk }: NewKey,
  { now, overlapMs, isOnly }: { readonly now: number; readonly overlapMs: number; readonly isOnly: boolean },
): Statement[] => [
  {
    sql: `INSERT INTO oauth_keys (kid, alg, sealed, public_jwk, created_at, not_before)
          SELECT ?1, ?2, ?3, ?4, ?5, CASE WHEN EXISTS (
            SELECT 1 FROM oauth_keys WHERE not_before <= ?5 AND (retired_at IS NULL OR retired_at > ?5)
          ) THEN ?5 + ?6 ELSE ?5 END
          WHERE ?7 = 0 OR NOT EXISTS (SELECT 1 FROM oauth_keys WHERE alg = ?2 AND retired_at IS NULL)`,
    params: [kid, alg, sealed, publicJwk, now, overlapMs, isOnly ? 1 : 0],
    must: true,
    turns: ['signing keys'],
  },
  {
    sql: `UPDATE oauth_keys SET retired_at = (SELECT not_before FROM oauth_keys WHERE kid = ?1)
          WHERE retired_at IS NULL AND kid <> ?1`,
    params: [kid],
  },
]

export async function retireKey(db: Db, kid: string, at: number): Promise<void> {
  await db.write([{ sql: 'UPDATE oauth_keys SET retired_at = ?2 WHERE kid = ?1', params: [kid, at] }], 'free')
}

/** Deletes keys that retired before a time. Returns the number. */
export const deleteOldKeys = (db: Db, before: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM oauth_keys WHERE kid IN (SELECT kid FROM oauth_keys WHERE retired_at < ?1 LIMIT ?2) AND retired_at < ?1`,
    [before, batch],
  )
