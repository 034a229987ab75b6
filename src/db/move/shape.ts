/** The tables that move, as SQLite describes them: PostgreSQL has the same (test/db/postgres/schema.test.ts). */
import type { Database } from 'bun:sqlite'

export type ColumnKind = 'INTEGER' | 'TEXT' | 'BLOB'

export interface TableShape {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  /** The primary key, which gives the rows one order on both sides. */
  readonly key: readonly string[]
}

/** Only one engine has them, or they tell of processes that have ended. */
const notMoved = new Set(['migrations', 'live_processes', 'leases'])

/** Parents before the tables that refer to them. */
export function listShapes(db: Database): readonly TableShape[] {
  const names = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !notMoved.has(name))
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    for (const parent of listParents(db, name)) if (parent !== name) add(parent)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered].map((name) => readShape(db, name))
}

const listParents = (db: Database, table: string): readonly string[] =>
  db
    .query<{ parent: string }, [string]>('SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?1)')
    .all(table)
    .map(({ parent }) => parent)

function readShape(db: Database, table: string): TableShape {
  const columns = db
    .query<{ name: string; kind: ColumnKind; place: number }, [string]>(
      'SELECT name, type AS kind, pk AS place FROM pragma_table_info(?1)',
    )
    .all(table)
  const key = columns.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place)
  return {
    name: table,
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    key: key.map(({ name }) => name),
  }
}

const listColumnNames = ({ columns }: TableShape): string => columns.map(({ name }) => `"${name}"`).join(', ')

export const writeColumns = (shape: TableShape): string => `"${shape.name}" (${listColumnNames(shape)})`

/** All rows in the order of their key. */
export const writeSelect = (shape: TableShape): string =>
  `SELECT ${listColumnNames(shape)} FROM "${shape.name}" ORDER BY ${shape.key.map((name) => `"${name}"`).join(', ')}`
