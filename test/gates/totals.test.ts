/** Passes and sales of a gate by hour or day, for its owner. */

import { expect, test } from 'bun:test'
import type { Query } from '../../src/db/query.ts'
import { listGroups, mostCounted } from '../../src/gates/manage/totals-store.ts'
import { expectRefused } from '../http/refused.ts'
import { beginErasure } from '../parts/begun-erasure.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { openStage, price, type Stage } from './fulfill-stage.ts'

const dayMs = 86_400_000
const pathOf = (gateId: string, range?: string): string =>
  `/api/v1/profile/gates/${gateId}/totals${range === undefined ? '' : `?range=${range}`}`

async function reader(stage: Stage, wallet: TestWallet) {
  const { cookie } = await stage.signIn(wallet)
  return (path: string) => stage.request(path, { headers: { cookie } })
}

async function pass(stage: Stage, gateId: string, payment?: string): Promise<void> {
  const qHash = await stage.prove()
  if (payment) stage.till.takes(payment)
  expect((await stage.fulfill(gateId, qHash, payment ? { paymentTxHash: payment } : {})).status).toBe(200)
}

test('passes and sales are counted by hour and by day, and amounts keep every digit in their currency', async () => {
  const stage = await openStage()
  const { db } = stage.parts
  await stage.gate('paid', { price })
  await stage.gate('free')
  for (const payment of ['0xa', '0xb', '0xc', '0xd']) await pass(stage, 'paid', payment)
  await pass(stage, 'free')
  // Above 2^63, in a token that is not configured; two of them are no sum of floats.
  const huge = '123456789012345678901234567'
  const details = JSON.stringify({ chain: 'eip155:1', token: '0xee' })
  await db.write([
    {
      sql: `UPDATE payments SET amount = ?1, details = ?2 WHERE identity IN ('tx:0xa', 'tx:0xb')`,
      params: [huge, details],
    },
    { sql: `UPDATE payments SET refunded = '1' WHERE identity = 'tx:0xa'`, params: [] },
    { sql: `UPDATE payments SET suspended_for = 'disputed' WHERE identity = 'tx:0xd'`, params: [] },
    { sql: 'UPDATE fulfillments SET created_at = created_at - ?1 WHERE id = 1', params: [8 * dayMs] },
  ])
  const asBob = await reader(stage, bob)
  const { body } = await asBob(pathOf('paid'))
  expect(body.data).toMatchObject({ range: '30d', stepMs: dayMs, complete: true })
  expect(body.data.passes).toHaveLength(30)
  expect(body.data.passes.slice(-9)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 2])
  expect(body.data.sales).toEqual(body.data.passes)
  expect(body.data.amountUsd.at(-1)).toBe('9.98')
  expect(body.data.totals).toMatchObject({ passes: 3, sales: 3, amountUsd: '14.97' })
  expect(body.data.totals.received.map((one: { amount: string }) => one.amount).sort()).toEqual([
    String(2n * BigInt(huge) - 1n),
    '4990000',
  ])
  const day = await asBob(pathOf('paid', '24h'))
  expect(day.body.data.passes).toHaveLength(24)
  expect(day.body.data.passes.at(-1)).toBe(2)
  expect((await asBob(pathOf('free', '7d'))).body.data.totals).toEqual({
    passes: 1,
    sales: 0,
    amountUsd: '0',
    received: [],
  })
})

test('only the owner reads them, and others hear nothing of a hidden gate', async () => {
  const stage = await openStage()
  await stage.gate('seen')
  await stage.gate('draft', { status: 'draft' })
  const asMallory = await reader(stage, mallory)
  expectRefused(await asMallory(pathOf('seen')), 'FORBIDDEN')
  expectRefused(await asMallory(pathOf('draft')), 'GATE_NOT_FOUND')
  expectRefused(await stage.request(pathOf('seen')), 'WALLET_AUTH_REQUIRED')
  expectRefused(await (await reader(stage, bob))(pathOf('seen', '1y')), 'VALIDATION_ERROR')
})

test.skipIf(onlyOnSqlite('a query plan of this form'))(
  'a period is found by the index, and a request reads a bounded number of passes',
  async () => {
    const stage = await openStage()
    const { db } = stage.parts
    await stage.gate('busy')
    await pass(stage, 'busy')
    const seen: string[] = []
    const spying = {
      ...db,
      read: ((text: Query<unknown, []>) => {
        seen.push(text)
        return db.read(text)
      }) as typeof db.read,
    }
    await listGroups(spying, 1, { from: 1, before: 2, stepMs: 1 })
    const text = seen.find((one) => one.includes('GROUP BY'))!
    const plan = (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text}`).all()).map(({ detail }) => detail)
    expect(plan).toContain('SEARCH f USING INDEX fulfillments_by_gate (gate=? AND rowid>? AND rowid<?)')
    expect(plan.filter((step) => /^SCAN (?!passes|CONSTANT)/.test(step))).toEqual([])

    const many = countTo(mostCounted)
    await db.write([
      {
        sql: `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, state, created_at, updated_at)
            ${many} SELECT 1, ${randomHash}, ?1, 1, 'many-' || i, 'granted', ?2, ?2 FROM n`,
        params: [alice.address.toLowerCase(), stage.now()],
      },
    ])
    const { body } = await (await reader(stage, bob))(pathOf('busy', '24h'))
    expect(body.data).toMatchObject({ complete: false, totals: { passes: mostCounted } })
  },
)

test('a pass counts in each period that has its day, and in no other', async () => {
  const stage = await openStage()
  await stage.gate('free')
  await pass(stage, 'free')
  const read = await reader(stage, bob)
  const { at } = (await select<{ at: number }>(stage.parts.db, 'SELECT created_at AS at FROM fulfillments').get())!
  const move = (ms: number) => stage.parts.db.write([{ sql: 'UPDATE fulfillments SET created_at = ?1', params: [ms] }])
  const today = Math.floor(at / dayMs) * dayMs
  for (const [moment, days, counted] of [
    [today - 89 * dayMs, '90d', 1],
    [today - 89 * dayMs - 1, '90d', 0],
    [today - 6 * dayMs, '7d', 1],
    [today - 6 * dayMs - 1, '7d', 0],
    [today + dayMs, '7d', 0],
  ] as const) {
    await move(moment)
    const { body } = await read(pathOf('free', days))
    expect([moment, body.data.totals.passes]).toEqual([moment, counted])
    expect(body.data.passes).toHaveLength(Number.parseInt(days, 10))
  }
})

test('amounts of two tokens of one chain are two entries', async () => {
  const stage = await openStage()
  await stage.gate('paid', { price })
  for (const payment of ['0xa', '0xb', '0xc']) await pass(stage, 'paid', payment)
  for (const [payment, token] of [
    ['0xa', '0xee'],
    ['0xb', '0xee'],
    ['0xc', '0xff'],
  ])
    await stage.parts.db.write([
      {
        sql: 'UPDATE payments SET amount = 10, details = ?1 WHERE identity = ?2',
        params: [JSON.stringify({ chain: 'eip155:1', token }), `tx:${payment}`],
      },
    ])
  const { body } = await (await reader(stage, bob))(pathOf('paid'))
  const received = body.data.totals.received as readonly { token: string; amount: string; sales: number }[]
  expect(received.map(({ token, amount, sales }) => [token, amount, sales]).sort()).toEqual([
    ['0xee', '20', 2],
    ['0xff', '10', 1],
  ])
})

test('a pass that is suspended does not count', async () => {
  const stage = await openStage()
  await stage.gate('free')
  await pass(stage, 'free')
  await pass(stage, 'free')
  const read = async () => (await (await reader(stage, bob))(pathOf('free'))).body.data.totals.passes
  expect(await read()).toBe(2)
  await stage.parts.db.write([{ sql: "UPDATE fulfillments SET state = 'suspended' WHERE id = 1", params: [] }])
  expect(await read()).toBe(1)
})

test('a pass whose wallet erases everything does not count from the beginning of the erasure', async () => {
  const stage = await openStage()
  await stage.gate('free')
  await pass(stage, 'free')
  const read = async () => (await (await reader(stage, bob))(pathOf('free'))).body.data.totals.passes
  expect(await read()).toBe(1)
  await beginErasure(stage.parts.db, alice.address.toLowerCase(), stage.now())
  expect(await read()).toBe(0)
  await pass(stage, 'free')
  expect(await read()).toBe(1)
})

test('of more passes than a request reads, the newest count', async () => {
  const stage = await openStage()
  await stage.gate('busy')
  const insert = (name: string, count: number, at: number) => ({
    sql: `${countTo('?2')}
          INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, state, created_at, updated_at)
          SELECT 1, ${randomHash}, 'w', 1, ?1 || i, 'granted', ?3, ?3 FROM n`,
    params: [name, count, at],
  })
  await stage.parts.db.write([insert('old', 5, stage.now() - 3 * dayMs), insert('new', mostCounted - 2, stage.now())])
  const { body } = await (await reader(stage, bob))(pathOf('busy', '7d'))
  expect(body.data.complete).toBe(false)
  expect(body.data.passes.slice(-4)).toEqual([2, 0, 0, mostCounted - 2])
})
