/** The disk fails at the commit of a purchase: the same request again gives one reward for one payment. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, type DoubtStage, endings, openDoubtStage } from '../faults/doubt-stage.ts'
import { digestOf } from '../gates/gate.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { startStripe, stripeKey, stripeWebhookSecret } from '../parts/stripe-server.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { base, coinEnv, mine, paid, putToken, shop as recipient, usdc } from './coin-stage.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const stripe = startStripe(Date.now)
const nowSeconds = (): number => Math.floor(Date.now() / 1000)
/** A block is final two blocks later. */
const finalSoon = ['--slots-in-an-epoch', '1']
let anvil: Anvil
let stage: DoubtStage
beforeAll(async () => {
  anvil = await startAnvil({ chainId: base, timestamp: nowSeconds() - 600, args: finalSoon })
  await anvil.rpc('anvil_autoImpersonateAccount', [true])
  await putToken(anvil, usdc)
  stage = await openDoubtStage(newFolder(), {
    ...coinEnv(anvil.url),
    PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: stripeKey,
    PROOFGATE_PAYMENTS_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false',
    PROOFGATE_PAYMENTS_STRIPE_URL: stripe.url,
  })
})
afterAll(async () => {
  await stage.close()
  await anvil.stop()
})

let gatesMade = 0
async function putGate(members: object = {}): Promise<string> {
  const gateId = `gate_${++gatesMade}`
  const definition = {
    gateId,
    name: 'The shop',
    requirements: [{ verifierId: 'ownership-basic' }],
    price: { amountUsd: '4.99', methods: ['stablecoin', 'card'], recipient, rewardAfter: 'confirmations' },
    rewards: [{ kind: 'reveal', value: 'the secret of the shop' }],
    successReturnUrl: 'https://shop.example.com/thanks',
    ...members,
  }
  const signed = await stage.signAction(bob, { action: 'apply_gate', gateId, digest: digestOf(definition) })
  const answer = await stage.post('/api/v1/profile/gates', { definition, ...signed })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return gateId
}
type Ask = () => Promise<Answer>
async function fulfillment(gateId: string, qHash: string, more: object, wallet: TestWallet = alice): Promise<Ask> {
  const signed = await stage.signUnaddressed(wallet, { action: 'fulfill_gate', gateId, qHash })
  return () => stage.post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, ...signed, ...more })
}
async function checkout(gateId: string, qHash: string, wallet: TestWallet = alice): Promise<Ask> {
  const signed = await stage.signUnaddressed(wallet, { action: 'open_checkout', gateId, qHash })
  return () => stage.post('/api/v1/payments/stripe/checkout', { gateId, qHash, ...signed })
}
async function quote(gateId: string, qHash: string, wallet: TestWallet = alice): Promise<Ask> {
  const signed = await stage.signUnaddressed(wallet, { action: 'open_quote', gateId, qHash })
  return () => stage.post('/api/v1/payments/quote', { gateId, qHash, ...signed })
}
const countOf = (table: string, gateId: string): number =>
  stage.count(`${table} t JOIN gates g ON g.id = t.gate WHERE g.gate_id = '${gateId}'`)
async function transfer(): Promise<string> {
  // The clock of the chain is the one of the server.
  await anvil.rpc('evm_setNextBlockTimestamp', [nowSeconds()])
  const hash = await paid(anvil)
  await mine(anvil)
  return hash
}

describe.each(endings)('$name', (ending) => {
  const { isStored } = ending

  test('a transfer buys one reward', async () => {
    const gateId = await putGate({ supply: 2, perWallet: 1 })
    const qHash = await stage.prove(alice)
    const paymentTxHash = await transfer()
    const ask = await fulfillment(gateId, qHash, { paymentTxHash })
    await stage.doubt(ending, ask)
    expect(countOf('fulfillments', gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect(again.body).toMatchObject({ data: { fulfillment: { value: 'the secret of the shop' } } })
    expect(again.body.data.secondPayment).toBeUndefined()
    expect((await ask()).body.data).toEqual(again.body.data)
    expect([countOf('fulfillments', gateId), countOf('payments', gateId)]).toEqual([1, 1])
    expect(countOf('unmatched_payments', gateId)).toBe(0)
    // It bought this, and nothing else.
    const other = await fulfillment(await putGate(), qHash, { paymentTxHash })
    expect((await other()).body.error.code).toBe('PAYMENT_ALREADY_USED')
  })

  test('a transfer for a gate that has nothing left is owed once, and said to be given back once', async () => {
    const gateId = await putGate({ supply: 1 })
    const hers = await stage.prove(alice)
    const paymentTxHash = await transfer()
    expect((await (await fulfillment(gateId, await stage.prove(bob), {}, bob))()).status).toBe(402)
    await (await quote(gateId, await stage.prove(bob), bob))()
    const ask = await fulfillment(gateId, hers, { paymentTxHash })
    await stage.doubt(ending, ask)
    expect(countOf('unmatched_payments', gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect(again.body.error).toMatchObject({ code: 'GATE_SOLD_OUT', details: { unmatched: { state: 'owed' } } })
    expect(countOf('unmatched_payments', gateId)).toBe(1)

    await mine(anvil, 2)
    const { identity } = again.body.error.details.unmatched
    const signed = await stage.signAction(bob, { action: 'return_payment', identity })
    const returned = () => stage.post('/api/v1/profile/payments/unmatched/returned', { identity, ...signed })
    await stage.doubt(ending, returned)
    const told = await returned()
    if (isStored) expect(told.body.error).toMatchObject({ code: 'CONFLICT', details: { state: 'refunded' } })
    else expect(told.body.data.payment).toMatchObject({ state: 'refunded', givenBackBy: 'seller' })
    expect((await ask()).status).toBe(409)
    expect(countOf('payments', gateId)).toBe(0)
  })

  test('a quote is one, with one place', async () => {
    const gateId = await putGate({ supply: 1 })
    const ask = await quote(gateId, await stage.prove(alice))
    await stage.doubt(ending, ask)
    expect(countOf('quotes', gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect(again.status).toBe(200)
    expect((await ask()).body.data).toEqual(again.body.data)
    expect([countOf('quotes', gateId), countOf('reservations', gateId)]).toEqual([1, 1])
    const other = await quote(gateId, await stage.prove(mallory), mallory)
    expect((await other()).body.error.code).toBe('GATE_SOLD_OUT')
  })

  test('a page of payment whose place could not be held is opened on the next request', async () => {
    const gateId = await putGate({ supply: 1 })
    const ask = await checkout(gateId, await stage.prove(alice))
    const { length } = stripe.asked
    await stage.doubt(ending, ask)
    expect(stripe.asked).toHaveLength(length)
    expect(countOf('reservations', gateId)).toBe(isStored ? 1 : 0)
    expect((await ask()).status).toBe(200)
    expect([countOf('checkouts', gateId), countOf('reservations', gateId)]).toEqual([1, 1])
  })

  test('a page of payment that could not be stored is the same page when it is asked for again', async () => {
    const gateId = await putGate({ supply: 1 })
    const qHash = await stage.prove(alice)
    const ask = await checkout(gateId, qHash)
    let opened = ''
    stripe.twist = ({ id }) => {
      opened = id
      stage.faults.set(ending.fault)
    }
    await stage.doubt(ending, ask, () => {})
    stripe.twist = undefined
    expect(countOf('checkouts', gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect([again.status, again.body.data?.sessionId]).toEqual([200, opened])
    expect([countOf('checkouts', gateId), countOf('reservations', gateId)]).toEqual([1, 1])

    stripe.pay(opened)
    const claim = await fulfillment(gateId, qHash, { paymentCheckoutSessionId: opened })
    await stage.doubt(ending, claim)
    const given = await claim()
    expect(given.body.data.fulfillment.value).toBe('the secret of the shop')
    expect([countOf('fulfillments', gateId), countOf('payments', gateId)]).toEqual([1, 1])
  })
})
