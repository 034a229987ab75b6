/** When many ask for quotes, some still get an amount, and others a reason. Runs over HTTP on a real chain. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { card } from '../../src/payments/card/method.ts'
import { quoteStatement, suffixStep } from '../../src/payments/quote-store.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { writeAccount } from '../../src/wallet/account.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { expectRefused } from '../http/refused.ts'
import type { Anvil } from '../parts/anvil.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { alice, bob, evmWallet, type TestWallet } from '../wallets.ts'
import { catchUp, chain, coinEnv, openCoinStage, paid, price, putToken, shop } from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
const dai = '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'
const stripe = { PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_1', PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false' }
const fineToken = {
  PROOFGATE_PAYMENTS_STABLECOIN_DAI_CHAIN: chain,
  PROOFGATE_PAYMENTS_STABLECOIN_DAI_TOKEN: dai,
  PROOFGATE_PAYMENTS_STABLECOIN_DAI_DECIMALS: '18',
  PROOFGATE_PAYMENTS_STABLECOIN_DAI_SYMBOL: 'DAI',
  PROOFGATE_PAYMENTS_STABLECOIN_DAI_CONFIRMATIONS: '1',
}
let anvil: Anvil

beforeAll(async () => {
  anvil = await openCoinStage()
  await putToken(anvil, dai, 18, 'DAI')
})
afterAll(() => anvil.stop())

async function openShop(env: Record<string, string> = {}) {
  const stage = await openStage(coinEnv(anvil.url, env), () => [stablecoin, card])
  await catchUp(stage, anvil)
  await stage.gate('gate_shop', { price: { ...price, methods: ['stablecoin', 'card'] } }, shop)
  return stage
}

/** Quotes of others for the same price and recipient, all but so many that there are. */
const fill = (stage: Stage, allBut: number) =>
  stage.parts.db.write([
    {
      sql: `${countTo(9_999)}
            INSERT INTO quotes (quote_id, gate, q_hash, wallet, version, usd_micros, recipient, suffix, created_at, expires_at)
            SELECT 'filled_' || i, 99, ${randomHash}, 'filler', 1, 4990000, ?1, i, ?2, ?3 FROM n
            WHERE i % 10 <> 0 ORDER BY i LIMIT ?4`,
      params: [shop, stage.now(), stage.now() + 15 * minute, 9_000 - allBut],
    },
  ])

const makeBody = async (stage: Stage, wallet: TestWallet, gateId = 'gate_shop') => {
  const qHash = await stage.prove(wallet)
  return { gateId, qHash, ...(await wallet.signAction({ action: 'open_quote', gateId, qHash }, stage.now())) }
}
const quote = async (stage: Stage, wallet: TestWallet = alice, gateId = 'gate_shop') =>
  stage.post('/api/v1/payments/quote', await makeBody(stage, wallet, gateId))

const stranger = (at: number): TestWallet => evmWallet(`0x${String(at + 100).padStart(64, '0')}`)

describe('the amounts of a price', () => {
  test('are shared by networks: one that asks for many leaves some to every other one', async () => {
    const stage = await openShop({ PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32', ...stripe })
    await fill(stage, 24)
    const app = createApp(stage.parts).listen({ port: 0, hostname: '127.0.0.1' })
    const url = `http://127.0.0.1:${app.server!.port}/api/v1/payments/quote`
    const ask = async (address: string, wallet: TestWallet) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(await makeBody(stage, wallet)),
      })
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never }
    }
    // Addresses of one network, with a wallet and a proof each: an eighth of what is free.
    const answers = []
    for (let at = 0; at < 8; at++) answers.push(await ask(`203.0.113.${at + 1}`, stranger(at)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 503, 503, 503])
    expectRefused(answers.at(-1)!, 'SERVICE_UNAVAILABLE', /your network.*pay by stripe.*from the wallet of the proof/)
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(60)
    for (let at = 8; at < 16; at++) expect((await ask(`198.51.${at}.7`, stranger(at))).status).toBe(200)
    await app.stop(true)
  })

  test('are shared by networks also when one asks for many in one moment', async () => {
    const stage = await openShop()
    await fill(stage, 24)
    const wallets = Array.from({ length: 20 }, (_, at) => stranger(at))
    const bodies = await Promise.all(wallets.map((wallet) => makeBody(stage, wallet)))
    const answers = await Promise.all(bodies.map((body) => stage.post('/api/v1/payments/quote', body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  test('are shared by networks also where several processes count them: each allows its part', async () => {
    const stage = await openShop()
    await fill(stage, 48)
    const app = createApp({ ...stage.parts, processes: { ...stage.parts.processes, countLive: () => 3 } })
    const statuses = []
    for (let at = 0; at < 4; at++) {
      const body = JSON.stringify(await makeBody(stage, stranger(at)))
      const headers = { 'content-type': 'application/json' }
      const request = new Request('http://localhost/api/v1/payments/quote', { method: 'POST', headers, body })
      statuses.push((await app.handle(request)).status)
    }
    expect(statuses).toEqual([200, 200, 503, 503])
  })

  test('are not used up by gates of other owners for the same recipient', async () => {
    const stage = await openShop(stripe)
    await stage.gate(
      'gate_stranger',
      { price: { ...price, methods: ['stablecoin', 'card'] } },
      alice.address.toLowerCase(),
    )
    await stage.gate('gate_other', { price }, bob.address.toLowerCase())
    const [foreign] = await stage.rows<{ id: number }>("SELECT id FROM gates WHERE gate_id = 'gate_stranger'")
    // 1,600 is a quarter of the 6,400 then left beside the recipient's thousand: one owner's gates hold no more.
    await fill(stage, 9_000 - 1_600)
    await stage.parts.db.write([{ sql: 'UPDATE quotes SET gate = ?1', params: [foreign!.id] }])
    const refused = await quote(stage, bob, 'gate_stranger')
    expectRefused(refused, 'SERVICE_UNAVAILABLE', /gates of this owner have their share.*pay by stripe/)
    expect(refused.body.error.details.reason).toBe('QUOTES_OF_OWNER_USED_UP')
    expect((await quote(stage, bob, 'gate_other')).status).toBe(200)
    expect((await quote(stage, bob)).status).toBe(200)
    // The last thousand are for the gates of the recipient itself.
    await stage.parts.db.write([{ sql: 'DELETE FROM quotes', params: [] }])
    await fill(stage, 1_000)
    expect((await quote(stage, stranger(1), 'gate_other')).status).toBe(503)
    expect((await quote(stage, stranger(1))).status).toBe(200)
  })

  test('are shared with gates of other owners also when buyers ask for many in one moment', async () => {
    const stage = await openShop()
    await stage.gate('gate_stranger', { price }, alice.address.toLowerCase())
    const [foreign] = await stage.rows<{ id: number }>("SELECT id FROM gates WHERE gate_id = 'gate_stranger'")
    // Two below the share, as in the test before.
    await fill(stage, 9_000 - 1_598)
    await stage.parts.db.write([{ sql: 'UPDATE quotes SET gate = ?1', params: [foreign!.id] }])
    const bodies = await Promise.all(
      Array.from({ length: 6 }, (_, at) => makeBody(stage, stranger(at), 'gate_stranger')),
    )
    const answers = await Promise.all(bodies.map((body) => stage.post('/api/v1/payments/quote', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503])
    for (const { status, body } of answers)
      if (status === 503) expect(body.error.details.reason).toBe('QUOTES_OF_OWNER_USED_UP')
  })

  test('go on below a millionth of a dollar where a token has the decimals, when the others are used up', async () => {
    const stage = await openShop(fineToken)
    const before = (await quote(stage, bob)).body.data
    expect(before.tokens.map(({ asset }: { asset: string }) => asset)).toEqual(['USDC', 'DAI'])
    await stage.parts.db.write([{ sql: "DELETE FROM quotes WHERE quote_id LIKE 'quote_%'", params: [] }])
    await fill(stage, 0)
    const qHash = await stage.prove(alice)
    const signed = await alice.signAction({ action: 'open_quote', gateId: 'gate_shop', qHash }, stage.now())
    const { status, body } = await stage.post('/api/v1/payments/quote', { gateId: 'gate_shop', qHash, ...signed })
    expect(status).toBe(200)
    const { tokens, amount, amountText } = body.data
    expect(tokens).toHaveLength(1)
    expect(tokens[0]).toMatchObject({ asset: 'DAI', assetAddress: dai, amount })
    expect(amountText).toMatch(/^4\.99\d{3}[1-9]\d{1,6}$/)
    const others = [await quote(stage, stranger(1)), await quote(stage, stranger(2))]
    expect(new Set([amount, ...others.map((one) => one.body.data.amount)]).size).toBe(3)

    // Only the exact amount tells whom a transfer pays for.
    const near = await paid(anvil, { from: bob.address, token: dai, amount: BigInt(amount) + 1n })
    await catchUp(stage, anvil)
    const refused = await stage.fulfill('gate_shop', qHash, { paymentTxHash: near })
    expect(refused.body.error.details.reason).toBe('PAYER_MISMATCH')
    const hash = await paid(anvil, { from: bob.address, token: dai, amount: BigInt(amount) })
    await catchUp(stage, anvil)
    expect((await stage.fulfill('gate_shop', qHash, { paymentTxHash: hash })).status).toBe(200)
  })

  test('are reported when used up, with when to come back and how to pay now', async () => {
    const stage = await openShop(stripe)
    await fill(stage, 0)
    const refused = await quote(stage)
    expectRefused(refused, 'SERVICE_UNAVAILABLE', /all amounts.*pay by stripe.*from the wallet of the proof/)
    expect(refused.body.error.details).toEqual({ reason: 'QUOTES_USED_UP', methods: ['stripe'] })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    // Refused requests hold no place.
    expect(await stage.rows('SELECT 1 FROM reservations')).toEqual([])
    // Quotes of others end, and their amounts are free again.
    stage.wait(240 * minute)
    await stage.parts.db.write([{ sql: 'DELETE FROM quotes WHERE expires_at <= ?1', params: [stage.now()] }])
    expect((await quote(stage)).status).toBe(200)
  })

  test('are used to the last one', async () => {
    const stage = await openShop()
    await fill(stage, 1)
    expect((await quote(stage)).body.data.amount).toBe(String(4_990_000 + 9_999))
    expect((await quote(stage, bob)).status).toBe(503)
  })
})

test('finer digits are refused where another quote has the same amount, whatever its price', async () => {
  const stage = await openShop()
  const insert = async (quoteId: string, usdMicros: number, suffix: number) => {
    const at = { version: 1, recipient: shop, createdAt: stage.now(), expiresAt: stage.now() + minute }
    const buyer = writeAccount({ wallet: quoteId, contractOn: undefined })
    const made = { ...at, quoteId, usdMicros, suffix, buyer, gate: 1, qHash: `0x${'ab'.repeat(32)}` }
    return 'changes' in (await stage.parts.db.write([quoteStatement(made)]))
  }
  expect(await insert('one', 4_990_000, 5 * suffixStep + 17)).toBe(true)
  expect(await insert('two', 4_990_001, 5 * suffixStep + 16)).toBe(false)
  expect(await insert('three', 4_990_001, 6 * suffixStep + 16)).toBe(true)
  expect(await insert('four', 4_990_001, 16)).toBe(true)
})

test('a wallet has a limited number of open quotes at a time, over all gates', async () => {
  const stage = await openShop()
  for (let at = 0; at < 32; at++) {
    await stage.gate(`gate_${at}`, { price })
    expect((await quote(stage, alice, `gate_${at}`)).status).toBe(200)
  }
  const refused = await quote(stage)
  expectRefused(refused, 'CONFLICT', /32 open quotes/)
  expect(refused.body.error.details.reason).toBe('TOO_MANY_QUOTES')
  expect((await quote(stage, bob)).status).toBe(200)
  stage.wait(16 * minute)
  expect((await quote(stage)).status).toBe(200)
})

test('the limit of a wallet holds when it asks at several gates in one moment', async () => {
  const stage = await openShop()
  const at = { version: 1, gate: 1, recipient: shop, createdAt: stage.now(), expiresAt: stage.now() + 15 * minute }
  const buyer = writeAccount({ wallet: alice.address.toLowerCase(), contractOn: undefined })
  const open = Array.from({ length: 30 }, (_, place) =>
    quoteStatement({
      ...at,
      buyer,
      quoteId: `quote_${place}`,
      qHash: `0x${String(place).padStart(64, '0')}`,
      usdMicros: 1_000_000,
      suffix: place + 1,
    }),
  )
  expect(await stage.parts.db.write(open)).toHaveProperty('changes')
  const gates = ['gate_1', 'gate_2', 'gate_3', 'gate_4', 'gate_5']
  for (const gateId of gates) await stage.gate(gateId, { price })
  const bodies = await Promise.all(gates.map((gateId) => makeBody(stage, alice, gateId)))
  const answers = await Promise.all(bodies.map((body) => stage.post('/api/v1/payments/quote', body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409])
  for (const refused of answers.filter(({ status }) => status === 409))
    expect(refused.body.error.details.reason).toBe('TOO_MANY_QUOTES')
})
