/** Money that others paid for a quote and that bought nothing: tests who may use it. Runs over HTTP on a real chain. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { watchOwed } from '../../src/payments/watch-owed.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { overtake } from '../parts/overtake.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { alice, bob, evmWallet, mallory, type TestWallet } from '../wallets.ts'
import {
  catchUp,
  coinEnv,
  lower,
  mine,
  mintTo,
  openCoinStage,
  paid,
  price,
  transfers,
  withoutMining,
} from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
const seller = lower(bob.address)
/** Pays for others, as an exchange does, and has a proof of its own. */
const exchange = evmWallet(`0x${'e5'.repeat(32)}`)
let anvil: Anvil

beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const rewards = [{ kind: 'reveal' as const, value: 'the secret' }]

const fulfill = (stage: Stage, gateId: string, qHash: string, paymentTxHash: string, wallet: TestWallet) =>
  stage.fulfill(gateId, qHash, { paymentTxHash }, { wallet })

/** Alice's quote for the last one was paid by the exchange, and offered when the last one was Mallory's. */
async function openOwed() {
  const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
  await catchUp(stage, anvil)
  await stage.gate('gone', { price, rewards, supply: 1 })
  await stage.gate('next', { price, rewards })
  await stage.gate('dear', { price: { ...price, amountUsd: '9' }, rewards })
  await stage.gate('foreign', { price, rewards }, lower(mallory.address))
  const qHash = await stage.prove(alice)
  const signed = await alice.signAction({ action: 'open_quote', gateId: 'gone', qHash }, stage.now())
  const quote = await stage.post('/api/v1/payments/quote', { gateId: 'gone', qHash, ...signed })
  const hash = await paid(anvil, { from: exchange.address, amount: BigInt(quote.body.data.amount) })
  stage.wait(16 * minute)
  const last = await paid(anvil, { from: mallory.address })
  const theirs = await stage.prove(mallory)
  expect((await fulfill(stage, 'gone', theirs, last, mallory)).status).toBe(200)
  const refused = await fulfill(stage, 'gone', qHash, hash, alice)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'GATE_SOLD_OUT'])
  return { stage, qHash, hash, refused }
}

const reason = (answer: { readonly body: { readonly error?: { readonly details: { readonly reason?: string } } } }) =>
  answer.body.error?.details.reason

describe('a quote that another wallet paid and that bought nothing', () => {
  test('can be used by the buyer that it was opened for, who hears so, and once', async () => {
    const { stage, qHash, hash, refused } = await openOwed()
    const { unmatched } = refused.body.error.details
    expect(unmatched).toMatchObject({ state: 'owed', payer: lower(exchange.address), usableBy: ['payer', 'buyer'] })
    expect(refused.body.error.message).toContain('You and the wallet that paid can use it')
    expect(reason(await fulfill(stage, 'dear', qHash, hash, alice))).toBe('AMOUNT_TOO_LOW')
    expect(reason(await fulfill(stage, 'foreign', qHash, hash, alice))).toBe('OWED_BY_ANOTHER_SELLER')

    // How long ago it was is not asked any more.
    stage.wait(180 * minute)
    expect((await fulfill(stage, 'next', qHash, hash, alice)).status).toBe(200)
    expect(await stage.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'used' }])
    const again = await stage.prove(alice)
    const later = await stage.prove(exchange)
    expect((await fulfill(stage, 'next', again, hash, alice)).status).not.toBe(200)
    expect((await fulfill(stage, 'next', later, hash, exchange)).status).not.toBe(200)
    expect(await stage.rows('SELECT 1 FROM payments')).toHaveLength(2)
  })

  test('can be used by the wallet that paid as well, and by no stranger who knows its hash', async () => {
    const { stage, hash } = await openOwed()
    const stranger = evmWallet(`0x${'f7'.repeat(32)}`)
    for (const wallet of [mallory, stranger]) {
      const refused = await fulfill(stage, 'next', await stage.prove(wallet), hash, wallet)
      expect([refused.status, reason(refused)]).toEqual([402, 'PAYER_MISMATCH'])
    }
    expect((await fulfill(stage, 'next', await stage.prove(exchange), hash, exchange)).status).toBe(200)
  })

  test('is listed for the wallet that paid, also after its buyer has erased everything, and can be used by it', async () => {
    const { stage, qHash, hash } = await openOwed()
    const payQuote = async (wallet: TestWallet) => {
      const { headers } = await stage.signIn(wallet)
      return (await stage.request('/api/v1/profile/payments/unmatched?side=paid', { headers })).body.data.payments
    }
    expect(await payQuote(alice)).toMatchObject([{ qHash, transactionHash: hash }])
    const [row] = await payQuote(exchange)
    expect(row).toMatchObject({ state: 'owed', transactionHash: hash, walletAddress: null })
    expect(row.qHash).toBeUndefined()
    expect(await payQuote(mallory)).toEqual([])
    const erasing = { action: 'erase_all_proofs', walletAddress: lower(alice.address) }
    await stage.post('/api/v1/proofs/erase-all', await stage.ownerBody(alice, erasing))
    expect(await payQuote(alice)).toEqual([])
    expect(await payQuote(exchange)).toMatchObject([{ state: 'owed', transactionHash: hash, usableBy: ['payer'] }])
    expect(JSON.stringify(await stage.rows('SELECT * FROM unmatched_payments'))).not.toContain(
      lower(alice.address).slice(2),
    )
    expect((await fulfill(stage, 'next', await stage.prove(exchange), hash, exchange)).status).toBe(200)
  })

  test('is used once when its buyer and its payer race for it', async () => {
    const { stage, hash } = await openOwed()
    const racers = await Promise.all(
      [alice, exchange, alice, exchange].map(async (wallet) => ({ wallet, qHash: await stage.prove(wallet) })),
    )
    const answers = await Promise.all(racers.map(({ wallet, qHash }) => fulfill(stage, 'next', qHash, hash, wallet)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test('cannot be used by another wallet where the wallet of the buyer paid it', async () => {
    const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
    await catchUp(stage, anvil)
    await stage.gate('gone', { price, rewards, supply: 1 }, seller)
    const hash = await paid(anvil)
    const last = await paid(anvil, { from: mallory.address })
    expect((await fulfill(stage, 'gone', await stage.prove(mallory), last, mallory)).status).toBe(200)
    const refused = await fulfill(stage, 'gone', await stage.prove(alice), hash, alice)
    expect(refused.body.error.details.unmatched).toMatchObject({ state: 'owed', usableBy: ['payer'] })
    expect(refused.body.error.message).toContain('The wallet that paid can use it')
  })
})

describe('a second transfer for a reward that was given', () => {
  async function openGiven() {
    const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
    await catchUp(stage, anvil)
    await stage.gate('shop', { price, rewards })
    const qHash = await stage.prove(alice)
    const first = await paid(anvil)
    expect((await fulfill(stage, 'shop', qHash, first, alice)).status).toBe(200)
    return { stage, qHash, first }
  }

  test('is reported as unchecked before it is in a block, and is owed when it is offered again', async () => {
    const { stage, qHash, first } = await openGiven()
    await mintTo(anvil)
    let second: `0x${string}` = '0x'
    await withoutMining(anvil, async () => {
      second = await transfers(anvil)
      const { status, body } = await fulfill(stage, 'shop', qHash, second, alice)
      expect([status, body.data.fulfillment.value, body.data.unmatched]).toEqual([200, 'the secret', undefined])
      expect(body.data.secondPayment).toEqual({
        transactionHash: second,
        reason: 'TX_NOT_FOUND',
        message: expect.stringMatching(/wait until it is mined.*Repeat this request in 5 s.*owed to you/),
        retryAfterSeconds: 5,
      })
      await mine(anvil)
    })
    await catchUp(stage, anvil)
    const again = (await fulfill(stage, 'shop', qHash, second, alice)).body.data
    expect(again.unmatched).toMatchObject({ state: 'owed', transactionHash: second })
    expect(again.secondPayment).toBeUndefined()
    // The payment that bought it is no second one.
    const same = (await fulfill(stage, 'shop', qHash, first, alice)).body.data
    expect([same.unmatched, same.secondPayment]).toEqual([undefined, undefined])
  })

  test('is reported as such when it pays nothing, and should not be offered again', async () => {
    const { stage, qHash } = await openGiven()
    const strange = await paid(anvil, { from: exchange.address })
    const { secondPayment } = (await fulfill(stage, 'shop', qHash, strange, alice)).body.data
    expect(secondPayment).toMatchObject({ transactionHash: strange, reason: 'PAYER_MISMATCH' })
    expect(secondPayment.retryAfterSeconds).toBeUndefined()
    const { status, body } = await fulfill(stage, 'shop', qHash, '0x12', alice)
    expect([status, body.data.secondPayment.reason]).toEqual([200, 'VALIDATION_ERROR'])
  })
})

describe('a quote that another wallet paid after its end', () => {
  async function openLate(more: object = {}) {
    const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
    await catchUp(stage, anvil)
    await stage.gate('shop', { price: { ...price, ...more }, rewards })
    const qHash = await stage.prove(alice)
    const signed = await alice.signAction({ action: 'open_quote', gateId: 'shop', qHash }, stage.now())
    const quote = await stage.post('/api/v1/payments/quote', { gateId: 'shop', qHash, ...signed })
    const pay = async (minutes: number) => {
      await anvil.rpc('evm_increaseTime', [minutes * 60])
      await mine(anvil)
      const hash = await paid(anvil, { from: exchange.address, amount: BigInt(quote.body.data.amount) })
      await catchUp(stage, anvil)
      return hash
    }
    return { stage, qHash, pay, amount: BigInt(quote.body.data.amount) }
  }

  test('is owed, and its buyer can use it for this gate or another one of the seller', async () => {
    const { stage, qHash, pay } = await openLate()
    const hash = await pay(20)
    const late = await fulfill(stage, 'shop', qHash, hash, alice)
    expect([late.status, reason(late)]).toEqual([402, 'QUOTE_ENDED'])
    expect(late.body.error.message).toMatch(/its quote stood from .*You and the wallet that paid can use it/)
    const { unmatched } = late.body.error.details
    expect(unmatched).toMatchObject({ state: 'owed', reason: 'QUOTE_ENDED', transactionHash: hash })
    const stranger = await fulfill(stage, 'shop', await stage.prove(mallory), hash, mallory)
    expect(reason(stranger)).toBe('PAYER_MISMATCH')
    expect((await fulfill(stage, 'shop', qHash, hash, alice)).status).toBe(200)
    expect(await stage.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'used' }])
  })

  test('is not owed before the gate would take it', async () => {
    const { stage, qHash, pay } = await openLate({ rewardAfter: 'final' })
    const hash = await pay(20)
    const early = await fulfill(stage, 'shop', qHash, hash, alice)
    expect(reason(early)).toBe('QUOTE_ENDED')
    expect(early.body.error.details.retryAfterSeconds).toBeGreaterThan(0)
    expect(await stage.rows('SELECT 1 FROM unmatched_payments')).toEqual([])
  })

  test('is recorded for a buyer who got the reward in another way meanwhile', async () => {
    const { stage, qHash, pay } = await openLate()
    expect((await fulfill(stage, 'shop', qHash, await paid(anvil), alice)).status).toBe(200)
    const hash = await pay(20)
    const again = (await fulfill(stage, 'shop', qHash, hash, alice)).body.data
    expect(again.unmatched).toMatchObject({ state: 'owed', transactionHash: hash })
  })

  test('is reported and owed where the gate is sold out', async () => {
    const { stage, qHash, pay } = await openLate()
    const hash = await pay(20)
    await stage.gate('shop', { price, rewards, supply: 1 })
    expect(
      (await fulfill(stage, 'shop', await stage.prove(mallory), await paid(anvil, { from: mallory.address }), mallory))
        .status,
    ).toBe(200)
    const refused = await fulfill(stage, 'shop', qHash, hash, alice)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'GATE_SOLD_OUT'])
    expect(refused.body.error.details.unmatched).toMatchObject({ state: 'owed', transactionHash: hash })
  })

  test('belongs to no buyer where the transfer was made before the quote', async () => {
    const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
    await catchUp(stage, anvil)
    await stage.gate('shop', { price, rewards }, price.recipient)
    const early = await paid(anvil, { from: exchange.address, amount: 4_990_001n })
    stage.wait(5 * minute)
    // A person who knows of an earlier transfer may try to get its amount as a quote.
    await stage.parts.db.write([
      {
        sql: `${countTo(9_999, 2)}
              INSERT INTO quotes (quote_id, gate, q_hash, wallet, version, usd_micros, recipient, suffix, created_at, expires_at)
              SELECT 'filled_' || i, 99, ${randomHash}, 'filler', 1, 4990000, ?1, i, CAST(?2 AS BIGINT), ?2 + 900000 FROM n
              WHERE i % 10 <> 0`,
        params: [price.recipient, stage.now()],
      },
    ])
    const qHash = await stage.prove(mallory)
    const signed = await mallory.signAction({ action: 'open_quote', gateId: 'shop', qHash }, stage.now())
    const { data } = (await stage.post('/api/v1/payments/quote', { gateId: 'shop', qHash, ...signed })).body
    expect(data.amount).toBe('4990001')
    const refused = await fulfill(stage, 'shop', qHash, early, mallory)
    expect([refused.status, reason(refused)]).toEqual([402, 'QUOTE_ENDED'])
    expect(refused.body.error.details.unmatched).toBeUndefined()
    expect(await stage.rows('SELECT 1 FROM unmatched_payments')).toEqual([])
  })
})

describe('the trace of a quote that another wallet paid', () => {
  const erase = async (stage: Stage) => {
    const erasing = { action: 'erase_all_proofs', walletAddress: lower(alice.address) }
    const body = await stage.ownerBody(alice, erasing)
    expect((await stage.post('/api/v1/proofs/erase-all', body)).status).toBe(200)
  }
  const readDetails = async (stage: Stage) =>
    JSON.parse((await stage.rows<{ details: string }>('SELECT details FROM unmatched_payments'))[0]!.details)

  test('forgets a buyer who erases everything during a look at the chain', async () => {
    const { stage, hash } = await openOwed()
    expect(await readDetails(stage)).toMatchObject({ quoteId: expect.any(String) })
    overtake(stage.parts.db, 'UPDATE unmatched_payments SET next_at', () => erase(stage))
    stage.wait(minute)
    await watchOwed(stage.parts).runOnce()
    const details = await readDetails(stage)
    expect(details).toMatchObject({ transactionHash: hash })
    expect(details).not.toHaveProperty('quoteId')
  })

  test('forgets a buyer who erases everything while the seller gives the money back', async () => {
    const { stage, refused } = await openOwed()
    const { identity } = refused.body.error.details.unmatched
    const giveBack = async () => {
      const path = '/api/v1/profile/payments/unmatched/returned'
      return stage.post(path, { identity, ...(await stage.ownerBody(bob, { action: 'return_payment', identity })) })
    }
    overtake(stage.parts.db, "SET state = 'refunded'", () => erase(stage))
    expect((await giveBack()).status).toBe(409)
    expect((await giveBack()).status).toBe(200)
    const details = await readDetails(stage)
    expect(details).toHaveProperty('returnedAt')
    expect(details).not.toHaveProperty('quoteId')
  })
})
