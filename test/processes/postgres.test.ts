/** The statements of leases on a real PostgreSQL, where two transactions meet at one row. */
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import type { Statement } from '../../src/db/db.ts'
import { fillNulls, translate } from '../../src/db/postgres/dialect.ts'
import { claimHandoverStatement, endHandoverStatement } from '../../src/payments/settlement-store.ts'
import {
  beatLease,
  beatProcess,
  giveBackLease,
  insertLease,
  type LeaseRow,
  removeProcess,
  takeLease,
} from '../../src/processes/store.ts'
import { startPostgres } from '../parts/postgres.ts'

setDefaultTimeout(60_000)

let [one, other] = [] as unknown as [SQL, SQL]
beforeAll(async () => {
  const url = await (await startPostgres({ version: 15 })).createDatabase()
  ;[one, other] = [new SQL({ url, max: 1 }), new SQL({ url, max: 1 })]
})
afterAll(() => Promise.all([one.close(), other.close()]))
// A query is sent once it is awaited.
beforeEach(async () => {
  await one.unsafe('DELETE FROM leases; DELETE FROM live_processes').simple()
})

/** Returns how many rows it changed. */
async function run(by: SQL, { sql, params }: Statement): Promise<number> {
  const filled = fillNulls(translate(sql), params)
  return (await by.unsafe(filled.sql, filled.params)).count
}
async function readLease(): Promise<LeaseRow> {
  const [row] = await one.unsafe('SELECT name, holder, fence, beats FROM leases')
  return { ...row, fence: Number(row.fence), beats: Number(row.beats) }
}

const held = { name: 'sweep', holder: 'one', fence: 1 }

test('one of two processes makes a lease, and gives it back to the next one', async () => {
  const made = await Promise.all([run(one, insertLease(held)), run(other, insertLease({ ...held, holder: 'other' }))])
  expect(made.toSorted()).toEqual([0, 1])
  const { holder } = await readLease()
  expect(await run(one, giveBackLease({ ...held, holder: holder! }))).toBe(1)
  const free = await readLease()
  const taken = await Promise.all([run(one, takeLease(free, 'one')), run(other, takeLease(free, 'other'))])
  expect(taken.toSorted()).toEqual([0, 1])
  expect((await readLease()).fence).toBe(2)
})

test('a write of the holder keeps others from taking the lease until it is stored, and then it is not taken', async () => {
  await run(one, insertLease(held))
  const seen = await readLease()
  await one.unsafe('BEGIN')
  expect(await run(one, beatLease(held))).toBe(1)
  let isOver = false
  const taking = run(other, takeLease(seen, 'other')).finally(() => {
    isOver = true
  })
  const isWaiting =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%leases%'"
  while ((await one.unsafe(isWaiting))[0].n === 0) await Bun.sleep(10)
  expect(isOver).toBe(false)
  await one.unsafe('COMMIT')
  expect(await taking).toBe(0)
})

test('a late write of a former holder changes nothing', async () => {
  await run(one, insertLease(held))
  expect(await run(other, takeLease(await readLease(), 'other'))).toBe(1)
  expect(await run(one, beatLease(held))).toBe(0)
  expect(await run(other, beatLease({ ...held, holder: 'other', fence: 2 }))).toBe(1)
})

test('a payment is handed over by one living process, and by the next one when that has ended', async () => {
  await one.unsafe(`
    INSERT INTO settlements (identity, gate, q_hash, wallet, version, usd_micros, details, created_at, ends_at, watch_at)
    VALUES ('x402:1', 1, decode(repeat('00', 32), 'hex'), '', 1, 1, '{}', 1, 1, 1)`)
  const process = { id: 'one', startedAt: 1, version: '1.0.0', host: 'here', settings: null }
  for (const beats of [1, 2]) expect(await run(one, beatProcess(process, beats))).toBe(1)
  expect(await run(one, claimHandoverStatement('x402:1', 'one'))).toBe(1)
  expect(await run(other, claimHandoverStatement('x402:1', 'other'))).toBe(0)
  expect(await run(one, removeProcess('one'))).toBe(1)
  expect(await run(other, claimHandoverStatement('x402:1', 'other'))).toBe(1)
  expect(await run(other, endHandoverStatement('x402:1', 'other'))).toBe(1)
})
