/**
 * Reads a whole database in small slices, to find damage before it matters. Each slice is a read of its own. So it
 * delays the emptying of the log only for its own length.
 */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { findFaultKind } from './sqlite-errors.ts'

export interface Damage {
  readonly table: string
  /** In the words of SQLite. */
  readonly says: string
}

interface Table {
  readonly name: string
  /** 1: WITHOUT ROWID. */
  readonly wr: bigint | number
}

type Row = SQLQueryBindings[]

/** Tables of so few rows are checked in one call, with everything that SQLite knows to check. */
const smallRows = 2_000
const sliceRows = 64

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const isDamage = (error: unknown): error is Error => findFaultKind(error) === 'damaged'

/** One step for each slice; a step that found damage gives it. Throws what is not damage, as an I/O error. */
export function* checkSlices(db: Database): Generator<Damage | undefined> {
  const tables = db
    .query<Table, []>("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
  for (const table of tables) {
    try {
      yield* isSmall(db, table) ? checkSmall(db, table) : walk(db, table)
    } catch (error) {
      if (!isDamage(error)) throw error
      yield { table: table.name, says: error.message }
    }
  }
}

/** Everything at once, also what no slice reads: partial indexes and free pages. One long read: while it lasts the log grows. */
export function checkRest(db: Database): Damage[] {
  try {
    return db
      .query<{ quick_check: string }, []>('PRAGMA quick_check')
      .all()
      .flatMap(({ quick_check: says }) => (says === 'ok' ? [] : { table: findTable(db, says), says }))
  } catch (error) {
    if (!isDamage(error)) throw error
    return [{ table: unknownTable, says: error.message }]
  }
}

const unknownTable = 'not known'

/** quick_check names the first page of what it walked through. */
function findTable(db: Database, says: string): string {
  const root = /^Tree (\d+) /m.exec(says)?.[1]
  const found =
    root === undefined
      ? null
      : db.query<{ name: string }, [string]>('SELECT tbl_name AS name FROM sqlite_schema WHERE rootpage = ?1').get(root)
  return found?.name ?? unknownTable
}

const isSmall = (db: Database, { name }: Table): boolean =>
  db.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1 OFFSET ${smallRows}`).get() === null

function* checkSmall(db: Database, { name }: Table): Generator<Damage | undefined> {
  const found = db.query<{ quick_check: string }, []>(`PRAGMA quick_check(${quoteName(name)})`).all()
  for (const { quick_check: says } of found) yield says === 'ok' ? undefined : { table: name, says }
}

/** Every row with all that it holds, and its place in every index. */
function* walk(db: Database, table: Table): Generator<Damage | undefined> {
  const name = quoteName(table.name)
  const keys = Number(table.wr) === 1 ? listPrimaryKey(db, table.name) : ['rowid']
  const columns = listColumnNames(db, table.name)
  const order = keys.map(quoteName).join(', ')
  const from = `SELECT ${order}, ${columns.map(quoteName).join(', ')} FROM ${name}`
  const lookUps = listIndexes(db, table.name).map((index) => lookUp(table.name, index, keys, columns))
  let last: Row | undefined
  while (true) {
    const after = last ? `WHERE (${order}) > (${keys.map(() => '?').join(', ')})` : ''
    const slice = db
      .query(`${from} ${after} ORDER BY ${order} LIMIT ${sliceRows}`)
      .values(...((last ?? []) as never[])) as Row[]
    for (const { sql, places } of lookUps)
      for (const row of slice) db.query(sql).get(...(places.map((place) => row[place]!) as never[]))
    yield undefined
    if (slice.length < sliceRows) return
    last = slice.at(-1)!.slice(0, keys.length)
  }
}

interface Index {
  readonly name: string
  readonly columns: readonly string[]
}

/** A row deleted in the meantime is missing, which is no damage: only readable pages count. */
function lookUp(table: string, index: Index, keys: readonly string[], columns: readonly string[]) {
  const conditions = [...index.columns, ...keys].map((column, at) => `${quoteName(column)} IS ?${at + 1}`)
  const places = [
    ...index.columns.map((column) => keys.length + columns.indexOf(column)),
    ...keys.map((_, position) => position),
  ]
  const sql = `SELECT 1 FROM ${quoteName(table)} INDEXED BY ${quoteName(index.name)} WHERE ${conditions.join(' AND ')}`
  return { sql, places }
}

/** The indexes that hold every row, by columns alone. */
function listIndexes(db: Database, table: string): Index[] {
  return db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?1) WHERE partial = 0 AND origin <> 'pk'")
    .all(table)
    .map(({ name }) => ({
      name,
      columns: db
        .query<{ name: string | null }, [string]>('SELECT name FROM pragma_index_info(?1)')
        .all(name)
        .flatMap((column) => column.name ?? []),
    }))
}

const listColumnNames = (db: Database, table: string): string[] =>
  db
    .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?1)')
    .all(table)
    .map(({ name }) => name)

const listPrimaryKey = (db: Database, table: string): string[] =>
  db
    .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk')
    .all(table)
    .map(({ name }) => name)
