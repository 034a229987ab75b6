/** Passes an event to the watcher: SQL only. */
import type { Db } from '../../db/db.ts'

/**
 * Schedules a payment for an immediate look, even a final or revoked one. Disputes may last months, and refunds may
 * fail. False if this server has no such payment.
 */
export async function watchNow(db: Db, identity: string, now: number): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: `UPDATE payments SET watch_at = ?1
              WHERE identity = ?2 AND details IS NOT NULL`,
        params: [now, identity],
        must: true,
      },
    ],
    'free',
  )
  return 'changes' in result
}
