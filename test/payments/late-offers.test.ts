/**
 * Transfers that reached the seller without buying anything: each becomes a reward or a row. Runs over HTTP on a real
 * chain.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { sweepOnce } from '../../src/sweep.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import { alice, bob, evmWallet, mallory, type TestWallet } from '../wallets.ts'
import { catchUp, coinEnv, lower, mine, openCoinStage, paid, price } from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
const exchange = evmWallet(`0x${'e5'.repeat(32)}`)
let anvil: Anvil

beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const rewards = [{ kind: 'reveal' as const, value: 'the secret' }]
const elsewhere = '0x6ecbe1db9ef729cbe972c83fb886247691fb6beb'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: of any route
  readonly body: any
}
const reason = ({ body }: Answer): string | undefined => body.error?.details.reason
const owed = ({ body }: Answer) => body.error?.details.unmatched

async function openShop(more: Partial<GateDefinition> = {}, env: Record<string, string> = {}) {
  const stage = await openStage(coinEnv(anvil.url, env), () => [stablecoin])
  await catchUp(stage, anvil)
  await stage.gate('shop', { price, rewards, ...more })
  const qHash = await stage.prove(alice)
  const quote = async (named = qHash, gateId = 'shop') => {
    const signed = await alice.signAction({ action: 'open_quote', gateId, qHash: named }, stage.now())
    const { data } = (await stage.post('/api/v1/payments/quote', { gateId, qHash: named, ...signed })).body
    return { quoteId: String(data.quoteId), amount: BigInt(data.amount) }
  }
  const pay = async (payment: Parameters<typeof paid>[1] = {}): Promise<string> => {
    const hash = await paid(anvil, payment)
    await catchUp(stage, anvil)
    return hash
  }
  const offer = (
    paymentTxHash: string,
    body: object = {},
    wallet: TestWallet = alice,
    gateId = 'shop',
    named = qHash,
  ) => stage.fulfill(gateId, named, { paymentTxHash, ...body }, { wallet })
  const list = async (side: 'paid' | 'received', wallet: TestWallet, which = '/unmatched') => {
    const walletAddress = lower(wallet.address)
    const signed = await wallet.signAction({ action: 'list_gates', walletAddress }, stage.now())
    const answer = await stage.request(`/api/v1/profile/payments${which}?side=${side}`, {
      headers: {
        'x-wallet-address': walletAddress,
        'x-signature': signed.signature,
        'x-signed-timestamp': String(signed.signedTimestamp),
      },
    })
    return answer.body.data.payments
  }
  /** The chain and the server go on by so much, and a block is made. */
  const pass = async (ms: number): Promise<void> => {
    await anvil.rpc('evm_increaseTime', [ms / 1000])
    await mine(anvil)
    await catchUp(stage, anvil)
  }
  return { stage, qHash, quote, pay, offer, list, pass }
}

const slow = { PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '5' }

describe('a payment that was offered while it waited for its chain', () => {
  const waiting = { price: { ...price, rewardAfter: 'confirmations' as const } }

  test('by hand is not too old afterwards, however late the request is repeated', async () => {
    const { stage, pay, offer } = await openShop(waiting, slow)
    const hash = await pay()
    const early = await offer(hash)
    expect([reason(early), early.body.error.message]).toEqual(['NOT_CONFIRMED', expect.stringContaining('repeat')])
    stage.wait(300 * minute)
    await mine(anvil, 5)
    expect((await offer(hash)).status).toBe(200)
  })

  test('for a quote by other hands is not refused afterwards, with and without its id', async () => {
    for (const isNamed of [true, false]) {
      const { stage, pay, offer, quote } = await openShop(waiting, slow)
      const { quoteId, amount } = await quote()
      const hash = await pay({ from: exchange.address, amount })
      const named = isNamed ? { paymentQuoteId: quoteId } : {}
      expect(reason(await offer(hash, named))).toBe('NOT_CONFIRMED')
      stage.wait(600 * minute)
      await sweepOnce(stage.parts)
      await mine(anvil, 5)
      expect((await offer(hash, named)).status).toBe(200)
    }
  })

  test('is remembered for the wallet that offered it alone, and is forgotten with its data', async () => {
    const { stage, pay, offer } = await openShop(waiting, slow)
    const hash = await pay()
    await offer(hash, {}, mallory, 'shop', await stage.prove(mallory))
    expect(await stage.rows('SELECT 1 FROM offered_transfers')).toEqual([])
    await offer(hash)
    stage.wait(minute)
    await offer(hash)
    expect(await stage.rows('SELECT wallet, first_at FROM offered_transfers')).toEqual([
      { wallet: lower(alice.address), first_at: stage.now() - minute },
    ])
    stage.wait(31 * 24 * 60 * minute)
    await sweepOnce(stage.parts)
    expect(await stage.rows('SELECT 1 FROM offered_transfers')).toEqual([])
    const next = await pay()
    await offer(next)
    expect(await stage.rows('SELECT 1 FROM offered_transfers')).toHaveLength(1)
    const signed = await stage.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: lower(alice.address) })
    expect((await stage.post('/api/v1/proofs/erase-all', signed)).status).toBe(200)
    expect(await stage.rows('SELECT 1 FROM offered_transfers')).toEqual([])
  })
})

describe('a transfer that is offered late', () => {
  test('for a quote that stood buys it, named or not', async () => {
    for (const isNamed of [true, false]) {
      const { stage, pay, offer, quote } = await openShop()
      const { quoteId, amount } = await quote()
      const hash = await pay({ from: exchange.address, amount })
      stage.wait(90 * minute)
      expect((await offer(hash, isNamed ? { paymentQuoteId: quoteId } : {})).status).toBe(200)
    }
  })

  test('for a quote that stood is owed where nothing is left', async () => {
    const { stage, pay, offer, quote } = await openShop({ supply: 1 })
    const { amount } = await quote()
    const hash = await pay({ from: exchange.address, amount })
    stage.wait(90 * minute)
    const theirs = await stage.prove(mallory)
    const last = await paid(anvil, { from: mallory.address })
    await anvil.rpc('evm_increaseTime', [90 * 60])
    stage.wait(0)
    const first = await offer(last, {}, mallory, 'shop', theirs)
    expect(first.status).toBe(402)
    await mine(anvil)
    const now = await pay({ from: mallory.address })
    expect((await offer(now, {}, mallory, 'shop', theirs)).status).toBe(200)
    const refused = await offer(hash)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'GATE_SOLD_OUT'])
    expect(owed(refused)).toMatchObject({ state: 'owed', transactionHash: hash, usableBy: ['payer', 'buyer'] })
  })

  test('by hand is recorded for the seller, who alone can return it', async () => {
    const { stage, pay, offer, list } = await openShop()
    await stage.gate('next', { price, rewards })
    const hash = await pay()
    stage.wait(90 * minute)
    const late = await offer(hash)
    expect([late.status, reason(late)]).toEqual([402, 'PAYMENT_TOO_OLD'])
    expect(owed(late)).toMatchObject({ state: 'owed', reason: 'PAYMENT_TOO_OLD', transactionHash: hash })
    expect(owed(late).usableBy).toBeUndefined()
    expect(late.body.error.message).toContain('the seller owes it to you')
    // A payment refused for its age does not buy at the next gate instead.
    expect(reason(await offer(hash, {}, alice, 'next'))).toBe('PAYMENT_TOO_OLD')
    for (const rows of [await list('received', bob), await list('paid', alice)])
      expect(rows).toMatchObject([{ state: 'owed', transactionHash: hash, payer: lower(alice.address) }])
  })

  test('from before the gate existed belongs to no buyer, and is not recorded', async () => {
    const stage = await openStage(coinEnv(anvil.url), () => [stablecoin])
    const hash = await paid(anvil)
    await catchUp(stage, anvil)
    stage.wait(90 * minute)
    await stage.gate('shop', { price, rewards })
    const refused = await stage.fulfill('shop', await stage.prove(alice), { paymentTxHash: hash })
    expect(refused.status).toBe(402)
    expect(await stage.rows('SELECT 1 FROM unmatched_payments')).toEqual([])
  })
})

describe('a payment whose proof is gone', () => {
  const revoke = async (stage: Awaited<ReturnType<typeof openShop>>['stage'], qHash: string) => {
    const signed = await alice.signAction({ action: 'revoke_proof', qHash }, stage.now())
    return stage.post(`/api/v1/proofs/revoke-self/${qHash}`, { ...signed })
  }

  test('revoked is named in the refusal, and used with another proof of the same wallet', async () => {
    const { stage, qHash, pay, offer, quote } = await openShop()
    const { amount } = await quote()
    const hash = await pay({ from: exchange.address, amount })
    expect((await revoke(stage, qHash)).status).toBe(200)
    const refused = await offer(hash)
    expect(refused.body.error.code).toBe('PROOF_NOT_VERIFIED')
    expect(refused.body.error.message).toContain('Your payment')
    expect(owed(refused)).toMatchObject({ state: 'owed', transactionHash: hash, usableBy: ['payer', 'buyer'] })
    expect((await offer(hash, {}, alice, 'shop', await stage.prove(alice))).status).toBe(200)
  })

  test('revoked before it was offered counts for the next proof of the same wallet alone', async () => {
    const { stage, qHash, pay, offer, quote } = await openShop()
    const { amount, quoteId } = await quote()
    const hash = await pay({ from: exchange.address, amount })
    await revoke(stage, qHash)
    const stranger = await offer(hash, { paymentQuoteId: quoteId }, mallory, 'shop', await stage.prove(mallory))
    expect(stranger.status).toBe(402)
    expect((await offer(hash, { paymentQuoteId: quoteId }, alice, 'shop', await stage.prove(alice))).status).toBe(200)
  })

  test('erased is named in the refusal, and used by the wallet with the id of its quote', async () => {
    const { stage, pay, offer, quote } = await openShop()
    const { amount, quoteId } = await quote()
    const hash = await pay({ from: exchange.address, amount })
    const own = await pay()
    const walletAddress = lower(alice.address)
    const signed = await stage.ownerBody(alice, { action: 'erase_all_proofs', walletAddress })
    expect((await stage.post('/api/v1/proofs/erase-all', signed)).status).toBe(200)
    expect(JSON.stringify(await stage.rows('SELECT wallet, hex(q_hash) FROM quotes'))).not.toContain(
      walletAddress.slice(2),
    )
    const refused = await offer(own)
    expect([refused.body.error.code, owed(refused)]).toEqual([
      'PROOF_NOT_FOUND',
      expect.objectContaining({ state: 'owed', transactionHash: own }),
    ])
    const next = await stage.prove(alice)
    expect((await offer(hash, { paymentQuoteId: quoteId }, alice, 'shop', next)).status).toBe(200)
    expect((await offer(own, {}, alice, 'shop', await stage.prove(alice))).status).toBe(200)
  })
})

describe('a payment by hand beside a change of the gate', () => {
  test('at the old price, in force when its block was made, buys the version of that time', async () => {
    const { stage, pay, offer } = await openShop()
    const hash = await pay()
    stage.wait(20_000)
    await stage.gate('shop', { price: { ...price, amountUsd: '9' }, rewards })
    expect((await offer(hash)).status).toBe(200)
  })

  test('at the old price, seconds after it was raised, is owed and can be used', async () => {
    const { stage, pay, offer, pass } = await openShop()
    await pass(60_000)
    await stage.gate('shop', { price: { ...price, amountUsd: '9' }, rewards })
    await stage.gate('next', { price, rewards })
    await pass(20_000)
    const hash = await pay()
    const refused = await offer(hash)
    expect(reason(refused)).toBe('AMOUNT_TOO_LOW')
    expect(owed(refused)).toMatchObject({ state: 'owed', reason: 'AMOUNT_TOO_LOW', amount: '4990000' })
    expect(reason(await offer(hash))).toBe('AMOUNT_TOO_LOW')
    expect((await offer(hash, {}, alice, 'next')).status).toBe(200)
  })

  test('in part is owed, but not where it is dust', async () => {
    const { stage, pay, offer } = await openShop()
    const half = await pay({ amount: 2_500_000n })
    expect(owed(await offer(half))).toMatchObject({ state: 'owed', amount: '2500000' })
    const dust = await offer(await pay({ amount: 498_999n }))
    expect([reason(dust), owed(dust)?.transactionHash]).toEqual(['AMOUNT_TOO_LOW', half])
    expect(await stage.rows('SELECT 1 FROM unmatched_payments')).toHaveLength(1)
    const stranger = await offer(half, {}, mallory, 'shop', await stage.prove(mallory))
    expect(owed(stranger)).toBeUndefined()
  })

  test('to the previous recipient is owed, and cannot be used', async () => {
    const { stage, pay, offer, pass } = await openShop()
    await pass(60_000)
    await stage.gate('shop', { price: { ...price, recipient: elsewhere }, rewards })
    await pass(20_000)
    const hash = await pay()
    const refused = await offer(hash)
    expect([refused.status, reason(refused)]).toEqual([402, 'RECIPIENT_CHANGED'])
    expect(refused.body.error.message).toContain(price.recipient)
    expect(owed(refused)).toMatchObject({ state: 'owed', reason: 'RECIPIENT_CHANGED', transactionHash: hash })
    expect(owed(refused).usableBy).toBeUndefined()
    expect((await offer(hash)).status).toBe(402)
    // It is not known any more whether the address is the seller’s.
    await pass(25 * 60 * minute)
    expect(owed(await offer(await pay({ amount: 5_000_000n })))?.transactionHash).toBe(hash)
  })

  test('is owed beside the reward where the gate costs nothing any more', async () => {
    const { stage, pay, offer, pass } = await openShop()
    await pass(60_000)
    const hash = await pay()
    await pass(20_000)
    await stage.gate('shop', { rewards })
    const given = await offer(hash)
    expect(given.status).toBe(200)
    expect(given.body.data.unmatched).toMatchObject({ state: 'owed', reason: 'GATE_FREE', transactionHash: hash })
    const again = await offer(hash)
    expect([again.status, await stage.rows('SELECT state FROM unmatched_payments')]).toEqual([200, [{ state: 'owed' }]])
  })

  test('is owed where the requirements are not met, and buys once they are', async () => {
    const { stage, pay, offer } = await openShop()
    await stage.gate('shop', { price, rewards, requirements: [{ id: 'r1', verifierId: 'token-holding' }] })
    const hash = await pay()
    const refused = await offer(hash)
    expect(refused.body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    expect(owed(refused)).toMatchObject({ state: 'owed', reason: 'GATE_REQUIREMENTS_NOT_MET', usableBy: ['payer'] })
    stage.wait(300 * minute)
    await stage.gate('shop', { price, rewards })
    expect((await offer(hash)).status).toBe(200)
  })
})

describe('the report of a payment', () => {
  test('by another wallet names who can use it, and is in the list of the wallet that paid too', async () => {
    const { stage, pay, offer, quote, list } = await openShop()
    const { amount } = await quote()
    const hash = await pay({ from: exchange.address, amount })
    await stage.setStatus('shop', 'deleted' as never)
    const refused = await offer(hash)
    expect(owed(refused)).toMatchObject({ state: 'owed' })
    expect(refused.body.error.message).toContain(lower(alice.address))
    expect(refused.body.error.message).toContain(lower(exchange.address))
    expect(await list('paid', alice)).toMatchObject([{ transactionHash: hash }])
    const [seen] = await list('paid', exchange)
    expect(seen).toMatchObject({ transactionHash: hash, state: 'owed' })
    expect(seen.qHash).toBeUndefined()
  })

  test('says what was paid above the price, in the answer and in the lists', async () => {
    const { stage, pay, offer, list } = await openShop()
    const given = await offer(await pay({ amount: 100_000_000n }))
    expect(given.body.data.overpaid).toEqual({ paid: '100000000', price: '4990000', above: '95010000' })
    for (const [side, wallet] of [
      ['received', bob],
      ['paid', alice],
    ] as const) {
      const [sale] = await list(side, wallet, '')
      expect(sale.payment).toMatchObject({ amount: '100000000', overpaidAmount: '95010000' })
    }
    const exact = await offer(await pay(), {}, alice, 'shop', await stage.prove(alice))
    expect([exact.status, exact.body.data.overpaid]).toEqual([200, undefined])
  })
})
