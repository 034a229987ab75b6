/** Both engines have one data model: the tables of all migrations of SQLite, held against those of PostgreSQL. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate } from '../../../src/db/migrate.ts'
import { startPostgres } from '../../parts/postgres.ts'

const sqlite = new Database(':memory:', { strict: true })
migrate(sqlite)
const pragma = <T>(text: string): T[] => sqlite.query<T, []>(`PRAGMA ${text}`).all()
const listNames = (type: string): string[] =>
  sqlite
    .query<{ name: string }, [string]>(
      "SELECT name FROM sqlite_schema WHERE type = ?1 AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all(type)
    .map(({ name }) => name)
const readText = (name: string): string =>
  sqlite.query<{ sql: string }, [string]>('SELECT sql FROM sqlite_schema WHERE name = ?1').get(name)!.sql

/** The rows of the totals are counted by several writers at once. */
const differentChecks = ['totals']
/** Their ids are given by a trigger. */
const withoutSequence = ['taken_away']
/** PostgreSQL has these besides. */
const ownTriggers = ['taken_away_numbered']
/** SQLite's end in the row's id, or in its primary key: these name it, because a list walks them in that order. */
const longerIndexes: Readonly<Record<string, string>> = {
  proofs_by_account: 'id',
  proofs_shown: 'id',
  proofs_scope_listed: 'id',
  proofs_by_app: 'id',
  proofs_app_listed: 'id',
  proofs_listed: 'id',
  proofs_agents: 'id',
  proofs_granted: 'id',
  fulfillments_by_wallet: 'id',
  fulfillments_by_gate: 'id',
  fulfillments_of_wallet: 'id',
  fulfillments_paid_by: 'id',
  fulfillments_paid_to: 'id',
  gates_by_owner: 'id',
  unmatched_by_owner: 'id',
  unmatched_by_wallet: 'id',
  unmatched_by_payer: 'id',
  publications_open: 'id',
  audit_events_by_time: 'id',
  access_grants_by_viewer: 'proof_id',
  share_links_by_profile: 'digest',
  proofs_by_q52: 'q_hash',
}
/** One writer at a time looks before it inserts. Of several, the second must be refused. */
const uniqueIndexes = ['proofs_by_q52']
/** For the same reason, and SQLite needs no index for it. */
const ownIndexes = ['quotes_total']

let postgres: SQL
beforeAll(async () => {
  const server = await startPostgres({ version: 15 })
  postgres = new SQL({ url: await server.createDatabase(), max: 1 })
})
afterAll(() => postgres.close())

const ask = async <T>(text: string, ...params: string[]): Promise<T[]> => [...(await postgres.unsafe(text, params))]

const types: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  BLOB: 'bytea',
  REAL: 'double precision',
}

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/::\w+( \w+)?(\[\])?/g, '')
    .replace(/\(?= any \(array\[(.*?)\]\)\)?/g, 'in $1')
    .replace(/[()\s"]/g, '')

test('the same tables', async () => {
  const found = await ask<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'proofgate'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE \"C\"",
  )
  expect(found.map(({ name }) => name)).toEqual(listNames('table'))
})

test('the same triggers, and the named ones besides', async () => {
  const found = await ask<{ name: string; table: string }>(
    `SELECT t.tgname AS name, c.relname AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal ORDER BY t.tgname COLLATE "C"`,
  )
  const expected = sqlite
    .query<{ name: string; table: string }, []>(
      'SELECT name, tbl_name AS "table" FROM sqlite_schema WHERE type = \'trigger\' ORDER BY name',
    )
    .all()
  expect(found.filter(({ name }) => !ownTriggers.includes(name))).toEqual(expected)
})

describe.each(
  listNames('table')
    .filter((name) => name !== 'migrations')
    .map((name) => [name]),
)('%s', (table) => {
  const oid = `'proofgate.${table}'::regclass`
  const columnsInSqlite = pragma<{
    name: string
    type: string
    notnull: number
    dflt_value: string | null
    pk: number
  }>(`table_info('${table}')`)

  test('rows that every database has', async () => {
    const found = await ask<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM proofgate.${table} t`)
    const expected = sqlite.query(`SELECT * FROM ${table}`).all()
    expect(found.map(({ row }) => JSON.parse(row))).toEqual(expected)
  })

  test('columns: names, order, types, not null, defaults', async () => {
    const found = await ask(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS "isRequired",
         pg_get_expr(adbin, adrelid) AS default
       FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
       WHERE attrelid = ${oid} AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    )
    expect(found).toEqual(
      columnsInSqlite.map(({ name, type, notnull, dflt_value, pk }) => ({
        name,
        type: types[type]!,
        isRequired: notnull === 1 || pk > 0,
        default: dflt_value,
      })),
    )
  })

  test('texts are compared by their bytes', async () => {
    const found = await ask<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute JOIN pg_collation c ON c.oid = attcollation
       WHERE attrelid = ${oid} AND attnum > 0 AND collname <> 'C'`,
    )
    expect(found).toEqual([])
  })

  test('an id that SQLite gives is given by a sequence', async () => {
    const givesId = /\bid INTEGER PRIMARY KEY(?! CHECK)/.test(readText(table)) && !withoutSequence.includes(table)
    const found = await ask(`SELECT attname FROM pg_attribute WHERE attrelid = ${oid} AND attidentity = 'd'`)
    expect(found.map((row) => (row as { attname: string }).attname)).toEqual(givesId ? ['id'] : [])
  })

  test('the primary key and what else is unique', async () => {
    const found = await ask<{ kind: string; columns: string }>(
      `SELECT contype AS kind, (
         SELECT string_agg(attname, ', ' ORDER BY place)
         FROM unnest(conkey) WITH ORDINALITY k (number, place) JOIN pg_attribute ON attrelid = conrelid AND attnum = number
       ) AS columns
       FROM pg_constraint WHERE conrelid = ${oid} AND contype IN ('p', 'u') ORDER BY 1, 2`,
    )
    const key = columnsInSqlite.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    const unique = pragma<{ name: string; origin: string }>(`index_list('${table}')`)
      .filter(({ origin }) => origin === 'u')
      .map(({ name }) =>
        pragma<{ name: string }>(`index_info('${name}')`)
          .map((column) => column.name)
          .join(', '),
      )
    expect(found).toEqual([
      { kind: 'p', columns: key.map(({ name }) => name).join(', ') },
      ...unique.sort().map((columns) => ({ kind: 'u', columns })),
    ])
  })

  test('references and their actions', async () => {
    const found = await ask<{ text: string }>(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = ${oid} AND contype = 'f'`,
    )
    const expected = pragma<{ table: string; from: string; to: string; on_delete: string }>(
      `foreign_key_list('${table}')`,
    )
    expect(found.map(({ text }) => text).sort()).toEqual(
      expected
        .map(({ table: parent, from, to, on_delete }) => {
          const action = on_delete === 'NO ACTION' ? '' : ` ON DELETE ${on_delete}`
          return `FOREIGN KEY (${from}) REFERENCES ${parent}(${to})${action}`
        })
        .sort(),
    )
  })

  test('conditions', async () => {
    const found = await ask<{ text: string }>(
      `SELECT pg_get_expr(conbin, conrelid) AS text FROM pg_constraint WHERE conrelid = ${oid} AND contype = 'c'`,
    )
    const checks = listChecks(readText(table))
    expect(found.length).toBe(checks.length)
    if (differentChecks.includes(table)) return
    expect(found.map(({ text }) => normalize(text)).sort()).toEqual(checks.map(readCondition).sort())
  })

  test('indexes', async () => {
    const found = await ask<{ name: string; text: string }>(
      `SELECT c.relname AS name, pg_get_indexdef(indexrelid) AS text
       FROM pg_index JOIN pg_class c ON c.oid = indexrelid
       WHERE indrelid = ${oid} AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
       ORDER BY c.relname COLLATE "C"`,
    )
    const expected = sqlite
      .query<{ name: string; sql: string }, [string]>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?1 ORDER BY name",
      )
      .all(table)
    const inBoth = found.filter(({ name }) => !ownIndexes.includes(name))
    const inPostgres = inBoth.map(({ name, text }) => [
      name,
      normalize(text.replace('USING btree ', '').replace('proofgate.', '')),
    ])
    expect(Object.fromEntries(inPostgres)).toEqual(
      Object.fromEntries(expected.map(({ name, sql }) => [name, normalize(writeIndex(name, sql))])),
    )
  })
})

test('an account, a gate or a wallet may have any number of rows, whatever most of them have', async () => {
  const columns = await ask<{ name: string; options: string | null }>(`
    SELECT attrelid::regclass || '.' || attname AS name, array_to_string(attoptions, ' ') AS options
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
    WHERE c.relnamespace = 'proofgate'::regnamespace AND c.relkind = 'r' AND attnum > 0
      AND attname IN ('account_id', 'gate', 'wallet')`)
  expect(columns.length).toBeGreaterThan(10)
  expect(columns.filter(({ options }) => !options?.includes('n_distinct=500'))).toEqual([])
})

/** The conditions of CHECK, with balanced brackets. */
function listChecks(text: string): string[] {
  const checks: string[] = []
  for (const { index } of text.matchAll(/\bCHECK \(/g)) {
    let depth = 0
    let end = text.indexOf('(', index)
    const start = end + 1
    do {
      if (text[end] === '(') depth++
      if (text[end] === ')') depth--
      end++
    } while (depth > 0)
    checks.push(text.slice(start, end - 1))
  }
  return checks
}

/** As PostgreSQL writes it. */
const readCondition = (text: string): string =>
  normalize(text.replace(/(\w+) BETWEEN (\w+) AND (\w+)/g, '$1 >= $2 AND $1 <= $3'))

const writeIndex = (name: string, sql: string): string =>
  addColumn(uniqueIndexes.includes(name) ? sql.replace('INDEX', 'UNIQUE INDEX') : sql, longerIndexes[name])

const addColumn = (sql: string, column: string | undefined): string =>
  column === undefined ? sql : sql.replace(/\([^)]*(?=\))/, (columns) => `${columns}, ${column}`)
