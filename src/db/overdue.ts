/** How far the sweep is behind: one look into an index for each kind that strangers can make many of. */

import type { Db } from './db.ts'
import { label, query } from './query.ts'
import { writeForgottenSql } from './spent-signature.ts'

const writeOldestDueSql = (table: string, condition = 'expires_at IS NOT NULL'): string =>
  `SELECT min(expires_at) AS due FROM ${table} WHERE ${condition}`

const selectOldest = query<[]>()`SELECT min(due) AS ${label('due', 'number or null')} FROM (${[
  // As its partial index is (proofs_expiring).
  writeOldestDueSql('proofs', "expires_at IS NOT NULL AND status <> 'expired' AND revoked_at IS NULL"),
  `SELECT ${writeForgottenSql('min(expires_at)')} AS due FROM spent_signatures`,
  ...['access_grants', 'share_links', 'sessions', 'social_sign_ins', 'oauth_requests'].map((name) =>
    writeOldestDueSql(name),
  ),
].join(' UNION ALL ')}) oldest`

/** When the oldest row fell due that is not swept yet, in Unix milliseconds. Undefined when nothing is due at `now`. */
export async function findOverdue(db: Db, now: number): Promise<number | undefined> {
  const due = (await db.read(selectOldest).get())?.due
  return due != null && due <= now ? due : undefined
}
