/** The journal of the folder that a restore replaces: complete up to its last write. */
import { SQLiteError } from 'bun:sqlite'
import { findStoredClock } from '../db/clock-store.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { hasLogWithoutIndex, lookIntoFolder } from '../db/look.ts'
import { listJobRuns } from '../jobs/store.ts'
import { findBlindRestore, findNewestEntry, type JournalRow, listJournal } from '../journal/store.ts'
import { readKeyMark } from './facts-store.ts'
import { findLatest } from './known-time.ts'

export interface FoundJournal {
  readonly rows: readonly JournalRow[]
  /** Unix milliseconds: what happened until then is in it. */
  readonly knownUntil: number
}

/** What a journal must tell to be of use for a backup. */
export interface JournalNeed {
  readonly keyMark: number
  /** taken_away.id: the last row that the backup has. */
  readonly after: number
  /** Unix milliseconds, both. */
  readonly backupAt: number
  readonly now: number
}

const pageRows = 1_000

/**
 * The rows after `after`. Undefined where there is no database, where it is of another server or older than the backup,
 * and where it cannot be read.
 */
export async function readOldJournal(
  folder: string,
  { keyMark, after, backupAt, now }: JournalNeed,
): Promise<FoundJournal | undefined> {
  // Its last rows would be missing.
  if (hasLogWithoutIndex(locateDatabaseFile(folder))) return undefined
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
      const runs = Object.values(await listJobRuns(db)).map(({ endedAt }) => endedAt)
      const knownUntil = findLatest(
        [(await findStoredClock(db))?.wallAt ?? 0, ...runs, ...rows.map(({ at }) => at)],
        now,
      )
      // A folder that was older than the backup was put in place, or one whose own past is not known.
      if (knownUntil < backupAt || (await findBlindRestore(db)) > backupAt) return undefined
      return { rows, knownUntil }
    })
  } catch (error) {
    // That it cannot be read may be the reason for the restore.
    if (error instanceof SQLiteError) return undefined
    throw error
  }
}

/** Of the server whose data folder is there. Undefined where there is none, or none that can be read. */
export async function findKeyMark(folder: string): Promise<number | undefined> {
  try {
    return await lookIntoFolder(folder, (_, database) => readKeyMark(database))
  } catch (error) {
    if (error instanceof SQLiteError) return undefined
    throw error
  }
}
