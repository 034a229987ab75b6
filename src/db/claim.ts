/**
 * A row that is due is looked at by one process: the one that moves its time first. If that process ends meanwhile, the
 * row is due again soon. A look stores what it found only while the row is as it read it.
 */
import type { Db, Statement } from './db.ts'
import { countRowsChanged } from './rows-changed.ts'

/** Longer than a look waits for the services that it asks. */
export const claimedForMs = 120_000

/** `move` changes the time from the one that was read. Nothing is written where no other process looks for rows. */
export const claimRow = async <Row>(db: Db, row: Row, claimed: Row, move: Statement): Promise<Row | undefined> => {
  if (!db.isShared) return row
  return countRowsChanged(await db.write([move], 'free')) > 0 ? claimed : undefined
}
