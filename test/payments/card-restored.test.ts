/** Card payments that count again: after refunds that fail later, and disputes that are lost and then won. */
import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { reviewing } from '../../src/gates/fulfill/apply-review.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { findGate } from '../../src/gates/store.ts'
import { openWatch } from '../../src/payments/watch.ts'
import { expectRefused } from '../http/refused.ts'
import { stripeWebhookSecret } from '../parts/stripe-server.ts'
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
  const charge = shop.stripe.charge(sessionId)
  const list = async (path: string, wallet: typeof alice) => {
    const request = { action: 'list_gates', walletAddress: wallet.address.toLowerCase() }
    return (await shop.get(path, await shop.ownerHeaders(wallet, request))).body.data
  }
  const unmatched = async (side: string, wallet: typeof alice) => {
    const request = { action: 'list_gates', walletAddress: wallet.address.toLowerCase() }
    const path = `/api/v1/profile/payments/unmatched?side=${side}`
    return (await shop.get(path, await shop.ownerHeaders(wallet, request))).body.data.payments
  }
  const tell = async (type: string, object: object) => {
    const payload = shop.stripe.event(type, { payment_intent: charge.payment_intent, ...object })
    const timestamp = Math.floor(shop.now() / 1000)
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: stripeWebhookSecret,
      timestamp,
    })
    const answer = await shop.post('/api/v1/payments/stripe/webhook', payload, { 'stripe-signature': signature })
    expect(answer.status).toBe(200)
    await shop.watch()
  }
  return {
    ...shop,
    gateId,
    qHash,
    sessionId,
    tell,
    unmatched,
    /** A refund that the seller asks for, and that Stripe tells of. */
    async refund(cents?: number): Promise<Stripe.Refund> {
      shop.stripe.refund(sessionId, cents)
      const [refund] = shop.stripe.refunds(sessionId)
      await tell('charge.refunded', charge)
      return refund!
    },
    state: async () => (await shop.get(new URL(bought.body.data.rewardProof.receiptUrl).pathname)).body.data,
    count: async () => (await findGate(shop.parts, gateId))!.fulfilledCount,
    totals: async () => (await list('/api/v1/profile/payments', mallory)).totals,
    sale: async () => (await list('/api/v1/profile/payments?side=paid', alice)).payments[0],
    /** Waits until the next look is due in any case, and looks. */
    look: async (ms = 3 * 24 * hour) => {
      shop.wait(ms)
      await shop.watch()
    },
  }
}

const asSold = { fulfilled: 1, paid: 1, amountUsd: '4.99' }
const takenBack = { fulfilled: 0, paid: 0, amountUsd: '0' }

describe('a refund that fails later', () => {
  test.each([['refund.failed'], ['charge.refund.updated'], ['refund.updated']])(
    'gives the reward again when %s reports it, once for all reports',
    async (type) => {
      const shop = await sold({ supply: 1, perWallet: 1 })
      const refund = await shop.refund()
      expect((await shop.state()).state).toBe('suspended')
      expect(await shop.totals()).toEqual(takenBack)
      const before = await shop.sale()
      shop.stripe.endRefund(refund.id, 'failed')
      for (let times = 0; times < 3; times++) await shop.tell(type, refund)
      expect(await shop.state()).toMatchObject({ state: 'granted' })
      expect((await shop.state()).refundedAmount ?? null).toBeNull()
      expect(await shop.totals()).toEqual(asSold)
      expect(await shop.count()).toBe(1)
      expect((await shop.fulfill(shop.gateId, shop.qHash)).status).toBe(200)
      // The same sale with the same receipt, and not another one.
      const { receiptId, state, payment } = await shop.sale()
      expect([receiptId, state, payment.state]).toEqual([before.receiptId, 'granted', 'claimed'])
      expect(await shop.unmatched('paid', alice)).toEqual([])
    },
  )

  test('ends in the same state in whatever order events arrive', async () => {
    const shop = await sold()
    shop.stripe.refund(shop.sessionId)
    const [refund] = shop.stripe.refunds(shop.sessionId)
    shop.stripe.endRefund(refund!.id, 'failed')
    await shop.tell('refund.failed', refund!)
    await shop.tell('charge.refunded', shop.stripe.charge(shop.sessionId))
    await shop.tell('refund.created', refund!)
    expect(await shop.totals()).toEqual(asSold)
    expect((await shop.state()).state).toBe('granted')
  })

  test('is found without any event', async () => {
    const shop = await sold()
    const refund = await shop.refund()
    await shop.look()
    expect((await shop.state()).state).toBe('suspended')
    shop.stripe.endRefund(refund.id, 'failed')
    await shop.look()
    expect((await shop.state()).state).toBe('granted')
    expect(await shop.totals()).toEqual(asSold)
  })

  test('gives the reward again where less than the threshold stays refunded', async () => {
    const price = { amountUsd: '4.99', methods: ['card' as const], refundThresholdPercent: 50 }
    const shop = await sold({ price })
    await shop.refund(100)
    const second = await shop.refund(200)
    expect(await shop.totals()).toEqual({ fulfilled: 0, paid: 0, amountUsd: '1.99' })
    shop.stripe.endRefund(second.id, 'failed')
    await shop.tell('refund.failed', second)
    expect(await shop.totals()).toEqual({ fulfilled: 1, paid: 1, amountUsd: '3.99' })
    expect(await shop.state()).toMatchObject({ state: 'granted', refundedAmount: '100' })
    // It may be taken back again.
    await shop.refund(300)
    expect(await shop.totals()).toEqual({ fulfilled: 0, paid: 0, amountUsd: '0.99' })
    expect((await shop.state()).state).toBe('suspended')
  })

  test('leaves the reward suspended where the threshold stays reached, and the sum is right', async () => {
    const price = { amountUsd: '4.99', methods: ['card' as const], refundThresholdPercent: 50 }
    const shop = await sold({ price })
    await shop.refund(300)
    const second = await shop.refund(100)
    expect((await shop.totals()).amountUsd).toBe('0.99')
    shop.stripe.endRefund(second.id, 'failed')
    await shop.tell('refund.failed', second)
    expect(await shop.totals()).toEqual({ fulfilled: 0, paid: 0, amountUsd: '1.99' })
    expect((await shop.state()).state).toBe('suspended')
  })

  test('gives the reward once, when two looks see it at the same moment', async () => {
    const shop = await sold({ supply: 1 })
    const refund = await shop.refund()
    shop.stripe.endRefund(refund.id, 'failed')
    shop.wait(3 * 24 * hour)
    const watches = Array.from({ length: 5 }, () => openWatch(shop.parts, reviewing))
    await Promise.all(watches.map((watch) => watch.runOnce()))
    expect(await shop.count()).toBe(1)
    expect(await shop.totals()).toEqual(asSold)
  })

  test('after its place was sold gives no second reward: the seller owes it, and both see that', async () => {
    const shop = await sold({ supply: 1 })
    const refund = await shop.refund()
    const other = await shop.prove(bob)
    const sessionId = (await shop.openCheckout(shop.gateId, other, {}, bob)).body.data.sessionId
    shop.stripe.pay(sessionId)
    expect((await shop.fulfill(shop.gateId, other, sessionId, bob)).status).toBe(200)
    shop.stripe.endRefund(refund.id, 'failed')
    await shop.tell('refund.failed', refund)
    await shop.look(minute)
    expect((await shop.state()).state).toBe('suspended')
    expect(await shop.count()).toBe(1)
    expect(await shop.totals()).toEqual(asSold)
    const row = { state: 'owed', reason: 'GATE_SOLD_OUT', amount: '499', method: 'stripe' }
    expect(await shop.unmatched('received', mallory)).toMatchObject([row])
    expect(await shop.unmatched('paid', alice)).toMatchObject([row])
    const refused = await shop.fulfill(shop.gateId, shop.qHash)
    expectRefused(refused, 'FULFILLMENT_SUSPENDED')
    expect(refused.body.error.details.unmatched).toMatchObject({ state: 'owed' })
    for (let times = 0; times < 3; times++) await shop.look()
    expect(await shop.unmatched('received', mallory)).toHaveLength(1)
    expect(await shop.count()).toBe(1)
    // A payment that is owed does not also buy when the place is free again.
    shop.stripe.refund(sessionId)
    await shop.tell('charge.refunded', shop.stripe.charge(sessionId))
    expect(await shop.count()).toBe(0)
    await shop.tell('refund.failed', refund)
    expect(await shop.count()).toBe(0)
    expect((await shop.state()).state).toBe('suspended')
  })

  test('is also owed after the buyer bought another one, at one per wallet', async () => {
    const shop = await sold({ perWallet: 1 })
    const refund = await shop.refund()
    const again = await shop.prove()
    const sessionId = await shop.session(shop.gateId, again)
    shop.stripe.pay(sessionId)
    expect((await shop.fulfill(shop.gateId, again, sessionId)).status).toBe(200)
    shop.stripe.endRefund(refund.id, 'failed')
    await shop.tell('refund.failed', refund)
    expect(await shop.count()).toBe(1)
    expect(await shop.unmatched('paid', alice)).toMatchObject([{ reason: 'GATE_LIMIT_REACHED' }])
  })
})

describe('a dispute that is lost and then won', () => {
  const lose = async (shop: Awaited<ReturnType<typeof sold>>) => {
    shop.stripe.dispute(shop.sessionId)
    await shop.tell('charge.dispute.created', { object: 'dispute' })
    shop.stripe.closeDispute(shop.sessionId, 'lost')
    await shop.tell('charge.dispute.closed', { object: 'dispute' })
    expect(await shop.totals()).toEqual(takenBack)
  }

  test.each([['charge.dispute.closed'], ['charge.dispute.updated'], ['charge.dispute.funds_reinstated']])(
    'gives the reward again when %s tells of it',
    async (type) => {
      const shop = await sold({ supply: 1 })
      await lose(shop)
      shop.stripe.closeDispute(shop.sessionId, 'won')
      for (let times = 0; times < 3; times++) await shop.tell(type, { object: 'dispute' })
      expect((await shop.state()).state).toBe('granted')
      expect(await shop.totals()).toEqual(asSold)
      expect(await shop.count()).toBe(1)
      expect(await shop.sale()).toMatchObject({ state: 'granted', payment: { disputed: false } })
    },
  )

  test('after a refund of a part counts the rest of it', async () => {
    const shop = await sold()
    await shop.refund(100)
    await lose(shop)
    await shop.look()
    expect(await shop.totals()).toEqual(takenBack)
    shop.stripe.closeDispute(shop.sessionId, 'won')
    await shop.look()
    expect(await shop.totals()).toEqual({ fulfilled: 1, paid: 1, amountUsd: '3.99' })
  })

  test('after its place was sold is refunded by the server, once', async () => {
    const shop = await sold({ supply: 1 })
    await lose(shop)
    const other = await shop.prove(bob)
    const sessionId = (await shop.openCheckout(shop.gateId, other, {}, bob)).body.data.sessionId
    shop.stripe.pay(sessionId)
    expect((await shop.fulfill(shop.gateId, other, sessionId, bob)).status).toBe(200)
    shop.stripe.closeDispute(shop.sessionId, 'won')
    await shop.tell('charge.dispute.closed', { object: 'dispute' })
    await shop.look(minute)
    await shop.tell('charge.refunded', shop.stripe.charge(shop.sessionId))
    expect(shop.stripe.refunds(shop.sessionId)).toHaveLength(1)
    expect(await shop.unmatched('paid', alice)).toMatchObject([{ state: 'refunded', givenBackBy: 'server' }])
    expect(await shop.count()).toBe(1)
    expect(await shop.totals()).toEqual(asSold)
  })

  test('stays taken back while Stripe cannot be asked', async () => {
    const shop = await sold()
    await lose(shop)
    shop.stripe.closeDispute(shop.sessionId, 'won')
    shop.stripe.fault = 'has a fault of its own (500)'
    await shop.look()
    expect((await shop.state()).state).toBe('suspended')
    shop.stripe.fault = undefined
    await shop.look()
    expect((await shop.state()).state).toBe('granted')
  })
})

test('A refund of a payment without a purchase, which fails later, is owed by the seller', async () => {
  const other = await sold()
  const proof = await other.prove()
  const sessionId = await other.session(other.gateId, proof)
  other.stripe.pay(sessionId)
  const revoke = await other.ownerBody(alice, { action: 'revoke_proof', qHash: proof })
  expect((await other.post(`/api/v1/proofs/${proof}/revoke-self`, revoke)).status).toBe(200)
  await other.look(10 * minute)
  await other.look(10 * minute)
  expect(await other.unmatched('paid', alice)).toMatchObject([{ state: 'refunded' }])
  const [refund] = other.stripe.refunds(sessionId)
  await other.tell('refund.updated', { ...refund })
  expect(await other.unmatched('paid', alice)).toMatchObject([{ state: 'refunded' }])
  other.stripe.endRefund(refund!.id, 'failed')
  for (let times = 0; times < 2; times++) await other.tell('refund.failed', { ...refund })
  expect(await other.unmatched('received', mallory)).toMatchObject([{ state: 'owed' }])
  expect(other.stripe.refunds(sessionId)).toHaveLength(1)
})
