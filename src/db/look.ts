/** Reads the database of a data folder, beside a server that may be running on it, without changing anything. */
import { constants, Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { locateDatabaseFile, makeReader, type Reader } from './db.ts'
import { nameLogFile } from './file-names.ts'
import { checkSlices, type Damage } from './page-check.ts'

/** Undefined where there is no database. Errors: SQLiteError. */
export async function lookIntoFolder<Result>(
  folder: string,
  look: (db: Reader, database: Database) => Result | Promise<Result>,
): Promise<Result | undefined> {
  const file = locateDatabaseFile(folder)
  if (!existsSync(file)) return undefined
  // Without its index, the log would be read into a new one. No process has the file open then, so the file alone is
  // read.
  const address = pathToFileURL(file).href + (existsSync(`${file}-shm`) ? '?mode=ro' : '?immutable=1')
  const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  try {
    db.run('PRAGMA busy_timeout = 1000')
    return await look(makeReader(db), db)
  } finally {
    db.close()
  }
}

export interface DamageLook {
  readonly damage?: Damage
  readonly hasReadAll: boolean
}

/** Reads the database until damage is found, or for so long. Errors: SQLiteError. */
export async function lookForDamage(folder: string, withinMs: number): Promise<DamageLook> {
  // Without its index the log is not read, and the file alone may be in the middle of a checkpoint.
  if (hasLogWithoutIndex(locateDatabaseFile(folder))) return { hasReadAll: false }
  return (
    (await lookIntoFolder(folder, (_, database) => readUntil(database, performance.now() + withinMs))) ?? {
      hasReadAll: true,
    }
  )
}

function readUntil(database: Database, endsAt: number): DamageLook {
  for (const damage of checkSlices(database)) {
    if (damage) return { damage, hasReadAll: false }
    if (performance.now() >= endsAt) return { hasReadAll: false }
  }
  return { hasReadAll: true }
}

/** What such a log holds would not be seen (lookIntoFolder). */
export const hasLogWithoutIndex = (file: string): boolean =>
  !existsSync(`${file}-shm`) && (statSync(nameLogFile(file), { throwIfNoEntry: false })?.size ?? 0) > 0
