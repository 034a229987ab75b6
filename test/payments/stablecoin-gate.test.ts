/** Paid gates over HTTP, with payments on a real chain: rewards given and rewards that reorganizations take back. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { reviewing } from '../../src/gates/fulfill/apply-review.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { openWatch } from '../../src/payments/watch.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { type LyingRpc, lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { catchUp, coinEnv, lower, makeFinal, mine, openCoinStage, paid, price } from './coin-stage.ts'
import { link, unlink } from './linking.ts'

setDefaultTimeout(60_000)

const minute = 60_000
let anvil: Anvil
let rpc: LyingRpc

beforeAll(async () => {
  anvil = await openCoinStage()
  rpc = startLyingRpc(anvil.url)
})
afterAll(() => Promise.all([anvil.stop(), rpc.stop()]))

const rewards = [{ kind: 'reveal' as const, value: 'sesame' }]

/** A server with a gate for 4.99 dollars, and alice's proof for it. */
async function openShop(more: Record<string, string> = {}) {
  const stage = await openStage(coinEnv(rpc.url, more), () => [stablecoin])
  await catchUp(stage, anvil)
  await stage.gate('gate_shop', { price, rewards })
  const qHash = await stage.prove(alice)
  const buy = (hash: string, at = { gateId: 'gate_shop', qHash }) =>
    stage.fulfill(at.gateId, at.qHash, { paymentTxHash: hash })
  return { stage, qHash, buy, watch: openWatch(stage.parts, reviewing) }
}

interface Row {
  readonly state: string
  readonly identity: string
  readonly watch_at: number | null
}
const paymentsIn = (stage: Stage): Promise<Row[]> => stage.rows<Row>('SELECT * FROM payments ORDER BY id')

describe('a paid gate', () => {
  test('gives its reward for the payment, the same once more for the same pair, and nothing for another', async () => {
    const { stage, buy } = await openShop()
    const hash = await paid(anvil)
    await catchUp(stage, anvil)
    const first = await buy(hash)
    expect([first.status, first.body.data.fulfillment.value]).toEqual([200, 'sesame'])
    expect((await buy(hash)).body.data).toEqual(first.body.data)

    await stage.gate('gate_second', { price, rewards })
    const other = await stage.prove(alice)
    const refused = [
      await buy(hash, { gateId: 'gate_second', qHash: other }),
      await buy(hash, { gateId: 'gate_shop', qHash: other }),
      await buy(`0x${hash.slice(2).toUpperCase()}`, { gateId: 'gate_shop', qHash: other }),
    ]
    for (const { status, body } of refused)
      expect([status, body.error.code, JSON.stringify(body).includes('sesame')]).toEqual([
        409,
        'PAYMENT_ALREADY_USED',
        false,
      ])
    expect(await paymentsIn(stage)).toHaveLength(1)
  })

  test('reports why a payment is insufficient, and claims nothing of it', async () => {
    const { stage, buy } = await openShop()
    const [little, foreign] = [await paid(anvil, { amount: 4_000_000n }), await paid(anvil, { from: mallory.address })]
    await catchUp(stage, anvil)
    const tooLow = await buy(little)
    expect([tooLow.status, tooLow.body.error.code, tooLow.body.error.details.reason]).toEqual([
      402,
      'PAYMENT_REQUIRED',
      'AMOUNT_TOO_LOW',
    ])
    expect(tooLow.body.error.message).toContain('0.99 USDC is missing')
    expect((await buy(foreign)).body.error.details.reason).toBe('PAYER_MISMATCH')
    expect((await buy('0x12')).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { path: '/paymentTxHash' },
    })
    const old = await paid(anvil)
    await catchUp(stage, anvil)
    stage.wait(61 * minute)
    expect((await buy(old)).body.error.details.reason).toBe('PAYMENT_TOO_OLD')
    expect(await paymentsIn(stage)).toEqual([])
    expect(await stage.rows('SELECT * FROM fulfillments')).toEqual([])
  })

  test('waits for confirmations, and then gives the reward', async () => {
    const { stage, buy } = await openShop({ PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '2' })
    const hash = await paid(anvil)
    await catchUp(stage, anvil)
    const early = await buy(hash)
    expect([early.status, early.body.error.details.reason, early.headers.get('retry-after')]).toEqual([
      402,
      'NOT_CONFIRMED',
      '5',
    ])
    await mine(anvil)
    expect((await buy(hash)).status).toBe(200)
  })

  test('answers 503 while the chain is unreachable, claims nothing, and gives the reward afterwards', async () => {
    const { stage, buy } = await openShop()
    const hash = await paid(anvil)
    await catchUp(stage, anvil)
    rpc.lie(lies.status(500, 'eth_getTransactionReceipt'))
    const down = await buy(hash)
    rpc.tellTheTruth()
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await paymentsIn(stage)).toEqual([])
    expect((await buy(hash)).status).toBe(200)
  })

  test('takes the money of a linked wallet, until the link is revoked', async () => {
    const { stage, buy } = await openShop()
    const unlinked = await paid(anvil, { from: bob.address })
    await catchUp(stage, anvil)
    expect((await buy(unlinked)).body.error.details.reason).toBe('PAYER_MISMATCH')
    const qHash = await link(stage, bob, alice)
    expect((await buy(unlinked)).status).toBe(200)

    expect((await unlink(stage, qHash, bob)).status).toBe(200)
    const next = await paid(anvil, { from: bob.address })
    await catchUp(stage, anvil)
    const again = await stage.prove(alice)
    expect((await buy(next, { gateId: 'gate_shop', qHash: again })).body.error.details.reason).toBe('PAYER_MISMATCH')
  })
})

describe('after the reward', () => {
  test('a reorganization that takes the payment back suspends what it paid for', async () => {
    const { stage, buy, watch } = await openShop()
    await mine(anvil)
    const hash = await paid(anvil)
    await mine(anvil, 2)
    await catchUp(stage, anvil)
    expect((await buy(hash)).status).toBe(200)
    expect((await stage.found('gate_shop'))?.fulfilledCount).toBe(1)
    await anvil.rpc('anvil_reorg', [3, []])

    // It may be mined again: for ten minutes its place is kept.
    stage.wait(minute)
    await watch.runOnce()
    expect((await buy(hash)).body.error.code).toBe('FULFILLMENT_SUSPENDED')
    expect((await stage.found('gate_shop'))?.fulfilledCount).toBe(1)

    stage.wait(10 * minute)
    await watch.runOnce()
    expect(await paymentsIn(stage)).toMatchObject([{ state: 'reversed', watch_at: stage.now() + 165_000 }])
    expect(await stage.rows('SELECT state FROM fulfillments')).toEqual([{ state: 'suspended' }])
    expect((await stage.found('gate_shop'))?.fulfilledCount).toBe(0)
    const later = await buy(hash)
    expect([later.status, later.body.error.code, JSON.stringify(later.body).includes('sesame')]).toEqual([
      409,
      'FULFILLMENT_SUSPENDED',
      false,
    ])
    expect(stage.logged()).toContain('"reason":"REORGANISED"')
  })

  test('a payment that stays becomes final, and is checked no more', async () => {
    const { stage, buy, watch } = await openShop()
    const hash = await paid(anvil)
    await catchUp(stage, anvil)
    expect((await buy(hash)).status).toBe(200)
    expect(await paymentsIn(stage)).toMatchObject([
      { state: 'claimed', identity: `tx:eip155:8453:${hash}:${lower(alice.address)}:1` },
    ])
    stage.wait(15_000)
    await watch.runOnce()
    expect(await paymentsIn(stage)).toMatchObject([{ state: 'claimed', watch_at: stage.now() + 15_000 }])
    await makeFinal(anvil)
    stage.wait(minute)
    await catchUp(stage, anvil)
    await watch.runOnce()
    expect(await paymentsIn(stage)).toMatchObject([{ state: 'final', watch_at: null }])
    expect((await buy(hash)).status).toBe(200)
  })
})
