/** POST …/fulfill at a paid gate: the price asked, the payments that count, and none counts twice. */
import { afterAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import * as evaluation from '../../src/gates/check/evaluate.ts'
import { applyReview } from '../../src/gates/fulfill/apply-review.ts'
import type { Quote } from '../../src/payments/offer.ts'
import { findPayment } from '../../src/payments/store.ts'
import { findUnmatched } from '../../src/payments/unmatched-store.ts'
import { expectRefused, leavesNothing, rowCounts } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { listDue } from '../payments/due.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { newTill, openStage, price, type Stage } from './fulfill-stage.ts'

const secret = 'open sesame'
const rewards = [{ kind: 'reveal' as const, value: secret }]
const paidBy = (paymentTxHash: string) => ({ paymentTxHash })

let stage: Stage
const seen: string[] = []
beforeEach(async () => {
  if (stage) seen.push(stage.logged())
  stage = await openStage()
  await stage.gate('paid', { price, rewards })
})
afterAll(() => expect(seen.join('\n')).not.toContain(secret))

/** A refusal that leaves every table as it was, and says nothing of the reward. */
const refusal = async (...args: Parameters<Stage['fulfill']>) => {
  const answer = await leavesNothing(stage.parts, () => stage.fulfill(...args))
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain(secret)
  return answer
}

const reverse = async (identity: string): Promise<boolean> =>
  applyReview(stage.parts, (await findPayment(stage.parts.db, identity))!, {
    state: 'reversed',
    reason: 'REORGED',
    message: 'the chain dropped it',
  })

describe('a request without a payment', () => {
  test('is answered with the price and the accepted methods', async () => {
    const answer = await refusal('paid', await stage.prove())
    expectRefused(answer, 'PAYMENT_REQUIRED', /costs 4\.99 USD: pay by usdc/)
    expect(answer.body.error.details).toEqual({
      reason: 'PAYMENT_MISSING',
      amountUsd: '4.99',
      accepts: [
        {
          method: 'usdc',
          id: 'till',
          type: 'onchain',
          network: 'eip155:8453',
          enabled: true,
          recipient: price.recipient,
        },
      ],
    })
    expect(stage.till.asked).toEqual([])
  })

  test('is answered as unpaid when the gate does not take the offered method', async () => {
    const answer = await refusal('paid', await stage.prove(), { paymentCheckoutSessionId: 'cs_1' })
    expectRefused(answer, 'PAYMENT_REQUIRED', /takes usdc, and was offered stripe/)
    expect(answer.body.error.details.reason).toBe('METHOD_NOT_ACCEPTED')
  })

  test('gets the header of its payment method, unless a payment is only waiting for confirmation', async () => {
    const asking = newTill()
    const ask = ({ price: { amountUsd } }: Quote) => ({ 'payment-required': amountUsd })
    stage = await openStage({}, () => [{ ...asking.method, ask }])
    await stage.gate('paid', { price, rewards })
    const qHash = await stage.prove()
    const unpaid = { paid: false, reason: 'NOT_CONFIRMED', message: 'not yet' } as const
    asking.answers('0xwait', { ...unpaid, retryAfterSeconds: 5 })
    asking.answers('0xown', { ...unpaid, headers: { 'payment-required': 'its own' } })
    const headerOf = async (more: object) => (await refusal('paid', qHash, more)).headers.get('payment-required')
    expect(await headerOf({})).toBe('4.99')
    expect(await headerOf(paidBy('0xunknown'))).toBe('4.99')
    expect(await headerOf(paidBy('0xwait'))).toBeNull()
    expect(await headerOf(paidBy('0xown'))).toBe('its own')
  })

  test('needs no payment at a price of zero', async () => {
    await stage.gate('gift', { price: { ...price, amountUsd: '0.00' }, rewards })
    expect((await stage.fulfill('gift', await stage.prove())).status).toBe(200)
  })

  test('the proof is asked for first, unless the gate charges first; the money moves last in either case', async () => {
    const requirements = [{ id: 'r1', verifierId: 'ownership-pseudonym' }]
    await stage.gate('verify', { price, rewards, requirements })
    await stage.gate('charge', { price: { ...price, executionOrder: 'chargeThenVerify' }, rewards, requirements })
    const qHash = await stage.prove()
    stage.till.takes('0xa')
    expectRefused(await refusal('verify', qHash), 'GATE_REQUIREMENTS_NOT_MET')
    expectRefused(await refusal('charge', qHash), 'PAYMENT_REQUIRED')
    expect(stage.till.asked).toEqual([])
    // A transfer has moved already: it is not claimed, and not forgotten.
    const refused = await stage.fulfill('charge', qHash, paidBy('0xa'))
    expect(refused.body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    expect(refused.body.error.details.unmatched).toMatchObject({ identity: 'tx:0xa', state: 'owed' })
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
  })
})

describe('the requirements', () => {
  const twoNeeded = [
    { id: 'r1', verifierId: 'ownership-basic' },
    { id: 'r2', verifierId: 'ownership-basic' },
  ]

  test.each(['verifyThenCharge', 'chargeThenVerify'] as const)(
    'are evaluated once for the wallet and once for the spent proof, at a gate with %s',
    async (executionOrder) => {
      await stage.gate('both', { price: { ...price, executionOrder }, rewards, requirements: twoNeeded })
      const qHash = await stage.prove()
      stage.till.takes('0xa')
      const evaluate = spyOn(evaluation, 'evaluateGate')
      try {
        expect((await stage.fulfill('both', qHash, paidBy('0xa'))).status).toBe(200)
        expect(evaluate.mock.calls.map(([, , { only }]) => only)).toEqual([undefined, qHash])
      } finally {
        evaluate.mockRestore()
      }
    },
  )
})

describe('a payment', () => {
  test('is claimed with the fulfillment, and is in its record', async () => {
    stage.till.takes('0xa')
    const qHash = await stage.prove()
    const { status, body } = await stage.fulfill('paid', qHash, paidBy('0xa'))
    expect(status).toBe(200)
    expect(body.data.fulfillment.value).toBe(secret)
    expect(body.data.rewardProof.payment).toEqual({ method: 'usdc', identity: 'tx:0xa', amount: '4990000' })
    expect(stage.till.asked).toEqual([
      {
        gateId: 'paid',
        qHash,
        price,
        wallets: [alice.address.toLowerCase()],
        terms: expect.anything(),
        evidence: '0xa',
      },
    ])
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toMatchObject({
      method: 'stablecoin',
      qHash,
      state: 'claimed',
      payer: alice.address.toLowerCase(),
      details: { transaction: 'tx:0xa' },
      claimedAt: stage.now(),
      watchAt: stage.now() + 15_000,
    })
  })

  test('is not looked at again once it is final', async () => {
    stage.till.takes('0xa', { isFinal: true })
    await stage.fulfill('paid', await stage.prove(), paidBy('0xa'))
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toMatchObject({ state: 'final', watchAt: null })
  })

  test('by a linked wallet counts as one of the caller', async () => {
    const link = await linkTo(bob)
    expect(link).toBe(200)
    stage.till.takes('0xa')
    await stage.fulfill('paid', await stage.prove(), paidBy('0xa'))
    expect(stage.till.asked[0]?.wallets).toEqual([alice.address.toLowerCase(), bob.address.toLowerCase()])
  })

  test('is requested once: a repetition needs no payment, and takes none', async () => {
    stage.till.takes('0xa')
    stage.till.takes('0xb')
    const qHash = await stage.prove()
    const first = await stage.fulfill('paid', qHash, paidBy('0xa'))
    for (const more of [{}, paidBy('0xa'), paidBy('0xb'), paidBy('0xunknown')]) {
      const again = await stage.fulfill('paid', qHash, more)
      expect(again.status).toBe(200)
      const { unmatched, secondPayment, ...data } = again.body.data
      expect(data).toEqual(first.body.data)
      // A second payment buys nothing, and its buyer is told so.
      expect(unmatched?.identity).toBe('paymentTxHash' in more && more.paymentTxHash === '0xb' ? 'tx:0xb' : undefined)
      const unknown = 'paymentTxHash' in more && more.paymentTxHash === '0xunknown' ? 'TX_NOT_FOUND' : undefined
      expect(secondPayment?.reason).toBe(unknown)
    }
    expect(await findPayment(stage.parts.db, 'tx:0xb')).toBeUndefined()
    expect((await findUnmatched(stage.parts.db, 'tx:0xb'))?.state).toBe('owed')
  })

  test('is valid for one gate and one proof', async () => {
    await stage.gate('second', { price, rewards })
    stage.till.takes('0xa')
    const [qHash, other] = [await stage.prove(), await stage.prove()]
    expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
    for (const [gateId, proof] of [
      ['paid', other],
      ['second', qHash],
      ['second', other],
    ] as const)
      expectRefused(await refusal(gateId, proof, paidBy('0xa')), 'PAYMENT_ALREADY_USED', /buys one reward/)
    expect((await stage.found('second'))?.fulfilledCount).toBe(0)
  })

  test('by its header counts where the gate takes it, and gives way to a payment in the body', async () => {
    const x402 = await openStage({}, undefined, 'x402')
    await x402.gate('paid', { price: { ...price, methods: ['x402'] }, rewards })
    x402.till.answers('c2lnbmVk', x402.till.paid('x402:1', { headers: { 'PAYMENT-RESPONSE': 'settled' } }))
    const headers = { 'payment-signature': 'c2lnbmVk' }
    const answer = await x402.fulfill('paid', await x402.prove(), {}, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('payment-response')).toBe('settled')
    const lost = await x402.fulfill('paid', await x402.prove(), {}, { headers })
    expectRefused(lost, 'PAYMENT_ALREADY_USED')
    expect(lost.headers.get('payment-response')).toBe('settled')

    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', await stage.prove(), paidBy('0xa'), { headers })).status).toBe(200)
  })
})

describe('a payment that is not there yet uses up no claim', () => {
  test('not confirmed: 402 with a reason and when to come back, and then it counts', async () => {
    const qHash = await stage.prove()
    stage.till.answers('0xa', {
      paid: false,
      reason: 'NOT_CONFIRMED',
      message: 'the transaction has 1 of 3 confirmations',
      retryAfterSeconds: 6,
    })
    const answer = await refusal('paid', qHash, paidBy('0xa'))
    expectRefused(answer, 'PAYMENT_REQUIRED', /1 of 3/)
    expect(answer.headers.get('retry-after')).toBe('6')
    expect(answer.body.error.details).toMatchObject({ reason: 'NOT_CONFIRMED', retryAfterSeconds: 6 })

    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
  })

  test('could not be looked up: 503, and then it counts', async () => {
    const qHash = await stage.prove()
    stage.till.isDown('0xa')
    const answer = await refusal('paid', qHash, paidBy('0xa'))
    expectRefused(answer, 'SERVICE_UNAVAILABLE', /chains\.base\.rpc\[0\] did not answer in time.*was not used/)
    expect(answer.headers.get('retry-after')).toBe('7')

    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
  })

  test('a fault of the method: 500, and then it counts', async () => {
    const qHash = await stage.prove()
    stage.till.answers('0xa', () => Promise.reject(new Error('broken inside')))
    const answer = await leavesNothing(stage.parts, () => stage.fulfill('paid', qHash, paidBy('0xa')))
    expectRefused(answer, 'INTERNAL_ERROR')
    expect(JSON.stringify(answer.body)).not.toContain('broken')
    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
  })
})

describe('a change during the look-up of a payment', () => {
  /** The payment is right, and something happens before that is known. */
  const meanwhile = (evidence: string, happens: () => Promise<unknown>) =>
    stage.till.answers(evidence, async () => {
      await happens()
      return stage.till.paid(`tx:${evidence}`)
    })
  const revoke = async (qHash: string) =>
    stage.post(`/api/v1/proofs/revoke-self/${qHash}`, await stage.ownerBody(alice, { action: 'revoke_proof', qHash }))

  test('the proof is revoked', async () => {
    const qHash = await stage.prove()
    meanwhile('0xa', () => revoke(qHash))
    expectRefused(await stage.fulfill('paid', qHash, paidBy('0xa')), 'PROOF_NOT_VERIFIED', /revoked.*owes it to you/)
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
    // Its proof is revoked: a new proof gets the reward for the same payment.
    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', await stage.prove(), paidBy('0xa'))).status).toBe(200)
    expect((await findUnmatched(stage.parts.db, 'tx:0xa'))?.state).toBe('used')
  })

  test('the proof is erased', async () => {
    const qHash = await stage.prove()
    meanwhile('0xa', async () =>
      stage.post(
        '/api/v1/proofs/erase-all',
        await stage.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
      ),
    )
    expectRefused(await stage.fulfill('paid', qHash, paidBy('0xa')), 'PROOF_NOT_FOUND')
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
    expect(await findUnmatched(stage.parts.db, 'tx:0xa')).toMatchObject({ buyer: null, qHash: null, state: 'owed' })
  })

  test('the gate is paused', async () => {
    meanwhile('0xa', () => stage.setStatus('paid', 'paused'))
    const qHash = await stage.prove()
    expectRefused(await stage.fulfill('paid', qHash, paidBy('0xa')), 'GATE_PAUSED')
    // The pause itself is in the audit log.
    const { audit_events, ...rows } = await rowCounts(stage.parts)
    expect(rows).toMatchObject({ payments: 0, fulfillments: 0 })
    expect(audit_events).toBeGreaterThan(0)
  })

  test('the last one goes: the payment is owed to its buyer, and buys the next one', async () => {
    await stage.gate('paid', { price, rewards, supply: 1 })
    const [qHash, faster] = [await stage.prove(), await stage.prove()]
    stage.till.takes('0xb')
    meanwhile('0xa', () => stage.fulfill('paid', faster, paidBy('0xb')))
    expectRefused(await stage.fulfill('paid', qHash, paidBy('0xa')), 'GATE_SOLD_OUT', /owes it to you/)
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
    await stage.gate('paid', { price, rewards, supply: 2 })
    stage.till.takes('0xa')
    expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
    expect((await findUnmatched(stage.parts.db, 'tx:0xa'))?.state).toBe('used')
  })

  test('the wallet gets its share by another proof', async () => {
    await stage.gate('paid', { price, rewards, perWallet: 1 })
    const [qHash, faster] = [await stage.prove(), await stage.prove()]
    stage.till.takes('0xb')
    meanwhile('0xa', () => stage.fulfill('paid', faster, paidBy('0xb')))
    expectRefused(await stage.fulfill('paid', qHash, paidBy('0xa')), 'GATE_LIMIT_REACHED')
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
  })

  test('another payment fulfills the same pair first: same answer, and this payment is owed', async () => {
    const qHash = await stage.prove()
    stage.till.takes('0xb')
    const faster: unknown[] = []
    meanwhile('0xa', async () => faster.push((await stage.fulfill('paid', qHash, paidBy('0xb'))).body.data))
    const answer = await stage.fulfill('paid', qHash, paidBy('0xa'))
    const { unmatched, ...data } = answer.body.data
    expect(data).toEqual(faster[0])
    expect(unmatched).toMatchObject({ identity: 'tx:0xa', state: 'owed', reason: 'ALREADY_FULFILLED' })
    expect(await findPayment(stage.parts.db, 'tx:0xa')).toBeUndefined()
  })

  test('a second one cannot be looked up: the reward is given again, and the buyer hears when to offer it again', async () => {
    const qHash = await stage.prove()
    stage.till.takes('0xfirst')
    stage.till.isDown('0xsecond')
    const ask = (paymentTxHash: string) => stage.fulfill('paid', qHash, { paymentTxHash })
    expect((await ask('0xfirst')).status).toBe(200)
    const { status, body } = await ask('0xsecond')
    expect(status).toBe(200)
    expect(body.data.secondPayment).toEqual({
      transactionHash: '0xsecond',
      reason: 'NOT_LOOKED_UP',
      message: expect.stringMatching(/could not be looked up.*Repeat this request in 7 s.*owed to you/),
      retryAfterSeconds: 7,
    })
    stage.till.takes('0xsecond')
    expect((await ask('0xsecond')).body.data).toMatchObject({ unmatched: { state: 'owed' } })
  })

  test('the gate gets a new version: the buyer gets the reward of the quoted version', async () => {
    meanwhile('0xa', () => stage.gate('paid', { price: { ...price, amountUsd: '99' }, rewards: [] }))
    const { data } = (await stage.fulfill('paid', await stage.prove(), paidBy('0xa'))).body
    expect(data.fulfillment.value).toBe(secret)
    expect(data.rewardProof.gateVersion).toBe(1)
  })
})

describe('a gate that is misconfigured', () => {
  const { recipient: _, ...withoutRecipient } = price

  test('tells its owner what to fix, and the buyer only that it is misconfigured', async () => {
    await stage.gate('broken', { price: withoutRecipient, rewards })
    const buyer = await refusal('broken', await stage.prove(), paidBy('0xa'))
    expectRefused(buyer, 'GATE_MISCONFIGURED', /its owner must complete its settings/i)
    expect(JSON.stringify(buyer.body)).not.toContain('recipient')

    const owner = await refusal('broken', await stage.prove(bob), {}, { wallet: bob })
    expectRefused(owner, 'GATE_MISCONFIGURED', /usdc needs price\.recipient/)
    expect(owner.body.error.details.mend).toEqual(['usdc needs price.recipient'])
    expect(stage.logged()).toContain('a gate cannot be paid as it is set up')
  })

  test('in one way of paying is still open in the others', async () => {
    await stage.gate('half', { price: { ...price, methods: ['card', 'stablecoin'] }, rewards })
    stage.till.takes('0xa')
    const qHash = await stage.prove()
    const asked = await refusal('half', qHash)
    expect(asked.body.error.details.accepts.map(({ method }: { method: string }) => method)).toEqual(['usdc'])
    expect((await stage.fulfill('half', qHash, paidBy('0xa'))).status).toBe(200)
  })

  test('with unconfigured payment methods of this server', async () => {
    stage = await openStage({}, () => [])
    await stage.gate('none', { price, rewards })
    expectRefused(await refusal('none', await stage.prove(bob), {}, { wallet: bob }), 'GATE_MISCONFIGURED')
  })
})

/** Returns the purchases that a check of the gate reports. */
const boughtBy = async (about: Record<string, string>, headers: Record<string, string> = {}): Promise<unknown> => {
  const query = new URLSearchParams({ gateId: 'paid', ...about })
  const { status, body } = await stage.request(`/api/v1/proofs/check?${query}`, { headers })
  expect(status).toBe(200)
  return body.data.gate.fulfillments
}
const signedBy = (wallet: TestWallet) =>
  stage.ownerHeaders(wallet, { action: 'gate_check_private_proofs', walletAddress: wallet.address.toLowerCase() })

test('a check shows purchases to the wallet that made them, and to no other caller', async () => {
  stage.till.takes('0xa')
  const qHash = await stage.prove(alice, { privacyLevel: 'public' })
  expect((await stage.fulfill('paid', qHash, paidBy('0xa'))).status).toBe(200)
  // By its id alone, a public proof lets anybody ask about its wallet.
  for (const about of [{ qHash }, { address: alice.address }]) {
    expect(await boughtBy(about, await signedBy(alice))).toMatchObject([{ qHash, state: 'granted' }])
    expect(await boughtBy(about)).toBeUndefined()
  }
  for (const other of [mallory, bob]) {
    expect(await boughtBy({ qHash }, await signedBy(other))).toBeUndefined()
    expect(await boughtBy({ address: other.address }, await signedBy(other))).toEqual([])
  }
})

describe('a payment that is taken back', () => {
  test('suspends its reward and frees the place, once; the payment never counts again', async () => {
    await stage.gate('paid', { price, rewards, supply: 1, perWallet: 1 })
    stage.till.takes('0xa')
    stage.till.takes('0xb')
    const qHash = await stage.prove()
    const { rewardProof } = (await stage.fulfill('paid', qHash, paidBy('0xa'))).body.data
    expect(await reverse('tx:0xa')).toBe(true)
    expect(await reverse('tx:0xa')).toBe(false)
    expect((await stage.found('paid'))?.fulfilledCount).toBe(0)

    for (const more of [{}, paidBy('0xa')])
      expectRefused(await refusal('paid', qHash, more), 'FULFILLMENT_SUSPENDED', /taken back/)
    const anew = await stage.fulfill('paid', qHash, paidBy('0xb'))
    expectRefused(anew, 'FULFILLMENT_SUSPENDED', /tx:0xb was received and bought nothing/)
    const receipt = await stage.request(new URL(rewardProof.receiptUrl).pathname)
    expect(receipt.body.data.state).toBe('suspended')
    expect(await boughtBy({ address: alice.address }, await signedBy(alice))).toEqual([
      { qHash, state: 'suspended', fulfilledAt: rewardProof.fulfilledAt },
    ])

    const other = await stage.prove()
    expectRefused(await refusal('paid', other, paidBy('0xa')), 'PAYMENT_ALREADY_USED')
    expect((await stage.fulfill('paid', other, paidBy('0xb'))).status).toBe(200)
    expect((await stage.found('paid'))?.fulfilledCount).toBe(1)
  })
})

describe('erasing everything of a wallet', () => {
  const erase = async (wallet: TestWallet) =>
    stage.post(
      '/api/v1/proofs/erase-all',
      await stage.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress: wallet.address.toLowerCase() }),
    )

  test('while a payment is written down that bought nothing leaves no name with it', async () => {
    await stage.gate('paid', { price, rewards, supply: 1 })
    for (const evidence of ['0xa', '0xb']) stage.till.takes(evidence)
    await stage.fulfill('paid', await stage.prove(mallory), paidBy('0xb'), { wallet: mallory })
    const qHash = await stage.prove()
    overtake(stage.parts.db, 'INSERT INTO unmatched_payments', async () => {
      expect((await erase(alice)).status).toBe(200)
    })
    const answer = await stage.fulfill('paid', qHash, paidBy('0xa'))
    expectRefused(answer, 'GATE_SOLD_OUT', /tx:0xa was received and bought nothing/)
    expect(await stage.rows('SELECT state, wallet, q_hash AS "qHash" FROM unmatched_payments')).toEqual([
      { state: 'owed', wallet: null, qHash: null },
    ])
  })

  test('deletes the reward and the payer; the payment cannot be used again, and the supply stays used', async () => {
    await stage.gate('paid', { price, rewards, supply: 3 })
    for (const evidence of ['0xa', '0xb']) stage.till.takes(evidence)
    const { rewardProof } = (await stage.fulfill('paid', await stage.prove(), paidBy('0xa'))).body.data
    const ofMallory = await stage.prove(mallory)
    await stage.fulfill('paid', ofMallory, paidBy('0xb'), { wallet: mallory })
    expect((await erase(alice)).status).toBe(200)

    expect(
      await stage.rows('SELECT identity, payer, details, hex(q_hash) AS "qHash", watch_at FROM payments WHERE id = 1'),
    ).toEqual([{ identity: 'tx:0xa', payer: null, details: null, qHash: '0'.repeat(64), watch_at: null }])
    expectRefused(await stage.request(new URL(rewardProof.receiptUrl).pathname), 'NOT_FOUND')
    const again = await stage.prove()
    expectRefused(await refusal('paid', again, paidBy('0xa')), 'PAYMENT_ALREADY_USED')
    expect((await stage.found('paid'))?.fulfilledCount).toBe(2)
    expect((await listDue(stage.parts.db, stage.now() + 60_000)).map(({ identity }) => identity)).toEqual(['tx:0xb'])

    // Other buyers keep their rewards.
    expect((await stage.fulfill('paid', ofMallory, {}, { wallet: mallory })).status).toBe(200)
  })
})

/** Links another wallet to Alice's: both sign. */
async function linkTo(other: TestWallet): Promise<number> {
  const at = stage.now()
  const [primary, secondary] = [alice.address.toLowerCase(), other.address.toLowerCase()]
  const chain = 'eip155:84532'
  const linked = JSON.stringify({
    primaryAccountId: `${chain}:${primary}`,
    primaryWalletAddress: primary,
    secondaryAccountId: `${chain}:${secondary}`,
    secondaryWalletAddress: secondary,
  })
  const signature = await other.sign(
    [
      'Portable Proof Verification Request',
      `Wallet: ${secondary}`,
      'Chain: 84532',
      'Verifiers: wallet-link',
      `Data: ${linked}`,
      `Timestamp: ${at}`,
    ].join('\n'),
  )
  const data = {
    primaryWalletAddress: alice.address,
    secondaryWalletAddress: other.address,
    chain,
    signature,
    signatureMethod: 'eip191',
    signedTimestamp: at,
  }
  return (await stage.submit(alice, { verifierIds: ['wallet-link'], data })).status
}
