/** x402 with a real chain, facilitator and client: tests what a signed payment buys, and what it does not. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import type { PaymentVerdict } from '../../src/payments/payment.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { x402 } from '../../src/payments/x402/method.ts'
import type { Quote } from '../../src/payments/x402/quote.ts'
import { startApp, type TestApp } from '../app.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { type LyingRpc, lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { facilitatorLies } from '../parts/x402-facilitator.ts'
import { lower, mine, shop, usdc } from './coin-stage.ts'
import {
  type Changes,
  cancel,
  decoded,
  encoded,
  openX402Stage,
  other,
  type Payer,
  pauper,
  payer,
  price,
  quoteFor,
  sendPast,
  sendTogether,
  signedBy,
  toRealTime,
  wordOf,
  type X402Stage,
} from './x402-stage.ts'

let stage: X402Stage
let app: TestApp

beforeAll(async () => {
  stage = await openX402Stage()
})
afterAll(() => stage.stop())
beforeEach(async () => {
  stage.facilitator.tellTheTruth()
  app = await startApp(stage.env)
  toRealTime(app)
})

const sign = (by: Payer = payer, changes: Changes = {}, quote: Quote = quoteFor(by)): Promise<string> =>
  signedBy(by, quote, app.parts, changes)
const confirm = (evidence: string, quote: Quote = quoteFor(payer)): Promise<PaymentVerdict> =>
  x402.confirm({ ...quote, evidence }, app.parts)

const refusalOf = async (answer: Promise<unknown>): Promise<AppError> => {
  const error = await answer.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  return error as AppError
}
const outageOf = async (answer: Promise<unknown>): Promise<OutsideError> => {
  const error = await answer.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OutsideError)
  return error as OutsideError
}

/** How much more the shop has after it. */
async function earned(what: () => Promise<unknown>): Promise<bigint> {
  const before = await stage.till()
  await what()
  return (await stage.till()) - before
}

describe('a signed payment', () => {
  test('is settled once and named after its authorization', async () => {
    const evidence = await sign()
    const { authorization } = decoded(evidence).payload
    let verdict: PaymentVerdict | undefined
    expect(
      await earned(async () => {
        verdict = await confirm(evidence)
      }),
    ).toBe(250_000n)
    if (!verdict?.paid) throw new Error(JSON.stringify(verdict))
    const from = lower(payer.account.address)
    expect(verdict.identity).toBe(`x402:eip155:8453:${lower(usdc)}:${from}:${authorization.nonce}`)
    expect(verdict).toMatchObject({ payer: from, amount: '250000', isFinal: false })
    expect(verdict.details).toMatchObject({ chain: 'eip155:8453', recipient: shop, due: '250000' })
    expect(decoded(verdict.headers?.['PAYMENT-RESPONSE'])).toEqual({
      success: true,
      transaction: verdict.details.transactionHash,
      network: 'eip155:8453',
      payer: from,
    })
  })

  test('is the same payment when it comes again, and moves no money a second time', async () => {
    const evidence = await sign()
    const first = await confirm(evidence)
    const again = await earned(async () => expect(await confirm(evidence)).toEqual(first))
    expect(first.paid).toBe(true)
    expect(again).toBe(0n)
  })

  test('is one payment for both when it comes twice at the same moment', async () => {
    const evidence = await sign()
    let verdicts: PaymentVerdict[] = []
    const sum = await earned(async () => {
      verdicts = await Promise.all([confirm(evidence), confirm(evidence), confirm(evidence)])
    })
    expect(verdicts.map(wordOf)).toEqual(['PAID', 'PAID', 'PAID'])
    expect(new Set(verdicts.map((one) => (one.paid ? one.identity : one.reason))).size).toBe(1)
    expect(sum).toBe(250_000n)
  })

  test('does not hinder another payer', async () => {
    const [one, two] = await Promise.all([sign(payer), sign(other)])
    const verdicts = await Promise.all([confirm(one), confirm(two, quoteFor(other))])
    expect(verdicts.map(wordOf)).toEqual(['PAID', 'PAID'])
  })

  test('may come from a wallet that is linked to the one of the proof', async () => {
    const quote = quoteFor(payer, { wallets: [lower(payer.account.address), lower(other.account.address)] })
    expect(wordOf(await confirm(await sign(other, {}, quote), quote))).toBe('PAID')
  })

  test('counts when another sender was faster', async () => {
    const evidence = await sign()
    await sendPast(evidence, stage)
    expect(wordOf(await confirm(evidence))).toBe('PAID')
  })

  test('is found when its validity is over in the meantime', async () => {
    const evidence = await sign()
    await sendPast(evidence, stage)
    app.wait(20 * 60_000)
    expect(wordOf(await confirm(evidence))).toBe('PAID')
  })

  test('is too old after the quote window', async () => {
    const evidence = await sign()
    await sendPast(evidence, stage)
    app.wait(61 * 60_000)
    expect(wordOf(await confirm(evidence))).toBe('PAYMENT_TOO_OLD')
  })

  test('is found in blocks of long ago', async () => {
    const evidence = await sign()
    const snapshot = await stage.anvil.rpc('evm_snapshot')
    await sendPast(evidence, stage)
    await mine(stage.anvil, 1100)
    expect(wordOf(await confirm(evidence))).toBe('PAID')
    await stage.anvil.rpc('evm_revert', [snapshot])
  })

  test('has one name under x402 and as a transaction', async () => {
    const verdict = await confirm(await sign())
    if (!verdict.paid) throw new Error(verdict.reason)
    const asTransaction = await stablecoin.confirm(
      { ...quoteFor(payer), evidence: String(verdict.details.transactionHash) },
      app.parts,
    )
    expect(asTransaction.paid && asTransaction.identity).toBe(verdict.identity)
  })
})

describe('a payment that was signed for another purpose is refused before the facilitator sees it:', () => {
  const stranger = lower(other.account.address)
  const cases: readonly [string, string, Changes][] = [
    ['too little', 'AMOUNT_MISMATCH', { asked: ({ accepts }) => Object.assign(accepts[0]!, { amount: '249999' }) }],
    ['too much', 'AMOUNT_MISMATCH', { asked: ({ accepts }) => Object.assign(accepts[0]!, { amount: '250001' }) }],
    [
      'too little, and said to be enough',
      'AMOUNT_MISMATCH',
      {
        asked: ({ accepts }) => Object.assign(accepts[0]!, { amount: '1' }),
        signed: (payload) => Object.assign(payload.accepted, { amount: '250000' }),
      },
    ],
    [
      'another recipient',
      'RECIPIENT_MISMATCH',
      { asked: ({ accepts }) => Object.assign(accepts[0]!, { payTo: stranger }) },
    ],
    [
      'another recipient, and said to be the right one',
      'RECIPIENT_MISMATCH',
      {
        asked: ({ accepts }) => Object.assign(accepts[0]!, { payTo: stranger }),
        signed: (payload) => Object.assign(payload.accepted, { payTo: shop }),
      },
    ],
    [
      'another chain',
      'NETWORK_MISMATCH',
      { asked: ({ accepts }) => Object.assign(accepts[0]!, { network: 'eip155:84532' }) },
    ],
    ['another token', 'TOKEN_MISMATCH', { asked: ({ accepts }) => Object.assign(accepts[0]!, { asset: stranger }) }],
    ['another scheme', 'SCHEME_MISMATCH', { signed: (payload) => Object.assign(payload.accepted, { scheme: 'upto' }) }],
    [
      'another resource',
      'RESOURCE_MISMATCH',
      { signed: (payload) => Object.assign(payload.resource, { url: 'http://localhost:8787/another' }) },
    ],
    [
      'another EIP-712 domain',
      'REQUIREMENTS_MISMATCH',
      { signed: (payload) => Object.assign(payload.accepted.extra, { name: 'Other Coin' }) },
    ],
    [
      'another way of transfer',
      'REQUIREMENTS_MISMATCH',
      { signed: (payload) => Object.assign(payload.accepted.extra, { assetTransferMethod: 'permit2' }) },
    ],
    [
      'a longer time',
      'REQUIREMENTS_MISMATCH',
      { signed: (payload) => Object.assign(payload.accepted, { maxTimeoutSeconds: 86_400 }) },
    ],
    [
      'a time that is over',
      'AUTHORIZATION_EXPIRED',
      {
        signed: ({ payload }) =>
          Object.assign(payload.authorization, { validBefore: String(Math.floor(Date.now() / 1000) - 1) }),
      },
    ],
    [
      'a time that is nearly over',
      'AUTHORIZATION_EXPIRED',
      {
        signed: ({ payload }) =>
          Object.assign(payload.authorization, { validBefore: String(Math.floor(Date.now() / 1000) + 3) }),
      },
    ],
    [
      'a time that has not come',
      'AUTHORIZATION_NOT_YET_VALID',
      {
        signed: ({ payload }) =>
          Object.assign(payload.authorization, { validAfter: String(Math.floor(Date.now() / 1000) + 120) }),
      },
    ],
  ]
  test.each(cases)('%s', async (_, reason, changes) => {
    const asked = stage.facilitator.asked.length
    const evidence = await sign(payer, changes)
    let verdict: PaymentVerdict | undefined
    const moved = await earned(async () => {
      verdict = await confirm(evidence)
    })
    expect(verdict && wordOf(verdict)).toBe(reason)
    expect(moved).toBe(0n)
    expect(stage.facilitator.asked.length).toBe(asked)
    // Asked once more, and told why.
    const required = decoded((verdict as { headers?: Record<string, string> }).headers?.['PAYMENT-REQUIRED'])
    expect(required.accepts).toHaveLength(1)
    expect(required.error).toBe((verdict as { message?: string }).message)
  })

  test('a payment of a stranger', async () => {
    const evidence = await sign(other)
    expect(wordOf(await confirm(evidence))).toBe('PAYER_MISMATCH')
  })

  test('a settled payment of another wallet, copied from the chain', async () => {
    const evidence = await sign(other)
    expect(wordOf(await confirm(evidence, quoteFor(other)))).toBe('PAID')
    expect(wordOf(await confirm(evidence))).toBe('PAYER_MISMATCH')
  })

  test('a payment of the wallet as a contract of another chain', async () => {
    const evidence = await sign()
    expect(wordOf(await confirm(evidence, quoteFor(payer, { contractOn: 'eip155:1' })))).toBe('PAYER_MISMATCH')
    expect(wordOf(await confirm(evidence, quoteFor(payer, { contractOn: 'eip155:8453' })))).toBe('PAID')
  })
})

describe('two buyers in one transaction', () => {
  test('have a payment each, whichever way they offer it', async () => {
    const [ours, theirs] = [await sign(), await sign(other)]
    const evidence = await sendTogether([ours, theirs], stage)
    const first = await stablecoin.confirm({ ...quoteFor(other), evidence }, app.parts)
    const second = await confirm(ours)
    expect([first, second].map(wordOf)).toEqual(['PAID', 'PAID'])
    expect(first.paid && second.paid && first.identity !== second.identity).toBe(true)
  })
})

describe('a used nonce is no payment by itself:', () => {
  test('the nonce of a transfer to another recipient', async () => {
    const evidence = await sign(payer, {
      asked: ({ accepts }) => Object.assign(accepts[0]!, { payTo: other.account.address }),
    })
    await sendPast(evidence, stage)
    const claimed = await sign(payer, { signed: ({ payload }) => takeNonce(payload, evidence) })
    expect(wordOf(await confirm(claimed))).toBe('AUTHORIZATION_SPENT')
  })

  test('the one of a smaller transfer to the same recipient', async () => {
    const evidence = await sign(payer, { asked: ({ accepts }) => Object.assign(accepts[0]!, { amount: '1' }) })
    await sendPast(evidence, stage)
    const claimed = await sign(payer, { signed: ({ payload }) => takeNonce(payload, evidence) })
    expect(wordOf(await confirm(claimed))).toBe('AMOUNT_TOO_LOW')
  })

  test('the one of a smaller transfer beside the right one', async () => {
    const small = await sign(payer, { asked: ({ accepts }) => Object.assign(accepts[0]!, { amount: '1' }) })
    const right = await sign()
    for (const order of [
      [small, right],
      [right, small],
    ]) {
      const snapshot = await stage.anvil.rpc('evm_snapshot')
      const evidence = await sendTogether(order, stage)
      const claimed = await sign(payer, { signed: ({ payload }) => takeNonce(payload, small) })
      expect(wordOf(await confirm(claimed))).toBe('AMOUNT_TOO_LOW')
      expect(wordOf(await confirm(right))).toBe('PAID')
      // The transaction hash alone does not tell which of the two it is.
      const asTransaction = await stablecoin.confirm({ ...quoteFor(payer), evidence }, app.parts)
      expect(wordOf(asTransaction)).toBe('SEVERAL_AUTHORIZATIONS')
      await stage.anvil.rpc('evm_revert', [snapshot])
    }
  })

  test('one that was cancelled', async () => {
    const evidence = await sign()
    await cancel(evidence, stage)
    const verdict = await confirm(evidence)
    expect(wordOf(verdict)).toBe('AUTHORIZATION_SPENT')
    // The transaction may only be missing so far: a request to pay would make the buyer pay twice.
    expect((verdict as { headers?: Record<string, string> }).headers?.['PAYMENT-REQUIRED']).toBeUndefined()
  })

  const takeNonce = (payload: { authorization: { nonce: string } }, evidence: string): void => {
    payload.authorization.nonce = decoded(evidence).payload.authorization.nonce
  }
})

describe('the facilitator', () => {
  test('gets the checked fields, and no other input', async () => {
    const evidence = await sign(payer, {
      signed: (payload) => {
        payload.extensions = { surprise: true }
        payload.payload.permit2Authorization = { from: payer.account.address }
      },
    })
    expect(wordOf(await confirm(evidence))).toBe('PAID')
    const { paymentPayload, paymentRequirements } = stage.facilitator.lastBody()
    expect(Object.keys(paymentPayload).sort()).toEqual(['accepted', 'payload', 'resource', 'x402Version'])
    expect(Object.keys(paymentPayload.payload).sort()).toEqual(['authorization', 'signature'])
    expect(paymentPayload.accepted).toEqual(paymentRequirements)
  })

  test('refuses a payer without money, and no claim remains', async () => {
    const evidence = await sign(pauper)
    const verdict = await confirm(evidence, quoteFor(pauper))
    expect(wordOf(verdict)).toBe('PAYMENT_INVALID')
    expect(verdict.paid ? '' : verdict.message).toContain('invalid_exact_evm_transaction_simulation_failed')
    await stage.token.write('mint', [pauper.account.address, 250_000n])
    expect(wordOf(await confirm(evidence, quoteFor(pauper)))).toBe('PAID')
  })

  test('refuses a signature that is not the payer’s', async () => {
    const evidence = await sign(payer, {
      signed: ({ payload }) => Object.assign(payload, { signature: `0x${'11'.repeat(64)}1b` }),
    })
    expect(wordOf(await confirm(evidence))).toBe('PAYMENT_INVALID')
  })

  test('may settle and lose its answer: the payment is found at once', async () => {
    stage.facilitator.lie('/settle', facilitatorLies.losesItsAnswer)
    const evidence = await sign()
    const sum = await earned(async () => expect(wordOf(await confirm(evidence))).toBe('PAID'))
    expect(sum).toBe(250_000n)
  })

  test('may settle after the timeout: the same payload is claimed when it comes again', async () => {
    const settled = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    stage.facilitator.lie('/settle', async (response, honest) => {
      response.destroy()
      await resumed.promise
      await honest()
      settled.resolve()
    })
    const evidence = await sign()
    const { fault, source } = await outageOf(confirm(evidence))
    expect({ fault, source }).toEqual({ fault: 'unreachable', source: 'payments.x402.facilitator_url' })
    resumed.resolve()
    await settled.promise
    stage.facilitator.lie('/settle', facilitatorLies.says({ success: false, errorReason: 'should not be asked' }))
    expect(wordOf(await confirm(evidence))).toBe('PAID')
  })

  test('is asked again after it dropped the connection before settling', async () => {
    stage.facilitator.lie('/settle', facilitatorLies.dropsTheConnection)
    const evidence = await sign()
    await outageOf(confirm(evidence))
    stage.facilitator.tellTheTruth()
    const sum = await earned(async () => expect(wordOf(await confirm(evidence))).toBe('PAID'))
    expect(sum).toBe(250_000n)
  })

  test('is not believed when it names a transaction that paid nobody', async () => {
    const { transactionHash } = await stage.anvil.send({ to: shop, value: 1n })
    stage.facilitator.lie(
      '/settle',
      facilitatorLies.says({ success: true, transaction: transactionHash, network: 'eip155:8453' }),
    )
    const evidence = await sign()
    const verdict = await confirm(evidence)
    expect(wordOf(verdict)).toBe('NOT_CONFIRMED')
    expect(verdict).toMatchObject({ paid: false, retryAfterSeconds: 5 })
    const { headers } = verdict as { headers: Record<string, string> }
    expect(Object.keys(headers)).toEqual(['PAYMENT-RESPONSE'])
    expect(decoded(headers['PAYMENT-RESPONSE'])).toMatchObject({ success: false, errorReason: 'settlement_pending' })

    stage.facilitator.tellTheTruth()
    expect(wordOf(await confirm(evidence))).toBe('PAID')
  })

  test('is not believed when it names the transaction of another buyer', async () => {
    const foreign = await confirm(await sign(other), quoteFor(other))
    if (!foreign.paid) throw new Error(foreign.reason)
    stage.facilitator.lie(
      '/settle',
      facilitatorLies.says({
        success: true,
        transaction: foreign.details.transactionHash,
        network: 'eip155:8453',
        payer: payer.account.address,
      }),
    )
    expect(wordOf(await confirm(await sign()))).toBe('NOT_CONFIRMED')
  })

  test('settles although it names another transaction: the payment is found', async () => {
    stage.facilitator.lie(
      '/settle',
      facilitatorLies.twists((said) => ({ ...said, transaction: `0x${'cd'.repeat(32)}` })),
    )
    expect(wordOf(await confirm(await sign()))).toBe('PAID')
  })

  test('settles although it reports a failure: the payment is found', async () => {
    stage.facilitator.lie(
      '/settle',
      facilitatorLies.twists(() => ({ success: false, errorReason: 'unexpected_settle_error', transaction: '' })),
    )
    expect(wordOf(await confirm(await sign()))).toBe('PAID')
  })

  test('cannot settle: another payment is asked for, and the answer says why', async () => {
    stage.facilitator.lie(
      '/settle',
      facilitatorLies.says({ success: false, errorReason: 'insufficient_funds', transaction: '', network: '' }, 400),
    )
    const verdict = await confirm(await sign())
    expect(wordOf(verdict)).toBe('SETTLEMENT_FAILED')
    const { headers } = verdict as { headers: Record<string, string> }
    expect(decoded(headers['PAYMENT-RESPONSE'])).toEqual({
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
      payer: lower(payer.account.address),
    })
    expect(decoded(headers['PAYMENT-REQUIRED']).accepts).toHaveLength(1)
  })

  const outages: readonly [string, string, Parameters<typeof stage.facilitator.lie>[1]][] = [
    ['is down', 'unreachable', facilitatorLies.dropsTheConnection],
    ['has a fault of its own', 'unreachable', facilitatorLies.status(500)],
    ['wants fewer calls', 'rate-limited', facilitatorLies.status(429, { 'retry-after': '17' })],
    ['wants a key', 'credentials', facilitatorLies.status(401)],
    ['hangs', 'timeout', facilitatorLies.hangs],
    ['answers in HTML', 'malformed', facilitatorLies.html],
    ['answers with other JSON', 'malformed', facilitatorLies.says({ hello: 'world' })],
    ['answers with null', 'malformed', facilitatorLies.says(null)],
    ['answers with a yes that is a text', 'malformed', facilitatorLies.says({ isValid: 'true' })],
    ['says yes with an error status', 'malformed', facilitatorLies.says({ isValid: true }, 400)],
    ['verifies somebody else’s payment', 'malformed', facilitatorLies.says({ isValid: true, payer: usdc })],
  ]
  test.each(outages)('causes an outage error and no settlement when it %s at /verify', async (_, fault, lie) => {
    stage.facilitator.lie('/verify', lie)
    const evidence = await sign()
    const before = stage.facilitator.asked.length
    const sum = await earned(async () => expect(String((await outageOf(confirm(evidence))).fault)).toBe(fault))
    expect(sum).toBe(0n)
    expect(stage.facilitator.asked.slice(before)).not.toContain('/settle')
    stage.facilitator.tellTheTruth()
    app = await startApp(stage.env)
    toRealTime(app)
    expect(wordOf(await confirm(evidence))).toBe('PAID')
  })

  const settleOutages: readonly [string, string, Parameters<typeof stage.facilitator.lie>[1]][] = [
    ['has a fault of its own', 'unreachable', facilitatorLies.status(500)],
    ['answers in HTML', 'malformed', facilitatorLies.html],
    [
      'settles on another network',
      'malformed',
      facilitatorLies.says({ success: true, transaction: `0x${'cd'.repeat(32)}`, network: 'eip155:1' }),
    ],
    [
      'settles for another payer',
      'malformed',
      facilitatorLies.says({ success: true, transaction: '', network: 'eip155:8453', payer: usdc }),
    ],
  ]
  test.each(settleOutages)('causes an outage error and is asked once when it %s at /settle', async (_, fault, lie) => {
    stage.facilitator.lie('/settle', lie)
    // Other calls are made up to three times.
    app = await startApp({ ...stage.env, PROOFGATE_OUTSIDE_ATTEMPTS: '3' })
    toRealTime(app)
    const before = stage.facilitator.asked.length
    expect(String((await outageOf(confirm(await sign()))).fault)).toBe(fault)
    expect(stage.facilitator.asked.slice(before)).toEqual(['/verify', '/settle'])
  })
})

describe('the chain', () => {
  test('gives an outage error when it hides its events, and the payment is found later', async () => {
    const rpc = startLyingRpc(stage.anvil.url)
    rpc.lie(lies.error(-32005, 'query returned more than 10 results', ['eth_getLogs']))
    const evidence = await sign()
    await sendPast(evidence, stage)
    const { parts } = await startApp({ ...stage.env, PROOFGATE_CHAINS_BASE_RPC: rpc.url })
    const asked = () => x402.confirm({ ...quoteFor(payer), evidence }, { ...parts, now: app.now })
    expect((await outageOf(asked())).source).toBe('chains.base.rpc[0]')
    rpc.lie(lies.result('eth_getLogs', () => [{ transactionHash: '0x12' }]))
    expect((await outageOf(asked())).fault).toBe('malformed')
    // An endpoint that hides it costs the buyer time, and no money.
    rpc.lie(lies.result('eth_getLogs', () => []))
    expect(wordOf(await asked())).toBe('AUTHORIZATION_SPENT')
    rpc.tellTheTruth()
    expect(wordOf(await asked())).toBe('PAID')
    await rpc.stop()
  })

  describe('with a quorum of two endpoints', () => {
    let rpcs: readonly LyingRpc[]
    beforeEach(() => {
      rpcs = [0, 1, 2].map(() => startLyingRpc(stage.anvil.url))
    })
    afterEach(() => Promise.all(rpcs.map((rpc) => rpc.stop())))

    async function asking(endpoints: readonly LyingRpc[]) {
      const evidence = await sign()
      await sendPast(evidence, stage)
      const { parts } = await startApp({
        ...stage.env,
        PROOFGATE_CHAINS_BASE_RPC: endpoints.map(({ url }) => url).join(','),
        PROOFGATE_CHAINS_BASE_AGREE: '2',
      })
      return () => x402.confirm({ ...quoteFor(payer), evidence }, { ...parts, now: app.now })
    }
    const hides = lies.result('eth_getLogs', () => [])
    const fails = lies.error(-32005, 'query returned more than 10 results', ['eth_getLogs'])

    test('finds a payment that the first one hides', async () => {
      rpcs[0]!.lie(hides)
      expect(wordOf(await (await asking(rpcs.slice(0, 2)))())).toBe('PAID')
    })

    test('does not report a missing payment when only one endpoint answered', async () => {
      rpcs[0]!.lie(hides)
      rpcs[1]!.lie(fails)
      const asked = await asking(rpcs.slice(0, 2))
      expect((await outageOf(asked())).source).toBe('chains.base.rpc')
      rpcs[1]!.tellTheTruth()
      expect(wordOf(await asked())).toBe('PAID')
    })

    test('asks a third one in place of one that fails, and uses its answer', async () => {
      rpcs[0]!.lie(hides)
      rpcs[1]!.lie(fails)
      expect(wordOf(await (await asking(rpcs))())).toBe('PAID')
    })

    test('is not led astray by a transaction that one of them makes up', async () => {
      rpcs[0]!.lie(lies.result('eth_getLogs', () => [{ transactionHash: `0x${'cd'.repeat(32)}` }]))
      expect(wordOf(await (await asking(rpcs.slice(0, 2)))())).toBe('PAID')
    })

    test('announces another search when both see nothing, and asks for no other payment', async () => {
      for (const rpc of rpcs) rpc.lie(hides)
      const asked = await asking(rpcs.slice(0, 2))
      const verdict = await asked()
      expect(verdict).toMatchObject({ paid: false, reason: 'AUTHORIZATION_SPENT', retryAfterSeconds: 10 })
      const { message, headers = {} } = verdict as Extract<PaymentVerdict, { paid: false }>
      expect(message).toContain('repeat the request with the same PAYMENT-SIGNATURE in 10 s, and sign no other')
      expect(Object.keys(headers)).toEqual(['PAYMENT-RESPONSE'])
      expect(decoded(headers['PAYMENT-RESPONSE'])).toMatchObject({ success: false, errorReason: 'settlement_pending' })
      for (const rpc of rpcs) rpc.tellTheTruth()
      expect(wordOf(await asked())).toBe('PAID')
    })
  })

  test('has another endpoint for its events', async () => {
    const rpc = startLyingRpc(stage.anvil.url)
    rpc.lie(lies.error(-32005, 'query returned more than 10 results', ['eth_getLogs']))
    const evidence = await sign()
    await sendPast(evidence, stage)
    const { parts } = await startApp({ ...stage.env, PROOFGATE_CHAINS_BASE_RPC: `${rpc.url},${stage.anvil.url}` })
    const verdict = await x402.confirm({ ...quoteFor(payer), evidence }, { ...parts, now: app.now })
    expect(wordOf(verdict)).toBe('PAID')
    await rpc.stop()
  })

  test('has a token without signed transfers: the setting is named', async () => {
    const { address } = await deploy(stage.anvil, 'Erc20', [6])
    const { parts } = await startApp({ ...stage.env, PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: address })
    const tools = { ...parts, now: app.now }
    const evidence = await signedBy(payer, quoteFor(payer), tools)
    const { source, mend } = await outageOf(x402.confirm({ ...quoteFor(payer), evidence }, tools))
    expect(source).toBe('payments.x402.token')
    expect(mend).toContain('EIP-3009')
  })
})

describe('a payload of the wrong form is refused:', () => {
  const valid = () => sign()
  const broken = (change: Changes['signed'] & object) => async () => {
    const payload = decoded(await sign())
    change(payload)
    return encoded(payload)
  }
  const cases: readonly [string, () => Promise<string>][] = [
    ['too long', async () => 'A'.repeat(16_385)],
    ['not base64', async () => '{"x402Version":2}'],
    ['base64url', async () => `${(await valid()).slice(0, -4)}-_-_`],
    ['not UTF-8', async () => Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('base64')],
    ['half a document', async () => Buffer.from('{"x402Version":2,').toString('base64')],
    ['null', async () => encoded(null)],
    ['a list', async () => encoded([])],
    ['version 1', broken((payload) => Object.assign(payload, { x402Version: 1 }))],
    ['without accepted', broken((payload) => Object.assign(payload, { accepted: undefined }))],
    ['without a signature', broken((payload) => Object.assign(payload.payload, { signature: '0x' }))],
    ['a signature of half a byte', broken((payload) => Object.assign(payload.payload, { signature: '0x123' }))],
    ['permit2', broken((payload) => Object.assign(payload, { payload: { permit2Authorization: {} } }))],
    ['a value as a number', broken((payload) => Object.assign(payload.payload.authorization, { value: 250000 }))],
    ['a value in hexadecimal', broken((payload) => Object.assign(payload.payload.authorization, { value: '0x3d090' }))],
    [
      'a nonce of 31 bytes',
      broken((payload) => Object.assign(payload.payload.authorization, { nonce: `0x${'ab'.repeat(31)}` })),
    ],
    ['a sender that is none', broken((payload) => Object.assign(payload.payload.authorization, { from: '0x12' }))],
  ]
  test.each(cases)('%s', async (_, make) => {
    const { code, message } = await refusalOf(confirm(await make()))
    expect(code).toBe('VALIDATION_ERROR')
    expect(message).toContain('PAYMENT-SIGNATURE')
  })

  test('a text with more than 30 combining marks in a row, which is named', async () => {
    const name = `USD${'\u0301'.repeat(31)}`
    const evidence = await broken((payload) => Object.assign(payload.accepted.extra, { name }))()
    const { code, message, details } = await refusalOf(confirm(evidence))
    expect(code).toBe('VALIDATION_ERROR')
    expect(message).toContain('30 combining marks')
    expect(details).toMatchObject({ in: 'headers', path: '/payment-signature/accepted/extra/name' })
  })
})

describe('the payment request', () => {
  test('names what the specification requires, in base units and without rounding', () => {
    const quote = quoteFor(payer, { price: { ...price, amountUsd: '0.000001', label: 'A drop' } })
    const required = decoded(x402.ask!(quote, app.parts)['PAYMENT-REQUIRED'])
    expect(required).toEqual({
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: {
        url: 'http://localhost:8787/api/v1/profile/gates/gate_shop/fulfill',
        description: 'A drop',
        mimeType: 'application/json',
      },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '1',
          asset: usdc,
          payTo: '0x5409ED021D9299bf6814279A6A1411A7e866A631',
          maxTimeoutSeconds: 300,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    })
  })

  test('needs a recipient of the gate that can receive money', () => {
    const { recipient: _, ...nobody } = price
    expect(x402.findPriceFault(nobody)).toBe('needs price.recipient')
    expect(x402.findPriceFault({ ...price, recipient: `0x${'0'.repeat(40)}` })).toContain('zero address')
    expect(x402.findPriceFault(price)).toBeUndefined()
  })

  test.each<[string, Record<string, string>, string]>([
    ['without a facilitator', { PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: '' }, 'payments.x402.facilitator_url'],
    ['without its chain', { PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:1' }, '[chains.<name>] with chain = "eip155:8453"'],
    ['with a token that is not there', { PROOFGATE_PAYMENTS_X402_TOKEN: 'eurc' }, '[payments.stablecoin.eurc]'],
    [
      'with two tokens to choose from',
      {
        PROOFGATE_PAYMENTS_STABLECOIN_DAI_CHAIN: 'eip155:8453',
        PROOFGATE_PAYMENTS_STABLECOIN_DAI_TOKEN: `0x${'12'.repeat(20)}`,
      },
      'payments.x402.token',
    ],
  ])('is nothing %s', async (_, settings, named) => {
    const env = Object.fromEntries(Object.entries({ ...stage.env, ...settings }).filter(([, value]) => value !== ''))
    const { parts } = await startApp(env)
    expect(x402.findMissingConfiguration(parts)).toContain(named)
    expect(x402.describe(parts)).toEqual({
      id: 'x402',
      type: 'http402',
      scheme: 'exact',
      x402Version: 2,
      enabled: false,
    })
    const { code } = await refusalOf(x402.confirm({ ...quoteFor(payer), evidence: await sign() }, parts))
    expect(code).toBe('GATE_MISCONFIGURED')
  })

  test('describes the accepted token', () => {
    expect(x402.findMissingConfiguration(app.parts)).toBeUndefined()
    expect(x402.describe(app.parts)).toEqual({
      id: 'x402',
      type: 'http402',
      scheme: 'exact',
      x402Version: 2,
      enabled: true,
      network: 'eip155:8453',
      asset: 'USDC',
      assetAddress: lower(usdc),
      decimals: 6,
    })
  })
})
