/** Unpaid places over HTTP: limits on how many a stranger holds and how often; other buyers still get one. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { card } from '../../src/payments/card/method.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { writeAccount } from '../../src/wallet/account.ts'
import type { Answer } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { expectRefused } from '../http/refused.ts'
import type { Anvil } from '../parts/anvil.ts'
import { alice, bob, evmWallet, type TestWallet } from '../wallets.ts'
import { type CardShop, openShop } from './card-shop.ts'
import { catchUp, coinEnv, openCoinStage, paid, price } from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
const stripe = { PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_1', PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false' }
const newFolder = temporaryFolders()
let anvil: Anvil

beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const opened: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const street of opened.splice(0)) await street.stop()
})

const stranger = (at: number): TestWallet => evmWallet(`0x${String(at + 100).padStart(64, '0')}`)

/** A server that listens, with limits, and buyers at addresses of their own. */
async function openStreet(env: Record<string, string> = {}) {
  const stage: Stage = await openStage(
    coinEnv(anvil.url, {
      PROOFGATE_LIMITS_ENABLED: 'true',
      PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32',
      ...stripe,
      ...env,
    }),
    () => [stablecoin, card],
  )
  await catchUp(stage, anvil)
  const app = createApp(stage.parts).listen({ port: 0, hostname: '127.0.0.1' })
  opened.push(app)
  const proofs = new Map<TestWallet, string>()
  const makeProof = async (wallet: TestWallet): Promise<string> => {
    const known = proofs.get(wallet) ?? (await stage.prove(wallet))
    proofs.set(wallet, known)
    return known
  }
  async function send(path: string, body: object, address: string): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${app.server!.port}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  return {
    ...stage,
    makeProof,
    async quote(wallet: TestWallet, gateId: string, address: string): Promise<Answer> {
      const qHash = await makeProof(wallet)
      const signed = await wallet.signAction({ action: 'open_quote', gateId, qHash }, stage.now())
      return send('/payments/quote', { gateId, qHash, ...signed }, address)
    },
    async buy(wallet: TestWallet, gateId: string, address: string, paymentTxHash: string): Promise<Answer> {
      const qHash = await makeProof(wallet)
      const signed = await wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, stage.now())
      return send(`/profile/gates/${gateId}/fulfill`, { qHash, paymentTxHash, ...signed }, address)
    },
  }
}

const readReason = (answer: Answer): unknown => answer.body.error?.details.reason
const countSeconds = (answer: Answer, now: number): number => Math.ceil((answer.body.error.details.freeAt - now) / 1000)

describe('many wallets of one network', () => {
  test('hold their share of a gate, and leave places to others', async () => {
    const street = await openStreet()
    await street.gate('gate_few', { price, supply: 30 })
    const answers: Answer[] = []
    for (let at = 0; at < 24; at++) answers.push(await street.quote(stranger(at), 'gate_few', `203.0.113.${at + 1}`))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const last = answers.at(-1)!
    expectRefused(
      last,
      'CONFLICT',
      /your network holds 4 places .* its share of the 26 .* transfer from the wallet of the proof without a quote/,
    )
    expect(readReason(last)).toBe('TOO_MANY_PLACES_OF_NETWORK')
    expect(last.headers.get('retry-after')).toBe(String(countSeconds(last, street.now())))
    expect(countSeconds(last, street.now())).toBeLessThanOrEqual(15 * 60)
    for (let at = 30; at < 50; at++)
      expect((await street.quote(stranger(at), 'gate_few', `198.51.${at}.7`)).status).toBe(200)
    // A buyer who pays waits for no unpaid place, even in the same network as the strangers.
    const hash = await paid(anvil, { from: alice.address })
    await catchUp(street, anvil)
    expect((await street.quote(alice, 'gate_few', '203.0.113.99')).status).toBe(409)
    expect((await street.buy(alice, 'gate_few', '203.0.113.99', hash)).status).toBe(200)
  })

  test('hold no more when they ask at the same moment', async () => {
    const street = await openStreet()
    await street.gate('gate_few', { price, supply: 9 })
    const wallets = Array.from({ length: 8 }, (_, at) => stranger(at))
    for (const wallet of wallets) await street.makeProof(wallet)
    const answers = await Promise.all(wallets.map((wallet) => street.quote(wallet, 'gate_few', '203.0.113.1')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await street.quote(alice, 'gate_few', '198.51.100.7')).status).toBe(200)
  })

  test('free their share when their places end', async () => {
    const street = await openStreet()
    await street.gate('gate_few', { price, supply: 2 })
    expect((await street.quote(stranger(1), 'gate_few', '203.0.113.1')).status).toBe(200)
    const refused = await street.quote(alice, 'gate_few', '203.0.113.2')
    expect(readReason(refused)).toBe('TOO_MANY_PLACES_OF_NETWORK')
    street.wait(Number(refused.headers.get('retry-after')) * 1000)
    // The stranger comes back at once and has to wait; the other one of the network has it.
    expect(readReason(await street.quote(stranger(1), 'gate_few', '203.0.113.1'))).toBe('PLACE_ENDED_UNPAID')
    expect((await street.quote(alice, 'gate_few', '203.0.113.2')).status).toBe(200)
  })

  test('do not keep the last place by taking turns', async () => {
    const street = await openStreet()
    await street.gate('gate_one', { price, supply: 1 })
    for (const at of [1, 2]) {
      expect((await street.quote(stranger(at), 'gate_one', '203.0.113.1')).status).toBe(200)
      street.wait(15 * minute + 1000)
    }
    const third = await street.quote(stranger(3), 'gate_one', '203.0.113.1')
    expectRefused(third, 'CONFLICT', /buyers of your network held places at this gate until/)
    expect(readReason(third)).toBe('PLACE_ENDED_UNPAID')
    expect((await street.quote(alice, 'gate_one', '198.51.100.7')).status).toBe(200)
  })

  test('are let in again when one of them has paid', async () => {
    const street = await openStreet()
    await street.gate('gate_one', { price, supply: 3 })
    const [first, second] = [stranger(1), stranger(2)]
    const hash = await paid(anvil, { from: second.address })
    await catchUp(street, anvil)
    expect((await street.quote(first, 'gate_one', '203.0.113.1')).status).toBe(200)
    street.wait(15 * minute + 1000)
    expect((await street.quote(second, 'gate_one', '203.0.113.1')).status).toBe(200)
    expect((await street.buy(second, 'gate_one', '203.0.113.1', hash)).status).toBe(200)
    expect((await street.quote(stranger(3), 'gate_one', '203.0.113.1')).status).toBe(200)
  })

  test('are not counted where no place can be taken from others, nor where limits are off', async () => {
    const street = await openStreet()
    await street.gate('gate_open', { price, perWallet: 1 })
    for (let at = 0; at < 5; at++)
      expect((await street.quote(stranger(at), 'gate_open', '203.0.113.1')).status).toBe(200)
    expect(await street.rows('SELECT 1 FROM reservations WHERE network IS NOT NULL')).toEqual([])
    expect(await street.rows('SELECT 1 FROM unpaid_places')).toEqual([])
    const unlimited = await openStreet({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await unlimited.gate('gate_few', { price, supply: 5 })
    for (let at = 0; at < 5; at++)
      expect((await unlimited.quote(stranger(at), 'gate_few', '203.0.113.1')).status).toBe(200)
  })
})

describe('a place that ended unpaid', () => {
  const wait = (street: { now(): number; wait(ms: number): void }, refused: Answer) =>
    street.wait(refused.body.error.details.freeAt - street.now())

  test('is not held again by the same wallet for as long, then for twice as long, and at most for a day', async () => {
    const street = await openStreet()
    await street.gate('gate_one', { price, supply: 1 })
    const pauses: number[] = []
    for (let holds = 0; holds < 9; holds++) {
      const held = await street.quote(alice, 'gate_one', '203.0.113.1')
      expect(held.status).toBe(200)
      street.wait(held.body.data.expiresAt - street.now())
      const refused = await street.quote(alice, 'gate_one', '203.0.113.1')
      expectRefused(refused, 'CONFLICT', /did not pay, so others come first .* without a quote need not wait/)
      pauses.push(countSeconds(refused, street.now()) / 60)
      wait(street, refused)
    }
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440])
  })

  test('is for others meanwhile, and a payment ends the pause', async () => {
    const street = await openStreet()
    await street.gate('gate_two', { price, supply: 2 })
    await street.quote(alice, 'gate_two', '203.0.113.1')
    street.wait(15 * minute)
    expect(readReason(await street.quote(alice, 'gate_two', '203.0.113.1'))).toBe('PLACE_ENDED_UNPAID')
    expect((await street.quote(bob, 'gate_two', '198.51.100.7')).status).toBe(200)
    const hash = await paid(anvil, { from: alice.address })
    await catchUp(street, anvil)
    expect((await street.buy(alice, 'gate_two', '203.0.113.1', hash)).status).toBe(200)
    expect(await street.rows('SELECT wallet FROM unpaid_places')).toEqual([
      { wallet: writeAccount({ wallet: bob.address.toLowerCase(), contractOn: undefined }) },
      { wallet: 'network:198.51.100.0/24' },
    ])
  })

  test('keeps no buyer waiting where places are unlimited', async () => {
    const street = await openStreet()
    await street.gate('gate_many', { price, supply: 100 })
    await street.quote(alice, 'gate_many', '203.0.113.1')
    street.wait(15 * minute)
    expect((await street.quote(alice, 'gate_many', '203.0.113.1')).status).toBe(200)
  })

  test('is forgotten by the sweep when it blocks no wallet any more, and when its wallet erases everything', async () => {
    const street = await openStreet()
    await street.gate('gate_one', { price, supply: 1 })
    await street.quote(alice, 'gate_one', '203.0.113.1')
    street.wait(47 * 60 * minute)
    await street.sweep()
    expect(await street.rows('SELECT 1 FROM unpaid_places')).toHaveLength(2)
    street.wait(2 * 60 * minute)
    await street.sweep()
    expect(await street.rows('SELECT 1 FROM unpaid_places')).toEqual([])

    await street.quote(bob, 'gate_one', '203.0.113.1')
    expect(await street.rows('SELECT 1 FROM unpaid_places')).toHaveLength(2)
    const data = { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() }
    const erased = await street.post('/api/v1/proofs/erase-all', await street.ownerBody(bob, data))
    expect(erased.status).toBe(200)
    expect(await street.rows('SELECT 1 AS found FROM reservations')).toEqual([])
    // A network identifies no person, so its row stays.
    expect(await street.rows('SELECT wallet FROM unpaid_places')).toEqual([{ wallet: 'network:203.0.113.0/24' }])
  })
})

test('a wallet holds ten places at other gates without paying, and hears when the first of them ends', async () => {
  const street = await openStreet()
  for (let at = 0; at <= 10; at++) {
    await street.gate(`gate_${at}`, { price, supply: 1 })
    const answer = await street.quote(alice, `gate_${at}`, '203.0.113.1')
    if (at < 10) expect(answer.status).toBe(200)
    else {
      expectRefused(answer, 'CONFLICT', /this wallet holds 10 unpaid places at other gates/)
      expect(readReason(answer)).toBe('TOO_MANY_PLACES_OF_WALLET')
    }
  }
  // An open quote is repeated, and a wallet without one is not limited.
  expect((await street.quote(alice, 'gate_0', '203.0.113.1')).status).toBe(200)
  expect((await street.quote(bob, 'gate_10', '203.0.113.1')).status).toBe(200)
  street.wait(15 * minute)
  expect((await street.quote(alice, 'gate_10', '203.0.113.1')).status).toBe(200)
})

describe('a place held by a page of payment', () => {
  async function endUnpaid(shop: CardShop, gateId: string, qHash: string): Promise<void> {
    const { sessionId } = (await shop.openCheckout(gateId, qHash)).body.data
    shop.wait(46 * minute)
    shop.stripe.expire(sessionId)
    await shop.watch()
  }

  test('is paused for its wallet, also after a restart of the server', async () => {
    const folder = newFolder()
    const first = await openShop({}, { folder })
    const gateId = await first.gate({ supply: 1 })
    const qHash = await first.prove(alice)
    await endUnpaid(first, gateId, qHash)
    expect(readReason(await first.openCheckout(gateId, qHash))).toBe('PLACE_ENDED_UNPAID')
    await first.close()
    const second = await openShop({}, { folder, before: first })
    const refused = await second.openCheckout(gateId, qHash)
    expectRefused(refused, 'CONFLICT', /did not pay, so others come first.*Nothing was charged/)
    expect(readReason(refused)).toBe('PLACE_ENDED_UNPAID')
    const answer = await second.openCheckout(gateId, await second.prove(bob), {}, bob)
    expect(answer.status).toBe(200)
  })

  test('goes on for a second page, and not for ever', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const qHash = await shop.prove(alice)
    const statuses: number[] = []
    for (let at = 0; at < 9; at++) {
      const answer = await shop.openCheckout(gateId, qHash)
      statuses.push(answer.status)
      if (at === 8) expectRefused(answer, 'CONFLICT', /held a place at this gate for a long time without paying/)
      shop.wait(10 * minute)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 409, 409, 409])
  })

  test('counts for no wallet where the page could not be opened', async () => {
    const shop = await openShop()
    const gateId = await shop.gate({ supply: 1 })
    const qHash = await shop.prove(alice)
    shop.stripe.fault = 'has a fault of its own (500)'
    expect((await shop.openCheckout(gateId, qHash)).status).not.toBe(200)
    shop.stripe.fault = undefined
    expect((await shop.openCheckout(gateId, qHash)).status).toBe(200)
  })
})
