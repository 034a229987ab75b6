/** The purchase of a transfer: the version of its time, or the quoted one; over HTTP, on a real chain. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { encodeFunctionData, erc20Abi } from 'viem'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { sweepOnce } from '../../src/sweep.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import {
  catchUp,
  chain,
  coinEnv,
  makeFinal,
  mine,
  mintTo,
  openCoinStage,
  paid,
  price,
  shop,
  usdc,
} from './coin-stage.ts'
import { writeCalls } from './x402-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
let anvil: Anvil

beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

/** Marks a version by its secret, so that a test sees which version was bought. */
const version = (secret: string, more: Partial<GateDefinition> = {}) => ({
  price,
  rewards: [{ kind: 'reveal' as const, value: secret }],
  ...more,
})

async function openShop(env: Record<string, string> = {}) {
  const stage = await openStage(coinEnv(anvil.url, env), () => [stablecoin])
  await catchUp(stage, anvil)
  /** The chain and the server go on by so much, and a block is made. */
  const pass = async (ms: number): Promise<void> => {
    await anvil.rpc('evm_increaseTime', [ms / 1000])
    await mine(anvil)
    await catchUp(stage, anvil)
  }
  const pay = async (payment: Parameters<typeof paid>[1] = {}): Promise<string> => {
    const hash = await paid(anvil, payment)
    await catchUp(stage, anvil)
    return hash
  }
  const quote = async (qHash: string, wallet: TestWallet = alice, gateId = 'gate_shop') => {
    const signed = await wallet.signAction({ action: 'open_quote', gateId, qHash }, stage.now())
    return stage.post('/api/v1/payments/quote', { gateId, qHash, ...signed })
  }
  const buy = (qHash: string, more: object, wallet: TestWallet = alice) =>
    stage.fulfill('gate_shop', qHash, more, { wallet })
  return { stage, pass, pay, quote, buy }
}

const reason = ({ body }: { readonly body: { readonly error: { readonly details: { readonly reason: string } } } }) =>
  body.error.details.reason

describe('a transfer without a quote', () => {
  test('does not buy a gate that did not exist yet', async () => {
    const { stage, pass, pay, buy } = await openShop()
    const hash = await pay()
    await pass(20_000)
    await stage.gate('gate_shop', version('one'))
    const refused = await buy(await stage.prove(alice), { paymentTxHash: hash })
    expect([refused.status, reason(refused)]).toEqual([402, 'PAYMENT_BEFORE_GATE'])
    expect(refused.body.error.message).toContain('did not ask for a payment')
    expect(await stage.rows('SELECT 1 FROM payments')).toEqual([])
  })

  test('seconds before the gate counts, as clocks differ, and pays one reward alone', async () => {
    const { stage, pay } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const hash = await pay()
    stage.wait(5_000)
    await stage.gate('gate_new', version('new'))
    const qHash = await stage.prove(alice)
    const buy = (gateId: string) => stage.fulfill(gateId, qHash, { paymentTxHash: hash }, { wallet: alice })
    const answers = await Promise.all([buy('gate_new'), buy('gate_shop')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('PAYMENT_ALREADY_USED')
    expect(await stage.rows('SELECT 1 FROM payments')).toHaveLength(1)
  })

  test('seconds before the gate does not count where it is the amount that another gate quoted', async () => {
    const { stage, pay, quote } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    const { data } = (await quote(qHash)).body
    const hash = await pay({ amount: BigInt(data.amount) })
    stage.wait(5_000)
    await stage.gate('gate_new', version('new'))
    const buy = (gateId: string) => stage.fulfill(gateId, qHash, { paymentTxHash: hash }, { wallet: alice })
    const refused = await buy('gate_new')
    expect([refused.status, reason(refused)]).toEqual([402, 'PAYMENT_BEFORE_GATE'])
    expect(refused.body.error.message).toContain('another gate')
    expect((await buy('gate_shop')).status).toBe(200)
  })

  test('does not buy a gate that had no price yet', async () => {
    const { stage, pass, pay, buy } = await openShop()
    await stage.gate('gate_shop', { rewards: version('free').rewards })
    await pass(20_000)
    const hash = await pay()
    await pass(20_000)
    await stage.gate('gate_shop', version('one'))
    const refused = await buy(await stage.prove(alice), { paymentTxHash: hash })
    expect(reason(refused)).toBe('PAYMENT_BEFORE_GATE')
  })

  test('buys the version of its time at the price of that time, and the owner’s sums add that price', async () => {
    const { stage, pass, pay, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    await pass(20_000)
    const hash = await pay()
    await pass(20_000)
    const elsewhere = '0x6ecbe1db9ef729cbe972c83fb886247691fb6beb'
    await stage.gate('gate_shop', version('two', { price: { ...price, amountUsd: '50', recipient: elsewhere } }))
    const bought = await buy(await stage.prove(alice), { paymentTxHash: hash })
    expect([bought.status, bought.body.data.fulfillment.value, bought.body.data.rewardProof.gateVersion]).toEqual([
      200,
      'one',
      1,
    ])
    expect(await stage.rows('SELECT version, usd_micros FROM fulfillments')).toEqual([
      { version: 1, usd_micros: 4_990_000 },
    ])
    expect(await stage.rows('SELECT paid_usd_micros FROM gates')).toEqual([{ paid_usd_micros: 4_990_000 }])
  })

  test('does not buy the previous version by a block that came after the next one', async () => {
    const { stage, pass, pay, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    await pass(20_000)
    await stage.gate('gate_shop', version('two', { price: { ...price, amountUsd: '50' } }))
    await pass(20_000)
    const refused = await buy(await stage.prove(alice), { paymentTxHash: await pay() })
    expect(reason(refused)).toBe('AMOUNT_TOO_LOW')
  })

  test('counts also where the gate has stopped taking transfers since', async () => {
    const { stage, pass, pay, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    await pass(20_000)
    const hash = await pay()
    await pass(20_000)
    await stage.gate('gate_shop', version('two', { price: { amountUsd: '4.99', methods: ['card'] } }))
    const bought = await buy(await stage.prove(alice), { paymentTxHash: hash })
    expect([bought.status, bought.body.data?.fulfillment.value]).toEqual([200, 'one'])
    const late = await buy(await stage.prove(alice), { paymentTxHash: await pay() })
    expect(reason(late)).toBe('METHOD_NOT_ACCEPTED')
  })
})

describe('a quote', () => {
  test('tells an amount below a cent above the price, holds a place, and is the same while it is open', async () => {
    const { stage, quote } = await openShop({ PROOFGATE_PAYMENTS_RESERVATION_MINUTES: '20' })
    await stage.gate('gate_shop', version('one', { supply: 1 }))
    const qHash = await stage.prove(alice)
    const { status, body, headers } = await quote(qHash)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const { data } = body
    expect(data).toMatchObject({
      gateId: 'gate_shop',
      qHash,
      version: 1,
      network: chain,
      asset: 'USDC',
      assetAddress: usdc.toLowerCase(),
      recipient: shop,
      openedAt: stage.now(),
      expiresAt: stage.now() + 20 * minute,
      reservedUntil: stage.now() + 20 * minute,
    })
    expect(Number(data.amount)).toBeGreaterThan(4_990_000)
    expect(Number(data.amount)).toBeLessThan(5_000_000)
    expect(Number(data.amount) % 10).not.toBe(0)
    expect(data.amountText).toBe((Number(data.amount) / 1e6).toFixed(6))
    expect((await quote(qHash)).body.data).toEqual(data)
    expect(await stage.rows('SELECT wallet, method FROM reservations')).toEqual([
      { wallet: alice.address.toLowerCase(), method: 'stablecoin' },
    ])
  })

  test('keeps others from the last place, and gives its buyer the reward', async () => {
    const { stage, pay, quote, buy } = await openShop()
    await stage.gate('gate_shop', version('one', { supply: 1 }))
    const [mine, theirs] = [await stage.prove(alice), await stage.prove(mallory)]
    const { body } = await quote(mine)
    const refused = await quote(theirs, mallory)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'GATE_SOLD_OUT'])
    expect(refused.body.error.message).toContain('held for buyers who are paying')
    const hash = await pay({ amount: BigInt(body.data.amount) })
    const bought = await buy(mine, { paymentTxHash: hash, paymentQuoteId: body.data.quoteId })
    expect(bought.status).toBe(200)
  })

  test('is counted as held in the public view of the gate, until it is paid or over', async () => {
    const { stage, pay, quote, buy } = await openShop()
    await stage.gate(
      'gate_shop',
      version('one', { supply: 2, policy: { visibility: 'public' }, listing: { label: 'Shop' } }),
    )
    await stage.gate('gate_open', version('one'))
    const seen = async () => {
      const { gate } = (await stage.request('/api/v1/profile/gates/gate_shop')).body.data
      return gate.supply
    }
    expect(await seen()).toEqual({ total: 2, left: 2, held: 0 })
    const qHash = await stage.prove(alice)
    const { data } = (await quote(qHash)).body
    await quote(await stage.prove(mallory), mallory)
    expect(await seen()).toEqual({ total: 2, left: 2, held: 2 })
    expect((await buy(qHash, { paymentTxHash: await pay({ amount: BigInt(data.amount) }) })).status).toBe(200)
    expect(await seen()).toEqual({ total: 2, left: 1, held: 1 })
    const listed = (await stage.request('/api/v1/profile/gates/discoverable')).body.data.gates
    expect(listed.find(({ gateId }: { gateId: string }) => gateId === 'gate_shop').supply.held).toBe(1)
    stage.wait(16 * minute)
    expect(await seen()).toEqual({ total: 2, left: 1, held: 0 })
    const { gate } = (await stage.request('/api/v1/profile/gates/gate_open')).body.data
    expect(gate.supply).toEqual({ total: null, left: null, held: null })
  })

  test('keeps its version and its price, when the owner has raised the price and the reward before the transfer', async () => {
    const { stage, pass, pay, quote, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    const { data } = (await quote(qHash)).body
    await pass(20_000)
    await stage.gate('gate_shop', version('two', { price: { ...price, amountUsd: '50' } }))
    await pass(20_000)
    const hash = await pay({ amount: BigInt(data.amount) })
    const bought = await buy(qHash, { paymentTxHash: hash })
    expect([bought.status, bought.body.data?.fulfillment.value]).toEqual([200, 'one'])
    expect(await stage.rows('SELECT version, usd_micros FROM fulfillments')).toEqual([
      { version: 1, usd_micros: 4_990_000 },
    ])
  })

  test('is paid from any wallet with its exact amount, and by no other amount', async () => {
    const { stage, pay, quote, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    const { data } = (await quote(qHash)).body
    const exchange = bob.address
    for (const amount of [4_990_000n, BigInt(data.amount) + 1n]) {
      const refused = await buy(qHash, { paymentTxHash: await pay({ from: exchange, amount }) })
      expect(reason(refused)).toBe('PAYER_MISMATCH')
    }
    const hash = await pay({ from: exchange, amount: BigInt(data.amount) })
    // The hash is public, but a person who only saw it has no such quote.
    const stolen = await stage.prove(mallory)
    const { data: another } = (await quote(stolen, mallory)).body
    for (const more of [{}, { paymentQuoteId: data.quoteId }, { paymentQuoteId: another.quoteId }])
      expect(reason(await buy(stolen, { paymentTxHash: hash, ...more }, mallory))).toBe('PAYER_MISMATCH')
    const bought = await buy(qHash, { paymentTxHash: hash, paymentQuoteId: data.quoteId })
    expect(bought.status).toBe(200)
  })

  test('counts each of two that an exchange pays in one transaction, and each once', async () => {
    const { stage, quote, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const exchange = `0x${'e1'.repeat(20)}` as const
    await mintTo(anvil, { from: exchange, amount: 20_000_000n })
    const buyers: [TestWallet, string][] = [
      [alice, await stage.prove(alice)],
      [mallory, await stage.prove(mallory)],
    ]
    const quoted = await Promise.all(buyers.map(async ([by, qHash]) => (await quote(qHash, by)).body.data))
    const calls = quoted.map(({ amount }) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, BigInt(amount)] }),
    )
    await anvil.rpc('anvil_setCode', [exchange, writeCalls(calls)])
    const transaction = { to: exchange, gas: 1_000_000n }
    const { transactionHash: paymentTxHash } = await anvil.send(transaction)
    await catchUp(stage, anvil)
    for (const [by, qHash] of buyers) expect((await buy(qHash, { paymentTxHash }, by)).status).toBe(200)
    expect(await stage.rows('SELECT amount FROM payments ORDER BY id')).toEqual(
      quoted.map(({ amount }) => ({ amount })),
    )
    const again = await buy(await stage.prove(mallory), { paymentTxHash }, mallory)
    expect(again.status).not.toBe(200)
  })

  test('is not paid by a transfer before its start or after its end', async () => {
    const { stage, pass, pay, quote, buy } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    const { data } = (await quote(qHash)).body
    await pass(17 * minute)
    const late = await buy(qHash, { paymentTxHash: await pay({ from: bob.address, amount: BigInt(data.amount) }) })
    expect(reason(late)).toBe('QUOTE_ENDED')
    // The wallet of the proof still pays, for the version of then.
    const own = await buy(qHash, { paymentTxHash: await pay({ amount: BigInt(data.amount) }) })
    expect(own.status).toBe(200)
  })

  test('is opened only for the wallet of a proof that the gate asks for, where transfers are taken', async () => {
    const { stage, quote } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    expect((await quote(qHash, mallory)).body.error.code).toBe('FORBIDDEN')
    expect((await stage.post('/api/v1/payments/quote', { gateId: 'gate_shop', qHash })).body.error.code).toBe(
      'WALLET_AUTH_REQUIRED',
    )
    await stage.gate('gate_strict', { price, requirements: [{ id: 'r1', verifierId: 'nft-ownership' }] })
    expect((await quote(qHash, alice, 'gate_strict')).body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    await stage.gate('gate_late', {
      price: { ...price, executionOrder: 'chargeThenVerify' },
      requirements: [{ id: 'r1', verifierId: 'nft-ownership' }],
    })
    expect((await quote(qHash, alice, 'gate_late')).body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    await stage.gate('gate_card', { price: { amountUsd: '4.99', methods: ['card'] } })
    expect((await quote(qHash, alice, 'gate_card')).body.error.code).toBe('VALIDATION_ERROR')
    await stage.gate('gate_free')
    expect((await quote(qHash, alice, 'gate_free')).body.error.code).toBe('VALIDATION_ERROR')
    expect(await stage.rows('SELECT 1 FROM quotes UNION ALL SELECT 1 FROM reservations')).toEqual([])
  })

  test('has an amount that no other quote to the same recipient has, whatever its price', async () => {
    const { stage, quote } = await openShop()
    const buyers = await Promise.all(Array.from({ length: 12 }, () => stage.prove(alice)))
    // Prices that lie less than a cent apart.
    for (const [at, qHash] of buyers.entries()) {
      const gateId = `gate_${at}`
      await stage.gate(gateId, { price: { ...price, amountUsd: `4.99000${at % 3}` } })
      expect((await quote(qHash, alice, gateId)).status).toBe(200)
    }
    const totals = await stage.rows<{ total: number }>('SELECT usd_micros + suffix AS total FROM quotes')
    expect(new Set(totals.map(({ total }) => total)).size).toBe(12)
    const insert = (suffix: number, usdMicros: number) =>
      stage.parts.db.write([
        {
          sql: `INSERT INTO quotes SELECT 'q' || ?1, gate, q_hash, wallet, version, ?2, recipient, ?1, created_at, expires_at
                FROM quotes LIMIT 1`,
          params: [suffix, usdMicros],
        },
      ])
    const [{ suffix }] = (await stage.rows<{ suffix: number }>(
      'SELECT suffix FROM quotes WHERE usd_micros = 4990000 LIMIT 1',
    )) as [{ suffix: number }]
    await expect(insert(suffix, 4_990_000)).rejects.toThrow()
  })

  test('is one for each wallet and gate: another proof waits until its place is free', async () => {
    const { stage, quote } = await openShop()
    await stage.gate('gate_shop', version('one', { perWallet: 2 }))
    const [one, two] = [await stage.prove(alice), await stage.prove(alice)]
    expect((await quote(one)).status).toBe(200)
    const refused = await quote(two)
    expect([refused.status, reason(refused)]).toEqual([409, 'PLACE_HELD'])
    stage.wait(16 * minute)
    expect((await quote(two)).status).toBe(200)
  })

  test('keeps its place while its transfer waits to be final, however long that takes', async () => {
    const { stage, pass, pay, quote, buy } = await openShop({ PROOFGATE_PAYMENTS_QUOTE_MINUTES: '20' })
    await stage.gate('gate_shop', version('one', { supply: 1, price: { ...price, rewardAfter: 'final' } }))
    const [mine, theirs] = [await stage.prove(alice), await stage.prove(mallory)]
    const { data } = (await quote(mine)).body
    expect(data.rewardAfter).toBe('final')
    const hash = await pay({ from: bob.address, amount: BigInt(data.amount) })
    expect(reason(await buy(mine, { paymentTxHash: hash }))).toBe('NOT_CONFIRMED')
    await pass(25 * minute)
    await sweepOnce(stage.parts)
    expect((await quote(theirs, mallory)).body.error.code).toBe('GATE_SOLD_OUT')
    expect(reason(await buy(mine, { paymentTxHash: hash }))).toBe('NOT_CONFIRMED')
    await pass(10 * minute)
    await makeFinal(anvil)
    await sweepOnce(stage.parts)
    expect((await buy(mine, { paymentTxHash: hash })).status).toBe(200)
  })

  test('is opened once by requests at the same moment', async () => {
    const { stage, quote } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const qHash = await stage.prove(alice)
    const answers = await Promise.all(Array.from({ length: 8 }, () => quote(qHash)))
    expect(new Set(answers.map(({ body }) => body.data.quoteId)).size).toBe(1)
    expect(await stage.rows('SELECT 1 FROM quotes')).toHaveLength(1)
  })

  test('is swept when no transfer of it counts any more, and is erased with its wallet', async () => {
    const { stage, quote } = await openShop()
    await stage.gate('gate_shop', version('one'))
    const count = async () => (await stage.rows('SELECT 1 FROM quotes')).length
    await quote(await stage.prove(alice))
    stage.wait(130 * minute)
    await sweepOnce(stage.parts)
    expect(await count()).toBe(1)
    stage.wait(10 * minute)
    await sweepOnce(stage.parts)
    expect(await count()).toBe(0)

    await quote(await stage.prove(alice))
    await quote(await stage.prove(mallory), mallory)
    expect(await count()).toBe(2)
    const wallet = alice.address.toLowerCase()
    const erasing = await stage.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: wallet })
    const erased = await stage.post('/api/v1/proofs/erase-all', erasing)
    expect(erased.status).toBe(200)
    // Others may have paid it by now: it stands to its end without a name.
    expect(await stage.rows('SELECT wallet FROM quotes ORDER BY wallet')).toEqual([
      { wallet: '' },
      { wallet: mallory.address.toLowerCase() },
    ])
  })
})

describe('after the clock was a day ahead and is put right', () => {
  const day = 24 * 60 * minute
  async function openAhead() {
    const opened = await openShop()
    const set = async (ms: number): Promise<void> => {
      opened.stage.setClock(ms)
      await opened.stage.clock.look()
    }
    await opened.stage.clock.look()
    return { ...opened, set, qHash: await opened.stage.prove(alice) }
  }

  test('a quote from that day holds for a transfer, and the price of today does not', async () => {
    const { stage, set, pass, pay, quote, buy, qHash } = await openAhead()
    await stage.gate('gate_shop', version('one'))
    await set(day)
    const { amount } = (await quote(qHash)).body.data
    await set(-day)
    await stage.gate('gate_shop', version('two', { price: { ...price, amountUsd: '9.99' } }))
    await pass(5 * minute)
    const bought = await buy(qHash, { paymentTxHash: await pay({ amount: BigInt(amount) }) })
    expect([bought.status, bought.body.error?.message]).toEqual([200, undefined])
  })

  test('a gate that was made then sells to a transfer of today', async () => {
    const { stage, set, pass, pay, buy, qHash } = await openAhead()
    await set(day)
    await stage.gate('gate_shop', version('one'))
    await set(-day)
    await pass(5_000)
    const bought = await buy(qHash, { paymentTxHash: await pay() })
    expect([bought.status, bought.body.error?.message]).toEqual([200, undefined])
  })
})
