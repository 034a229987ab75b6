/** Partial refunds and disputes: their effect on the reward, and what seller and buyer see of them. */

import { describe, expect, test } from 'bun:test'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { findGate } from '../../src/gates/store.ts'
import { bindStatement, findPayment } from '../../src/payments/store.ts'
import { expectRefused } from '../http/refused.ts'
import { setMember } from '../parts/row-maker.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { hour, minute, openShop } from './card-shop.ts'

async function sold(changes: Partial<GateDefinition> = {}) {
  const shop = await openShop()
  const gateId = await shop.gate(changes)
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  shop.stripe.pay(sessionId)
  const bought = await shop.fulfill(gateId, qHash, sessionId)
  expect(bought.status).toBe(200)
  const { id } = shop.stripe.payment(sessionId)
  const read = async (path: string, wallet: typeof alice) =>
    shop.get(
      path,
      await shop.ownerHeaders(wallet, { action: 'list_gates', walletAddress: wallet.address.toLowerCase() }),
    )
  return {
    ...shop,
    gateId,
    qHash,
    sessionId,
    receipt: () => shop.get(new URL(bought.body.data.rewardProof.receiptUrl).pathname),
    payment: async () => (await findPayment(shop.parts.db, `card:${id}`))!,
    count: async () => (await findGate(shop.parts, gateId))!.fulfilledCount,
    received: async () => (await read('/api/v1/profile/payments', mallory)).body.data,
    bought: async () => (await read('/api/v1/profile/payments?side=paid', alice)).body.data.payments,
    /** Waits until the next look is due in any case, and looks. */
    look: async () => {
      shop.wait(7 * hour)
      await shop.watch()
    },
  }
}

const price = (refundThresholdPercent: number): Partial<GateDefinition> => ({
  price: { amountUsd: '4.99', methods: ['card'], refundThresholdPercent },
})

describe('refunds of parts', () => {
  test('leave the reward below the threshold, and both sides see how much went back', async () => {
    const shop = await sold()
    shop.stripe.refund(shop.sessionId, 200)
    await shop.look()
    expect((await shop.fulfill(shop.gateId, shop.qHash)).status).toBe(200)
    expect((await shop.receipt()).body.data).toMatchObject({ state: 'granted', refundedAmount: '200' })
    const { totals, payments } = await shop.received()
    expect(totals).toEqual({ fulfilled: 1, paid: 1, amountUsd: '2.99' })
    expect(payments[0].payment).toMatchObject({ amount: '499', refundedAmount: '200', disputed: false })
    expect((await shop.bought())[0].payment).toMatchObject({ refundedAmount: '200' })

    shop.stripe.refund(shop.sessionId, 298)
    await shop.look()
    expect((await shop.received()).totals).toEqual({ fulfilled: 1, paid: 1, amountUsd: '0.01' })
    expect((await shop.fulfill(shop.gateId, shop.qHash)).status).toBe(200)
  })

  test('are counted once, however often they are looked at', async () => {
    const shop = await sold()
    shop.stripe.refund(shop.sessionId, 100)
    for (let look = 0; look < 4; look++) await shop.look()
    expect((await shop.received()).totals.amountUsd).toBe('3.99')
  })

  test.each([
    [50, 249, 'granted'],
    [50, 250, 'suspended'],
    [1, 4, 'granted'],
    [1, 5, 'suspended'],
    [100, 498, 'granted'],
    [100, 499, 'suspended'],
  ] as const)('at a threshold of %i %% of 499 cents, %i cents leave it %s', async (percent, cents, state) => {
    const shop = await sold(price(percent))
    shop.stripe.refund(shop.sessionId, cents)
    await shop.look()
    expect((await shop.receipt()).body.data).toMatchObject({ state, refundedAmount: String(cents) })
    const { totals } = await shop.received()
    const left = ((499 - cents) / 100).toString()
    const given = state === 'granted' ? 1 : 0
    expect(totals).toEqual({ fulfilled: given, paid: given, amountUsd: left })
  })

  test('add up to the threshold, and later refunds are reported too', async () => {
    const shop = await sold({ ...price(50), supply: 1 })
    shop.stripe.refund(shop.sessionId, 200)
    await shop.look()
    expect(await shop.count()).toBe(1)
    shop.stripe.refund(shop.sessionId, 100)
    await shop.look()
    expect(await shop.count()).toBe(0)
    expectRefused(await shop.fulfill(shop.gateId, shop.qHash), 'FULFILLMENT_SUSPENDED')
    expect((await shop.received()).totals.amountUsd).toBe('1.99')
    // The place is one for others again.
    expect((await shop.openCheckout(shop.gateId, await shop.prove(bob), {}, bob)).status).toBe(200)
  })

  test('have a threshold from 1 to 100 percent, which the gate shows', async () => {
    const shop = await sold(price(60))
    const shown = await shop.get(`/api/v1/gates/${shop.gateId}`)
    expect(shown.body.data.gate.monetization.charge.refundThresholdPercent).toBe(60)
    for (const percent of [0, 101, 50.5]) {
      const definition = { ...shop.definition, gateId: 'gate_other', ...price(percent) }
      const { headers } = await shop.signIn(mallory)
      const answer = await shop.post('/api/v1/profile/gates', { definition }, headers)
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body.error)).toMatch(/from 1 to 100/)
    }
  })

  test('follow the threshold of the version that was bought', async () => {
    const shop = await sold(price(50))
    await shop.parts.db.write([
      {
        sql: `INSERT INTO gate_versions (gate, version, definition, author, created_at)
              SELECT gate, 2, ${setMember('definition', '$.price.refundThresholdPercent', '100')}, author, created_at
              FROM gate_versions`,
        params: [],
      },
      { sql: 'UPDATE gates SET version = 2', params: [] },
    ])
    shop.stripe.refund(shop.sessionId, 300)
    await shop.look()
    expect((await shop.receipt()).body.data.state).toBe('suspended')
  })
})

describe('a dispute', () => {
  test('suspends the reward and keeps its place: no other buyer gets it, and the buyer no second one', async () => {
    const shop = await sold({ supply: 1, perWallet: 1 })
    shop.stripe.dispute(shop.sessionId)
    await shop.look()
    expectRefused(await shop.fulfill(shop.gateId, shop.qHash), 'FULFILLMENT_SUSPENDED', /disputed/)
    expect((await shop.receipt()).body.data.state).toBe('suspended')
    expect((await shop.received()).payments[0]).toMatchObject({ state: 'suspended', payment: { disputed: true } })
    expect(await shop.count()).toBe(1)
    expectRefused(await shop.openCheckout(shop.gateId, await shop.prove(bob), {}, bob), 'GATE_SOLD_OUT')
    expectRefused(await shop.openCheckout(shop.gateId, await shop.prove()), 'GATE_SOLD_OUT')
  })

  test('gives the reward back when the seller wins, and nothing is counted twice', async () => {
    const shop = await sold({ supply: 1 })
    shop.stripe.dispute(shop.sessionId)
    await shop.look()
    shop.stripe.closeDispute(shop.sessionId, 'won')
    await shop.look()
    expect(await shop.payment()).toMatchObject({ state: 'claimed', suspendedFor: null })
    expect((await shop.fulfill(shop.gateId, shop.qHash)).status).toBe(200)
    expect((await shop.received()).totals).toEqual({ fulfilled: 1, paid: 1, amountUsd: '4.99' })
    expect((await shop.bought())[0]).toMatchObject({ state: 'granted', payment: { disputed: false } })
  })

  test('takes the reward for good when the seller loses, and its place goes back to the supply', async () => {
    const shop = await sold({ supply: 1 })
    shop.stripe.dispute(shop.sessionId)
    await shop.look()
    shop.stripe.closeDispute(shop.sessionId, 'lost')
    await shop.look()
    expect(await shop.payment()).toMatchObject({ state: 'reversed', suspendedFor: null })
    expect((await shop.received()).totals).toEqual({ fulfilled: 0, paid: 0, amountUsd: '0' })
    expectRefused(await shop.fulfill(shop.gateId, shop.qHash), 'FULFILLMENT_SUSPENDED')
    expect((await shop.bought())[0]).toMatchObject({ state: 'suspended', receiptId: expect.any(String) })
    expect((await shop.openCheckout(shop.gateId, await shop.prove(bob), {}, bob)).status).toBe(200)
  })

  test('after a refund of a part takes back the rest, and not the part a second time', async () => {
    const shop = await sold()
    shop.stripe.refund(shop.sessionId, 100)
    await shop.look()
    shop.stripe.dispute(shop.sessionId)
    await shop.look()
    shop.stripe.closeDispute(shop.sessionId, 'lost')
    await shop.look()
    expect((await shop.received()).totals).toEqual({ fulfilled: 0, paid: 0, amountUsd: '0' })
  })

  test('is not ended by an outage of Stripe, also after the time of watching', async () => {
    const shop = await sold()
    shop.stripe.dispute(shop.sessionId)
    await shop.look()
    shop.stripe.fault = 'has a fault of its own (500)'
    shop.wait(100 * hour)
    await shop.watch()
    expect(await shop.payment()).toMatchObject({ state: 'claimed', suspendedFor: 'disputed' })
    shop.stripe.fault = undefined
    shop.stripe.closeDispute(shop.sessionId, 'won')
    shop.wait(hour)
    await shop.watch()
    expect((await shop.payment()).suspendedFor).toBeNull()
  })

  test('before the reward waits for its end: won, the money is refunded; lost, the bank has given it back', async () => {
    for (const status of ['won', 'lost'] as const) {
      const shop = await openShop()
      const gateId = await shop.gate({ supply: 1 })
      const sessionId = await shop.session(gateId, await shop.prove())
      shop.stripe.pay(sessionId)
      shop.stripe.dispute(sessionId)
      shop.wait(10 * minute)
      await shop.watch()
      expect((await findGate(shop.parts, gateId))!.fulfilledCount).toBe(0)
      shop.stripe.closeDispute(sessionId, status)
      shop.wait(12 * hour)
      await shop.watch()
      expect(shop.stripe.refunds(sessionId)).toHaveLength(status === 'won' ? 1 : 0)
    }
  })
})

test('A refund is seen in time while a chain with payments hangs', async () => {
  const node = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
  const shop = await openShop({
    PROOFGATE_CHAINS_SLOW_CHAIN: 'eip155:10',
    PROOFGATE_CHAINS_SLOW_RPC: `http://127.0.0.1:${node.port}`,
    PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '20',
  })
  const gateId = await shop.gate()
  const details = { chain: 'eip155:10', transactionHash: `0x${'aa'.repeat(32)}`, blockNumber: 1 }
  await shop.parts.db.write(
    Array.from({ length: 20 }, (_, at) =>
      bindStatement({
        method: 'stablecoin',
        gate: 1,
        qHash: `0x${'ab'.repeat(32)}`,
        paid: { paid: true, identity: `tx:${at}`, amount: '1', payer: null, paidAt: 1, details, isFinal: false },
        claimedAt: shop.now(),
      }),
    ),
  )
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  shop.stripe.pay(sessionId)
  expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  shop.stripe.refund(sessionId)
  shop.wait(hour)
  void shop.watch()
  const state = async () => (await findPayment(shop.parts.db, `card:${shop.stripe.payment(sessionId).id}`))?.state
  for (let waited = 0; waited < 100 && (await state()) !== 'reversed'; waited++) await Bun.sleep(20)
  expect(await state()).toBe('reversed')
  await node.stop(true)
})
