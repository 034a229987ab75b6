/** An x402 payment under way holds a place. A buyer without a place is not charged, and no payment is lost. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { claimedForMs } from '../../src/db/claim.ts'
import { openConclusions } from '../../src/gates/fulfill/conclude-settlement.ts'
import { listVersions, writeChanges } from '../../src/gates/store.ts'
import { openSettlementWatch } from '../../src/payments/x402/settlement-watch.ts'
import { type Answer, startApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { putGate, type Stage } from '../gates/fulfill-stage.ts'
import { expectRefused } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { facilitatorLies } from '../parts/x402-facilitator.ts'
import { bob, evmWallet, mallory } from '../wallets.ts'
import { lower, mine, usdc } from './coin-stage.ts'
import { offer, openX402Shop, sign } from './x402-shop.ts'
import {
  decoded,
  encoded,
  openX402Stage,
  other,
  type Payer,
  pauper,
  payer,
  price,
  sendPast,
  toRealTime,
  type X402Stage,
} from './x402-stage.ts'

setDefaultTimeout(60_000)

let chain: X402Stage
let shop: Stage
const newFolder = temporaryFolders()
const reward = [{ kind: 'reveal' as const, value: 'the word is plugh' }]

beforeAll(async () => {
  chain = await openX402Stage()
})
afterAll(() => chain.stop())

let revert: () => Promise<void>
beforeEach(async () => {
  ;({ shop, revert } = await openX402Shop(chain))
})
afterEach(() => revert())

const buyers = (count: number): Payer[] =>
  Array.from({ length: count }, (_, at) => {
    const key = `0x${(0x8100 + at).toString(16).padStart(64, '1')}` as const
    return { account: privateKeyToAccount(key), wallet: evmWallet(key) }
  })

const byHand = (by: Payer, gateId: string, qHash: string, paymentTxHash: string): Promise<Answer> =>
  shop.fulfill(gateId, qHash, { paymentTxHash }, { wallet: by.wallet })

/** Proves, signs a payment and offers it. */
async function buy(by: Payer, gateId: string): Promise<Answer> {
  const qHash = await shop.prove(by.wallet)
  return offer(shop, by, gateId, qHash, await sign(shop, by, gateId, qHash))
}

const settlements = (): number => chain.facilitator.asked.filter((path) => path === '/settle').length

async function charged<Result>(run: () => Promise<Result>) {
  const [money, asked] = [await chain.till(), settlements()]
  const result = await run()
  return { result, money: (await chain.till()) - money, settlements: settlements() - asked }
}

const conclude = async (app: { readonly parts: Stage['parts']; wait(ms: number): void }, afterMs = 31_000) => {
  app.wait(afterMs)
  await openSettlementWatch(app.parts, openConclusions(app.parts, 'x402')).runOnce()
}

const count = async (table: string): Promise<number> =>
  (await shop.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n ?? -1

/** Waits past the end of every authorization, for the chain and for the app. */
async function passTime(app: { wait(ms: number): void }, seconds: number): Promise<void> {
  await chain.anvil.rpc('evm_increaseTime', [seconds])
  await mine(chain.anvil)
  app.wait(seconds * 1000)
}

describe('the last place', () => {
  test('is bought by one of ten buyers, and no other is charged', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    const racers = buyers(10)
    await Promise.all(racers.map(({ account }) => chain.token.write('mint', [account.address, 1_000_000n])))
    const { result, ...moved } = await charged(() => Promise.all(racers.map((by) => buy(by, 'last'))))
    expect(moved).toEqual({ money: 250_000n, settlements: 1 })
    const lost = result.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(9)
    for (const answer of lost) {
      expectRefused(answer, 'GATE_SOLD_OUT', /not settled: no money moved/)
      expect(answer.headers.get('payment-response')).toBeNull()
      expect(answer.body.error.details.unmatched).toBeUndefined()
    }
    expect([await count('reservations'), await count('settlements'), await count('unmatched_payments')]).toEqual([
      0, 0, 0,
    ])
  })

  test('is paid once by a wallet, however many proofs race for it', async () => {
    await shop.gate('once', { price, rewards: reward, perWallet: 1 })
    const { result, ...moved } = await charged(() => Promise.all([1, 2, 3, 4].map(() => buy(payer, 'once'))))
    expect(moved).toEqual({ money: 250_000n, settlements: 1 })
    expect(result.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test('is paid once by a buyer who signs two payments for one proof', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    const qHash = await shop.prove(payer.wallet)
    const two = [await sign(shop, payer, 'last', qHash), await sign(shop, payer, 'last', qHash)]
    const { result, ...moved } = await charged(() =>
      Promise.all(two.map((evidence) => offer(shop, payer, 'last', qHash, evidence))),
    )
    expect(moved).toEqual({ money: 250_000n, settlements: 1 })
    for (const { status, body } of result)
      if (status !== 200) expect(body.error.details.reason).toBe('PAYMENT_UNDER_WAY')
    expect(result.some(({ status }) => status === 200)).toBe(true)
  })

  test('is free again when the payment that held it can no longer move', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    chain.facilitator.lie('/settle', facilitatorLies.dropsTheConnection)
    expectRefused(await buy(payer, 'last'), 'SERVICE_UNAVAILABLE')
    chain.facilitator.tellTheTruth()
    const refused = await buy(other, 'last')
    expectRefused(refused, 'GATE_SOLD_OUT', /sold out for now: 0 of 1 places are taken, and 1 place is held/)
    const { held, freeAt } = refused.body.error.details
    expect(held).toBe(1)
    expect(Math.abs(freeAt - shop.now() - 15 * 60_000)).toBeLessThan(10_000)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(880)
    // The authorization ends after five minutes, so the place is free before its fifteen are over.
    await conclude(shop)
    expect(await count('reservations')).toBe(1)
    await passTime(shop, 400)
    await conclude(shop, 0)
    expect([await count('reservations'), await count('settlements')]).toEqual([0, 0])
  })

  test('is free again after its time, also where the payment is unknown', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    chain.facilitator.lie('/settle', facilitatorLies.dropsTheConnection)
    expectRefused(await buy(payer, 'last'), 'SERVICE_UNAVAILABLE')
    chain.facilitator.tellTheTruth()
    const qHash = await shop.prove(other.wallet)
    expectRefused(await offer(shop, other, 'last', qHash), 'GATE_SOLD_OUT')
    shop.wait(15 * 60_000 + 10_000)
    expectRefused(await offer(shop, other, 'last', qHash), 'PAYMENT_REQUIRED')
    await shop.sweep()
    expect(await count('reservations')).toBe(0)
  })

  test('cannot be held without a signature or without the proofs that the gate asks for', async () => {
    await shop.gate('last', {
      price,
      rewards: reward,
      supply: 1,
      requirements: [{ verifierId: 'ownership-pseudonym' }],
    })
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'last', qHash)
    const bare = await shop.post('/api/v1/profile/gates/last/fulfill', { qHash }, { 'payment-signature': evidence })
    expectRefused(bare, 'WALLET_AUTH_REQUIRED')
    expectRefused(await offer(shop, payer, 'last', qHash, evidence), 'GATE_REQUIREMENTS_NOT_MET')
    await shop.gate('open', { price, rewards: reward, supply: 1 })
    const poor = await shop.prove(pauper.wallet)
    expectRefused(await offer(shop, pauper, 'open', poor, await sign(shop, pauper, 'open', poor)), 'PAYMENT_REQUIRED')
    expect([await count('reservations'), await count('settlements')]).toEqual([0, 0])
  })

  test('says how long it is held before any payment', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    const asked = await offer(shop, payer, 'last', await shop.prove(payer.wallet))
    expect(asked.body.error.details.reservation).toEqual({ minutes: 15 })
  })
})

describe('a place keeps its version:', () => {
  /** The payment moves, its answer is lost, and the owner changes the gate meanwhile. */
  async function paidAndUnheard(change: () => Promise<unknown>) {
    await shop.gate('kept', { price, rewards: reward, supply: 1 })
    chain.facilitator.lie('/settle', async (response, honest) => {
      await change()
      await honest()
      response.destroy()
    })
    const qHash = await shop.prove(payer.wallet)
    return { qHash, answer: await offer(shop, payer, 'kept', qHash, await sign(shop, payer, 'kept', qHash)) }
  }

  test('the reward that was paid for is given, though the gate has another version by then', async () => {
    const { answer } = await paidAndUnheard(() =>
      shop.gate('kept', { price: { ...price, amountUsd: '9.99' }, supply: 1, rewards: [] }),
    )
    expect(answer.body.data.fulfillment.value).toBe('the word is plugh')
    expect(answer.body.data.rewardProof.gateVersion).toBe(1)
    expect(await shop.rows('SELECT usd_micros AS paid FROM fulfillments')).toEqual([{ paid: 250_000 }])
  })

  test('the reward that was paid for is given, though the gate was paused', async () => {
    const { answer, qHash } = await paidAndUnheard(() => shop.setStatus('kept', 'paused'))
    expect(answer.status).toBe(200)
    expect((await offer(shop, payer, 'kept', qHash)).body.data).toEqual(answer.body.data)
  })
})

describe('a held place', () => {
  /** Makes a place and a settlement whose outcome is unknown. */
  async function holdOne(): Promise<string> {
    await shop.gate('held', { price, rewards: reward, supply: 3 })
    chain.facilitator.lie('/settle', facilitatorLies.dropsTheConnection)
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'held', qHash)
    expectRefused(await offer(shop, payer, 'held', qHash, evidence), 'SERVICE_UNAVAILABLE')
    chain.facilitator.tellTheTruth()
    expect([await count('reservations'), await count('settlements')]).toEqual([1, 1])
    return evidence
  }

  test('keeps the version of the gate from being removed', async () => {
    await holdOne()
    const { id } = (await shop.found('held'))!
    const isKept = async () => (await listVersions(shop.parts, id)).find(({ version }) => version === 1)?.isFulfilled
    expect(await isKept()).toBe(true)
    await shop.gate('held', { price, rewards: [], supply: 3 })
    await writeChanges(
      shop.parts,
      [
        {
          kind: 'version',
          base: (await shop.found('held'))!,
          definition: (await shop.found('held'))!.definition,
          rewardValues: [],
          author: 'operator',
          removes: [1],
        },
      ],
      shop.now(),
    )
    expect(await isKept()).toBe(true)
    // The place is over and swept, and the payment may still move.
    shop.wait(16 * 60_000)
    await shop.sweep()
    expect([await count('reservations'), await isKept()]).toEqual([0, true])
    await passTime(shop, 1_000)
    await conclude(shop, 0)
    expect(await isKept()).toBe(false)
  })

  test('does not name a buyer who erased everything, and only the seller sees their payment', async () => {
    const evidence = await holdOne()
    const body = { action: 'erase_all_proofs', walletAddress: lower(payer.account.address) }
    const erased = await shop.post('/api/v1/proofs/erase-all', await shop.ownerBody(payer.wallet, body))
    expect(erased.status).toBe(200)
    expect(await count('reservations')).toBe(0)
    expect(await shop.rows('SELECT wallet, hex(q_hash) AS "qHash" FROM settlements')).toEqual([
      { wallet: '', qHash: '00'.repeat(32) },
    ])
    await sendPast(evidence, chain)
    await conclude(shop)
    expect(await shop.rows('SELECT wallet, q_hash AS "qHash", state, reason FROM unmatched_payments')).toEqual([
      { wallet: null, qHash: null, state: 'owed', reason: 'PROOF_NOT_FOUND' },
    ])
  })

  test('does not name a buyer who erases everything while it is being concluded', async () => {
    const evidence = await holdOne()
    await sendPast(evidence, chain)
    overtake(shop.parts.db, 'INSERT INTO fulfillments', async () => {
      const body = { action: 'erase_all_proofs', walletAddress: lower(payer.account.address) }
      const erased = await shop.post('/api/v1/proofs/erase-all', await shop.ownerBody(payer.wallet, body))
      expect(erased.status).toBe(200)
    })
    await conclude(shop)
    // Where processes share a database, the first look keeps the row to itself for a while.
    await conclude(shop, claimedForMs)
    expect(await shop.rows('SELECT wallet, q_hash AS "qHash", state, reason FROM unmatched_payments')).toEqual([
      { wallet: null, qHash: null, state: 'owed', reason: 'PROOF_NOT_FOUND' },
    ])
  })

  test('is checked again later while the chain is unreachable, and is not given back', async () => {
    await holdOne()
    shop.wait(31_000)
    const before = (await shop.rows<{ watch_at: number }>('SELECT watch_at FROM settlements'))[0]!.watch_at
    const { outside } = shop.parts
    const without = { ...shop.parts, outside: { ...outside, chains: { ...outside.chains, evm: () => undefined } } }
    const watch = openSettlementWatch(without, openConclusions(shop.parts, 'x402'))
    let looked = before
    // Pauses grow with the age, which no number of milliseconds divides evenly.
    for (const waitMs of [0, 61_001, 97_003, 200_007]) {
      shop.wait(waitMs)
      await watch.runOnce()
      const next = (await shop.rows<{ watch_at: number }>('SELECT watch_at FROM settlements'))[0]!.watch_at
      expect(next).toBeGreaterThan(looked)
      looked = next
    }
    expect(shop.logged()).toContain('cannot be looked at')
    expect(await count('reservations')).toBe(1)
  })
})

describe('a payment that was settled and not claimed', () => {
  test('has its fulfillment after a crash, and the buyer gets the reward by asking', async () => {
    const folder = newFolder()
    const env = { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_MASTER_KEY: 'a1'.repeat(32), ...chain.env }
    let app = await startApp(env, folder)
    toRealTime(app)
    await putGate(app.parts, { gateId: 'crash', price, rewards: reward, supply: 1 })
    const qHash = await app.prove(payer.wallet)
    const evidence = await sign(app, payer, 'crash', qHash)
    const settled = Promise.withResolvers<ServerResponse>()
    chain.facilitator.lie('/settle', async (response, honest) => {
      await honest()
      settled.resolve(response)
    })
    const interrupted = offer(app, payer, 'crash', qHash, evidence).catch(() => undefined)
    const unanswered = await settled.promise
    await app.close()
    unanswered.destroy()
    await interrupted

    app = await startApp(env, folder)
    toRealTime(app)
    const waiting = await offer(app, payer, 'crash', qHash)
    expectRefused(waiting, 'PAYMENT_REQUIRED', /sign no other/)
    expect(waiting.body.error.details).toMatchObject({ reason: 'PAYMENT_UNDER_WAY' })
    expect(waiting.headers.get('payment-required')).toBeNull()
    await conclude(app)
    const answer = await offer(app, payer, 'crash', qHash)
    expect(answer.body.data.fulfillment.value).toBe('the word is plugh')
    await app.close()
  })

  /** The facilitator refuses, and still settles when the test lets it. */
  async function refusedThenSettled(): Promise<{ qHash: string; evidence: string; settle: () => Promise<unknown> }> {
    chain.facilitator.lie(
      '/settle',
      facilitatorLies.says({ success: false, errorReason: 'try_later', transaction: '' }),
    )
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'last', qHash)
    const answer = await offer(shop, payer, 'last', qHash, evidence)
    expect(answer.body.error.details.reason).toBe('SETTLEMENT_FAILED')
    chain.facilitator.tellTheTruth()
    return { qHash, evidence, settle: () => sendPast(evidence, chain) }
  }

  test('after the facilitator said no, buys its reward where there is room', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    const { qHash, settle } = await refusedThenSettled()
    expect(await count('reservations')).toBe(0)
    await settle()
    await conclude(shop)
    expect((await offer(shop, payer, 'last', qHash)).status).toBe(200)
    expect([await count('settlements'), await count('unmatched_payments')]).toEqual([0, 0])
  })

  test('after the facilitator said no, is owed where the place went to another buyer', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 1 })
    const { qHash, settle } = await refusedThenSettled()
    expect((await buy(other, 'last')).status).toBe(200)
    await settle()
    await conclude(shop)
    const told = await offer(shop, payer, 'last', qHash)
    expectRefused(told, 'GATE_SOLD_OUT', /was received and bought nothing here: the seller owes it to you/)
    expect(told.body.error.details.unmatched).toMatchObject({
      state: 'owed',
      reason: 'GATE_SOLD_OUT',
      payer: lower(payer.account.address),
      amount: '250000',
    })
    expect(shop.logged()).toContain('a payment arrived and bought nothing')
    expect(await count('settlements')).toBe(0)
  })

  test('after the facilitator said no, may be followed by another one, and the first is owed if it moves too', async () => {
    await shop.gate('last', { price, rewards: reward, supply: 2 })
    const { qHash, settle } = await refusedThenSettled()
    expect((await offer(shop, payer, 'last', qHash, await sign(shop, payer, 'last', qHash))).status).toBe(200)
    await settle()
    await conclude(shop)
    expect(await shop.rows('SELECT reason, state FROM unmatched_payments')).toEqual([
      { reason: 'ALREADY_FULFILLED', state: 'owed' },
    ])
  })
})

describe('a payment by other hands for a place that is gone', () => {
  const methods = ['stablecoin' as const, 'x402' as const]
  const transfer = async (by: Payer, amount = 250_000n): Promise<string> => {
    const { request } = await chain.anvil.publicClient.simulateContract({
      account: by.account,
      address: usdc,
      abi: [
        {
          type: 'function',
          name: 'transfer',
          stateMutability: 'nonpayable',
          inputs: [
            { name: 'to', type: 'address' },
            { name: 'value', type: 'uint256' },
          ],
          outputs: [{ type: 'bool' }],
        },
      ] as const,
      functionName: 'transfer',
      args: [price.recipient, amount],
    })
    await chain.anvil.rpc('anvil_setBalance', [by.account.address, '0xde0b6b3a7640000'])
    const hash = await chain.anvil.walletClient.writeContract(request)
    await chain.anvil.publicClient.waitForTransactionReceipt({ hash })
    return hash
  }
  const openShops = async (): Promise<void> => {
    const own = { price: { ...price, methods }, rewards: reward }
    await shop.gate('gone', { ...own, supply: 1 })
    await shop.gate('next', own)
    await shop.gate('dear', { ...own, price: { ...own.price, amountUsd: '0.26' } })
    await shop.gate('foreign', own, lower(mallory.address))
    expect((await buy(other, 'gone')).status).toBe(200)
  }
  const till = async () => {
    const headers = await shop.ownerHeaders(bob, { action: 'list_gates', walletAddress: lower(bob.address) })
    return (await shop.request('/api/v1/profile/payments', { headers })).body.data.totals
  }

  test('is owed, buys another gate of the same seller for its payer, and nothing of another seller', async () => {
    await openShops()
    const qHash = await shop.prove(payer.wallet)
    const hash = await transfer(payer)
    const refused = await byHand(payer, 'gone', qHash, hash)
    expectRefused(refused, 'GATE_SOLD_OUT', /was received and bought nothing here/)
    expect(refused.body.error.details.unmatched).toMatchObject({ state: 'owed', transactionHash: hash })
    expect((await till()).paid).toBe(1)

    const foreign = await byHand(payer, 'foreign', qHash, hash)
    expectRefused(foreign, 'PAYMENT_ALREADY_USED', /another seller/)
    expect(foreign.body.error.details.reason).toBe('OWED_BY_ANOTHER_SELLER')
    const elsewhere = { ...price, methods, amountUsd: '9', recipient: `0x${'cd'.repeat(20)}` }
    await shop.gate('far', { price: elsewhere, rewards: reward }, lower(mallory.address))
    expectRefused(await byHand(payer, 'far', qHash, hash), 'PAYMENT_ALREADY_USED', /another seller/)
    const dear = await byHand(payer, 'dear', qHash, hash)
    expect(dear.body.error.details.reason).toBe('AMOUNT_TOO_LOW')
    expectRefused(await byHand(other, 'next', await shop.prove(other.wallet), hash), 'PAYMENT_REQUIRED')

    // How long ago it was is not asked any more.
    shop.wait(3 * 3_600_000)
    expect((await byHand(payer, 'next', qHash, hash)).status).toBe(200)
    expect(await till()).toMatchObject({ paid: 2, amountUsd: '0.5' })
    expect(await shop.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'used' }])
    const again = await byHand(payer, 'dear', await shop.prove(payer.wallet), hash)
    expect(again.status).not.toBe(200)
  })

  test('is owed where the buyer had the reward before, and the reward is given again with it', async () => {
    await openShops()
    const qHash = await shop.prove(payer.wallet)
    const first = await transfer(payer)
    expect((await byHand(payer, 'next', qHash, first)).status).toBe(200)
    expect((await byHand(payer, 'next', qHash, first)).body.data.unmatched).toBeUndefined()
    expect((await byHand(payer, 'next', qHash, `0x${'12'.repeat(32)}`)).body.data.unmatched).toBeUndefined()
    const second = await transfer(payer)
    const again = await byHand(payer, 'next', qHash, second.toUpperCase().replace('0X', '0x'))
    expect(again.status).toBe(200)
    expect(again.body.data.unmatched).toMatchObject({ state: 'owed', transactionHash: second })
    expect(await till()).toMatchObject({ paid: 2 })
    expect((await byHand(payer, 'next', await shop.prove(payer.wallet), second)).status).toBe(200)
  })

  test('is awaited like any other, and buys nothing while the chain does not have it', async () => {
    await openShops()
    await shop.gate('slow', { price: { ...price, methods, rewardAfter: 'final' }, rewards: reward })
    const qHash = await shop.prove(payer.wallet)
    const before = await chain.anvil.rpc('evm_snapshot')
    const hash = await transfer(payer)
    expectRefused(await byHand(payer, 'gone', qHash, hash), 'GATE_SOLD_OUT', /was received/)
    const early = await byHand(payer, 'slow', qHash, hash)
    expect(early.body.error.details.reason).toBe('NOT_CONFIRMED')
    await chain.anvil.rpc('evm_revert', [before])
    await mine(chain.anvil, 2)
    const gone = await byHand(payer, 'next', qHash, hash)
    expect([gone.status, gone.body.error.details.reason]).toEqual([402, 'NOT_CONFIRMED'])
    expect(await shop.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'owed' }])
  })

  test('is used once, when it is raced for over the gates of the seller', async () => {
    await openShops()
    const hash = await transfer(payer)
    expectRefused(await byHand(payer, 'gone', await shop.prove(payer.wallet), hash), 'GATE_SOLD_OUT')
    const proofs = [await shop.prove(payer.wallet), await shop.prove(payer.wallet), await shop.prove(payer.wallet)]
    const answers = await Promise.all(proofs.map((qHash) => byHand(payer, 'next', qHash, hash)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('buys nothing any more once the seller says that it was given back, though the chain still shows it', async () => {
    await openShops()
    const hash = await transfer(payer)
    const refused = await byHand(payer, 'gone', await shop.prove(payer.wallet), hash)
    const { identity } = refused.body.error.details.unmatched
    const saying = { identity, transactionHash: `0x${'be'.repeat(32)}` }
    const signed = await shop.ownerBody(bob, { action: 'return_payment', ...saying })
    expect((await shop.post('/api/v1/profile/payments/unmatched/returned', { ...saying, ...signed })).status).toBe(200)
    const late = await byHand(payer, 'next', await shop.prove(payer.wallet), hash)
    expectRefused(late, 'PAYMENT_ALREADY_USED', /was given back by the seller/)
    expect(late.body.error.details).toMatchObject({ reason: 'REFUNDED', identity })
    const elsewhere = await byHand(payer, 'foreign', await shop.prove(payer.wallet), hash)
    expect(elsewhere.status).not.toBe(200)
    expect(await count('fulfillments')).toBe(1)
    expect((await till()).paid).toBe(1)
  })

  test('is all accounted for, when buyers of both kinds race for a few places with a facilitator that fails', async () => {
    await shop.gate('few', { price: { ...price, methods }, rewards: reward, supply: 5 })
    const racers = buyers(24)
    await Promise.all(racers.map(({ account }) => chain.token.write('mint', [account.address, 1_000_000n])))
    const hashes = new Map<Payer, string>()
    const before = await chain.till()
    for (const by of racers.slice(0, 8)) hashes.set(by, await transfer(by))
    let turn = 0
    chain.facilitator.lie('/settle', (response, honest) =>
      [
        facilitatorLies.losesItsAnswer,
        facilitatorLies.dropsTheConnection,
        facilitatorLies.says({ success: false, errorReason: 'try_later', transaction: '' }),
        facilitatorLies.twists((said) => said),
      ][turn++ % 4]!(response, honest as () => Promise<Readonly<Record<string, unknown>>>),
    )
    const answers = await Promise.all(
      racers.map(async (by) => {
        const hash = hashes.get(by)
        return hash ? byHand(by, 'few', await shop.prove(by.wallet), hash) : buy(by, 'few')
      }),
    )
    await passTime(shop, 400)
    await conclude(shop, 0)
    const given = (await shop.found('few'))!.fulfilledCount
    const rows = (await count('payments')) + (await count('unmatched_payments'))
    expect(given).toBeLessThanOrEqual(5)
    expect(given).toBe(await count('payments'))
    expect((await chain.till()) - before).toBe(BigInt(rows) * 250_000n)
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(given)
    expect([await count('reservations'), await count('settlements')]).toEqual([0, 0])
  })

  test('is not owed where the buyer did not make it, and the refusal says so', async () => {
    await openShops()
    const hash = await transfer(other)
    const refused = await byHand(payer, 'gone', await shop.prove(payer.wallet), hash)
    expectRefused(refused, 'GATE_SOLD_OUT', /did not pay for it \(PAYER_MISMATCH\)/)
    expect(await count('unmatched_payments')).toBe(0)
  })

  test('is owed where the gate has ended or was paused', async () => {
    await openShops()
    const [qHash, hash, second] = [await shop.prove(payer.wallet), await transfer(payer), await transfer(payer)]
    await shop.gate('next', { price: { ...price, methods }, schedule: { endsAt: '2020-01-01T00:00:00Z' } })
    expectRefused(await byHand(payer, 'next', qHash, hash), 'GATE_ENDED', /the seller owes it to you/)
    await shop.setStatus('gone', 'paused')
    expectRefused(await byHand(payer, 'gone', qHash, second), 'GATE_PAUSED', /the seller owes it to you/)
    expect(await shop.rows('SELECT reason FROM unmatched_payments ORDER BY id')).toEqual([
      { reason: 'GATE_ENDED' },
      { reason: 'GATE_PAUSED' },
    ])
  })

  test('is owed where a signed payment was sent past this server, and never settled where it was not', async () => {
    await openShops()
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'gone', qHash)
    const { result, ...moved } = await charged(() => offer(shop, payer, 'gone', qHash, evidence))
    expectRefused(result, 'GATE_SOLD_OUT', /not settled: no money moved/)
    expect(moved).toEqual({ money: 0n, settlements: 0 })
    const hash = await sendPast(evidence, chain)
    const told = await offer(shop, payer, 'gone', qHash, evidence)
    expectRefused(told, 'GATE_SOLD_OUT', /the seller owes it to you/)
    // Another seller with the same recipient cannot use this seller's debt, not even by the payload.
    const payload = decoded(evidence)
    const url = payload.resource.url.replace('/gone/', '/foreign/')
    const elsewhere = encoded({ ...payload, resource: { ...payload.resource, url } })
    const foreign = await offer(shop, payer, 'foreign', qHash, elsewhere)
    expectRefused(foreign, 'PAYMENT_ALREADY_USED', /another seller/)
    expect(await count('payments')).toBe(1)
    expect((await byHand(payer, 'next', qHash, hash)).status).toBe(200)
  })
})
