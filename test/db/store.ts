/** Stores in folders of their own. */
import { Database } from 'bun:sqlite'
import { type Db, locateDatabaseFile, openDb } from '../../src/db/db.ts'

export { temporaryFolders } from '../parts/folders.ts'

export const oneMiB = 1024 * 1024

export const openStore = (folder: string | undefined, writer: 'worker' | 'inline' = 'worker'): Promise<Db> =>
  openDb({ folder, writer, cacheBytes: 4 * oneMiB, walLimitBytes: 4 * oneMiB, now: 1_767_225_600_000 })

/** Reads or changes the database file from outside, whether or not a server has it open. */
export function inspect<T>(folder: string, look: (db: Database) => T): T {
  const db = new Database(locateDatabaseFile(folder), { readwrite: true, create: false, strict: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** Faults that SQLite reports in the file and in its references; the list is empty when all is well. */
export const faultsIn = (folder: string): unknown[] =>
  inspect(folder, (db) => [
    ...db
      .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
      .all()
      .filter(({ integrity_check }) => integrity_check !== 'ok'),
    ...db.query('PRAGMA foreign_key_check').all(),
  ])
