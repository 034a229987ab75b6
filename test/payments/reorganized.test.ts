/** Transfers that a reorganization took back, and that are mined again: rewards, places and what is owed, over HTTP. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { reviewing } from '../../src/gates/fulfill/apply-review.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { openWatch } from '../../src/payments/watch.ts'
import { watchOwed } from '../../src/payments/watch-owed.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import {
  catchUp,
  coinEnv,
  makeFinal,
  mine,
  mined,
  mintTo,
  openCoinStage,
  paid,
  price,
  transfers,
} from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
let anvil: Anvil
beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const rewards = [{ kind: 'reveal' as const, value: 'the secret' }]

async function openShop() {
  const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
  const { timestamp } = await anvil.publicClient.getBlock()
  await anvil.rpc('evm_increaseTime', [Math.max(0, Math.floor(stage.now() / 1000) - Number(timestamp))])
  await mine(anvil)
  await catchUp(stage, anvil)
  await stage.gate('last', { price: { ...price, rewardAfter: 'first_block' }, rewards, supply: 1 })
  await stage.gate('other', { price, rewards })
  const watches = [openWatch(stage.parts, reviewing), watchOwed(stage.parts)]
  const buy = (gateId: string, qHash: string, paymentTxHash: string, wallet: TestWallet = alice) =>
    stage.fulfill(gateId, qHash, { paymentTxHash }, { wallet })
  /** The clock goes on, and the watcher looks. */
  const look = async (ms: number): Promise<void> => {
    stage.wait(ms)
    for (const watch of watches) await watch.runOnce()
  }
  /** Offered by Alice at the gate, and taken back by the chain. */
  const drop = async (expected = 200) => {
    // The coins come before what is replaced.
    await mintTo(anvil)
    await mine(anvil)
    const hash = await transfers(anvil)
    await mined(anvil, hash)
    await catchUp(stage, anvil)
    const qHash = await stage.prove(alice)
    expect((await buy('last', qHash, hash)).status).toBe(expected)
    const sent = (await anvil.rpc('eth_getTransactionByHash', [hash])) as Record<string, string>
    await anvil.rpc('anvil_reorg', [1, []])
    await anvil.rpc('anvil_dropAllTransactions')
    const comeBack = async (): Promise<void> => {
      const { from, to, input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = sent
      const again = { from, to, data: input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }
      expect(await anvil.rpc('eth_sendTransaction', [again])).toBe(hash)
      expect((await mined(anvil, hash)).status).toBe('success')
    }
    return { qHash, hash, comeBack }
  }
  const sold = async (): Promise<number> =>
    ((await stage.rows("SELECT paid_count AS paid FROM gates WHERE gate_id = 'last'"))[0] as { paid: number }).paid
  return { stage, buy, look, drop, sold }
}

describe('a payment that the chain takes back', () => {
  test('suspends its reward at the next look, keeps its place, and gives it again when it is mined again', async () => {
    const { buy, look, drop } = await openShop()
    const { qHash, hash, comeBack } = await drop()
    await look(16_000)
    const refused = await buy('last', qHash, hash)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'FULFILLMENT_SUSPENDED'])
    expect(refused.body.error.message).toContain('until the transaction is mined again')
    await comeBack()
    await look(16_000)
    expect((await buy('last', qHash, hash)).status).toBe(200)
    await makeFinal(anvil)
    await look(16_000)
    expect((await buy('last', qHash, hash)).status).toBe(200)
  })

  test('keeps its place from others for ten minutes, and no longer', async () => {
    const { stage, buy, look, drop, sold } = await openShop()
    await drop()
    await look(16_000)
    const theirs = await stage.prove(mallory)
    const hash = await paid(anvil, { from: mallory.address })
    expect((await buy('last', theirs, hash, mallory)).body.error.code).toBe('GATE_SOLD_OUT')
    await look(10 * minute)
    expect(await sold()).toBe(0)
  })

  test('is given again after ten minutes too, while its place is free', async () => {
    const { buy, look, drop, sold } = await openShop()
    const { qHash, hash, comeBack } = await drop()
    await look(11 * minute)
    expect((await buy('last', qHash, hash)).body.error.message).toContain('looked for again')
    expect(await sold()).toBe(0)
    await comeBack()
    await look(6_000)
    expect((await buy('last', qHash, hash)).status).toBe(200)
    expect(await sold()).toBe(1)
  })

  test('is owed where its place was sold meanwhile, and buys something else once', async () => {
    const { stage, buy, look, drop, sold } = await openShop()
    const { qHash, hash, comeBack } = await drop()
    await look(11 * minute)
    const last = await paid(anvil, { from: mallory.address })
    await catchUp(stage, anvil)
    expect((await buy('last', await stage.prove(mallory), last, mallory)).status).toBe(200)
    await comeBack()
    await look(30 * minute)
    const { error } = (await buy('last', qHash, hash)).body
    expect(error.code).toBe('FULFILLMENT_SUSPENDED')
    expect(error.message).toMatch(/its place was given to somebody else.*it is on the chain.*the seller owes it to you/)
    expect(error.details).toMatchObject({ onChain: true, unmatched: { state: 'owed', transactionHash: hash } })
    expect(error.message).not.toContain('pay again')
    const elsewhere = await Promise.all(
      (await Promise.all([stage.prove(alice), stage.prove(alice)])).map((proof) => buy('other', proof, hash)),
    )
    expect(elsewhere.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await stage.rows('SELECT state FROM unmatched_payments')).toEqual([{ state: 'used' }])
    await look(60 * minute)
    expect((await buy('last', qHash, hash)).body.error.code).toBe('FULFILLMENT_SUSPENDED')
    expect(await sold()).toBe(1)
  })
})

test('An owed payment that the chain took back is reported as such, and must not be returned until it is mined again', async () => {
  const { stage, buy, look, drop } = await openShop()
  const last = await paid(anvil, { from: mallory.address })
  await catchUp(stage, anvil)
  expect((await buy('last', await stage.prove(mallory), last, mallory)).status).toBe(200)
  const { qHash, hash, comeBack } = await drop(409)
  const list = async () => {
    const { headers } = await stage.signIn(bob)
    return (await stage.request('/api/v1/profile/payments/unmatched', { headers })).body.data.payments
  }
  const [{ identity, onChain }] = await list()
  expect(onChain).toBe(true)
  const giveBack = async () => {
    const signed = await stage.ownerBody(bob, { action: 'return_payment', identity })
    return stage.post('/api/v1/profile/payments/unmatched/returned', { identity, ...signed })
  }
  const refused = await giveBack()
  expect([refused.status, refused.body.error.details]).toMatchObject([409, { state: 'owed', reason: 'NOT_ON_CHAIN' }])
  await look(16_000)
  expect(await list()).toMatchObject([{ identity, state: 'owed', onChain: false }])
  expect((await giveBack()).status).toBe(409)
  expect((await buy('other', qHash, hash)).status).toBe(402)
  await comeBack()
  await look(60_000)
  expect(await list()).toMatchObject([{ identity, state: 'owed', onChain: true }])
  expect((await giveBack()).status).toBe(200)
})
