/** Paying by card: every check that stands between a Checkout session and a reward, and what happens afterwards. */

import { describe, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { OutsideError } from '../../src/outside/failure.ts'
import { card } from '../../src/payments/card/method.ts'
import { makeStripeProbes } from '../../src/payments/card/probe.ts'
import { findPayment } from '../../src/payments/store.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { stripeFaults } from '../parts/stripe-server.ts'
import { bob } from '../wallets.ts'
import { type CardShop, hour, minute, openShop } from './card-shop.ts'

/** A gate, a proof and a session that the buyer has paid. */
async function paidShop(env: Record<string, string> = {}) {
  const shop = await openShop(env)
  const gateId = await shop.gate()
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  shop.stripe.pay(sessionId)
  const confirm = () => card.confirm(shop.offer(qHash, sessionId), shop.parts)
  return { shop, gateId, qHash, sessionId, confirm }
}

describe('a card payment', () => {
  test('opens the gate, once paid, and the same call again gives the same answer', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const asked = await shop.fulfill(gateId, qHash)
    expectRefused(asked, 'PAYMENT_REQUIRED')

    const { sessionId } = (await shop.openCheckout(gateId, qHash)).body.data
    const early = await shop.fulfill(gateId, qHash, sessionId)
    expectRefused(early, 'PAYMENT_REQUIRED', /not paid yet/)
    expect(early.body.error.details.reason).toBe('NOT_PAID')
    expect(early.headers.get('retry-after')).toBe('5')

    shop.stripe.pay(sessionId)
    const first = await shop.fulfill(gateId, qHash, sessionId)
    expect(first.status).toBe(200)
    expect(first.body.data.fulfillment).toMatchObject({ delivery: 'reveal', value: 'the secret of the shop' })

    shop.stripe.fault = 'has a fault of its own (500)'
    shop.wait(3 * hour)
    const again = await shop.fulfill(gateId, qHash, sessionId)
    expect(again.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
  })

  test('is claimed under the id of its payment intent, with nothing about the buyer', async () => {
    const { shop, gateId, qHash, sessionId } = await paidShop()
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
    const { id } = shop.stripe.payment(sessionId)
    const payment = (await findPayment(shop.parts.db, `card:${id}`))!
    expect(payment).toMatchObject({ method: 'card', qHash, state: 'claimed', payer: null, amount: '499' })
    expect(payment.details).toEqual({
      paymentIntent: id,
      charge: shop.stripe.charge(sessionId).id,
      session: sessionId,
      currency: 'usd',
    })
    expect(payment.paidAt).toBe(Math.floor(shop.now() / 1000) * 1000)
  })

  test('for one proof or gate opens no other', async () => {
    const { shop, gateId, qHash, sessionId } = await paidShop()
    const [otherProof, otherGate] = [await shop.prove(), await shop.gate({ gateId: 'gate_other' })]
    for (const use of ['before it was used', 'after it was used']) {
      const stolen = [
        await shop.fulfill(gateId, otherProof, sessionId),
        await shop.fulfill(otherGate, qHash, sessionId),
        await shop.fulfill(gateId, await shop.prove(bob), sessionId, bob),
      ]
      for (const answer of stolen) expectRefused(answer, 'PAYMENT_ALREADY_USED', /another gate or another proof/)
      if (use === 'before it was used') expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
    }
  })

  test('gives one fulfillment and one answer to many simultaneous requests', async () => {
    const { shop, gateId, qHash, sessionId } = await paidShop()
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.fulfill(gateId, qHash, sessionId)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
    const rows = await select<{ count: number }>(shop.parts.db, 'SELECT count(*) AS count FROM payments').get()
    expect(rows).toEqual({ count: 1 })
  })
})

interface Twist {
  readonly session: Stripe.Checkout.Session
  readonly payment: Stripe.PaymentIntent
  readonly charge: Stripe.Charge
  readonly shop: CardShop
}

/** Each twist breaks one check: everything else about the payment is right. */
const twists: Readonly<Record<string, readonly [reason: string, (twist: Twist) => void]>> = {
  'is one for a subscription': ['NOT_A_PAYMENT', ({ session }) => Object.assign(session, { mode: 'subscription' })],
  'only saves a card': ['NOT_A_PAYMENT', ({ session }) => Object.assign(session, { mode: 'setup' })],
  'is live where test payments are taken': [
    'LIVEMODE_MISMATCH',
    ({ session }) => Object.assign(session, { livemode: true }),
  ],
  'has a live payment': ['LIVEMODE_MISMATCH', ({ payment }) => Object.assign(payment, { livemode: true })],
  'has a live charge': ['LIVEMODE_MISMATCH', ({ charge }) => Object.assign(charge, { livemode: true })],
  'names another gate': [
    'SESSION_MISMATCH',
    ({ session }) => Object.assign(session, { metadata: { ...session.metadata, gateId: 'gate_other' } }),
  ],
  'names another proof': [
    'SESSION_MISMATCH',
    ({ session }) => Object.assign(session, { metadata: { ...session.metadata, qHash: `0x${'ab'.repeat(32)}` } }),
  ],
  'names nothing': ['SESSION_MISMATCH', ({ session }) => Object.assign(session, { metadata: {} })],
  'has no metadata': ['SESSION_MISMATCH', ({ session }) => Object.assign(session, { metadata: null })],
  'is open': ['NOT_PAID', ({ session }) => Object.assign(session, { payment_status: 'unpaid', status: 'open' })],
  'is finished and unpaid': ['NOT_PAID', ({ session }) => Object.assign(session, { payment_status: 'unpaid' })],
  'needed no payment': ['NOT_PAID', ({ session }) => Object.assign(session, { payment_status: 'no_payment_required' })],
  'has ended': [
    'SESSION_EXPIRED',
    ({ session }) => Object.assign(session, { payment_status: 'unpaid', status: 'expired' }),
  ],
  'is over a cent less': ['AMOUNT_MISMATCH', ({ session }) => Object.assign(session, { amount_total: 498 })],
  'is over a cent more': ['AMOUNT_MISMATCH', ({ session }) => Object.assign(session, { amount_total: 500 })],
  'is over no amount': ['AMOUNT_MISMATCH', ({ session }) => Object.assign(session, { amount_total: null })],
  'is in another currency': ['CURRENCY_MISMATCH', ({ session }) => Object.assign(session, { currency: 'jpy' })],
  'has a payment that is processed': [
    'PAYMENT_NOT_SUCCEEDED',
    ({ payment }) => Object.assign(payment, { status: 'processing' }),
  ],
  'has a payment that waits for its capture': [
    'PAYMENT_NOT_SUCCEEDED',
    ({ payment }) => Object.assign(payment, { status: 'requires_capture' }),
  ],
  'has a payment without a charge': [
    'PAYMENT_NOT_SUCCEEDED',
    ({ payment }) => Object.assign(payment, { latest_charge: null }),
  ],
  'has a charge that failed': ['PAYMENT_NOT_SUCCEEDED', ({ charge }) => Object.assign(charge, { status: 'failed' })],
  'has a charge that is not paid': ['PAYMENT_NOT_SUCCEEDED', ({ charge }) => Object.assign(charge, { paid: false })],
  'has a charge that is only authorized': [
    'PAYMENT_NOT_SUCCEEDED',
    ({ charge }) => Object.assign(charge, { captured: false }),
  ],
  'brought in less': ['AMOUNT_MISMATCH', ({ payment }) => Object.assign(payment, { amount_received: 498 })],
  'was captured in part': ['AMOUNT_MISMATCH', ({ charge }) => Object.assign(charge, { amount_captured: 498 })],
  'brought in another currency': ['CURRENCY_MISMATCH', ({ payment }) => Object.assign(payment, { currency: 'jpy' })],
  'was charged in another currency': ['CURRENCY_MISMATCH', ({ charge }) => Object.assign(charge, { currency: 'jpy' })],
  'was refunded': ['REFUNDED', ({ shop, session }) => shop.stripe.refund(session.id)],
  'was refunded in part': ['REFUNDED', ({ shop, session }) => shop.stripe.refund(session.id, 1)],
  'is disputed': ['DISPUTED', ({ shop, session }) => shop.stripe.dispute(session.id)],
  'is gone at Stripe': ['SESSION_NOT_FOUND', ({ shop, session }) => shop.stripe.forget(session.id)],
}

describe('a Checkout session is no payment when it', () => {
  test.each(Object.entries(twists))('%s', async (_, [reason, twist]) => {
    const { shop, gateId, qHash, sessionId } = await paidShop()
    twist({
      session: shop.stripe.session(sessionId),
      payment: shop.stripe.payment(sessionId),
      charge: shop.stripe.charge(sessionId),
      shop,
    })
    const answer = await leavesNothing(shop.parts, () => shop.fulfill(gateId, qHash, sessionId))
    expectRefused(answer, 'PAYMENT_REQUIRED')
    expect(answer.body.error.details.reason).toBe(reason)
    expect(JSON.stringify(answer.body)).not.toContain('secret of the shop')
  })

  test('was opened elsewhere, and Stripe is not even asked', async () => {
    const { shop, gateId, qHash } = await paidShop()
    const before = shop.stripe.asked.length
    const answer = await shop.fulfill(gateId, qHash, `cs_test_${'a'.repeat(58)}`)
    expectRefused(answer, 'PAYMENT_REQUIRED', /not opened here/)
    expect(answer.body.error.details.reason).toBe('SESSION_NOT_OPENED_HERE')
    expect(shop.stripe.asked.length).toBe(before)
  })

  test.each(['pi_3', 'cs_', 'cs_test_../../refunds', 'cs_test_a1?expand', 'cs_test_ä', '0xabc'])(
    'is %s, which is the id of no session',
    async (text) => {
      const { shop, gateId, qHash } = await paidShop()
      expectRefused(await shop.fulfill(gateId, qHash, text), 'VALIDATION_ERROR', /cs_/)
    },
  )

  test('was opened by a build that kept no version and was paid more than an hour ago: older ones count for an hour', async () => {
    const { shop, sessionId, confirm } = await paidShop()
    await shop.parts.db.write([{ sql: 'UPDATE checkouts SET version = NULL, usd_micros = NULL', params: [] }])
    shop.wait(60 * minute)
    // Stripe counts whole seconds.
    shop.wait(-(shop.now() % 1000))
    const atLast = await confirm()
    expect(atLast).toMatchObject({ paid: true })
    expect(atLast).not.toHaveProperty('bought')
    shop.wait(1000)
    expect(await confirm()).toMatchObject({ paid: false, reason: 'PAYMENT_TOO_OLD' })
    expect(sessionId).toMatch(/^cs_/)
  })
})

describe('when Stripe', () => {
  test.each(Object.keys(stripeFaults) as (keyof typeof stripeFaults)[])(
    '%s, the buyer gets 503, nothing is burnt, and the same call works later',
    async (fault) => {
      const { shop, gateId, qHash, sessionId } = await paidShop({ PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' })
      shop.stripe.fault = fault
      const answer = await leavesNothing(shop.parts, () => shop.fulfill(gateId, qHash, sessionId))
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(answer.body)).not.toMatch(/sk_test|127\.0\.0\.1/)
      shop.stripe.fault = undefined
      if (fault === 'wants fewer calls (429)') return
      expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
    },
  )

  test('refuses the key, the error says so', async () => {
    const { shop, confirm } = await paidShop()
    shop.stripe.fault = 'refuses the key (401)'
    const error = await confirm().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ fault: 'credentials', source: 'payments.stripe' })
  })

  test('answers with another session than was asked for, it is not believed', async () => {
    const { shop, confirm, sessionId } = await paidShop()
    Object.assign(shop.stripe.session(sessionId), { id: `cs_test_${'b'.repeat(58)}` })
    expect(await confirm().catch((thrown: unknown) => thrown)).toMatchObject({ fault: 'malformed' })
  })

  test('leaves out a decisive member, the payment is not treated as unpaid', async () => {
    const { shop, confirm, sessionId } = await paidShop()
    delete (shop.stripe.charge(sessionId) as { disputed?: boolean }).disputed
    expect(await confirm().catch((thrown: unknown) => thrown)).toMatchObject({ fault: 'malformed' })
  })
})

describe('after the grant', () => {
  async function sold() {
    const paid = await paidShop()
    const answer = await paid.shop.fulfill(paid.gateId, paid.qHash, paid.sessionId)
    expect(answer.status).toBe(200)
    const payment = async () => (await findPayment(paid.shop.parts.db, `card:${intent}`))!
    const intent = paid.shop.stripe.payment(paid.sessionId).id
    return { ...paid, payment }
  }

  test('a refund suspends the fulfillment, and later calls say so', async () => {
    const { shop, gateId, qHash, sessionId, payment } = await sold()
    shop.stripe.refund(sessionId)
    shop.wait(minute)
    await shop.watch()
    expect((await payment()).state).toBe('reversed')
    expectRefused(await shop.fulfill(gateId, qHash, sessionId), 'FULFILLMENT_SUSPENDED')
  })

  test('a refund of a part leaves the sale as it is', async () => {
    const { shop, gateId, qHash, sessionId, payment } = await sold()
    shop.stripe.refund(sessionId, 498)
    shop.wait(minute)
    await shop.watch()
    expect((await payment()).state).toBe('claimed')
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  })

  test('the rest of a refund suspends it after all', async () => {
    const { shop, sessionId, payment } = await sold()
    shop.stripe.refund(sessionId, 498)
    shop.wait(minute)
    await shop.watch()
    shop.stripe.refund(sessionId, 1)
    shop.wait(hour)
    await shop.watch()
    expect((await payment()).state).toBe('reversed')
  })

  test('a payment that is not taken back is final after the watch period', async () => {
    const { shop, payment } = await sold()
    for (let hours = 0; hours < 71; hours += 6) {
      shop.wait(6 * hour)
      await shop.watch()
      if (hours < 60) expect((await payment()).state).toBe('claimed')
    }
    shop.wait(6 * hour)
    await shop.watch()
    expect(await payment()).toMatchObject({ state: 'final', watchAt: null })
  })

  test('an outage of Stripe takes nothing back', async () => {
    const { shop, gateId, qHash, sessionId, payment } = await sold()
    for (const fault of Object.keys(stripeFaults) as (keyof typeof stripeFaults)[]) {
      if (fault === 'hangs') continue
      shop.stripe.fault = fault
      shop.wait(hour)
      await shop.watch()
    }
    expect((await payment()).state).toBe('claimed')
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  })

  test('a payment that is unknown to another account is not taken back', async () => {
    const { shop, sessionId, payment } = await sold()
    shop.stripe.forget(sessionId)
    expect(await card.review(await payment(), shop.parts).catch((thrown: unknown) => thrown)).toMatchObject({
      fault: 'credentials',
      source: 'payments.stripe',
    })
    shop.wait(minute)
    await shop.watch()
    expect((await payment()).state).toBe('claimed')
  })
})

describe('the card method', () => {
  test('is absent without a key, and says which setting is missing', async () => {
    const shop = await openShop({ PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: '' })
    expect(card.findMissingConfiguration(shop.parts)).toBe('needs payments.stripe.secret_key')
    expect(card.describe(shop.parts)).toEqual({ id: 'stripe', type: 'card', enabled: false })
  })

  test('is absent with a key of the other mode', async () => {
    const shop = await openShop({ PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: 'rk_live_51Key' })
    expect(card.findMissingConfiguration(shop.parts)).toMatch(/needs a key of the test mode/)
  })

  test('is offered with one', async () => {
    const shop = await openShop()
    expect(card.findMissingConfiguration(shop.parts)).toBeUndefined()
    expect(card.describe(shop.parts)).toEqual({ id: 'stripe', type: 'card', enabled: true })
  })

  test.each([
    ['4.99', undefined],
    ['0.50', undefined],
    ['4.999', /whole cents/],
    ['0.1', /at least 0\.50/],
  ])('names the fault in a price of %s', (amountUsd, lack) => {
    const said = card.findPriceFault({ amountUsd, methods: ['card'] })
    if (lack) expect(said).toMatch(lack)
    else expect(said).toBeUndefined()
  })
})

describe('doctor', () => {
  const look = (shop: CardShop) => makeStripeProbes(shop.parts)[0]!.run()

  test('says that cards can be taken', async () => {
    const shop = await openShop()
    expect(await look(shop)).toEqual({ level: 'ok', says: 'takes the key of the test mode, and a webhook is expected' })
    expect(shop.stripe.asked).toEqual(['GET /v1/checkout/sessions', 'GET /v1/refunds', 'GET /v1/disputes'])
  })

  test('warns where no webhook is set', async () => {
    const shop = await openShop({ PROOFGATE_PAYMENTS_STRIPE_WEBHOOK_SECRET: '' })
    expect(await look(shop)).toEqual({ level: 'ok', says: 'takes the key of the test mode' })
    const [, webhook] = makeStripeProbes(shop.parts)
    expect(webhook!.setting).toBe('payments.stripe.webhook_secret')
    expect(await webhook!.run()).toMatchObject({ level: 'warn', mend: expect.stringMatching(/webhook_secret/) })
  })

  test('finds a key of the other mode without asking Stripe', async () => {
    const shop = await openShop({ PROOFGATE_PAYMENTS_STRIPE_LIVE: 'true' })
    expect(await look(shop)).toMatchObject({ level: 'fail', says: expect.stringMatching(/live mode/) })
    expect(shop.stripe.asked).toEqual([])
  })

  test('finds a key that Stripe does not know', async () => {
    const shop = await openShop({ PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_another' })
    expect(await look(shop).catch((thrown: unknown) => thrown)).toMatchObject({ fault: 'credentials' })
  })

  test('has nothing to look at without a key', async () => {
    const shop = await openShop({
      PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: '',
      PROOFGATE_PAYMENTS_STRIPE_WEBHOOK_SECRET: '',
    })
    expect(makeStripeProbes(shop.parts)).toEqual([])
  })
})
