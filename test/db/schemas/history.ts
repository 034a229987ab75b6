/**
 * A database as every schema left it: all migrations one after the other, and after each of them the rows that servers of
 * that schema have written (rows/). So the rows of older schemas went through all migrations since.
 */
import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../../src/db/migrate.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { listColumns } from './values.ts'

const folder = join(import.meta.dir, 'rows')

export const locateRows = (migration: string): string => join(folder, `${migration}.sql`)

export interface Boundary {
  /** The newest migration of the database. */
  readonly migration: string
  readonly image: Uint8Array
}

/** Calls `atEach` after each migration and its rows; it may add rows of its own. */
export function replayHistory(atEach: (db: Database, migration: string) => void): void {
  const db = new Database(':memory:', { strict: true })
  db.run('PRAGMA foreign_keys = ON')
  for (const [index, { name }] of migrations.entries()) {
    migrate(db, migrations.slice(0, index + 1), 1_767_225_600_000)
    const file = locateRows(name)
    if (existsSync(file)) db.run(readFileSync(file, 'utf8'))
    atEach(db, name)
  }
  db.close()
}

/** A database of every schema, the oldest first. */
export function listBoundaries(): readonly Boundary[] {
  const boundaries: Boundary[] = []
  replayHistory((db, migration) => void boundaries.push({ migration, image: db.serialize() }))
  return boundaries
}

/** Tables of the data model, in the order in which they were made. */
export const listTables = (db: Database): readonly string[] =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'migrations' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => name)

export const countRows = (db: Database, table: string): number =>
  db.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()!.count

/** Columns without a value in any row. */
export const listBlank = (db: Database, table: string): readonly string[] =>
  listColumns(db, table)
    .map(({ name }) => name)
    .filter((name) => db.query(`SELECT 1 FROM "${table}" WHERE "${name}" IS NOT NULL LIMIT 1`).get() === null)
