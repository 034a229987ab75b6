/** Two processes that publish with one account: its transactions come from one of them at a time. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { updateProofStatus } from '../../src/proofs/status-store.ts'
import { openOutbox } from '../../src/publishing/outbox.ts'
import { startApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { openTwo, passSeconds } from '../processes/share.ts'
import { alice } from '../wallets.ts'
import { hub, mine, newClaim, newPublisher, nonceOf, openStage, recordOf, untilMined } from './stage.ts'

setDefaultTimeout(60_000)
const stage = await openStage(hub)
afterAll(() => stage.anvil.stop())

async function startTwoPublishers() {
  const publisher = await newPublisher([stage])
  const app = await startApp(publisher.env)
  const two = await openTwo(app)
  return {
    app,
    two,
    outboxes: two.map(({ parts }) => openOutbox(parts, updateProofStatus)),
    countSent: () => nonceOf(stage, publisher.address),
    untilSent: (transactions: number) => untilMined(stage, publisher.address, transactions),
    async order(): Promise<string> {
      app.wait(1)
      const { status, body } = await app.submit(alice, newClaim({ publishToHub: true }))
      expect(status).toBe(202)
      return body.data.qHash
    },
    listNonces: async () =>
      (await select<{ nonce: number | null }>(app.parts.db, 'SELECT nonce FROM publications ORDER BY id').all()).map(
        ({ nonce }) => nonce,
      ),
  }
}

test('one of them sends, with one nonce for each record, however often both look', async () => {
  const { app, outboxes, order, untilSent, countSent } = await startTwoPublishers()
  const ordered = [await order(), await order(), await order()]
  for (let look = 0; look < 3; look++) await Promise.all(outboxes.map((outbox) => outbox.runOnce()))
  await untilSent(3)
  for (let look = 0; look < 3; look++) {
    await mine(stage.anvil, 5)
    await Promise.all(outboxes.map((outbox) => outbox.runOnce()))
  }
  expect(await countSent()).toBe(3)
  for (const qHash of ordered)
    expect(await recordOf(app, qHash)).toMatchObject({ status: 'verified_crosschain_propagated' })
})

test('the other one goes on when the sender dies', async () => {
  const { app, two, outboxes, order, untilSent, listNonces } = await startTwoPublishers()
  const [former, next] = outboxes
  await order()
  await former!.runOnce()
  await untilSent(1)
  await order()
  await next!.runOnce()
  expect(await listNonces()).toEqual([0, null])
  await passSeconds(app, 12, [two[1]])
  for (const outbox of [next, former]) await outbox!.runOnce()
  await untilSent(2)
  expect(await listNonces()).toEqual([0, 1])
  expect(two.map(({ parts }) => parts.processes.openLease('publishing').isHeld())).toEqual([false, true])
})

test('a former sender that believes it still is one stores and sends nothing', async () => {
  const { app, two, outboxes, order, untilSent, countSent, listNonces } = await startTwoPublishers()
  const [former, next] = outboxes
  await order()
  await former!.runOnce()
  await untilSent(1)
  await order()
  const take = "UPDATE leases SET holder = 'two', fence = fence + 1 WHERE name = 'publishing'"
  await app.parts.db.write([{ sql: take, params: [] }])
  expect(two[0].parts.processes.openLease('publishing').isHeld()).toBe(true)
  await former!.runOnce()
  expect([await listNonces(), await countSent()]).toEqual([[0, null], 1])
  await next!.runOnce()
  await untilSent(2)
  expect([await listNonces(), await countSent()]).toEqual([[0, 1], 2])
})
