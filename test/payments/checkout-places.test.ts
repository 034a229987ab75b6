/**
 * At gates with limits, an open payment page holds a place. Tests its holder, its end, and payments without a place.
 */

import { describe, expect, test } from 'bun:test'
import { claimedForMs } from '../../src/db/claim.ts'
import { splitDefinition } from '../../src/gates/definition/normal-form.ts'
import { findReservation } from '../../src/gates/fulfill/reservation-store.ts'
import { bind } from '../../src/gates/fulfill/store.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { findGate, writeChanges } from '../../src/gates/store.ts'
import { findPayment } from '../../src/payments/store.ts'
import { findUnmatched } from '../../src/payments/unmatched-store.ts'
import { writeAccount } from '../../src/wallet/account.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { select } from '../parts/select.ts'
import { alice, bob, evmWallet, mallory, type TestWallet } from '../wallets.ts'
import { type CardShop, hour, minute, openShop } from './card-shop.ts'

const aliceAccount = { wallet: alice.address.toLowerCase(), contractOn: undefined }
const aliceText = writeAccount(aliceAccount)

const makeBuyers = (count: number): TestWallet[] =>
  Array.from({ length: count }, (_, at) => evmWallet(`0x${String(at + 10).padStart(64, '0')}`))

const gateRow = async (shop: CardShop, gateId: string) =>
  (await select<{ fulfilled: number; paid: number; usd: number }>(
    shop.parts.db,
    'SELECT fulfilled_count AS fulfilled, paid_count AS paid, paid_usd_micros AS usd FROM gates WHERE gate_id = ?1',
  ).get(gateId))!

const findGateNumber = async (shop: CardShop, gateId: string): Promise<number> =>
  (await findGate(shop.parts, gateId))!.id

async function buyer(shop: CardShop, gateId: string, wallet: TestWallet) {
  const qHash = await shop.prove(wallet)
  const answer = await shop.openCheckout(gateId, qHash, {}, wallet)
  return { wallet, qHash, answer, sessionId: answer.body.data?.sessionId as string }
}

/** A new version of the gate of the shop. */
async function change(shop: CardShop, gateId: string, changes: Partial<GateDefinition>, status = 'active' as const) {
  const base = (await findGate(shop.parts, gateId))!
  const definition = { ...shop.definition, gateId, ...changes }
  const version = { kind: 'version', base, status, author: base.owner, ...splitDefinition(definition) } as const
  expect(await writeChanges(shop.parts, [version], shop.now())).toBe('stored')
}

async function setStatus(shop: CardShop, gateId: string, status: 'paused' | 'deleted'): Promise<void> {
  const base = (await findGate(shop.parts, gateId))!
  const change = { kind: 'status', base, status, author: base.owner } as const
  expect(await writeChanges(shop.parts, [change], shop.now())).toBe('stored')
}

describe('a gate with a supply of one', () => {
  test('ten buyers at the same time open one page, and the others hear that nothing was charged', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const wallets = makeBuyers(10)
    const proofs: string[] = []
    for (const wallet of wallets) proofs.push(await shop.prove(wallet))
    const answers = await Promise.all(wallets.map((wallet, at) => shop.openCheckout(gateId, proofs[at]!, {}, wallet)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefused(answer, 'GATE_SOLD_OUT', /held for buyers who are paying.*Nothing was charged/)
    expect(shop.stripe.asked.filter((asked) => asked === 'POST /v1/checkout/sessions')).toHaveLength(1)
  })

  test('a page that comes before the proofs blocks no buyer who has them', async () => {
    const shop = await openShop()
    const price = { ...shop.definition.price!, executionOrder: 'chargeThenVerify' as const }
    const gateId = await shop.gate({ supply: 1, price, requirements: [{ verifierId: 'ownership-basic', minCount: 2 }] })
    const early = await buyer(shop, gateId, alice)
    expect(early.answer.body.data.reservedUntil).toBeNull()
    await shop.prove(bob)
    const ready = await buyer(shop, gateId, bob)
    expect(ready.answer.body.data.reservedUntil).toBe(ready.answer.body.data.expiresAt)
    shop.stripe.pay(ready.sessionId)
    expect((await shop.fulfill(gateId, ready.qHash, ready.sessionId, bob)).status).toBe(200)
    shop.stripe.pay(early.sessionId)
    shop.wait(30 * hour)
    await shop.watch()
    expect(shop.stripe.charge(early.sessionId).refunded).toBe(true)
  })

  test('a page that was paid before the proofs gives no reward until they are there', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({
      supply: 1,
      price: { ...shop.definition.price!, executionOrder: 'chargeThenVerify' },
      requirements: [{ verifierId: 'ownership-basic', minCount: 2 }],
    })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    shop.stripe.pay(sessionId)
    expectRefused(await shop.fulfill(gateId, qHash, sessionId), 'GATE_REQUIREMENTS_NOT_MET')
    await shop.prove(alice)
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  })

  test('the buyer hears until when the place is held, and only at a gate with limits', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { answer } = await buyer(shop, gateId, alice)
    expect(answer.body.data.reservedUntil).toBe(answer.body.data.expiresAt)
    const open = await shop.gate({ gateId: 'gate_open' })
    expect((await buyer(shop, open, alice)).answer.body.data.reservedUntil).toBeNull()
    expect(await findReservation(shop.parts.db, await findGateNumber(shop, open), aliceText)).toBeUndefined()
  })

  test('a held place is kept from others, also from their free proofs, and the page is the same again', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const first = await buyer(shop, gateId, alice)
    expectRefused((await buyer(shop, gateId, bob)).answer, 'GATE_SOLD_OUT')
    const again = await shop.openCheckout(gateId, first.qHash)
    expect(again.body.data.sessionId).toBe(first.sessionId)
    shop.stripe.pay(first.sessionId)
    expect((await shop.fulfill(gateId, first.qHash, first.sessionId)).status).toBe(200)
    expect(await gateRow(shop, gateId)).toEqual({ fulfilled: 1, paid: 1, usd: 4_990_000 })
  })

  test('the place is free again when the page ends unpaid, and not before', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const first = await buyer(shop, gateId, alice)
    shop.wait(44 * minute)
    await shop.watch()
    expectRefused((await buyer(shop, gateId, bob)).answer, 'GATE_SOLD_OUT')
    shop.stripe.expire(first.sessionId)
    shop.wait(10 * minute)
    await shop.watch()
    expect((await buyer(shop, gateId, bob)).answer.status).toBe(200)
  })

  test('the place is free again at once when Stripe opens no page', async () => {
    const shop = await openShop({ PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' })
    const gateId = await shop.gate({ supply: 1 })
    const qHash = await shop.prove()
    shop.stripe.fault = 'refuses the key for this (403)'
    const answer = await leavesNothing(shop.parts, () => shop.openCheckout(gateId, qHash))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE')
    shop.stripe.fault = undefined
    expect((await buyer(shop, gateId, bob)).answer.status).toBe(200)
  })

  test('the place is taken for two minutes only while Stripe is asked, should the server stop meanwhile', async () => {
    const shop = await openShop({ PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' })
    const gateId = await shop.gate({ supply: 1 })
    const qHash = await shop.prove()
    shop.stripe.fault = 'hangs'
    const asked = shop.openCheckout(gateId, qHash)
    while (shop.stripe.asked.length === 0) await Bun.sleep(5)
    const { expiresAt } = (await findReservation(shop.parts.db, await findGateNumber(shop, gateId), aliceText))!
    expect(expiresAt - shop.now()).toBe(2 * minute)
    expectRefused(await asked, 'VERIFIER_UNAVAILABLE')
  })

  test('a second page that Stripe does not open leaves the place of the first, which can still be paid', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const first = await buyer(shop, gateId, alice)
    shop.wait(15 * minute)
    shop.stripe.twist = (session) => Object.assign(session, { amount_total: 599 })
    expectRefused(await shop.openCheckout(gateId, first.qHash), 'VERIFIER_UNAVAILABLE')
    shop.stripe.twist = undefined
    expectRefused((await buyer(shop, gateId, bob)).answer, 'GATE_SOLD_OUT')
    shop.stripe.pay(first.sessionId)
    await shop.watch()
    expect((await shop.fulfill(gateId, first.qHash, first.sessionId)).status).toBe(200)
  })

  test('an outage of Stripe after the end of the page keeps the place for a day, and no longer', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const first = await buyer(shop, gateId, alice)
    const { expiresAt } = first.answer.body.data
    shop.stripe.fault = 'has a fault of its own (500)'
    for (const hours of [1, 22]) {
      shop.wait(hours * hour)
      await shop.watch()
      expectRefused((await buyer(shop, gateId, bob)).answer, 'GATE_SOLD_OUT')
    }
    shop.stripe.fault = undefined
    shop.wait(expiresAt + 24 * hour - shop.now())
    expect((await buyer(shop, gateId, bob)).answer.status).toBe(200)
  })
})

describe('a wallet', () => {
  test('holds one place at a gate with limits: for another proof it waits or pays the first', async () => {
    const shop = await openShop({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const gateId = await shop.gate({ supply: 5 })
    const first = await buyer(shop, gateId, alice)
    const { answer } = await buyer(shop, gateId, alice)
    expectRefused(answer, 'CONFLICT', /holds a place at this gate for another of its proofs/)
    expect(answer.body.error.details).toEqual({ reason: 'PLACE_HELD', qHash: first.qHash, freeAt: expect.any(Number) })
    expect((await buyer(shop, gateId, bob)).answer.status).toBe(200)
  })

  test('opens no page after it has used its share', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ perWallet: 1 })
    const first = await buyer(shop, gateId, alice)
    shop.stripe.pay(first.sessionId)
    expect((await shop.fulfill(gateId, first.qHash, first.sessionId)).status).toBe(200)
    expectRefused((await buyer(shop, gateId, alice)).answer, 'GATE_LIMIT_REACHED')
    expect((await buyer(shop, gateId, bob)).answer.status).toBe(200)
  })
})

describe('a buyer who never returns', () => {
  test('has the reward all the same, without an event and without a second payment', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    expect(await gateRow(shop, gateId)).toEqual({ fulfilled: 1, paid: 1, usd: 4_990_000 })
    expect(await findPayment(shop.parts.db, `card:${shop.stripe.payment(sessionId).id}`)).toMatchObject({
      state: 'claimed',
    })
    shop.wait(48 * hour)
    const late = await shop.fulfill(gateId, qHash, sessionId)
    expect(late.body.data.fulfillment).toMatchObject({ delivery: 'reveal', value: 'the secret of the shop' })
    expect((await shop.fulfill(gateId, qHash)).body.data).toEqual(late.body.data)
    await shop.watch()
    expect((await gateRow(shop, gateId)).fulfilled).toBe(1)
  })

  test('is claimed for after an outage of Stripe, however long it took', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    shop.stripe.pay(sessionId)
    const faults = ['has a fault of its own (500)', 'refuses the key (401)', 'answers with null'] as const
    for (const fault of faults) {
      shop.stripe.fault = fault
      shop.wait(12 * hour)
      await shop.watch()
      expect((await gateRow(shop, gateId)).fulfilled).toBe(0)
    }
    shop.stripe.fault = undefined
    shop.wait(12 * hour)
    await shop.watch()
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  })

  test('gets the held reward, although the gate was paused', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'paused')
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    expect((await gateRow(shop, gateId)).fulfilled).toBe(1)
  })

  test('pays first where the gate says so, and has the money back where the proofs never come', async () => {
    const shop = await openShop()
    const price = { ...shop.definition.price!, executionOrder: 'chargeThenVerify' as const }
    const gateId = await shop.gate({ price, supply: 1, requirements: [{ verifierId: 'wallet-link' }] })
    const { sessionId } = await buyer(shop, gateId, alice)
    shop.stripe.pay(sessionId)
    shop.wait(hour)
    await shop.watch()
    expect(shop.stripe.refunds(sessionId)).toHaveLength(0)
    for (let hours = 0; hours < 30; hours += 6) {
      shop.wait(6 * hour)
      await shop.watch()
    }
    expect(shop.stripe.charge(sessionId).refunded).toBe(true)
    expect(await findUnmatched(shop.parts.db, `card:${shop.stripe.payment(sessionId).id}`)).toMatchObject({
      state: 'refunded',
      reason: 'GATE_REQUIREMENTS_NOT_MET',
    })
  })
})

describe('a gate that changes between the page and the payment', () => {
  const dear: Partial<GateDefinition> = {
    price: { amountUsd: '9.99', methods: ['card'] },
    rewards: [{ kind: 'reveal', value: 'the secret of version two' }],
  }

  test.each(['comes back', 'does not come back'])(
    'gives a buyer who %s the bought reward, and the sums show the paid amount',
    async (how) => {
      const shop = await openShop()
      const gateId = await shop.gate({ supply: 1 })
      const { qHash, sessionId } = await buyer(shop, gateId, alice)
      await change(shop, gateId, { ...dear, supply: 1 })
      shop.stripe.pay(sessionId)
      if (how === 'does not come back') {
        shop.wait(2 * minute)
        await shop.watch()
        expect((await gateRow(shop, gateId)).fulfilled).toBe(1)
      }
      const answer = await shop.fulfill(gateId, qHash, sessionId)
      expect(answer.body.data.fulfillment.value).toBe('the secret of the shop')
      expect(answer.body.data.rewardProof.gateVersion).toBe(1)
      expect(await gateRow(shop, gateId)).toEqual({ fulfilled: 1, paid: 1, usd: 4_990_000 })
    },
  )

  test('opens another page at its new price, and the earlier page still buys what it said', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const first = await buyer(shop, gateId, alice)
    await change(shop, gateId, { ...dear, supply: 1 })
    const second = await shop.openCheckout(gateId, first.qHash)
    expect(shop.stripe.session(second.body.data.sessionId).amount_total).toBe(999)
    shop.stripe.pay(first.sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    const answer = await shop.fulfill(gateId, first.qHash)
    expect(answer.body.data.fulfillment.value).toBe('the secret of the shop')
  })

  test('takes no more cards: a page that was opened before still buys', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    const recipient = `0x${'12'.repeat(20)}`
    await change(shop, gateId, { price: { amountUsd: '5', methods: ['stablecoin'], recipient } })
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    expect((await shop.fulfill(gateId, qHash, sessionId)).status).toBe(200)
  })
})

describe('a payment that buys nothing', () => {
  const findUnmatchedPayment = (shop: CardShop, sessionId: string) =>
    findUnmatched(shop.parts.db, `card:${shop.stripe.payment(sessionId).id}`)

  test.each([
    ['the proof was revoked', 'PROOF_NOT_VERIFIED'],
    ['the gate was deleted', 'GATE_NOT_FOUND'],
    ['its place was gone, and so was the supply', 'GATE_SOLD_OUT'],
    ['it is the second for the same purchase', 'ALREADY_FULFILLED'],
  ])('because %s is refunded', async (why, reason) => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    if (reason === 'PROOF_NOT_VERIFIED') {
      const body = await shop.ownerBody(alice, { action: 'revoke_proof', qHash })
      expect((await shop.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).status).toBe(200)
    }
    if (reason === 'GATE_NOT_FOUND') await setStatus(shop, gateId, 'deleted')
    if (reason === 'GATE_SOLD_OUT') {
      shop.wait(26 * hour)
      const other = await buyer(shop, gateId, bob)
      shop.stripe.pay(other.sessionId)
      expect((await shop.fulfill(gateId, other.qHash, other.sessionId, bob)).status).toBe(200)
    }
    if (reason === 'ALREADY_FULFILLED') {
      shop.wait(11 * minute)
      const second = await shop.session(gateId, qHash)
      shop.stripe.pay(second)
      expect((await shop.fulfill(gateId, qHash, second)).status).toBe(200)
    }
    const before = await gateRow(shop, gateId)
    shop.stripe.pay(sessionId)
    shop.wait(12 * hour)
    await shop.watch()
    expect({ why, row: await findUnmatchedPayment(shop, sessionId) }).toMatchObject({
      why,
      row: { reason, state: 'refunded', amount: '499' },
    })
    expect(shop.stripe.charge(sessionId).refunded).toBe(true)
    expect(await gateRow(shop, gateId)).toEqual(before)
    expect(await findPayment(shop.parts.db, `card:${shop.stripe.payment(sessionId).id}`)).toBeUndefined()
  })

  test('because the buyer erased everything is refunded, and no record of it names the buyer', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    const walletAddress = alice.address.toLowerCase()
    const body = await shop.ownerBody(alice, { action: 'erase_all_proofs', walletAddress })
    expect((await shop.post('/api/v1/proofs/erase-all', body)).status).toBe(200)
    expect(await select<{ wallet: string | null }>(shop.parts.db, 'SELECT wallet FROM checkouts').all()).toEqual([
      { wallet: null },
    ])
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    expect(await findUnmatchedPayment(shop, sessionId)).toMatchObject({
      state: 'refunded',
      reason: 'PROOF_NOT_FOUND',
      buyer: null,
      qHash: null,
    })
  })

  test('because the buyer erases everything at the moment of its use is refunded, and does not name the buyer', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    overtake(shop.parts.db, 'INSERT INTO fulfillments', async () => {
      const action = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
      expect((await shop.post('/api/v1/proofs/erase-all', await shop.ownerBody(alice, action))).status).toBe(200)
    })
    await shop.watch()
    // Where processes share a database, the first look keeps the row to itself for a while.
    shop.wait(claimedForMs)
    await shop.watch()
    expect(await findUnmatchedPayment(shop, sessionId)).toMatchObject({
      state: 'refunded',
      reason: 'PROOF_NOT_FOUND',
      buyer: null,
      qHash: null,
    })
  })

  test('is refunded once by however many looks, and never bound after that', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = 'pending'
    shop.wait(2 * minute)
    for (let look = 0; look < 5; look++) {
      await shop.watch()
      shop.wait(6 * hour)
    }
    expect(shop.stripe.refunds(sessionId)).toHaveLength(1)
    expect((await findUnmatchedPayment(shop, sessionId))?.state).toBe('refunding')
    await change(shop, gateId, { supply: 1 })
    const told = await shop.fulfill(gateId, qHash, sessionId)
    expectRefused(told, 'PAYMENT_REQUIRED')
    expect((await gateRow(shop, gateId)).fulfilled).toBe(0)
    shop.stripe.endRefund(shop.stripe.refunds(sessionId)[0]!.id, 'succeeded')
    shop.wait(6 * hour)
    await shop.watch()
    expect(await findUnmatchedPayment(shop, sessionId)).toMatchObject({ state: 'refunded' })
    expect((await shop.openCheckout(gateId, qHash)).status).toBe(200)
  })

  test('buys nothing while its refund is under way, though the gate is open again, and the buyer hears the outcome', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = { code: 'balance_insufficient' }
    shop.wait(2 * minute)
    await shop.watch()
    await change(shop, gateId, { supply: 1 })
    const told = await leavesNothing(shop.parts, () => shop.fulfill(gateId, qHash, sessionId))
    expectRefused(told, 'PAYMENT_REQUIRED', /arrived, but bought nothing \(GATE_NOT_FOUND\): it is being refunded/)
    expect(told.body.error.details.reason).toBe('PAYMENT_REFUNDING')

    // A request that had looked before the row was written reaches the binding: the statement refuses it.
    const { identity, details } = (await findUnmatchedPayment(shop, sessionId))!
    const paid = { paid: true, identity, payer: null, amount: '499', paidAt: 1, details, isFinal: false } as const
    const bindIt = async () =>
      bind(shop.parts.db, {
        gate: await findGateNumber(shop, gateId),
        qHash,
        buyer: aliceAccount,
        version: 1,
        receiptId: 'r'.repeat(22),
        now: shop.now(),
        usdMicros: 4_990_000,
        payment: { method: 'card', paid },
      })
    expect(await leavesNothing(shop.parts, bindIt)).toBe('payment-used')
    await shop.parts.db.write([{ sql: `UPDATE unmatched_payments SET state = 'used'`, params: [] }])
    expect(await bindIt()).toBe('bound')
  })

  test('is owed by the seller where Stripe says that the refund failed', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = 'failed'
    shop.wait(2 * minute)
    await shop.watch()
    expect(await findUnmatchedPayment(shop, sessionId)).toMatchObject({
      state: 'owed',
      nextAt: null,
      details: { refundRefused: 'expired_or_canceled_card', session: sessionId },
    })
  })

  test('is owed, and not refunded a second time, where a refund that was pending fails', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = 'pending'
    shop.wait(2 * minute)
    await shop.watch()
    shop.stripe.endRefund(shop.stripe.refunds(sessionId)[0]!.id, 'failed')
    shop.wait(hour)
    await shop.watch()
    expect(await findUnmatchedPayment(shop, sessionId)).toMatchObject({ state: 'owed', nextAt: null })
    expect(shop.stripe.refunds(sessionId)).toHaveLength(1)
  })

  test('is tried again with longer pauses while Stripe refuses for now, and goes back in the end', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.stripe.refundFate = { code: 'balance_insufficient' }
    shop.wait(2 * minute)
    for (let look = 0; look < 50; look++) {
      await shop.watch()
      shop.wait(15 * minute)
    }
    const tries = shop.stripe.asked.filter((asked) => asked === 'POST /v1/refunds').length
    expect(tries).toBeGreaterThan(3)
    expect(tries).toBeLessThan(15)
    shop.stripe.refundFate = 'succeeded'
    shop.wait(6 * hour)
    await shop.watch()
    expect((await findUnmatchedPayment(shop, sessionId))?.state).toBe('refunded')
    expect(shop.stripe.refunds(sessionId)).toHaveLength(1)
  })

  test('is counted in the metrics when it went back', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { sessionId } = await buyer(shop, gateId, alice)
    await setStatus(shop, gateId, 'deleted')
    shop.stripe.pay(sessionId)
    shop.wait(2 * minute)
    await shop.watch()
    await shop.parts.metrics.flush()
    expect(
      await select<{ subject: string; count: number }>(
        shop.parts.db,
        `SELECT subject, count FROM daily_numbers WHERE kind = 'refunds' ORDER BY subject`,
      ).all(),
    ).toEqual([
      { subject: '', count: 1 },
      { subject: gateId, count: 1 },
    ])
  })
})

describe('a buyer without a payment and with an open page', () => {
  const bare = (shop: CardShop, gateId: string, qHash: string, walletAddress: string) =>
    shop.post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, walletAddress })

  test('hears until when it can be paid, and by which id, and hears nothing after it ended', async () => {
    const shop = await openShop()
    const gateId = await shop.gate()
    const { qHash, sessionId, answer } = await buyer(shop, gateId, alice)
    const { expiresAt, url } = answer.body.data
    const asked = await shop.fulfill(gateId, qHash)
    const until = new Date(expiresAt).toISOString().replaceAll('.', '\\.')
    expectRefused(asked, 'PAYMENT_REQUIRED', new RegExp(`card is open for this proof until ${until}: finish it there`))
    const { details } = asked.body.error
    expect([details.reason, details.openCheckout]).toEqual([
      'PAYMENT_MISSING',
      { paymentCheckoutSessionId: sessionId, expiresAt },
    ])
    expect(JSON.stringify(asked.body)).not.toContain(url)
    // Another proof of the same wallet, and another gate, have no page.
    await shop.gate({ gateId: 'gate_open' })
    const others = [await shop.fulfill(gateId, await shop.prove(alice)), await shop.fulfill('gate_open', qHash)]
    for (const { body } of others) expect(body.error.details.openCheckout).toBeUndefined()

    shop.wait(46 * minute)
    const later = await shop.fulfill(gateId, qHash)
    expectRefused(later, 'PAYMENT_REQUIRED', /send the payment along$/)
    expect(later.body.error.details.openCheckout).toBeUndefined()
  })

  test('hears nothing of the page when only a wallet address was sent', async () => {
    const shop = await openShop({ PROOFGATE_GATES_ACCEPT_BARE_WALLET: 'true' })
    const gateId = await shop.gate({ rewards: [{ kind: 'access_granted' }] })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    const named = await bare(shop, gateId, qHash, alice.address)
    expectRefused(named, 'PAYMENT_REQUIRED', /send the payment along$/)
    expect(JSON.stringify(named.body)).not.toContain(sessionId)
    expectRefused(await shop.fulfill(gateId, qHash, undefined, bob), 'FORBIDDEN')
    expect((await shop.fulfill(gateId, qHash)).body.error.details.openCheckout).toBeDefined()
    // A refusal of the gate names the page only to a buyer who signs.
    await setStatus(shop, gateId, 'deleted')
    expect(JSON.stringify((await bare(shop, gateId, qHash, alice.address)).body)).not.toContain(sessionId)
    expect(JSON.stringify((await shop.fulfill(gateId, qHash)).body)).toContain(sessionId)
  })
})

test('the owner of a gate may still hear what to fix, and no place is taken for it', async () => {
  const shop = await openShop()
  const gateId = await shop.gate({ supply: 1, price: { amountUsd: '4.995', methods: ['card'] } })
  const qHash = await shop.prove(mallory)
  const answer = await leavesNothing(shop.parts, () => shop.openCheckout(gateId, qHash, {}, mallory))
  expectRefused(answer, 'GATE_MISCONFIGURED')
})

describe('other buyers, while a page of payment is open,', () => {
  test('hear when the place is free again, which is soon after the end of the page', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { answer, sessionId } = await buyer(shop, gateId, alice)
    const { expiresAt } = answer.body.data
    const told = await shop.openCheckout(gateId, await shop.prove(bob), {}, bob)
    expectRefused(told, 'GATE_SOLD_OUT', /held for buyers who are paying/)
    const { freeAt } = told.body.error.details
    expect(freeAt - expiresAt).toBeGreaterThan(0)
    expect(freeAt - expiresAt).toBeLessThan(3 * minute)
    expect(Number(told.headers.get('retry-after'))).toBe(Math.ceil((freeAt - shop.now()) / 1000))

    // The wallet hears that the place is its own.
    const second = await shop.openCheckout(gateId, await shop.prove(alice))
    expectRefused(second, 'GATE_SOLD_OUT', /1 place is held for this wallet, with another of its proofs/)
    expect(second.body.error.details).toMatchObject({ freeAt, ownHeld: 1 })

    shop.stripe.expire(sessionId)
    shop.wait(freeAt - shop.now())
    await shop.watch()
    const later = await shop.openCheckout(gateId, await shop.prove(bob), {}, bob)
    expect([later.status, later.body.error]).toEqual([200, undefined])
  })
})

describe('a buyer who is refused while an open page of theirs may have been paid', () => {
  test('hears of it, and of the outcome of the payment, and no other buyer does', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const { qHash, sessionId } = await buyer(shop, gateId, alice)
    const signed = await shop.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect((await shop.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status).toBe(200)
    shop.stripe.pay(sessionId)
    const answer = await shop.fulfill(gateId, qHash)
    expectRefused(
      answer,
      'PROOF_NOT_VERIFIED',
      /If you paid there.*you get the reward, or the payment is refunded or owed/,
    )
    const { reason, paymentUnderWay } = answer.body.error.details
    expect([reason, paymentUnderWay.paymentCheckoutSessionId]).toEqual(['PAYMENT_UNDER_WAY', sessionId])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await setStatus(shop, gateId, 'deleted')
    expectRefused(await shop.fulfill(gateId, qHash), 'GATE_NOT_FOUND', /If you paid there/)
    const stranger = await shop.fulfill(gateId, qHash, undefined, bob)
    expect(JSON.stringify(stranger.body)).not.toContain(sessionId)
  })
})
