/**
 * Stripe events are signed by the SDK with real HMACs and sent as bytes. The server trusts only the payment id in them.
 */
import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { findPayment } from '../../src/payments/store.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { stripeWebhookSecret } from '../parts/stripe-server.ts'
import { hour, openShop } from './card-shop.ts'

const path = '/api/v1/payments/stripe/webhook'

const signatureOf = (payload: string, at: number, secret = stripeWebhookSecret): Promise<string> =>
  Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: Math.floor(at / 1000) })

/** A shop that has sold something by card, and forgotten about it. */
async function soldShop(env: Record<string, string> = {}) {
  const shop = await openShop(env)
  const gateId = await shop.gate()
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  shop.stripe.pay(sessionId)
  expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  // Five looks, none of which found anything.
  for (let look = 0; look < 5; look++) {
    shop.wait(hour)
    await shop.watch()
  }
  const { id: intent } = shop.stripe.payment(sessionId)
  const deliver = (payload: string, signature: string, type = 'application/json; charset=utf-8') =>
    shop.post(path, payload, { 'stripe-signature': signature, 'content-type': type })
  return {
    ...shop,
    gateId,
    qHash,
    sessionId,
    intent,
    payment: async () => (await findPayment(shop.parts.db, `card:${intent}`))!,
    refunded: (): string => shop.stripe.event('charge.refunded', shop.stripe.charge(sessionId)),
    deliver,
    tell: async (payload: string) => deliver(payload, await signatureOf(payload, shop.now())),
  }
}

describe('an event', () => {
  test.each(['refund', 'dispute'] as const)('about a %s makes the watcher look at once', async (act) => {
    const shop = await soldShop()
    shop.stripe[act](shop.sessionId)
    await shop.watch()
    expect((await shop.payment()).state).toBe('claimed')

    const charge = shop.stripe.charge(shop.sessionId)
    const payload =
      act === 'refund'
        ? shop.refunded()
        : shop.stripe.event('charge.dispute.created', {
            id: 'du_1',
            object: 'dispute',
            amount: charge.amount,
            charge: charge.id,
            currency: charge.currency,
            payment_intent: shop.intent,
            reason: 'fraudulent',
            status: 'needs_response',
          })
    const answer = await shop.tell(payload)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { success: true, watched: true },
    })
    expect((await shop.payment()).watchAt).toBe(shop.now())
    await shop.watch()
    expect(await shop.payment()).toMatchObject(act === 'refund' ? { state: 'reversed' } : { suspendedFor: 'disputed' })
    expectRefused(await shop.fulfill(shop.gateId, shop.qHash), 'FULFILLMENT_SUSPENDED')
  })

  test('with false amounts changes nothing: Stripe is asked', async () => {
    const shop = await soldShop()
    const charge = { ...shop.stripe.charge(shop.sessionId), refunded: true, amount_refunded: 499, disputed: true }
    expect((await shop.tell(shop.stripe.event('charge.refunded', charge))).body.watched).toBe(true)
    await shop.watch()
    expect((await shop.payment()).state).toBe('claimed')
    expect((await shop.fulfill(shop.gateId, shop.qHash)).status).toBe(200)
  })

  test('cannot make a payment: a session that it calls paid is not', async () => {
    const shop = await openShop()
    const [gateId, qHash] = [await shop.gate(), await shop.prove()]
    const sessionId = await shop.session(gateId, qHash)
    const session = { ...shop.stripe.session(sessionId), payment_status: 'paid', payment_intent: 'pi_3forged' }
    const payload = shop.stripe.event('checkout.session.completed', session)
    const answer = await leavesNothing(shop.parts, async () =>
      shop.post(path, payload, { 'stripe-signature': await signatureOf(payload, shop.now()) }),
    )
    expect(answer.body).toEqual({ success: true, watched: true })
    await leavesNothing(shop.parts, () => shop.watch())
    expectRefused(await shop.fulfill(gateId, qHash, sessionId), 'PAYMENT_REQUIRED', /not paid yet/)
  })

  test('does no harm when it comes again, and again after the end', async () => {
    const shop = await soldShop()
    shop.stripe.refund(shop.sessionId)
    const payload = shop.refunded()
    for (const watched of [true, true]) expect((await shop.tell(payload)).body).toEqual({ success: true, watched })
    await shop.watch()
    const reversed = await shop.payment()
    // The refund may have failed: Stripe is asked.
    expect((await shop.tell(payload)).body).toEqual({ success: true, watched: true })
    await shop.watch()
    expect(await shop.payment()).toEqual(reversed)
  })

  test('reaches a payment that counted as final', async () => {
    const shop = await soldShop()
    for (let look = 0; look < 14; look++) {
      shop.wait(6 * hour)
      await shop.watch()
    }
    expect((await shop.payment()).state).toBe('final')
    shop.stripe.dispute(shop.sessionId)
    expect((await shop.tell(shop.refunded())).body.watched).toBe(true)
    await shop.watch()
    expect((await shop.payment()).suspendedFor).toBe('disputed')
  })

  test('leaves a final payment final when no refund matches', async () => {
    const shop = await soldShop()
    for (let look = 0; look < 14; look++) {
      shop.wait(6 * hour)
      await shop.watch()
    }
    await shop.tell(shop.refunded())
    await shop.watch()
    expect(await shop.payment()).toMatchObject({ state: 'final', watchAt: null })
  })

  test.each([
    ['of a kind that nobody knows', 'invoice.paid', { object: 'invoice', payment_intent: 'pi_3unknown' }],
    ['about a payment of somebody else', 'charge.refunded', { object: 'charge', payment_intent: 'pi_3unknown' }],
    ['about a charge without a payment', 'charge.refunded', { object: 'charge', payment_intent: null }],
    ['about nothing', 'charge.refunded', {}],
    ['with an object for an id', 'charge.refunded', { payment_intent: { id: 'pi_3' } }],
  ])('is accepted and ignored when its type is %s', async (_, type, object) => {
    const shop = await soldShop()
    const answer = await leavesNothing(shop.parts, () => shop.tell(shop.stripe.event(type, object)))
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { success: true, watched: false },
    })
  })
})

describe('an event is refused, and no payment is checked,', () => {
  async function refused(
    send: (shop: Awaited<ReturnType<typeof soldShop>>) => Promise<Parameters<typeof expectRefused>[0]>,
    env: Record<string, string> = {},
  ) {
    const shop = await soldShop(env)
    const before = await shop.payment()
    const answer = await leavesNothing(shop.parts, () => send(shop))
    expect(await shop.payment()).toEqual(before)
    return answer
  }

  test('when it has no signature', async () => {
    const answer = await refused((shop) => shop.post(path, shop.refunded()))
    expectRefused(answer, 'SIGNATURE_INVALID', /Stripe-Signature is missing/)
  })

  test('signed with another secret', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      return shop.deliver(payload, await signatureOf(payload, shop.now(), 'whsec_another'))
    })
    expectRefused(answer, 'SIGNATURE_INVALID', /does not fit/)
    expect(JSON.stringify(answer.body)).not.toContain('whsec_')
  })

  test('with one byte changed', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      return shop.deliver(payload.replace('"amount":499', '"amount":599'), await signatureOf(payload, shop.now()))
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('with the same JSON spelled otherwise', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      const signature = await signatureOf(payload, shop.now())
      return shop.deliver(JSON.stringify(JSON.parse(payload), null, 2), signature)
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('with another time beside the signature', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      const signature = await signatureOf(payload, shop.now() - hour)
      return shop.deliver(payload, signature.replace(/t=\d+/, `t=${Math.floor(shop.now() / 1000)}`))
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('signed 301 seconds ago by our clock, and 300 seconds are taken', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      return shop.deliver(payload, await signatureOf(payload, shop.now() - 301_000))
    })
    expectRefused(answer, 'EXPIRED_SIGNATURE', /300 seconds/)
    const shop = await soldShop()
    const payload = shop.refunded()
    expect((await shop.deliver(payload, await signatureOf(payload, shop.now() - 300_000))).status).toBe(200)
  })

  test('in the older scheme alone', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      return shop.deliver(payload, (await signatureOf(payload, shop.now())).replace('v1=', 'v0='))
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test.each(['', 't=', 'v1=ab', 't=1,v1=', 'nonsense', 'x'.repeat(3000)])(
    'with the signature "%s"',
    async (signature) => {
      const answer = await refused((shop) => shop.deliver(shop.refunded(), signature))
      expect(answer.status).toBe(401)
    },
  )

  test('when its signed body is not JSON', async () => {
    expectRefused(await refused((shop) => shop.tell('{"type":')), 'VALIDATION_ERROR', /not an event/)
  })

  test('when its signed body is of the API v2', async () => {
    const thin = JSON.stringify({ object: 'v2.core.event', type: 'v2.core.account.updated' })
    expectRefused(await refused((shop) => shop.tell(thin)), 'VALIDATION_ERROR', /snapshot/)
  })

  test('when its body is empty', async () => {
    expectRefused(
      await refused(async (shop) => shop.deliver('', await signatureOf('x', shop.now()))),
      'SIGNATURE_INVALID',
    )
  })

  test('when its body exceeds the size limit', async () => {
    const answer = await refused(
      (shop) => shop.tell(JSON.stringify({ type: 'charge.refunded', padding: 'x'.repeat(20_000) })),
      { PROOFGATE_LIMITS_BODY_BYTES: '16384' },
    )
    expectRefused(answer, 'PAYLOAD_TOO_LARGE')
  })

  test('when its body is sent as text', async () => {
    const answer = await refused(async (shop) => {
      const payload = shop.refunded()
      return shop.deliver(payload, await signatureOf(payload, shop.now()), 'text/plain')
    })
    expectRefused(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('as an unknown path where no secret is set', async () => {
    const answer = await refused(async (shop) => shop.tell(shop.refunded()), {
      PROOFGATE_PAYMENTS_STRIPE_WEBHOOK_SECRET: '',
    })
    expectRefused(answer, 'NOT_FOUND', /payments\.stripe\.webhook_secret/)
  })
})

test('the path with a slash at its end takes the same bytes', async () => {
  const shop = await soldShop()
  const payload = shop.refunded()
  const headers = { 'stripe-signature': await signatureOf(payload, shop.now()) }
  expect((await shop.post(`${path}/`, payload, headers)).status).toBe(200)
})

test('an event is heard while requests of the same address are counted', async () => {
  const shop = await soldShop({ PROOFGATE_LIMITS_RATES_READS: '2/1m' })
  const statuses = []
  for (let count = 0; count < 3; count++) statuses.push((await shop.tell(shop.refunded())).status)
  expect(statuses).toEqual([200, 200, 429])
})
