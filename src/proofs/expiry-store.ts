/**
 * The sweep of proofs and their dependent rows: SQL and nothing else. Conditions stand twice where another write may have
 * changed the row since it was chosen.
 */
import type { Db } from '../db/db.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import { keptAfterExpiryMs } from '../db/spent-signature.ts'

/** Marks up to `batch` proofs whose time has come, and frees up to as many names. Returns the larger number. */
export async function markExpired(db: Db, now: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: `UPDATE proofs SET status = 'expired', updated_at = ?1 WHERE id IN
              (SELECT id FROM proofs WHERE expires_at <= ?1 AND expires_at IS NOT NULL AND status <> 'expired' AND revoked_at IS NULL LIMIT ?2)
              AND status <> 'expired' AND revoked_at IS NULL`,
      params: [now, batch],
    },
    {
      sql: `DELETE FROM reserved_names WHERE (name, proof_id) IN
              (SELECT name, proof_id FROM reserved_names WHERE expires_at <= ?1 LIMIT ?2)`,
      params: [now, batch],
    },
  ])
  return Math.max(countRowsChanged(result), countRowsChanged(result, 1))
}

/** Forgets up to `batch` of each: grants and links whose time is over, and erased ids a day after it. Returns how many. */
export async function deleteExpiredRows(db: Db, now: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: `DELETE FROM access_grants WHERE (proof_id, viewer, source_id) IN
              (SELECT proof_id, viewer, source_id FROM access_grants WHERE expires_at <= ?1 LIMIT ?2) AND expires_at <= ?1`,
      params: [now, batch],
    },
    {
      sql: 'DELETE FROM share_links WHERE digest IN (SELECT digest FROM share_links WHERE expires_at <= ?1 LIMIT ?2)',
      params: [now, batch],
    },
    {
      sql: 'DELETE FROM erased_proofs WHERE q52 IN (SELECT q52 FROM erased_proofs WHERE expires_at <= ?1 LIMIT ?2)',
      params: [now - keptAfterExpiryMs, batch],
    },
  ])
  return 'changes' in result ? result.changes.reduce((sum, count) => sum + count, 0) : 0
}
