/** The benchmark of the worst requests (test/bench/worst.ts) stops where it lacks a route, and nobody runs it every day. */
import { expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { startApp } from '../app.ts'
import { knownWorst } from '../bench/worst.ts'

test('the benchmark of the worst requests knows every route, and no other', async () => {
  const app = await startApp()
  const routes = createApp(app.parts).routes.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(knownWorst).sort()).toEqual([...new Set(routes)].sort())
  await app.close()
})
