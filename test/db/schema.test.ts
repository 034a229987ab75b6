/** src/db/schema.ts says in TypeScript what migrations/ says in SQL: here they are held against each other. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrate } from '../../src/db/migrate.ts'
import * as schema from '../../src/db/schema.ts'

const db = new Database(':memory:', { strict: true })
migrate(db)

const tables = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableConfig(table as SQLiteTable))

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}
interface Index {
  readonly name: string
  readonly unique: number
  readonly origin: 'c' | 'u' | 'pk'
}

const pragma = <T>(text: string): T[] => db.query<T, []>(`PRAGMA ${text}`).all()
const columnsOfIndex = (name: string): string[] =>
  pragma<{ name: string }>(`index_info('${name}')`).map((column) => column.name)

test('each key is the name in camel case, as db/query.ts takes it', () => {
  const toName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const [key, table] of Object.entries(schema)) {
    if (!is(table, SQLiteTable)) continue
    expect(toName(key)).toBe(getTableConfig(table).name)
    for (const [columnKey, column] of Object.entries(getTableColumns(table)))
      expect(toName(columnKey)).toBe(column.name)
  }
})

test('both have the same tables', () => {
  const inSql = pragma<{ name: string; schema: string }>('table_list')
    .filter((table) => table.schema === 'main' && !table.name.startsWith('sqlite_') && table.name !== 'migrations')
    .map(({ name }) => name)
  expect(tables.map(({ name }) => name).sort()).toEqual(inSql.sort())
})

describe.each(tables.map((table) => [table.name, table] as const))('%s', (name, table) => {
  const columns = pragma<Column>(`table_info('${name}')`)
  const indexes = pragma<Index>(`index_list('${name}')`)

  test('columns: names, types, not null, defaults', () => {
    const inSql = columns.map(({ name, type, notnull, dflt_value, pk }) => ({
      name,
      type: type.toLowerCase(),
      notNull: notnull === 1 || pk > 0,
      default: dflt_value === null ? undefined : Number(dflt_value),
    }))
    const inTypeScript = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      notNull: column.notNull || table.primaryKeys.some((key) => key.columns.some((one) => one.name === column.name)),
      default: column.default,
    }))
    expect(inTypeScript).toEqual(inSql)
  })

  test('the primary key', () => {
    const inSql = columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name)
    const composite = table.primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
    const single = table.columns.filter((column) => column.primary).map((column) => column.name)
    expect([...single, ...composite]).toEqual(inSql)
  })

  test('indexes and their columns', () => {
    const inSql = indexes
      .filter(({ origin }) => origin === 'c')
      .map((index) => ({ name: index.name, columns: columnsOfIndex(index.name), unique: index.unique === 1 }))
    const inTypeScript = table.indexes.map(({ config }) => ({
      name: config.name,
      columns: config.columns.map((column) => (column as { name: string }).name),
      unique: config.unique,
    }))
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    expect(inTypeScript.toSorted(byName)).toEqual(inSql.toSorted(byName))
  })

  test('unique constraints', () => {
    const inSql = indexes.filter(({ origin }) => origin === 'u').map((index) => columnsOfIndex(index.name))
    const inTypeScript = table.columns.filter((column) => column.isUnique).map((column) => [column.name])
    expect(inTypeScript.sort()).toEqual(inSql.sort())
  })

  test('foreign keys and their ON DELETE actions', () => {
    const inSql = pragma<{ table: string; from: string; to: string; on_delete: string }>(
      `foreign_key_list('${name}')`,
    ).map((key) => `${key.from} → ${key.table}.${key.to}, ${key.on_delete.toLowerCase()}`)
    const inTypeScript = table.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference()
      const target = getTableConfig(foreignTable).name
      return `${columns[0]!.name} → ${target}.${foreignColumns[0]!.name}, ${key.onDelete ?? 'no action'}`
    })
    expect(inTypeScript.sort()).toEqual(inSql.sort())
  })

  test('is STRICT: no column takes a value of another type', () => {
    expect(pragma<{ name: string; strict: number }>('table_list').find((one) => one.name === name)?.strict).toBe(1)
  })
})
