/** The unmodified x402 client buys at a gate, over HTTP with real transfers. One payment must buy one reward. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import { paymentMethods } from '../../src/payments/index.ts'
import { x402 } from '../../src/payments/x402/method.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { facilitatorLies } from '../parts/x402-facilitator.ts'
import { lower, shop as recipient, usdc } from './coin-stage.ts'
import {
  clientOf,
  decoded,
  encoded,
  openX402Stage,
  other,
  type Payer,
  payer,
  price,
  quoteFor,
  sendPast,
  signedBy,
  toRealTime,
  type X402Stage,
} from './x402-stage.ts'

let chain: X402Stage
let shop: Stage
let server: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  chain = await openX402Stage()
})
afterAll(() => chain.stop())

beforeEach(async () => {
  chain.facilitator.tellTheTruth()
  shop = await openStage(chain.env, () => paymentMethods)
  toRealTime(shop)
  await shop.gate('gate_shop', { price, rewards: [{ kind: 'reveal', value: 'the word is plugh' }] })
  await shop.gate('gate_other', { price, rewards: [{ kind: 'reveal', value: 'the other word' }] })
  server?.stop(true)
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const answer = await shop.request(pathname, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      })
      return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers })
    },
  })
})
afterAll(() => server?.stop(true))

/** The request of a buyer, as any HTTP client sends it. */
async function requestOf(by: Payer, gateId: string, qHash: string, headers: Record<string, string> = {}) {
  const signed = await by.wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, shop.now())
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ qHash, ...signed }),
  }
  return [`http://127.0.0.1:${server.port}${shop.pathOf(gateId)}`, init] as const
}

const buy = async (by: Payer, gateId: string, qHash: string): Promise<Response> =>
  wrapFetchWithPayment(fetch, clientOf(by))(...(await requestOf(by, gateId, qHash)))

const offer = async (by: Payer, gateId: string, qHash: string, evidence: string): Promise<Response> =>
  fetch(...(await requestOf(by, gateId, qHash, { 'payment-signature': evidence })))

const quote = (by: Payer, gateId: string, qHash: string) => quoteFor(by, { gateId, qHash })

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const bodyOf = (response: Response): Promise<any> => response.json() as Promise<any>

/** Makes a copy of the signed payment that names another gate, which the signature does not cover. */
function forGate(gateId: string, evidence: string): string {
  const payload = decoded(evidence)
  const url = `http://localhost:8787/api/v1/profile/gates/${gateId}/fulfill`
  return encoded({ ...payload, resource: { ...payload.resource, url } })
}

describe('the client of x402', () => {
  test('is asked, signs, and gets the reward for exactly the price', async () => {
    const qHash = await shop.prove(payer.wallet)
    const before = await chain.till()
    const response = await buy(payer, 'gate_shop', qHash)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect((await bodyOf(response)).data.fulfillment).toMatchObject({ delivery: 'reveal', value: 'the word is plugh' })
    expect((await chain.till()) - before).toBe(250_000n)

    const settlement = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(settlement).toMatchObject({
      success: true,
      network: 'eip155:8453',
      payer: lower(payer.account.address),
    })
    const receipt = await chain.anvil.publicClient.getTransactionReceipt({
      hash: settlement.transaction as `0x${string}`,
    })
    expect(receipt.status).toBe('success')
  })

  test('is told the price and pays nothing when it sends no credential: its payment is refused without a signature', async () => {
    const qHash = await shop.prove(payer.wallet)
    const before = await chain.till()
    const url = `http://127.0.0.1:${server.port}${shop.pathOf('gate_shop')}`
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ qHash }) }
    const asked = await fetch(url, init)
    expect(asked.status).toBe(402)
    expect(decoded(asked.headers.get('PAYMENT-REQUIRED'))).toMatchObject({
      x402Version: 2,
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '250000' }],
    })
    const sent: Headers[] = []
    const watched: typeof fetch = Object.assign(
      (...[input, options]: Parameters<typeof fetch>) => {
        sent.push(new Request(input, options).headers)
        return fetch(input, options)
      },
      { preconnect: fetch.preconnect },
    )
    const response = await wrapFetchWithPayment(watched, clientOf(payer))(url, init)
    expect(response.status).toBe(401)
    expect((await bodyOf(response)).error.code).toBe('WALLET_AUTH_REQUIRED')
    expect(sent.map((headers) => headers.has('payment-signature'))).toEqual([false, true])
    expect(await chain.till()).toBe(before)
    for (const table of ['reservations', 'settlements', 'quotes'])
      expect(await shop.rows(`SELECT * FROM ${table}`)).toEqual([])
  })

  test('gets the same answer again without paying', async () => {
    const qHash = await shop.prove(payer.wallet)
    const first = await bodyOf(await buy(payer, 'gate_shop', qHash))
    const before = await chain.till()
    const again = await bodyOf(await buy(payer, 'gate_shop', qHash))
    expect(again.data).toEqual(first.data)
    expect(await chain.till()).toBe(before)
  })

  test('pays nothing where its wallet has used up its storage, as the purchase could not be kept', async () => {
    shop = await openStage({ ...chain.env, PROOFGATE_LIMITS_ENABLED: 'true' }, () => paymentMethods)
    toRealTime(shop)
    await shop.gate('gate_shop', { price, rewards: [{ kind: 'reveal', value: 'the word is plugh' }] })
    const qHash = await shop.prove(payer.wallet)
    const { limiter } = shop.parts
    limiter.take('written_by_owner', lower(payer.account.address), { cost: 2 ** 40, mayRefuse: false })
    const before = await chain.till()
    const response = await buy(payer, 'gate_shop', qHash)
    expect(response.status).toBe(429)
    expect((await bodyOf(response)).error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: expect.stringContaining('limits.bytes.owner'),
    })
    expect(await chain.till()).toBe(before)
  })

  test('shares nothing with another buyer at the same moment', async () => {
    const [one, two] = [await shop.prove(payer.wallet), await shop.prove(other.wallet)]
    const before = await chain.till()
    const responses = await Promise.all([buy(payer, 'gate_shop', one), buy(other, 'gate_shop', two)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect((await chain.till()) - before).toBe(500_000n)
  })

  test('is not made to pay again while a payment is on its way', async () => {
    const { transactionHash } = await chain.anvil.send({ to: recipient, value: 1n })
    chain.facilitator.lie(
      '/settle',
      facilitatorLies.says({ success: true, transaction: transactionHash, network: 'eip155:8453' }),
    )
    const response = await buy(payer, 'gate_shop', await shop.prove(payer.wallet))
    expect(response.status).toBe(402)
    expect(response.headers.get('PAYMENT-REQUIRED')).toBeNull()
    expect(response.headers.get('retry-after')).toBe('5')
    expect(decoded(response.headers.get('PAYMENT-RESPONSE'))).toMatchObject({ success: false })
    expect((await bodyOf(response)).error.details.reason).toBe('NOT_CONFIRMED')
    expect(await shop.rows('SELECT id FROM payments')).toEqual([])
    expect(shop.logged()).toContain('the chain does not show it')
  })
})

describe('a buyer who has not paid', () => {
  test('gets the price, in the header and in words', async () => {
    const qHash = await shop.prove(payer.wallet)
    const response = await fetch(...(await requestOf(payer, 'gate_shop', qHash)))
    expect(response.status).toBe(402)
    expect((await bodyOf(response)).error).toMatchObject({ code: 'PAYMENT_REQUIRED' })
    expect(decoded(response.headers.get('PAYMENT-REQUIRED')).accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '250000',
        asset: usdc,
        payTo: '0x5409ED021D9299bf6814279A6A1411A7e866A631',
        maxTimeoutSeconds: 300,
        extra: { name: 'USD Coin', version: '2' },
      },
    ])
  })

  test('hears why a payment was refused, and may make another one', async () => {
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(other, quote(payer, 'gate_shop', qHash), shop.parts)
    const response = await offer(payer, 'gate_shop', qHash, evidence)
    expect(response.status).toBe(402)
    expect((await bodyOf(response)).error.details.reason).toBe('PAYER_MISMATCH')
    expect(decoded(response.headers.get('PAYMENT-REQUIRED')).error).toContain('wallet-link')
  })

  test('gets 400 for a header that is no payload, and no data is stored', async () => {
    const qHash = await shop.prove(payer.wallet)
    const response = await offer(payer, 'gate_shop', qHash, 'not a payload')
    expect(response.status).toBe(400)
    expect((await bodyOf(response)).error.code).toBe('VALIDATION_ERROR')
    expect(await shop.rows('SELECT id FROM payments UNION ALL SELECT id FROM fulfillments')).toEqual([])
  })
})

describe('one signed payment', () => {
  test('gives the same answer for the same gate and proof, and 409 for every other', async () => {
    const [one, two] = [await shop.prove(payer.wallet), await shop.prove(payer.wallet)]
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', one), shop.parts)
    const first = await offer(payer, 'gate_shop', one, evidence)
    expect(first.status).toBe(200)
    const before = await chain.till()
    const again = await offer(payer, 'gate_shop', one, evidence)
    expect((await bodyOf(again)).data).toEqual((await bodyOf(first)).data)

    for (const [gateId, qHash] of [
      ['gate_shop', two],
      ['gate_other', one],
      ['gate_other', two],
    ] as const) {
      const response = await offer(payer, gateId, qHash, forGate(gateId, evidence))
      expect(response.status).toBe(409)
      expect((await bodyOf(response)).error.code).toBe('PAYMENT_ALREADY_USED')
    }
    expect(await chain.till()).toBe(before)
  })

  test('is refused when it is offered again by its transaction hash', async () => {
    const [one, two] = [await shop.prove(payer.wallet), await shop.prove(payer.wallet)]
    await shop.gate('gate_coins', { price: { ...price, methods: ['stablecoin'] } })
    const bought = await buy(payer, 'gate_shop', one)
    const { transaction } = decodePaymentResponseHeader(bought.headers.get('PAYMENT-RESPONSE') ?? '')
    const answer = await shop.fulfill('gate_coins', two, { paymentTxHash: transaction }, { wallet: payer.wallet })
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('PAYMENT_ALREADY_USED')
  })

  test('is not offered again as a signed payment when it was claimed as a transaction', async () => {
    const [one, two] = [await shop.prove(payer.wallet), await shop.prove(payer.wallet)]
    await shop.gate('gate_coins', { price: { ...price, methods: ['stablecoin'] } })
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', one), shop.parts)
    const verdict = await x402.confirm({ ...quote(payer, 'gate_shop', one), evidence }, shop.parts)
    if (!verdict.paid) throw new Error(verdict.reason)
    const paymentTxHash = verdict.details.transactionHash
    const answer = await shop.fulfill('gate_coins', two, { paymentTxHash }, { wallet: payer.wallet })
    expect(answer.status).toBe(200)
    expect((await offer(payer, 'gate_shop', one, evidence)).status).toBe(409)
  })

  test('has one winner, when it is raced for over gates and proofs', async () => {
    const proofs = [await shop.prove(payer.wallet), await shop.prove(payer.wallet), await shop.prove(payer.wallet)]
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', proofs[0]!), shop.parts)
    const before = await chain.till()
    const responses = await Promise.all(
      ['gate_shop', 'gate_other'].flatMap((gateId) =>
        proofs.map((qHash) => offer(payer, gateId, qHash, forGate(gateId, evidence))),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await chain.till()) - before).toBe(250_000n)
  })

  test('is claimed when it comes again, if it was settled and not claimed', async () => {
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', qHash), shop.parts)
    // Stops between the settlement and the claim, as a process that ends there.
    await x402.confirm({ ...quote(payer, 'gate_shop', qHash), evidence }, shop.parts)
    const before = await chain.till()
    expect((await offer(payer, 'gate_shop', qHash, evidence)).status).toBe(200)
    expect(await chain.till()).toBe(before)
  })

  test('does not buy a gate made after it was sent, and still buys the one it was signed for', async () => {
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', qHash), shop.parts)
    await sendPast(evidence, chain)
    shop.wait(20_000)
    await shop.gate('gate_later', { price, rewards: [{ kind: 'reveal', value: 'the later word' }] })
    const before = await chain.till()
    const refused = await offer(payer, 'gate_later', qHash, forGate('gate_later', evidence))
    expect(refused.status).toBe(402)
    const { message, details } = (await bodyOf(refused)).error
    expect(details.reason).toBe('PAYMENT_BEFORE_GATE')
    expect(message).toMatch(/was settled at .*when this gate did not ask for/)
    const bought = await offer(payer, 'gate_shop', qHash, evidence)
    expect(bought.status).toBe(200)
    expect(await chain.till()).toBe(before)
    const again = await offer(payer, 'gate_later', qHash, forGate('gate_later', evidence))
    expect(again.status).not.toBe(200)
  })

  test('buys the version that was in force when it was sent', async () => {
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', qHash), shop.parts)
    await sendPast(evidence, chain)
    shop.wait(20_000)
    await shop.gate('gate_shop', { price, rewards: [{ kind: 'reveal', value: 'the newer word' }] })
    const response = await offer(payer, 'gate_shop', qHash, evidence)
    expect(response.status).toBe(200)
    const { fulfillment, rewardProof } = (await bodyOf(response)).data
    expect([fulfillment.value, rewardProof.gateVersion]).toEqual(['the word is plugh', 1])
  })

  test('does not buy the gate when that asked for more at the time', async () => {
    await shop.gate('gate_dear', {
      price: { ...price, amountUsd: '0.50' },
      rewards: [{ kind: 'reveal', value: 'dear' }],
    })
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_dear', qHash), shop.parts)
    await sendPast(evidence, chain)
    shop.wait(20_000)
    await shop.gate('gate_dear', { price, rewards: [{ kind: 'reveal', value: 'cheap' }] })
    const refused = await offer(payer, 'gate_dear', qHash, evidence)
    expect([refused.status, (await bodyOf(refused)).error.details.reason]).toEqual([402, 'PAYMENT_BEFORE_GATE'])
  })

  test('buys its reward when this server handed it over, although new versions were published meanwhile', async () => {
    const settled = Promise.withResolvers<void>()
    chain.facilitator.lie('/settle', async (response, honest) => {
      await honest()
      response.destroy()
      settled.resolve()
    })
    const dark = startLyingRpc(chain.anvil.url)
    const blind = await openStage({ ...chain.env, PROOFGATE_CHAINS_BASE_RPC: dark.url }, () => paymentMethods)
    toRealTime(blind)
    await blind.gate('gate_shop', { price, rewards: [{ kind: 'reveal', value: 'the first word' }] })
    const qHash = await blind.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', qHash), blind.parts)
    // The endpoint does not show that it was settled.
    dark.lie(lies.result('eth_call', () => `0x${'0'.repeat(64)}`))
    const send = () =>
      blind.fulfill('gate_shop', qHash, {}, { wallet: payer.wallet, headers: { 'payment-signature': evidence } })
    expect((await send()).status).toBe(503)
    await settled.promise
    dark.tellTheTruth()
    await blind.gate('gate_shop', { price, rewards: [{ kind: 'reveal', value: 'the newer word' }] })
    blind.wait(20_000)
    const answer = await send()
    expect([answer.status, answer.body.data.fulfillment.value]).toEqual([200, 'the first word'])
    await dark.stop()
  })

  test('answers 503 when its settlement is unknown, and succeeds when it comes again', async () => {
    const settled = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    chain.facilitator.lie('/settle', async (response, honest) => {
      response.destroy()
      await resumed.promise
      await honest()
      settled.resolve()
    })
    const qHash = await shop.prove(payer.wallet)
    const evidence = await signedBy(payer, quote(payer, 'gate_shop', qHash), shop.parts)
    const response = await offer(payer, 'gate_shop', qHash, evidence)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await shop.rows('SELECT id FROM payments')).toEqual([])
    resumed.resolve()
    await settled.promise
    expect((await offer(payer, 'gate_shop', qHash, evidence)).status).toBe(200)
  })
})
