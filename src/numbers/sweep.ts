/** How long numbers are kept. */
import type { Parts } from '../parts.ts'
import { dayOf, type Kind, kinds, slotOf } from './numbers.ts'
import { deleteOldDays, deleteOldLatencies } from './store.ts'

const keptDays = 400
const latencyKeptMs = 2 * 86_400_000

/** Returns how many rows it deleted, of each table and kind `batch` at most. */
export async function sweepNumbers({ db, readSure }: Pick<Parts, 'db' | 'readSure'>, batch: number): Promise<number> {
  let deleted = await deleteOldLatencies(db, slotOf(readSure() - latencyKeptMs), batch)
  for (const kind of Object.keys(kinds) as Kind[])
    deleted += await deleteOldDays(db, kind, dayOf(readSure()) - keptDays, batch)
  return deleted
}
