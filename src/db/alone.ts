/** The database of a data folder, for a command that must be alone on it. */
import type { Database } from 'bun:sqlite'
import { openConnection } from './connection.ts'
import { locateDatabaseFile } from './db.ts'
import { takeLock } from './lock.ts'

const oneMiB = 1_048_576

/** Errors: LockedError while a server runs, SQLiteError. */
export function useAlone<Result>(folder: string, work: (db: Database) => Result): Result {
  const file = locateDatabaseFile(folder)
  const lock = takeLock(file)
  try {
    const db = openConnection({ file, cacheBytes: 64 * oneMiB, walLimitBytes: 64 * oneMiB })
    try {
      const result = work(db)
      // The log of one long write is as large as all that it wrote.
      db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      return result
    } finally {
      db.close()
    }
  } finally {
    lock.release()
  }
}
