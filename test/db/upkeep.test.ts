import { expect, test } from 'bun:test'
import { openUpkeep } from '../../src/upkeep.ts'
import { startApp } from '../app.ts'

test('a database without files of its own has a size, and its upkeep finds no fault', async () => {
  const app = await startApp()
  const events: string[] = []
  const log = { ...app.parts.log, count: ({ event }: { readonly event: string }) => void events.push(event) }
  await app.prove()
  expect(await app.parts.db.measureBytes()).toBeGreaterThan(100_000)
  await openUpkeep({ ...app.parts, log })()
  expect([events, app.parts.conditions.list()]).toEqual([[], []])
  await app.close()
})
