/** Opening a page of payment: for whom, for how much, and never twice. */

import { describe, expect, test } from 'bun:test'
import { convertCents } from '../../src/payments/card/amount.ts'
import { findCheckout } from '../../src/payments/checkout-store.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { stripeFaults } from '../parts/stripe-server.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { hour, minute, openShop } from './card-shop.ts'

describe('a checkout', () => {
  test('is opened for exactly one gate, one proof and the price of the gate', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const answer = await shop.openCheckout(gateId, qHash)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const { sessionId, url, expiresAt } = answer.body.data
    expect(url).toBe(`https://checkout.stripe.com/c/pay/${sessionId}`)
    const leftMs = expiresAt - shop.now()
    expect(leftMs).toBeGreaterThan(30 * minute)
    expect(leftMs).toBeLessThanOrEqual(45 * minute)

    const { amount_total, currency, mode, metadata, client_reference_id, success_url, cancel_url, adaptive_pricing } =
      shop.stripe.session(sessionId)
    expect({
      amount_total,
      currency,
      mode,
      metadata,
      client_reference_id,
      success_url,
      cancel_url,
      adaptive_pricing,
    }).toEqual({
      amount_total: 499,
      currency: 'usd',
      mode: 'payment',
      metadata: { gateId, qHash, version: '1' },
      client_reference_id: qHash,
      success_url: 'https://shop.example.com/thanks',
      cancel_url: null,
      adaptive_pricing: { enabled: false },
    })
    expect(await findCheckout(shop.parts.db, sessionId)).toEqual({
      sessionId,
      gateId,
      qHash,
      amountCents: 499,
      currency: 'usd',
      createdAt: shop.now(),
      expiresAt,
      bought: { version: 1, usdMicros: 4_990_000 },
    })
  })

  test('asked for again within ten minutes is the same one, and a new one after that', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const first = await shop.session(gateId, qHash)
    shop.wait(9 * minute)
    expect(await shop.session(gateId, qHash)).toBe(first)
    expect(new Set(shop.stripe.keys).size).toBe(1)
    shop.wait(minute)
    expect(await shop.session(gateId, qHash)).not.toBe(first)
    expect(new Set(shop.stripe.keys).size).toBe(2)
  })

  test('is opened once for twenty simultaneous requests', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const sessions = await Promise.all(Array.from({ length: 20 }, () => shop.session(gateId, qHash)))
    expect(new Set(sessions).size).toBe(1)
  })

  test('is another one for another proof, another gate and another way back', async () => {
    const shop = await openShop()
    const [one, other] = [await shop.gate(), await shop.gate({ gateId: 'gate_other' })]
    const [first, second] = [await shop.prove(), await shop.prove()]
    const sessions = [
      await shop.session(one, first),
      await shop.session(one, second),
      await shop.session(other, first),
      (await shop.openCheckout(one, first, { cancelUrl: 'https://shop.example.com/no' })).body.data.sessionId,
    ]
    expect(new Set(sessions).size).toBe(4)
  })

  test('is not opened for a pair that is already paid: the buyer hears which session counts', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const sessionId = await shop.session(gateId, qHash)
    shop.stripe.pay(sessionId)
    shop.wait(20 * minute)
    const answer = await leavesNothing(shop.parts, () => shop.openCheckout(gateId, qHash))
    expectRefused(answer, 'CONFLICT', /was paid already/)
    expect(answer.body.error.details).toEqual({ reason: 'ALREADY_PAID', paymentCheckoutSessionId: sessionId })
    shop.stripe.refund(sessionId)
    expect(await shop.session(gateId, qHash)).not.toBe(sessionId)
  })

  test('is not opened for a pair that is already fulfilled', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const qHash = await shop.prove()
    const sessionId = await shop.session(gateId, qHash)
    shop.stripe.pay(sessionId)
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
    expectRefused(await shop.openCheckout(gateId, qHash), 'CONFLICT', /already fulfilled for this proof/)
  })

  test('is forgotten after its end, once its outcome is known', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const sessionId = await shop.session(gateId, await shop.prove())
    const { expiresAt } = (await findCheckout(shop.parts.db, sessionId))!
    shop.wait(expiresAt - shop.now() + 60 * minute - 1)
    shop.stripe.expire(sessionId)
    await shop.watch()
    await shop.sweep()
    expect(await findCheckout(shop.parts.db, sessionId)).toBeDefined()
    shop.wait(1)
    await shop.sweep()
    expect(await findCheckout(shop.parts.db, sessionId)).toBeUndefined()

    const unknown = await shop.session(gateId, await shop.prove())
    shop.wait(20 * 24 * hour)
    await shop.sweep()
    expect(await findCheckout(shop.parts.db, unknown)).toBeDefined()
  })
})

describe('a checkout is refused, and Stripe is not asked,', () => {
  async function refusedHere(
    ask: (shop: Awaited<ReturnType<typeof openShop>>) => ReturnType<typeof shop.openCheckout>,
    env: Record<string, string> = {},
  ) {
    const shop = await openShop(env)
    const answer = await ask(shop)
    expect(shop.stripe.asked).toEqual([])
    expect(
      (await select<{ count: number }>(shop.parts.db, 'SELECT count(*) AS count FROM checkouts').get())?.count,
    ).toBe(0)
    return answer
  }

  test('by an access key of scope core where the reward is a secret, and only there', async () => {
    const shop = await openShop()
    const { headers } = await shop.signIn(alice)
    const made = await shop.post('/api/v1/auth/profile-keys', { name: 'Narrow', scopes: ['core'] }, headers)
    const key = { authorization: `Bearer ${made.body.data.key}` }
    const qHash = await shop.prove()
    const open = async (gateId: string) => shop.post('/api/v1/payments/stripe/checkout', { gateId, qHash }, key)
    const gateId = await shop.gate()
    expectRefused(await leavesNothing(shop.parts, () => open(gateId)), 'FORBIDDEN', /scope "profile"/)
    const shown = await shop.gate({ gateId: 'gate_open', rewards: [{ kind: 'access_granted' }] })
    expect((await open(shown)).status).toBe(200)
  })

  test('when it has no signature', async () => {
    const answer = await refusedHere(async (shop) =>
      shop.post('/api/v1/payments/stripe/checkout', { gateId: await shop.gate(), qHash: await shop.prove() }),
    )
    expectRefused(answer, 'WALLET_AUTH_REQUIRED', /only the owner may do this/)
  })

  test('with a signature for another proof', async () => {
    const answer = await refusedHere(async (shop) => {
      const [gateId, qHash, other] = [await shop.gate(), await shop.prove(), await shop.prove()]
      return shop.openCheckout(
        gateId,
        qHash,
        await shop.ownerBody(alice, { action: 'open_checkout', gateId, qHash: other }),
      )
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('with a signature for another gate', async () => {
    const answer = await refusedHere(async (shop) => {
      const [gateId, qHash] = [await shop.gate(), await shop.prove()]
      const data = { action: 'open_checkout', gateId: 'gate_cheap', qHash }
      return shop.openCheckout(gateId, qHash, await shop.ownerBody(alice, data))
    })
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('with a stale signature', async () => {
    const answer = await refusedHere(async (shop) => {
      const [gateId, qHash] = [await shop.gate(), await shop.prove()]
      const credentials = await shop.ownerBody(alice, { action: 'open_checkout', gateId, qHash })
      shop.wait(hour)
      return shop.openCheckout(gateId, qHash, credentials)
    })
    expectRefused(answer, 'EXPIRED_SIGNATURE')
  })

  test('for the proof of another wallet', async () => {
    const answer = await refusedHere(async (shop) => shop.openCheckout(await shop.gate(), await shop.prove(), {}, bob))
    expectRefused(answer, 'FORBIDDEN', /does not belong to/)
  })

  test('for a gate that does not exist', async () => {
    const answer = await refusedHere(async (shop) => shop.openCheckout('gate_none', await shop.prove()))
    expectRefused(answer, 'GATE_NOT_FOUND')
  })

  test('for a private gate of another owner', async () => {
    const answer = await refusedHere(async (shop) =>
      shop.openCheckout(await shop.gate({ policy: { visibility: 'private' } }), await shop.prove()),
    )
    expectRefused(answer, 'GATE_NOT_FOUND')
  })

  test('for a proof that does not exist', async () => {
    const answer = await refusedHere(async (shop) => shop.openCheckout(await shop.gate(), `0x${'ab'.repeat(32)}`))
    expectRefused(answer, 'PROOF_NOT_FOUND')
  })

  test('for a proof that the gate does not ask for', async () => {
    const answer = await refusedHere(async (shop) => {
      const gateId = await shop.gate({ requirements: [{ verifierId: 'wallet-link' }] })
      return shop.openCheckout(gateId, await shop.prove())
    })
    expectRefused(answer, 'GATE_REQUIREMENTS_NOT_MET')
  })

  test('for a proof that was revoked', async () => {
    const answer = await refusedHere(async (shop) => {
      const [gateId, qHash] = [await shop.gate(), await shop.prove()]
      const body = await shop.ownerBody(alice, { action: 'revoke_proof', qHash })
      await shop.post(`/api/v1/proofs/revoke-self/${qHash}`, body)
      return shop.openCheckout(gateId, qHash)
    })
    expectRefused(answer, 'PROOF_NOT_VERIFIED', /revoked/)
  })

  test('for a gate that is not open yet, is over, or is free', async () => {
    const closed = (schedule: object) =>
      refusedHere(async (shop) => shop.openCheckout(await shop.gate({ schedule }), await shop.prove()))
    expectRefused(await closed({ startsAt: '2026-02-01T00:00:00Z' }), 'GATE_NOT_STARTED')
    expectRefused(await closed({ endsAt: '2025-12-01T00:00:00Z' }), 'GATE_ENDED')
    const free = await refusedHere(async (shop) =>
      shop.openCheckout(await shop.gate({ price: { amountUsd: '0', methods: ['card'] } }), await shop.prove()),
    )
    expectRefused(free, 'VALIDATION_ERROR', /costs nothing/)
  })

  test('for a gate that takes no cards', async () => {
    const price = { amountUsd: '4.99', methods: ['stablecoin'], recipient: `0x${'12'.repeat(20)}` } as const
    const answer = await refusedHere(async (shop) =>
      shop.openCheckout(await shop.gate({ price: { ...price, methods: ['stablecoin'] } }), await shop.prove()),
    )
    expectRefused(answer, 'VALIDATION_ERROR', /takes no cards: it takes usdc/)
  })

  test.each([
    ['4.995', 'fractions of a cent', /in whole cents/],
    ['0.49', 'less than Stripe charges', /at least 0\.50/],
    ['1000000', 'more than Stripe charges', /at most 999999\.99/],
  ])(
    'for a price of %s, %s: the owner hears what to fix, the buyer only that it is misconfigured',
    async (amountUsd, _, mend) => {
      const price = { amountUsd, methods: ['card' as const] }
      const toBuyer = await refusedHere(async (shop) =>
        shop.openCheckout(await shop.gate({ price }), await shop.prove()),
      )
      expectRefused(toBuyer, 'GATE_MISCONFIGURED', /its owner has to complete its settings/)
      expect(toBuyer.body.error.details).toEqual({})
      const toOwner = await refusedHere(async (shop) =>
        shop.openCheckout(await shop.gate({ price }), await shop.prove(mallory), {}, mallory),
      )
      expectRefused(toOwner, 'GATE_MISCONFIGURED', mend)
    },
  )

  test('where the key is of the other mode than the settings say', async () => {
    const answer = await refusedHere(
      async (shop) => shop.openCheckout(await shop.gate(), await shop.prove(mallory), {}, mallory),
      { PROOFGATE_PAYMENTS_STRIPE_LIVE: 'true' },
    )
    expectRefused(answer, 'GATE_MISCONFIGURED', /needs a key of the live mode/)
  })

  test.each([
    ['another site', 'https://evil.example/'],
    ['another site that looks like it', 'https://shop.example.com.evil.example/'],
    ['another site before an @', 'https://shop.example.com@evil.example/'],
    ['a name and password', 'https://me:secret@shop.example.com/'],
    ['another port', 'https://shop.example.com:8443/'],
    ['another scheme', 'http://shop.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['another site behind a backslash', 'https:\\\\evil.example\\@shop.example.com/'],
    ['a path alone', '/thanks'],
  ])('with a way back to %s', async (_, url) => {
    for (const name of ['successUrl', 'cancelUrl']) {
      const answer = await refusedHere(async (shop) =>
        shop.openCheckout(await shop.gate(), await shop.prove(), { [name]: url }),
      )
      expectRefused(answer, 'VALIDATION_ERROR', /must be on https:\/\/shop\.example\.com or http:\/\/localhost:8787/)
    }
  })
})

describe('the way back', () => {
  test('may be on the origin of the gate or of this server, with a place for the session', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const successUrl = 'https://shop.example.com/paid?session={CHECKOUT_SESSION_ID}'
    const cancelUrl = 'http://localhost:8787/verify'
    const answer = await shop.openCheckout(gateId, await shop.prove(), { successUrl, cancelUrl })
    expect(shop.stripe.session(answer.body.data.sessionId)).toHaveProperty('success_url', successUrl)
    expect(shop.stripe.session(answer.body.data.sessionId)).toHaveProperty('cancel_url', cancelUrl)
  })

  test('leads to our own page where the gate names none', async () => {
    const shop = await openShop()
    const { successReturnUrl: _, ...bare } = { ...shop.definition, gateId: 'gate:a' }
    const sessionId = await shop.session(await shop.gateOf(bare), await shop.prove())
    expect(shop.stripe.session(sessionId).success_url).toBe(
      'http://localhost:8787/verify?gateId=gate%3Aa&paymentCheckoutSessionId={CHECKOUT_SESSION_ID}',
    )
  })
})

describe('a request for a checkout', () => {
  test.each(Object.keys(stripeFaults) as (keyof typeof stripeFaults)[])(
    'gets 503 and leaves nothing when Stripe %s',
    async (fault) => {
      const shop = await openShop({ PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' })
      const [gateId, qHash] = [await shop.gate(), await shop.prove()]
      shop.stripe.fault = fault
      const answer = await leavesNothing(shop.parts, () => shop.openCheckout(gateId, qHash))
      expectRefused(answer, 'VERIFIER_UNAVAILABLE', /payments\.stripe/)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(answer.body)).not.toContain('sk_test')
    },
  )

  test.each([
    ['is a live one', 'credentials', { livemode: true }],
    ['has taxes on top', 'malformed', { amount_total: 599 }],
    ['is in another currency', 'malformed', { currency: 'jpy' }],
    ['has no page', 'malformed', { url: null }],
  ])('gets 503 and leaves nothing when the new session %s', async (_, fault, changes) => {
    const shop = await openShop()
    const [gateId, qHash] = [await shop.gate(), await shop.prove()]
    shop.stripe.twist = (session) => Object.assign(session, changes)
    const answer = await leavesNothing(shop.parts, () => shop.openCheckout(gateId, qHash))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE')
    expect(answer.body.error.details.fault).toBe(fault)
  })

  test.each(['gate', 'proof'])('gets 503 when the new session is the one of another %s', async (other) => {
    const shop = await openShop()
    const [gateId, qHash] = [await shop.gate(), await shop.prove()]
    const id = await shop.session(
      other === 'gate' ? await shop.gate({ gateId: 'gate_other' }) : gateId,
      other === 'proof' ? await shop.prove() : qHash,
    )
    shop.stripe.twist = (session) => Object.assign(session, { id })
    const before = await findCheckout(shop.parts.db, id)
    expectRefused(await shop.openCheckout(gateId, qHash), 'VERIFIER_UNAVAILABLE', /another purchase/)
    expect(await findCheckout(shop.parts.db, id)).toEqual(before!)
  })

  test('names the parameter that Stripe refused, without its words', async () => {
    const shop = await openShop()
    // Stripe wants 30 minutes at least: the clock of the account runs ahead of ours.
    const [gateId, qHash] = [await shop.gate(), await shop.prove()]
    shop.stripe.aheadMs = 20 * minute
    expectRefused(await shop.openCheckout(gateId, qHash), 'VERIFIER_UNAVAILABLE', /400, parameter_invalid, expires_at/)
  })
})

describe('dollars become cents', () => {
  test.each([
    ['4.99', 499],
    ['4.9', 490],
    ['5', 500],
    ['0.50', 50],
    ['0.07', 7],
    ['1.005000', undefined],
    ['1.010000', 101],
    ['0.1', 10],
    ['0.29', 29],
    ['1.1', 110],
    ['9999999.99', 999_999_999],
    ['0.000001', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['-1', undefined],
  ])('%s', (dollars, cents) => {
    expect(convertCents(dollars)).toBe(cents)
  })
})
