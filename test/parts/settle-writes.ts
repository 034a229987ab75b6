import type { Db } from '../../src/db/db.ts'

/** Waits for the writes that nobody waits for, such as the note that a key was used. */
export async function settleWrites(db: Db): Promise<void> {
  while (db.writerFigures.countWaiting() > 0) await Bun.sleep(1)
}
