/** What the manifest says of a database, whatever build made it: SQL and nothing else. */
import { type Database, SQLiteError } from 'bun:sqlite'

/** The newest migration. Empty for a database without any. */
export const readSchemaName = (db: Database): string =>
  readOne(db, "SELECT coalesce(max(name), '') AS value FROM migrations", '')

/** db/key-mark.ts */
export const readKeyMark = (db: Database): number =>
  readOne(db, 'SELECT user_version AS value FROM pragma_user_version()', 0)

/** The newest row of the journal. */
export const readJournalUpTo = (db: Database): number =>
  readOne(db, 'SELECT coalesce(max(id), 0) AS value FROM taken_away', 0)

/** `missing` where the table is not there yet. */
function readOne<Value extends string | number>(db: Database, sql: string, missing: Value): Value {
  try {
    return db.query<{ value: Value }, []>(sql).get()!.value
  } catch (error) {
    if (error instanceof SQLiteError && error.code === 'SQLITE_ERROR') return missing
    throw error
  }
}
