/** The heartbeat of an idle server, and damage that no client has met. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { startApp, type TestApp } from '../app.ts'
import { inspect } from '../db/store.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice } from '../wallets.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const commitEnd = ({ parts }: TestApp): number | undefined => parts.db.writerState().last?.endedAt
const heartbeat = async (app: TestApp) => (await app.get('/api/v1/health')).body.data.heartbeat

/** Looks as the server does each second, until a heartbeat is on the disk. */
async function lookUntilCommit(app: TestApp): Promise<void> {
  const before = commitEnd(app)
  for (let turn = 0; turn < 300 && commitEnd(app) === before; turn++) {
    await app.parts.storage.look()
    await Bun.sleep(100)
  }
  expect(commitEnd(app)).not.toBe(before)
}

describe('the heartbeat', () => {
  test('moves one row in place, and comes sooner when somebody asks for health', async () => {
    const folder = newFolder()
    const app = await startApp({}, folder)
    expect(await heartbeat(app)).toBeNull()
    await lookUntilCommit(app)
    expect(await heartbeat(app)).toEqual({ ageMs: expect.any(Number) })

    const asked = performance.now()
    await lookUntilCommit(app)
    const waited = performance.now() - asked
    // The row is written less often than looks come, and sooner than without a request for health.
    expect(waited).toBeGreaterThan(700)
    expect(inspect(folder, (db) => db.query('SELECT * FROM heartbeat').all())).toEqual([
      { id: 1, beaten_at: app.now() },
    ])
    await app.close()
  })

  test('is skipped after another write, and not repeated at once without a request', async () => {
    const app = await startApp({}, newFolder())
    await app.prove(alice)
    const stored = commitEnd(app)
    for (let turn = 0; turn < 25; turn++) {
      await app.parts.storage.look()
      await Bun.sleep(100)
    }
    expect(commitEnd(app)).toBe(stored!)
    await app.close()
  })

  test('leaves a log that does not grow without end', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_STORAGE_WRITER: 'inline' }, folder)
    const beat = () =>
      app.parts.db.write([{ sql: 'UPDATE heartbeat SET beaten_at = beaten_at + 1', params: [] }], 'free')
    const logBytes = () => statSync(join(folder, 'proofgate.sqlite-wal')).size
    for (let turn = 0; turn < 1_500; turn++) await beat()
    const once = logBytes()
    for (let turn = 0; turn < 1_500; turn++) await beat()
    expect(logBytes()).toBe(once)
    await app.close()
  })
})

test('damage that only background work meets is reported by health, though it is caught there', async () => {
  const folder = newFolder()
  await (await startApp({}, folder)).close()
  const [page] = inspect(folder, (db) =>
    db
      .query<{ rootpage: number; size: number }, []>(
        "SELECT rootpage, (SELECT page_size FROM pragma_page_size) AS size FROM sqlite_schema WHERE name = 'erasures'",
      )
      .all(),
  )
  const app = await startApp({}, folder)
  writeSync(
    openSync(join(folder, 'proofgate.sqlite'), 'r+'),
    Buffer.alloc(page!.size, 0xa5),
    0,
    page!.size,
    (page!.rootpage - 1) * page!.size,
  )
  await app.sweep().catch(() => {})

  const { status, body } = await app.get('/api/v1/health/ready')
  expect(status).toBe(503)
  const [{ says }] = body.error.details.conditions
  expect(body.error.details).toMatchObject({
    condition: 'database-damaged',
    issues: [says],
    conditions: [{ level: 'failing' }],
  })
  expect(body.error.message).toContain('a read met damage of the database')
  // The remedy is meant for the operator, so the answer leaves it out.
  expect(body.error.details.conditions[0].mend).toBeUndefined()
  expect((await app.get('/api/v1/health/live')).status).toBe(200)
  await app.close()
})
