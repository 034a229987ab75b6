/**
 * `bun test/db/schemas/make.ts`: writes rows/<migration>.sql for every migration that has no such file yet and makes or
 * changes a table. Files that are there stay as they are: they stand for the data of servers of that time.
 *
 * A new migration needs one run of this. schemas.test.ts says so.
 */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countRows, listBlank, listTables, locateRows, replayHistory } from './history.ts'
import { type Row, tellStory } from './story.ts'
import { isChosen, listColumns, makeRow } from './values.ts'

const place = mkdtempSync(join(tmpdir(), 'proofgate-schemas-'))
const story = await tellStory(place)
rmSync(place, { recursive: true })

/** The triggers count them. */
const counted = /^(current|listed|all|all_listed|fulfilled|guest)_count$/

const rowsOfNewTable = 2
const attempts = 5

let shapes: ReadonlyMap<string, string> = new Map()

const readShapes = (db: Database): Map<string, string> =>
  new Map(listTables(db).map((table) => [table, JSON.stringify(listColumns(db, table))]))

/** Adds rows to a table that is empty or was changed by this migration. */
function fillTable(db: Database, table: string): string[] {
  const before = countRows(db, table)
  // A new table that its migration filled may lack values, too.
  const isChanged = shapes.has(table)
    ? shapes.get(table) !== readShapes(db).get(table)
    : listBlank(db, table).length > 0
  const wanted = before === 0 ? rowsOfNewTable : isChanged ? 1 : 0
  const isSingle = /CHECK \(id = 1\)/.test(
    db.query<{ sql: string }, []>(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`).get()!.sql,
  )
  const told = before === 0 ? (story.get(table) ?? []) : []
  const count = isSingle
    ? Math.min(1 - before, wanted)
    : told.length === 0
      ? wanted
      : told.length + Number(hasBlank(db, table, told))
  return Array.from({ length: Math.max(0, count) }, (_, index) => addRow(db, table, told[index]))
}

/** Whether the story leaves a column without a value. */
const hasBlank = (db: Database, table: string, told: readonly Row[]): boolean =>
  listColumns(db, table).some(({ name }) => told.every((row) => row[name] === null))

function addRow(db: Database, table: string, told: Row | undefined): string {
  let fault: unknown
  for (let attempt = 0; attempt < attempts; attempt++) {
    const number = countRows(db, table) + attempt + 1
    const statement = writeInsert(db, table, told && attempt === 0 ? told : makeVariant(db, table, number))
    try {
      db.run(statement)
      return statement
    } catch (error) {
      fault = error
    }
  }
  throw new Error(`no row for ${table}: add a rule to values.ts`, { cause: fault })
}

/** Rows of proofs and gates are read by servers: a further one is like the first, under other keys. */
function makeVariant(db: Database, table: string, number: number): Row {
  const made = makeRow(db, table, number)
  const [first] = story.get(table) ?? []
  if (!first) return made
  const keys = listUniqueColumns(db, table)
  return Object.fromEntries(
    Object.entries(made).map(([name, value]) => [
      name,
      keys.has(name) || isChosen(table, name) || (first[name] ?? null) === null ? value : first[name]!,
    ]),
  )
}

/** Columns of keys, and the hashes that must be as unique. */
const listUniqueColumns = (db: Database, table: string): ReadonlySet<string> =>
  new Set([
    ...listColumns(db, table).flatMap(({ name, pk }) => (pk > 0 ? [name] : [])),
    ...db
      .query<{ name: string }, []>(
        `SELECT i.name FROM pragma_index_list('${table}') l, pragma_index_info(l.name) i WHERE l."unique" = 1`,
      )
      .all()
      .map(({ name }) => name),
    'q52',
    'q_hash',
    'scope52',
  ])

function writeInsert(db: Database, table: string, row: Row): string {
  const columns = listColumns(db, table)
    .map(({ name }) => name)
    .filter((name) => !counted.test(name) && row[name] !== undefined && row[name] !== null)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => quote(row[name]!)).join(', ')});`
}

function quote(value: SQLQueryBindings): string {
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

replayHistory((db, migration) => {
  const statements = existsSync(locateRows(migration)) ? [] : listTables(db).flatMap((table) => fillTable(db, table))
  shapes = readShapes(db)
  if (statements.length > 0) {
    writeFileSync(locateRows(migration), `${statements.join('\n')}\n`)
    process.stdout.write(`${migration}: ${statements.length} rows\n`)
  }
})
