/** POST …/fulfill without a credential: a program hears what a paid gate costs, and nothing about anybody's proof. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ErrorCode } from '../../src/errors.ts'
import type { Quote } from '../../src/payments/offer.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { newTill, openStage, price, type Stage, type StageGate } from './fulfill-stage.ts'

const rewards = [{ kind: 'reveal' as const, value: 'open sesame' }]
let stage: Stage
let till: ReturnType<typeof newTill>

beforeEach(async () => {
  till = newTill()
  const ask = ({ gateId, price: { amountUsd } }: Quote) => ({ 'payment-required': `${gateId} ${amountUsd}` })
  stage = await openStage({}, () => [{ ...till.method, ask }])
  await stage.gate('paid', { price: { ...price, label: 'A seat' }, rewards })
})

/** Sends a request without a signature. Every table stays as it is, and no payment is looked at. */
async function ask(gateId: string, qHash: string, more: object = {}, headers: Record<string, string> = {}) {
  const answer = await leavesNothing(stage.parts, () => stage.post(stage.pathOf(gateId), { qHash, ...more }, headers))
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(till.asked).toEqual([])
  return answer
}

describe('a paid gate', () => {
  test('says the price, on both paths, and that the wallet of the proof has to sign', async () => {
    const qHash = await stage.prove()
    const older = await leavesNothing(stage.parts, () => stage.post('/api/v1/gates/paid/fulfill', { qHash }))
    for (const answer of [await ask('paid', qHash), older]) {
      expectRefused(answer, 'PAYMENT_REQUIRED', /costs 4\.99 USD.*fulfill_gate/)
      expect(answer.headers.get('payment-required')).toBe('paid 4.99')
    }
  })

  test('says the same as to the wallet that signed', async () => {
    const qHash = await stage.prove()
    const [unsigned, signed] = [await ask('paid', qHash), await stage.fulfill('paid', qHash)]
    expect(unsigned.body.error.details).toEqual(signed.body.error.details)
    expect(unsigned.body.error.details).toMatchObject({ amountUsd: '4.99', label: 'A seat' })
    expect(unsigned.headers.get('payment-required')).toBe(signed.headers.get('payment-required'))
  })

  test('says the same to a caller with an address and no signature', async () => {
    const qHash = await stage.prove()
    const zeros = { walletAddress: alice.address, signature: `0x${'0'.repeat(130)}` }
    for (const more of [{ walletAddress: zeros.walletAddress }, { ...zeros, signedTimestamp: 1 }])
      expectRefused(await ask('paid', qHash, more), 'PAYMENT_REQUIRED')
  })

  test('says its price, though unlisted, to a caller that knows its id', async () => {
    await stage.gate('unlisted', { price, rewards, policy: { visibility: 'unlisted' } })
    expectRefused(await ask('unlisted', await stage.prove()), 'PAYMENT_REQUIRED')
  })

  test.each([
    ['a transaction', { paymentTxHash: '0xa' }, {}],
    ['a quote', { paymentQuoteId: 'quote_1' }, {}],
    ['a page of payment', { paymentCheckoutSessionId: 'cs_1' }, {}],
    ['a signed payment', {}, { 'payment-signature': 'e30=' }],
  ])('wants a signature first where %s came along', async (_, more, headers) => {
    till.takes('0xa')
    expectRefused(await ask('paid', await stage.prove(), more, headers), 'WALLET_AUTH_REQUIRED', /fulfill_gate/)
  })

  test.each([
    ['a signature without its time', { walletAddress: '0x01', signature: '0x1234' }, 'WALLET_AUTH_REQUIRED'],
    ['a wrong signature', { signature: `0x${'12'.repeat(65)}` }, 'SIGNATURE_INVALID'],
  ] as const)('treats %s as a signature attempt', async (_, more, code) => {
    const qHash = await stage.prove()
    const { walletAddress, signedTimestamp } = await stage.ownerBody(alice, {
      action: 'fulfill_gate',
      gateId: 'paid',
      qHash,
    })
    const body = code === 'SIGNATURE_INVALID' ? { walletAddress, signedTimestamp, ...more } : more
    expectRefused(await ask('paid', qHash, body), code)
  })
})

describe('a request without a credential reveals nothing about a wallet', () => {
  test('it gets the same answer for a fulfilled proof and for a revoked one', async () => {
    const [bought, revoked, fresh] = [await stage.prove(), await stage.prove(), await stage.prove()]
    till.takes('0xa')
    expect((await stage.fulfill('paid', bought, { paymentTxHash: '0xa' })).status).toBe(200)
    till.asked.length = 0
    const revoking = await stage.ownerBody(alice, { action: 'revoke_proof', qHash: revoked })
    expect((await stage.post(`/api/v1/proofs/revoke-self/${revoked}`, revoking)).status).toBe(200)
    const told = await Promise.all(
      [bought, revoked, fresh].map(async (qHash) => {
        const { status, body } = await stage.post(stage.pathOf('paid'), { qHash })
        return { status, error: { ...body.error, message: body.error.message.replaceAll(qHash, 'id') } }
      }),
    )
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(told[0]!.status).toBe(402)
  })

  test.each([
    ['private', { policy: { visibility: 'private' as const } }, 'GATE_NOT_FOUND'],
    ['a draft', { status: 'draft' as const }, 'GATE_NOT_FOUND'],
    ['paused', { status: 'paused' as const }, 'GATE_PAUSED'],
    ['closed', { schedule: { endsAt: '2020-01-01T00:00:00Z' } }, 'GATE_ENDED'],
    ['not open yet', { schedule: { startsAt: '2126-01-01T00:00:00Z' } }, 'GATE_NOT_STARTED'],
    ['for a price of nothing', { price: { ...price, amountUsd: '0.00' } }, 'WALLET_AUTH_REQUIRED'],
    ['not to be paid here', { price: { ...price, methods: ['card' as const] } }, 'WALLET_AUTH_REQUIRED'],
  ] satisfies [string, StageGate, ErrorCode][])('a gate that is %s answers as before', async (_, gate, code) => {
    await stage.gate('other', { price, rewards, ...gate })
    const answer = await ask('other', await stage.prove())
    expectRefused(answer, code)
    expect(answer.headers.get('payment-required')).toBeNull()
  })

  test('a sold-out gate asks for no payment', async () => {
    await stage.gate('last', { price, rewards, supply: 1 })
    till.takes('0xa')
    const qHash = await stage.prove()
    expectRefused(await ask('last', qHash), 'PAYMENT_REQUIRED')
    await stage.fulfill('last', qHash, { paymentTxHash: '0xa' })
    till.asked.length = 0
    for (const one of [qHash, await stage.prove()])
      expectRefused(await ask('last', one), 'WALLET_AUTH_REQUIRED', /fulfill_gate/)
  })

  test('a proof that does not exist is not found', async () => {
    expectRefused(await ask('paid', `0x${'ab'.repeat(32)}`), 'PROOF_NOT_FOUND')
  })
})
