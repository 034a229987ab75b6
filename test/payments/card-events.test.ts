/** Stripe's events about a paid or ended page: the server asks Stripe, and claims or refunds once. */
import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { claimedForMs } from '../../src/db/claim.ts'
import { findGate, writeChanges } from '../../src/gates/store.ts'
import { findPayment } from '../../src/payments/store.ts'
import { findUnmatched } from '../../src/payments/unmatched-store.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { overtake } from '../parts/overtake.ts'
import { stripeWebhookSecret } from '../parts/stripe-server.ts'
import { alice, bob } from '../wallets.ts'
import { type CardShop, hour, minute, openShop } from './card-shop.ts'

const folder = temporaryFolder()

async function tell(shop: CardShop, type: string, object: object) {
  const payload = shop.stripe.event(type, object)
  const timestamp = Math.floor(shop.now() / 1000)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: stripeWebhookSecret,
    timestamp,
  })
  return shop.post('/api/v1/payments/stripe/webhook', payload, {
    'stripe-signature': signature,
    'content-type': 'application/json; charset=utf-8',
  })
}

/** A session as Stripe sends it: the payment is named by its id. */
const makeSession = (shop: CardShop, sessionId: string, intent: string | null): object => ({
  ...shop.stripe.session(sessionId),
  payment_intent: intent,
})

describe('an event of a page', () => {
  test('gives the reward at once when the page was paid, even if the buyer never returns', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const qHash = await shop.prove()
    const sessionId = await shop.session(gateId, qHash)
    shop.stripe.pay(sessionId)
    const { id: intent } = shop.stripe.payment(sessionId)
    const answer = await tell(shop, 'checkout.session.completed', makeSession(shop, sessionId, intent))
    expect(answer.body).toEqual({ success: true, watched: true })
    await shop.watch()
    expect(await findPayment(shop.parts.db, `card:${intent}`)).toMatchObject({ state: 'claimed', qHash })
    expect((await shop.fulfill(gateId, qHash)).status).toBe(200)
  })

  test('gives the place back at once when the page ended', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const sessionId = await shop.session(gateId, await shop.prove())
    shop.stripe.expire(sessionId)
    expect((await tell(shop, 'checkout.session.expired', makeSession(shop, sessionId, null))).body.watched).toBe(true)
    await shop.watch()
    expect((await shop.openCheckout(gateId, await shop.prove(bob), {}, bob)).status).toBe(200)
  })

  test('with false content changes nothing: a page that it calls ended keeps its place', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const sessionId = await shop.session(gateId, await shop.prove())
    await tell(shop, 'checkout.session.expired', { ...makeSession(shop, sessionId, null), status: 'expired' })
    await shop.watch()
    expect((await shop.openCheckout(gateId, await shop.prove(bob), {}, bob)).status).toBe(409)
  })

  test('is accepted and ignored when the page is foreign', async () => {
    const shop = await openShop()
    const object = { id: 'cs_test_somebodyelses', object: 'checkout.session', payment_intent: 'pi_3unknown' }
    expect((await tell(shop, 'checkout.session.completed', object)).body).toEqual({ success: true, watched: false })
  })
})

test('a payment that came too late is refunded once, though the event comes five times and the server restarts between them', async () => {
  let shop = await openShop({}, { folder })
  const { stripe } = shop
  const gateId = await shop.gate({ supply: 1 })
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  const base = (await findGate(shop.parts, gateId))!
  const change = { kind: 'status', base, status: 'deleted', author: base.owner } as const
  expect(await writeChanges(shop.parts, [change], shop.now())).toBe('stored')
  stripe.pay(sessionId)
  const { id: intent } = stripe.payment(sessionId)

  // Each run stops at another step: after the event, the row, an outage of Stripe, or the refund.
  for (let start = 0; start < 5; start++) {
    await tell(shop, 'checkout.session.completed', makeSession(shop, sessionId, intent))
    stripe.fault = start === 2 ? 'has a fault of its own (500)' : undefined
    stripe.refundFate = start < 3 ? 'pending' : 'succeeded'
    if (start > 0) await shop.watch()
    stripe.fault = undefined
    await shop.close()
    shop = await openShop({}, { folder, before: shop })
    shop.wait(start === 3 ? 26 * hour : minute)
    if (start === 3) stripe.endRefund(stripe.refunds(sessionId)[0]!.id, 'succeeded')
  }
  await shop.watch()
  expect(stripe.refunds(sessionId)).toHaveLength(1)
  expect(stripe.charge(sessionId).amount_refunded).toBe(499)
  expect(await findUnmatched(shop.parts.db, `card:${intent}`)).toMatchObject({
    state: 'refunded',
    reason: 'GATE_NOT_FOUND',
  })
  expect(await findPayment(shop.parts.db, `card:${intent}`)).toBeUndefined()
})

test('a server that stops between the answer of Stripe and its refund row asks under the same key, and nothing goes back twice', async () => {
  const shop = await openShop()
  const gateId = await shop.gate({ supply: 1 })
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  await shop.parts.db.write([{ sql: `UPDATE gates SET status = 'deleted'`, params: [] }])
  shop.stripe.pay(sessionId)
  shop.wait(2 * minute)
  await shop.watch()
  // The state after a crash: Stripe has refunded, and the row does not say so.
  await shop.parts.db.write([
    { sql: `UPDATE unmatched_payments SET state = 'refunding', next_at = ?1`, params: [shop.now()] },
  ])
  await shop.watch()
  const { id } = shop.stripe.payment(sessionId)
  expect((await findUnmatched(shop.parts.db, `card:${id}`))?.state).toBe('refunded')
  expect(shop.stripe.refunds(sessionId)).toHaveLength(1)
})

describe('while the server looks at a refund', () => {
  const isRecorded = 'SET state = ?2, next_at = ?3'

  async function openRefund() {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const sessionId = await shop.session(gateId, await shop.prove())
    const base = (await findGate(shop.parts, gateId))!
    await writeChanges(shop.parts, [{ kind: 'status', base, status: 'deleted', author: base.owner }], shop.now())
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = 'pending'
    shop.wait(2 * minute)
    await shop.watch()
    const { id: intent } = shop.stripe.payment(sessionId)
    const [refund] = shop.stripe.refunds(sessionId)
    return { shop, refund: refund!, read: async () => (await findUnmatched(shop.parts.db, `card:${intent}`))! }
  }

  test('an event that it failed is not forgotten', async () => {
    const { shop, refund, read } = await openRefund()
    expect(await read()).toMatchObject({ state: 'refunding' })
    shop.wait(hour)
    overtake(shop.parts.db, isRecorded, async () => {
      shop.stripe.endRefund(refund.id, 'failed')
      expect((await tell(shop, 'refund.failed', refund)).body).toEqual({ success: true, watched: true })
    })
    await shop.watch()
    await shop.watch()
    expect(await read()).toMatchObject({ state: 'owed', nextAt: null })
  })

  test('an erasure takes the details of its buyer, and they do not come back', async () => {
    const { shop, refund, read } = await openRefund()
    shop.stripe.endRefund(refund.id, 'failed')
    shop.wait(hour)
    overtake(shop.parts.db, isRecorded, async () => {
      const action = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
      expect((await shop.post('/api/v1/proofs/erase-all', await shop.ownerBody(alice, action))).status).toBe(200)
    })
    await shop.watch()
    // Where processes share a database, the first look keeps the row to itself for a while.
    shop.wait(claimedForMs)
    await shop.watch()
    const { state, buyer, details } = await read()
    expect({ state, buyer, details }).toEqual({
      state: 'owed',
      buyer: null,
      details: { refundRefused: 'expired_or_canceled_card' },
    })
  })
})
