/** An export leaves out no table by mistake: each is exported by its owner, or listed with the reason. */
import { expect, test } from 'bun:test'
import { exporters, tablesLeftOut } from '../../src/export/index.ts'
import { readPage } from '../guides/page.ts'
import { readTables } from './tables.ts'

const exported = new Set(exporters.flatMap(({ tables }) => tables))

const listForgotten = (tables: readonly string[]): string[] =>
  tables.filter((table) => !exported.has(table) && !(table in tablesLeftOut))

test('every table is exported, or left out for a reason, and none is both', async () => {
  const tables = await readTables()
  expect(listForgotten(tables)).toEqual([])
  const named = [...exported, ...Object.keys(tablesLeftOut)]
  expect(named.toSorted()).toEqual(tables)
})

test('a new table that is neither is found', () => {
  expect(listForgotten(['proofs', 'clock', 'brand_new'])).toEqual(['brand_new'])
})

test('the guide names the tables that are left out, with the reason', () => {
  const { text } = readPage('src/guides/exporting.md')
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|$/gm)].map(([, table, reason]) => [table!, reason!])
  expect(Object.fromEntries(rows)).toEqual(tablesLeftOut)
})
