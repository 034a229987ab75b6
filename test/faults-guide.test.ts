import { expect, test } from 'bun:test'
import { conditionNames } from '../src/condition-names.ts'

test('the tables of the guide on faults have every condition that can begin, and no other', async () => {
  const text = await Bun.file(new URL('../src/guides/faults.md', import.meta.url)).text()
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  const seen = rows.flatMap((row) => (row.split(' | ')[1] ?? '').match(/`[a-z]+(-[a-z]+)+`/g) ?? [])
  const named = new Set(seen.map((name) => name.replaceAll('`', '')))
  expect([...named].sort()).toEqual([...conditionNames])
})
