/** Codes for sites in the database: SQL only. Codes are stored as SHA-256 only. */

import type { Db, Statement } from '../db/db.ts'
import { pick, pickDigits, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'

export interface NewSiteCode {
  /** SHA-256 of the code, 64 hexadecimal digits. */
  readonly hash: string
  readonly sessionHash: string
  /** Text of wallet/account.ts writeAccount(). */
  readonly account: string
  readonly origin: string
  /** code_challenge, S256. */
  readonly challenge: string | null
  readonly gate: string | null
  /** JSON. */
  readonly qHashes: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Keeps the newest codes of a session: more than a person has tabs open. */
const mostOpen = 32

/** Changes no row when the session has just ended. */
export const insertSiteCode = (code: NewSiteCode): readonly Statement[] => [
  {
    sql: `INSERT INTO site_codes (hash, session_hash, account, origin, challenge, gate, q_hashes, created_at, expires_at)
          SELECT unhex(?1), hash, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM sessions WHERE hash = unhex(?2)`,
    params: [
      code.hash,
      code.sessionHash,
      code.account,
      code.origin,
      code.challenge,
      code.gate,
      code.qHashes,
      code.createdAt,
      code.expiresAt,
    ],
    must: true,
  },
  {
    sql: `DELETE FROM site_codes WHERE session_hash = unhex(?1) AND hash IN (
            SELECT hash FROM site_codes WHERE session_hash = unhex(?1)
            ORDER BY expires_at DESC, hash LIMIT 1000000000 OFFSET ${mostOpen})`,
    params: [code.sessionHash],
  },
]

export type SiteCodeRow = RowOf<typeof selectSiteCode>

const selectSiteCode = query<[string]>()`
  SELECT ${pickDigits('site_codes', 'sessionHash')},
    ${pick('site_codes', 'account', 'origin', 'challenge', 'gate', 'qHashes', 'createdAt', 'expiresAt')}
  FROM site_codes WHERE hash = unhex(?1)`

export const findSiteCode = async (db: Db, hash: string): Promise<SiteCodeRow | undefined> =>
  (await db.read(selectSiteCode).get(hash)) ?? undefined

/** Removes a used or burned code; changes no row if it was removed before. */
export const dropSiteCode = (hash: string): Statement => ({
  sql: 'DELETE FROM site_codes WHERE hash = unhex(?1)',
  params: [hash],
  must: true,
})

/** Deletes expired codes, at most `batch`. Returns how many. */
export const deleteOldSiteCodes = (db: Db, now: number, batch: number): Promise<number> =>
  change(db, 'DELETE FROM site_codes WHERE hash IN (SELECT hash FROM site_codes WHERE expires_at <= ?1 LIMIT ?2)', [
    now,
    batch,
  ])
