/** A look at the database of a data folder, beside a server that may be running on it, that leaves everything as it is. */
import { constants, Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Db, databaseFileIn } from './db.ts'

/** Undefined where there is no database. Errors: SQLiteError. */
export function lookIntoFolder<Result>(folder: string, look: (db: Pick<Db, 'prepare'>) => Result): Result | undefined {
  const file = databaseFileIn(folder)
  if (!existsSync(file)) return undefined
  // Without its index beside it, the log would be read into a new one: then nobody has the file open, and the file alone
  // is read.
  const address = pathToFileURL(file).href + (existsSync(`${file}-shm`) ? '?mode=ro' : '?immutable=1')
  const db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  try {
    db.run('PRAGMA busy_timeout = 1000')
    return look({ prepare: (sql) => db.query(sql) as never })
  } finally {
    db.close()
  }
}
