/** The journal of the folder that a restore replaces: complete up to its last write. */
import { SQLiteError } from 'bun:sqlite'
import { findStoredClock } from '../db/clock-store.ts'
import { lookIntoFolder } from '../db/look.ts'
import { findNewestEntry, type JournalRow, listJournal } from '../journal/store.ts'
import { readKeyMark } from './facts-store.ts'

export interface FoundJournal {
  readonly rows: readonly JournalRow[]
  /** Unix milliseconds: what happened until then is in it. */
  readonly knownUntil: number
}

const pageRows = 1_000

/**
 * The rows after `after`. Undefined where there is no database, where it is of another server or older than the backup,
 * and where it cannot be read.
 */
export async function readOldJournal(
  folder: string,
  { keyMark, after }: { readonly keyMark: number; readonly after: number },
): Promise<FoundJournal | undefined> {
  try {
    return await lookIntoFolder(folder, async (db, database) => {
      const mark = readKeyMark(database)
      if (mark === 0 || mark !== keyMark || (await findNewestEntry(db)) < after) return undefined
      const rows: JournalRow[] = []
      for (let last = after; ; last = rows.at(-1)!.id) {
        const page = await listJournal(db, last, pageRows)
        rows.push(...page)
        if (page.length < pageRows) break
      }
      const knownUntil = Math.max((await findStoredClock(db))?.wallAt ?? 0, ...rows.map(({ at }) => at))
      return { rows, knownUntil }
    })
  } catch (error) {
    // That it cannot be read may be the reason for the restore.
    if (error instanceof SQLiteError) return undefined
    throw error
  }
}
