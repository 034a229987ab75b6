/** On PostgreSQL, health speaks of the database and not of a disk under this server. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { startApp, type TestApp } from '../app.ts'
import { openSharedDatabase, type TestDatabase } from '../parts/test-database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let app: TestApp
let admin: SQL
beforeAll(async () => {
  database = await openSharedDatabase()
  app = await startApp(database.env)
  admin = new SQL({ url: database.url, max: 1 })
})
afterAll(async () => {
  await app.close()
  await admin.close()
  await database.drop()
})

/** Looks as the server does each second, until the condition stands. */
async function lookUntil(name: string, stands = true) {
  for (;;) {
    await app.get('/api/v1/health')
    await app.parts.storage.look()
    const found = app.parts.conditions.list().find((one) => one.name === name)
    if ((found !== undefined) === stands) return found
    await Bun.sleep(50)
  }
}

test('a write that waits for a lock waits for the database', async () => {
  await admin.unsafe('BEGIN; LOCK TABLE proofgate.heartbeat IN EXCLUSIVE MODE').simple()
  const told = await lookUntil('writes-wait')
  await admin.unsafe('ROLLBACK')
  expect(told?.says).toBe('a write has been waiting for the database for more than 2 seconds')
  expect(told?.mend).toContain('pg_stat_activity')
  await lookUntil('writes-wait', false)
})
