/** Stores in folders of their own, which go when the tests are over. */
import { Database } from 'bun:sqlite'
import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, databaseFileIn, openDb } from '../../src/db/db.ts'

export const oneMiB = 1024 * 1024

/** Call it at the top of a test file: what it hands out is deleted at the end of that file. */
export function temporaryFolders(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofgate-db-'))
    made.push(folder)
    return folder
  }
}

export const openStore = (folder: string | undefined, writer: 'worker' | 'inline' = 'worker'): Promise<Db> =>
  openDb({ folder, writer, cacheBytes: 4 * oneMiB, walLimitBytes: 4 * oneMiB, now: 1_767_225_600_000 })

/** Runs over the database file from outside, while nobody or somebody has it open. */
export function inspect<T>(folder: string, look: (db: Database) => T): T {
  const db = new Database(databaseFileIn(folder), { readwrite: true, create: false, strict: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** What SQLite says of the file, and of the references in it: both empty when all is well. */
export const faultsIn = (folder: string): unknown[] =>
  inspect(folder, (db) => [
    ...db
      .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
      .all()
      .filter(({ integrity_check }) => integrity_check !== 'ok'),
    ...db.query('PRAGMA foreign_key_check').all(),
  ])
