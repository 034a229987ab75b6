/** The sweep catches up with a flood, and lets other writes go in between. */

import { expect, test } from 'bun:test'
import { findOverdue } from '../../src/db/overdue.ts'
import { keptAfterExpiryMs } from '../../src/db/spent-signature.ts'
import { judgeBacklog, sweepOnce } from '../../src/sweep.ts'
import { startApp } from '../app.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'

const flood = (count: number, table: string, columns: string, values: string) => ({
  sql: `${countTo(count)}
        INSERT INTO ${table} (${columns}) SELECT ${values} FROM n`,
  params: [],
})

test('everything that is due goes in one sweep, however many batches it is, in writes of a batch', async () => {
  const app = await startApp({ PROOFGATE_SWEEP_BATCH: '100' })
  const { db } = app.parts
  await db.write([
    flood(2_050, 'spent_signatures', 'digest, expires_at', `${randomHash}, 1`),
    flood(50, 'erased_proofs', 'q52, expires_at', 'i, 1'),
    { sql: 'INSERT INTO spent_signatures (digest, expires_at) VALUES (zeroblob(32), ?1)', params: [app.now() + 1] },
  ])
  const left = async () => (await select<{ n: number }>(db, 'SELECT count(*) AS n FROM spent_signatures').get())!.n
  const seen = new Set<number>()
  let isDone = false
  const sweeping = app.sweep().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await Bun.sleep(0)
    seen.add(await left())
  }
  expect((await sweeping).deleted).toBe(2_100)
  expect(await left()).toBe(1)
  expect(seen.size).toBeGreaterThan(5)
  expect((await app.sweep()).deleted).toBe(0)
})

test('a sweep goes on until nothing is due, also past hundreds of batches', async () => {
  const app = await startApp({ PROOFGATE_SWEEP_BATCH: '1' })
  await app.parts.db.write([flood(250, 'spent_signatures', 'digest, expires_at', `${randomHash}, 1`)])
  expect((await app.sweep()).deleted).toBe(250)
})

test('a stop ends a sweep between slices, and the next one goes on', async () => {
  const app = await startApp({ PROOFGATE_SWEEP_BATCH: '1' })
  const { db } = app.parts
  await db.write([flood(50, 'spent_signatures', 'digest, expires_at', `${randomHash}, 1`)])
  const stopping = new AbortController()
  const sweeping = sweepOnce(app.parts, stopping.signal)
  const left = async () => (await select<{ n: number }>(db, 'SELECT count(*) AS n FROM spent_signatures').get())!.n
  while ((await left()) > 45) await Bun.sleep(0)
  stopping.abort()
  const { deleted } = await sweeping
  expect(deleted).toBeLessThan(50)
  expect(await left()).toBe(50 - deleted)
  expect((await app.sweep()).deleted).toBe(50 - deleted)
})

test('an ended link to a private proof counts as overdue until it is swept', async () => {
  const app = await startApp()
  const { db } = app.parts
  await app.prove(alice, {}, { content: 'For few eyes' })
  const [stored] = await select<{ id: number }>(db, 'SELECT id FROM proofs').all()
  const due = app.now() + 1
  await db.write([
    {
      sql: `INSERT INTO share_links (digest, proof_id, created_at, expires_at) VALUES (${randomHash}, ?1, ?2, ?3)`,
      params: [stored!.id, app.now(), due],
    },
  ])
  expect(await findOverdue(db, app.now())).toBeUndefined()
  expect(await findOverdue(db, due)).toBe(due)
  app.wait(1)
  await app.sweep()
  expect(await findOverdue(db, app.now())).toBeUndefined()
})

test('the operator sees how far the sweep is behind, and is warned when it is an hour more than the interval', async () => {
  const app = await startApp()
  const { db, conditions } = app.parts
  const fiveMinutes = 300_000
  expect(await findOverdue(db, app.now())).toBeUndefined()
  await db.write([
    {
      sql: `INSERT INTO spent_signatures (digest, expires_at) VALUES (${randomHash}, ?1)`,
      // The last moment of its hour, with which it is forgotten.
      params: [app.now() - keptAfterExpiryMs - 1],
    },
  ])
  const due = app.now()
  expect(await findOverdue(db, due - 1)).toBeUndefined()
  app.wait(3_600_000 + fiveMinutes)
  await judgeBacklog(app.parts, fiveMinutes)
  expect(await findOverdue(db, app.now())).toBe(due)
  expect(conditions.list()).toEqual([])
  app.wait(1)
  await judgeBacklog(app.parts, fiveMinutes)
  expect(conditions.list()).toMatchObject([{ name: 'sweep-behind', level: 'warning' }])
  expect((await app.get('/api/v1/health')).body.data.issues).toEqual([conditions.list()[0]!.says])
  await app.sweep()
  await judgeBacklog(app.parts, fiveMinutes)
  expect(conditions.list()).toEqual([])
})
