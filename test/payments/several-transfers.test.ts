/** Several transfers in one transaction, as smart wallets and exchanges make them: each is a payment of its own. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { bindStatement } from '../../src/payments/store.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { catchUp, chain, coinEnv, lower, mintTo, openCoinStage, paid, price, shop } from './coin-stage.ts'
import { writeCalls } from './x402-stage.ts'

setDefaultTimeout(60_000)

let anvil: Anvil
beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const rewards = [{ kind: 'reveal' as const, value: 'the secret' }]
const due = 4_990_000n

async function openShop() {
  const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
  await catchUp(stage, anvil)
  for (const gateId of ['one', 'two', 'three']) await stage.gate(gateId, { price, rewards })
  /** All of them in one transaction of this wallet. */
  const pay = async (amounts: readonly bigint[], from: string = alice.address): Promise<Hex> => {
    await mintTo(anvil, { from, amount: amounts.reduce((sum, amount) => sum + amount, 0n) })
    const calls = amounts.map((amount) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, amount] }),
    )
    await anvil.rpc('anvil_setCode', [from, writeCalls(calls)])
    const transaction = { to: from as Hex, gas: 1_000_000n }
    const { transactionHash, logs } = await anvil.send(transaction)
    expect(logs).toHaveLength(amounts.length)
    await anvil.rpc('anvil_setCode', [from, '0x'])
    await catchUp(stage, anvil)
    return transactionHash
  }
  const quote = async (gateId: string, qHash: string, wallet: TestWallet = alice): Promise<bigint> => {
    const signed = await wallet.signAction({ action: 'open_quote', gateId, qHash }, stage.now())
    return BigInt((await stage.post('/api/v1/payments/quote', { gateId, qHash, ...signed })).body.data.amount)
  }
  const buy = (gateId: string, qHash: string, paymentTxHash: string, wallet: TestWallet = alice) =>
    stage.fulfill(gateId, qHash, { paymentTxHash }, { wallet })
  return { stage, pay, quote, buy }
}

const listAmounts = (rows: readonly object[]): string[] => rows.map((row) => (row as { amount: string }).amount)

describe('several transfers of one payer in one transaction', () => {
  test('pay two quotes of the payer, each by its own amount, and nothing more', async () => {
    const { stage, pay, quote, buy } = await openShop()
    const qHash = await stage.prove(alice)
    const amounts = [await quote('one', qHash), await quote('two', qHash)]
    const hash = await pay(amounts)
    // The second first: which transfer stands first decides nothing.
    expect((await buy('two', qHash, hash)).status).toBe(200)
    expect((await buy('one', qHash, hash)).status).toBe(200)
    expect(listAmounts(await stage.rows('SELECT amount FROM payments ORDER BY id'))).toEqual(
      [amounts[1]!, amounts[0]!].map(String),
    )
    const third = await buy('three', qHash, hash)
    expect([third.status, third.body.error.code]).toEqual([409, 'PAYMENT_ALREADY_USED'])
  })

  test('are taken by hand without those that other buyers were quoted', async () => {
    const { stage, pay, quote, buy } = await openShop()
    const theirs = await stage.prove(mallory)
    const quoted = await quote('one', theirs, mallory)
    const hash = await pay([quoted, due])
    const qHash = await stage.prove(alice)
    expect((await buy('two', qHash, hash)).status).toBe(200)
    expect(listAmounts(await stage.rows('SELECT amount FROM payments'))).toEqual([String(due)])
    expect((await buy('three', qHash, hash)).status).not.toBe(200)
    expect((await buy('one', theirs, hash, mallory)).status).toBe(200)
    expect(listAmounts(await stage.rows('SELECT amount FROM payments ORDER BY id'))).toEqual([
      String(due),
      String(quoted),
    ])
  })

  test('are taken by hand before those that the payer was quoted elsewhere', async () => {
    const { stage, pay, quote, buy } = await openShop()
    const qHash = await stage.prove(alice)
    const hash = await pay([await quote('one', qHash), due])
    expect((await buy('two', qHash, hash)).status).toBe(200)
    expect((await buy('one', qHash, hash)).status).toBe(200)
  })

  test('are two rows where the gate is sold out, and each can be used once elsewhere', async () => {
    const { stage, pay, buy } = await openShop()
    await stage.gate('gone', { price, rewards, supply: 1 })
    const last = await pay([due], mallory.address)
    expect((await buy('gone', await stage.prove(mallory), last, mallory)).status).toBe(200)
    const hash = await pay([due, due])
    const qHash = await stage.prove(alice)
    expect((await buy('gone', qHash, hash)).body.error.code).toBe('GATE_SOLD_OUT')
    expect((await buy('gone', qHash, hash)).body.error.code).toBe('GATE_SOLD_OUT')
    expect(await stage.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'owed' }, { state: 'owed' }])
    const answers = await Promise.all(['one', 'two', 'three'].map((gateId) => buy(gateId, qHash, hash)))
    const more = await Promise.all(['one', 'two', 'three'].map((gateId) => buy(gateId, qHash, hash)))
    expect(answers.concat(more).filter(({ status }) => status === 200).length).toBeGreaterThan(1)
    expect(await stage.rows("SELECT 1 FROM fulfillments WHERE state = 'granted'")).toHaveLength(3)
    expect(await stage.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'used' }, { state: 'used' }])
  })

  test('buy as many rewards as there are transfers, however many requests race for them', async () => {
    const { stage, pay, buy } = await openShop()
    const hash = await pay([due, due, due])
    const proofs = await Promise.all(Array.from({ length: 8 }, () => stage.prove(alice)))
    const requests = proofs.map((qHash, place) => buy(['one', 'two', 'three'][place % 3]!, qHash, hash))
    const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    expect(await stage.rows('SELECT DISTINCT identity FROM payments')).toHaveLength(3)
  })

  test('were one payment where it was claimed before each of them counted', async () => {
    const { stage, pay, buy } = await openShop()
    const hash = await pay([due, due])
    const identity = `tx:${chain}:${hash}:${lower(alice.address)}`
    const before = { paid: true, payer: lower(alice.address), amount: String(due), paidAt: stage.now() } as const
    await stage.parts.db.write([
      bindStatement({
        method: 'stablecoin',
        gate: (await stage.found('three'))!.id,
        qHash: `0x${'cd'.repeat(32)}`,
        paid: { ...before, identity, details: {}, isFinal: true },
        claimedAt: stage.now(),
      }),
    ])
    const refused = await buy('one', await stage.prove(alice), hash)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PAYMENT_ALREADY_USED'])
    expect(await stage.rows('SELECT identity FROM payments')).toEqual([{ identity }])
  })
})

test('A transfer of the amount that another buyer was quoted is theirs alone, in every order and race', async () => {
  const { stage, quote, buy } = await openShop()
  for (const isRace of [false, true]) {
    const theirs = await stage.prove(mallory)
    const hash = await paid(anvil, { from: bob.address, amount: await quote('one', theirs, mallory) })
    await catchUp(stage, anvil)
    const own = await stage.prove(bob)
    const byHand = () => buy('two', own, hash, bob)
    const byQuote = () => buy('one', theirs, hash, mallory)
    const [hand, quoted] = isRace ? await Promise.all([byHand(), byQuote()]) : [await byHand(), await byQuote()]
    expect([hand.status, hand.body.error.details.reason]).toEqual([402, 'QUOTED_TO_ANOTHER'])
    expect(hand.body.error.message).toContain('quoted to another buyer')
    expect(quoted.status).toBe(200)
  }
})
