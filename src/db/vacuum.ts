/** Returns empty pages to the file system, some at a time: the file shrinks from its end. */
import type { Db } from './db.ts'
import { label, query } from './query.ts'

/** Kept for what is stored next: growing the file again would cost more than it takes. */
const keptPages = 4_096
const slicePages = 64

const selectPages = query<[]>()`
  SELECT (SELECT freelist_count FROM pragma_freelist_count()) AS ${label('free', 'number')},
    (SELECT page_count FROM pragma_page_count()) AS ${label('inAll', 'number')},
    (SELECT auto_vacuum FROM pragma_auto_vacuum()) AS ${label('mode', 'number')}`

/** The mode of a file whose empty pages can be given back one by one. `proofgate compact` gives back those of others. */
const incrementalMode = 2

/** Pages that are more than what is kept. */
export async function countSparePages(db: Db): Promise<number> {
  const { free, inAll, mode } = (await db.read(selectPages).get()) ?? { free: 0, inAll: 0, mode: 0 }
  return mode === incrementalMode ? Math.max(0, free - Math.max(keptPages, Math.floor(inAll / 20))) : 0
}

/** One slice, as an ordinary write: it shares its commit, and delays others no longer than that. */
export const vacuumSlice = (db: Db): Promise<unknown> =>
  db.write([{ sql: `PRAGMA incremental_vacuum(${slicePages})`, params: [] }], 'free')
