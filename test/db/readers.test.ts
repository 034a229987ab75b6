/**
 * While a shell or a backup reads the database for long, writes go on. The server reports no data as gone that is still
 * there.
 */
import { Database } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { countSparePages, vacuumSlice } from '../../src/db/vacuum.ts'
import { openUpkeep } from '../../src/upkeep.ts'
import { startApp } from '../app.ts'
import { startServer } from '../durability/server.ts'
import { alice } from '../wallets.ts'
import { firstLine, runScript } from './child.ts'
import { inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
const api = '/api/v1'

/** Holds a snapshot of the database, as a shell does in the middle of a transaction. */
function holdOpen(folder: string): { end(): void } {
  const db = new Database(locateDatabaseFile(folder), { readwrite: true, create: false })
  db.run('BEGIN')
  db.query('SELECT count(*) FROM proofs').get()
  return {
    end() {
      db.run('COMMIT')
      db.close()
    },
  }
}

const logOf = (folder: string): string => `${locateDatabaseFile(folder)}-wal`
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const stands = (folder: string, text: string): boolean =>
  [locateDatabaseFile(folder), logOf(folder)].some((file) => sizeOf(file) > 0 && readFileSync(file).includes(text))

/** Rows of the size of a page or so. */
const remember = (count: number, bytes = 3_000) => [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO audit_events (at, event, details)
          SELECT 1, 'signed_in', json_object('text', hex(randomblob(?2))) FROM n`,
    params: [count, bytes / 2],
  },
]

describe.each(['worker', 'inline'] as const)('while a reader holds the log, the %s writer', (writer) => {
  test('does not wait for it, neither to empty the log nor to copy one that is long past its limit', async () => {
    const folder = newFolder()
    const db = await openStore(folder, writer)
    await db.write(remember(1))
    const reader = holdOpen(folder)
    const startedAt = performance.now()
    // 16 MiB, where the limit is 4.
    for (let time = 0; time < 8; time++) await db.write(remember(600))
    for (let time = 0; time < 8; time++) {
      await db.write(remember(1))
      expect(await db.forgetDeleted()).toBe(false)
    }
    // It waited 5 seconds each time.
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(sizeOf(logOf(folder))).toBeGreaterThan(16 * 1_048_576)
    reader.end()
    expect(await db.forgetDeleted()).toBe(true)
    expect(sizeOf(logOf(folder))).toBe(0)
    await db.close()
  })

  test('is asked once in vain, also where writes never cease', async () => {
    const folder = newFolder()
    const db = await openStore(folder, writer)
    let isOver = false
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await db.write(remember(1))
      }),
    )
    const reader = holdOpen(folder)
    expect(await db.forgetDeleted()).toBe(false)
    reader.end()
    while (!(await db.forgetDeleted())) await Bun.sleep(1)
    isOver = true
    await writing
    await db.close()
  })
})

describe('data that was erased during a read of the database', () => {
  const words = 'Words that Alice wants to be gone'
  const eraseBody = (app: Awaited<ReturnType<typeof startApp>>) =>
    app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() })

  test('is reported as pending in the answer, the receipt and health, until the log is empty', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_DATA: folder }, folder)
    await app.prove(alice, { privacyLevel: 'public', storeOriginalContent: true }, { content: words })
    const look = openUpkeep(app.parts)
    const reader = holdOpen(folder)
    const begunAt = new Date(app.now()).toISOString()
    const { status, body } = await app.post(`${api}/proofs/erase-all`, await eraseBody(app))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      erasedCount: 1,
      erasure: { state: 'traces-left', left: 0 },
      traces: { pending: true, since: begunAt },
    })
    expect(stands(folder, words)).toBe(true)
    const read = async () => (await app.get(body.erasure.status)).body
    expect(await read()).toEqual({ success: true, erasure: body.erasure, traces: body.traces })

    app.wait(2_000)
    await look()
    expect(app.parts.conditions.list()).toMatchObject([{ name: 'erasure-pending', level: 'warning' }])
    expect((await app.get(`${api}/health`)).body.data.issues[0]).toStartWith(`erasure pending since ${begunAt}`)

    reader.end()
    while (app.parts.conditions.list().length > 0) {
      await look()
      await Bun.sleep(10)
    }
    expect(stands(folder, words)).toBe(false)
    expect(await read()).toMatchObject({ erasure: { state: 'done' }, traces: { pending: false } })
    await app.close()
  })

  test('is gone at once without a reader, and the answer says so', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_DATA: folder }, folder)
    await app.prove(alice, { privacyLevel: 'public', storeOriginalContent: true }, { content: words })
    const { body } = await app.post(`${api}/proofs/erase-all`, await eraseBody(app))
    expect(body).toMatchObject({ erasure: { state: 'done' }, traces: { pending: false } })
    expect(stands(folder, words)).toBe(false)
    await app.close()
  })

  test('is reported for secrets and profiles too', async () => {
    const folder = newFolder()
    const app = await startApp({ PROOFGATE_DATA: folder }, folder)
    const { headers } = await app.signIn(alice)
    const made = await app.post(`${api}/profile/secrets`, { alias: 'KEY', content: 'sk-xyzzy' }, headers)
    expect(made.status).toBe(200)
    const remove = (path: string) => app.request(`${api}${path}`, { method: 'DELETE', headers })
    const reader = holdOpen(folder)
    const since = new Date(app.now()).toISOString()
    const pending = { pending: true, since }
    const path = `/profile/secrets/${made.body.data.id}`
    expect((await remove(path)).body.data.traces).toEqual(pending)
    app.wait(1)
    // The answer tells since when the oldest traces are pending.
    expect((await remove('/auth/me')).body.data).toEqual({ deleted: true, traces: pending })
    reader.end()
    await app.close()
  })

  test('is remembered by a server that is killed: the next one says that it is pending, and ends it', async () => {
    const folder = newFolder()
    const made = await startApp({ PROOFGATE_DATA: folder }, folder)
    await made.prove(alice, { privacyLevel: 'public', storeOriginalContent: true }, { content: words })
    await made.close()
    let server = await startServer(folder)
    // Another process, as a shell is: it keeps the log also from those who close the database.
    const reader = runScript(`
      import { Database } from 'bun:sqlite'
      const db = (globalThis.held = new Database(${JSON.stringify(locateDatabaseFile(folder))}, { readwrite: true, create: false }))
      db.run('BEGIN')
      db.query('SELECT count(*) FROM proofs').get()
      console.log('reads')
      setInterval(() => {}, 1000)`)
    try {
      expect(await firstLine(reader.stdout)).toBe('reads')
      const action = {
        action: 'erase_all_proofs',
        audience: new URL(server.url).host,
        walletAddress: alice.address.toLowerCase(),
      }
      const answer = await fetch(`${server.url}${api}/proofs/erase-all`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(await alice.signAction(action, Date.now())),
      })
      const { erasure } = (await answer.json()) as { erasure: { state: string; status: string } }
      expect(erasure.state).toBe('traces-left')
      await server.kill()

      server = await startServer(folder)
      const issues = async () => {
        const { data } = (await (await fetch(`${server.url}${api}/health`)).json()) as { data: { issues: string[] } }
        return data.issues.join()
      }
      while (!(await issues()).includes('erasure pending since')) await Bun.sleep(50)
      expect(stands(folder, words)).toBe(true)
      reader.kill()
      await reader.exited
      while ((await issues()).includes('erasure pending since')) await Bun.sleep(50)
      expect(stands(folder, words)).toBe(false)
      const after = (await (await fetch(`${server.url}${erasure.status}`)).json()) as { erasure: { state: string } }
      expect(after.erasure.state).toBe('done')
    } finally {
      reader.kill()
      await server.stop()
    }
  })
})

test('a log that a reader makes grow is reported with its size, and shrinks when the reader ends', async () => {
  const folder = newFolder()
  const app = await startApp({ PROOFGATE_DATA: folder, PROOFGATE_STORAGE_WAL_LIMIT_MB: '1' }, folder)
  const look = openUpkeep(app.parts)
  const { db, conditions } = app.parts
  await db.write(remember(1))
  const reader = holdOpen(folder)
  await db.write(remember(2_000))
  await look()
  expect(conditions.list()).toMatchObject([{ name: 'log-held', level: 'warning' }])
  expect(conditions.list()[0]!.says).toMatch(/has grown to \d+ MiB/)
  reader.end()
  await look()
  expect(conditions.list()).toEqual([])
  expect(sizeOf(logOf(folder))).toBe(0)
  await app.close()
})

test('free pages of a new database go back to the disk, some at a time', async () => {
  const folder = newFolder()
  const db = await openStore(folder)
  await db.write(remember(9_000))
  await db.forgetDeleted()
  const full = sizeOf(locateDatabaseFile(folder))
  expect(await countSparePages(db)).toBe(0)
  await db.write([{ sql: 'DELETE FROM audit_events', params: [] }])
  const spare = await countSparePages(db)
  expect(spare).toBeGreaterThan(1_000)
  await vacuumSlice(db)
  expect(spare - (await countSparePages(db))).toBe(64)
  while ((await countSparePages(db)) > 0) await vacuumSlice(db)
  await db.forgetDeleted()
  expect(sizeOf(locateDatabaseFile(folder))).toBeLessThan(full - 1_000 * 4_096)
  await db.close()
  expect(inspect(folder, (file) => file.query('PRAGMA integrity_check').get())).toEqual({ integrity_check: 'ok' })
})
