/** The sweep catches up with a flood, and lets other writes go in between. */
import { expect, test } from 'bun:test'
import { startApp } from '../app.ts'

const flood = (count: number, table: string, columns: string, values: string) => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO ${table} (${columns}) SELECT ${values} FROM n`,
  params: [],
})

test('everything that is due goes in one sweep, however many batches it is, in writes of a batch', async () => {
  const app = await startApp({ PROOFGATE_SWEEP_BATCH: '100' })
  const { db } = app.parts
  await db.write([
    flood(2_050, 'spent_signatures', 'digest, expires_at', 'randomblob(32), 1'),
    flood(50, 'erased_proofs', 'q52, expires_at', 'i, 1'),
    { sql: 'INSERT INTO spent_signatures (digest, expires_at) VALUES (zeroblob(32), ?1)', params: [app.now() + 1] },
  ])
  const left = () => db.prepare<{ n: number }, []>('SELECT count(*) AS n FROM spent_signatures').get()!.n
  const seen = new Set<number>()
  let isDone = false
  const sweeping = app.sweep().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await Bun.sleep(0)
    seen.add(left())
  }
  expect((await sweeping).deleted).toBe(2_100)
  expect(left()).toBe(1)
  expect(seen.size).toBeGreaterThan(5)
  expect((await app.sweep()).deleted).toBe(0)
})

test('one sweep ends after 200 batches', async () => {
  const app = await startApp({ PROOFGATE_SWEEP_BATCH: '1' })
  await app.parts.db.write([flood(250, 'spent_signatures', 'digest, expires_at', 'randomblob(32), 1')])
  expect((await app.sweep()).deleted).toBe(200)
  expect((await app.sweep()).deleted).toBe(50)
})
