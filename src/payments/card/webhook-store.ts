/** How an event reaches the watcher: SQL and nothing else. */
import type { Db } from '../../db/db.ts'

/**
 * Puts a payment under watch at once, also one that counts as final or was taken back: holders of cards may dispute for
 * months, and refunds may fail. False when no such payment was claimed here.
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
