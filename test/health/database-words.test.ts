/** On PostgreSQL, health speaks of the database and not of a disk under this server. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { startKeeper } from '../../src/backup/keeper.ts'
import { moveHeartbeat } from '../../src/health/heartbeat-store.ts'
import { noteJobRun } from '../../src/jobs/store.ts'
import { beatProcess } from '../../src/processes/store.ts'
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

/** Locks the only row that the server writes by itself, in this test. */
const lockHeartbeat = () => admin.unsafe('BEGIN; LOCK TABLE proofgate.heartbeat IN EXCLUSIVE MODE').simple()

const other = { id: 'other', startedAt: 0, version: '0.1.0', host: 'other.example', settings: null }

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
  await lockHeartbeat()
  const told = await lookUntil('writes-wait')
  await admin.unsafe('ROLLBACK')
  expect(told?.says).toBe('a write has been waiting for the database for more than 2 seconds')
  expect(told?.level).toBe('failing')
  expect(told?.mend).toContain('pg_stat_activity')
  await lookUntil('writes-wait', false)
})

test('a server stays ready while one write waits and others are stored', async () => {
  await lockHeartbeat()
  const waiting = app.parts.db.write([moveHeartbeat(0)], 'free')
  let beats = 0
  const storing = setInterval(() => void app.parts.db.write([beatProcess(other, beats++)], 'free'), 200)
  const told = await lookUntil('writes-wait')
  const { status } = await app.get('/api/v1/health/ready')
  clearInterval(storing)
  await admin.unsafe('ROLLBACK')
  await waiting
  expect({ level: told?.level, status }).toEqual({ level: 'warning', status: 200 })
  expect(told?.says).toBe('a write has been waiting for the database for more than 2 seconds, while others are stored')
  await lookUntil('writes-wait', false)
})

test('a dump that could not be made is told until one is made', async () => {
  const keeper = startKeeper(app.parts, undefined, { lookEveryMs: 50 })
  const note = (endedAt: number, isGood: boolean) =>
    app.parts.db.write([noteJobRun({ job: 'backup', endedAt, tookMs: 1, isGood, says: 'no room' })], 'free')
  await note(1, false)
  expect((await lookUntil('backup-failed'))?.says).toBe('the last backup could not be made')
  await note(2, true)
  await lookUntil('backup-failed', false)
  await keeper.stop()
})
