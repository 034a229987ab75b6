/** Work that one of several processes does for all, and rows that one of them is at work on. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { resumeErasures } from '../../src/erasure/slices.ts'
import { beginErasure } from '../../src/erasure/store.ts'
import { openPurchases } from '../../src/gates/fulfill/bind-purchase.ts'
import { linkAtStart } from '../../src/operator/link.ts'
import { watchCheckouts } from '../../src/payments/card/watch-checkouts.ts'
import { guardWrites } from '../../src/processes/guard.ts'
import { LeaseLostError } from '../../src/processes/processes.ts'
import { backfillFacts } from '../../src/proofs/facts-backfill.ts'
import { sweepInTurn, sweepOnce } from '../../src/sweep.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { openShop } from '../payments/card-shop.ts'
import { alice } from '../wallets.ts'
import { openTwo, passSeconds, type SharingProcess } from './share.ts'

setDefaultTimeout(60_000)

const count = async ({ parts }: Pick<TestApp, 'parts'>, table: string): Promise<number> =>
  (await select<{ n: number }>(parts.db, `SELECT count(*) AS n FROM ${table}`).get())!.n

describe('the sweep', () => {
  const hourMs = 3_600_000
  async function startWithOldRows() {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await app.signIn(alice)
    await app.clock.look()
    app.wait(400 * 24 * hourMs)
    await app.clock.look()
    return { app, two: await openTwo(app) }
  }

  test('is made by one process, and by the other one once that has stopped', async () => {
    const { app, two } = await startWithOldRows()
    const [one, other] = two
    expect(await one.parts.processes.openLease('sweep').hold()).toBe(true)
    await sweepInTurn(other.parts)
    expect(await count(app, 'sessions')).toBe(1)
    await one.processes.leave()
    await sweepInTurn(other.parts)
    expect(await count(app, 'sessions')).toBe(0)
  })

  test('of a process that lost its lease deletes nothing', async () => {
    const { app, two } = await startWithOldRows()
    const [one, other] = two
    const lease = one.parts.processes.openLease('sweep')
    await lease.hold()
    await passSeconds(app, 12, [other])
    expect(await other.parts.processes.openLease('sweep').hold()).toBe(true)
    await expect(sweepOnce(one.parts, undefined, guardWrites(one.parts.db, lease, 'sweep'))).rejects.toThrow(
      LeaseLostError,
    )
    expect(await count(app, 'sessions')).toBe(1)
  })
})

describe('an erasure', () => {
  async function begin(by: SharingProcess, app: TestApp) {
    await app.prove(alice)
    app.wait(1)
    const at = app.now()
    const times = { erasedAt: at, acceptedSince: at, forgetAt: at + 1_000 }
    await beginErasure(by.parts, { wallet: alice.address.toLowerCase(), contractOn: undefined }, undefined, times)
    expect(await count(app, 'erasures')).toBe(1)
  }

  test('is left to the process that began it, as long as that one lives', async () => {
    const app = await startApp()
    const [one, other] = await openTwo(app)
    await begin(one, app)
    const resuming = resumeErasures(other.parts)
    await passSeconds(app, 2, [one, other])
    expect(await resuming).toBe(0)
    expect(await count(app, 'erasures')).toBe(1)
    expect(await resumeErasures(one.parts)).toBe(1)
    expect(await count(app, 'erasures')).toBe(0)
  })

  test('of a process that died is finished by another one', async () => {
    const app = await startApp()
    const [one, other] = await openTwo(app)
    await begin(one, app)
    const resuming = resumeErasures(other.parts)
    await passSeconds(app, 12, [other])
    expect(await resuming).toBe(1)
    expect(await count(app, 'erasures')).toBe(0)
  })

  test('names its process only where another one can come to it', async () => {
    const app = await startApp()
    await begin({ ...app, processes: undefined as never }, app)
    expect(await select(app.parts.db, 'SELECT erased_by FROM erasures').all()).toEqual([
      { erased_by: app.parts.processes.mark },
    ])
    expect(await resumeErasures(app.parts)).toBe(1)
  })
})

test('a payment that is due is looked at by one of two watches, and again if that one dies', async () => {
  const shop = await openShop({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const gateId = await shop.gate()
  await shop.session(gateId, await shop.prove())
  const two = await openTwo(shop)
  const watches = two.map(({ parts }) => watchCheckouts(parts, openPurchases(parts, 'card')))
  const readDue = async () =>
    (await select<{ watch_at: number }>(shop.parts.db, 'SELECT watch_at FROM checkouts').get())!.watch_at

  shop.wait((await readDue()) - shop.now())
  const before = shop.stripe.asked.length
  await Promise.all(watches.map((watch) => watch.runOnce()))
  expect(shop.stripe.asked.length - before).toBe(1)

  // The claim of a process that dies during its look.
  const claimed = shop.now() + 120_000
  await shop.parts.db.write([{ sql: 'UPDATE checkouts SET watch_at = ?1', params: [claimed] }])
  await watches[1]!.runOnce()
  expect(shop.stripe.asked.length - before).toBe(1)
  shop.wait(120_000)
  await watches[1]!.runOnce()
  expect(shop.stripe.asked.length - before).toBe(2)
})

test('facts of old proofs are added by one process, and the others wait until they are there', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  for (let proof = 0; proof < 5; proof++) await app.prove(alice)
  await app.parts.db.write([
    { sql: 'DELETE FROM proof_facts', params: [] },
    { sql: 'UPDATE proof_facts_progress SET done_up_to = 0, last_id = 5', params: [] },
  ])
  const [one, other] = await openTwo(app)
  expect(await one.parts.processes.openLease('facts').hold()).toBe(true)
  let writes = 0
  const counted: SharingProcess['parts']['db'] = {
    ...other.parts.db,
    write: (...asked) => {
      writes++
      return other.parts.db.write(...asked)
    },
  }
  const waiting = backfillFacts({ ...other.parts, db: counted }, 2)
  expect(await backfillFacts(one.parts, 2)).toBe(5)
  expect([await waiting, writes]).toEqual([0, 0])
})

test('a start beside another process leaves the link to the first operator as it is', async () => {
  const app = await startApp()
  const [one, other] = await openTwo(app)
  const token = await linkAtStart(one.parts)
  expect(token).toBeDefined()
  const atOther = linkAtStart(other.parts)
  // It waits until the first one was seen to live.
  await passSeconds(app, 2, [one, other])
  expect(await atOther).toBeUndefined()
  await one.processes.leave()
  expect(await linkAtStart(other.parts)).toBeDefined()
})
