/** /api/v1/auth/pairings: the payment that a computer asks a phone for, over HTTP, and its transfer on a real chain. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { decodeFunctionData, erc20Abi, type Hex } from 'viem'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import type { Anvil } from '../parts/anvil.ts'
import {
  catchUp,
  chain,
  coinEnv,
  lower,
  mintTo,
  openCoinStage,
  price,
  sendAs,
  shop,
  usdc,
} from '../payments/coin-stage.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

setDefaultTimeout(60_000)

let anvil: Anvil
beforeAll(async () => {
  anvil = await openCoinStage()
})
afterAll(() => anvil.stop())

const path = '/api/v1/auth/pairings'

/** A gate with a price, Alice's proof and quote, and a phone that lends the wallet. */
async function arrive({
  wallet = alice,
  purpose = 'checkout',
  account = {},
}: {
  wallet?: TestWallet
  purpose?: string
  account?: object
} = {}) {
  const stage = await openStage(coinEnv(anvil.url, { PROOFGATE_PAYMENTS_RESERVATION_MINUTES: '1' }), () => [stablecoin])
  await catchUp(stage, anvil)
  await stage.gate('gate_shop', { name: 'The shop', price, rewards: [{ kind: 'reveal', value: 'xyzzy' }] })
  const qHash = await stage.prove(alice)
  const signed = await alice.signAction({ action: 'open_quote', gateId: 'gate_shop', qHash }, stage.now())
  const quote = (await stage.post('/api/v1/payments/quote', { gateId: 'gate_shop', qHash, ...signed })).body.data
  const step = async (place: string, body: object) => {
    const { status, body: answer } = await stage.post(`${path}${place}`, body)
    return { status, ...(answer.data ?? {}), error: answer.error }
  }
  const opened = await step('', { purpose })
  const computer = opened.secret as string
  const phone = (await step('/take', { code: new URL(opened.address).hash.slice(1) })).secret as string
  await step('/phone', { secret: phone, do: 'confirm' })
  await step('/computer', { secret: computer, do: 'confirm' })
  await step('/phone', { secret: phone, account: { address: wallet.address, isContract: false, ...account } })
  const choice = { quoteId: quote.quoteId as string, network: chain, assetAddress: usdc as string }
  const ask = (payment: object = choice) => step('/computer', { secret: computer, payment })
  return { stage, qHash, quote, computer, phone, choice, step, ask }
}

const readTransfer = (data: Hex) => {
  const { args } = decodeFunctionData({ abi: erc20Abi, data })
  return { to: lower(String(args[0])), units: args[1] as bigint }
}

describe('the payment that a phone is asked for', () => {
  test('is the price to the recipient of the quote, for the wallet of the proof', async () => {
    const { step, ask, phone, quote } = await arrive()
    expect(await ask()).toMatchObject({ status: 200, askedNumber: 1 })
    const { asked } = await step('/phone', { secret: phone })
    expect(asked).toEqual({
      number: 1,
      payment: {
        gateName: 'The shop',
        buyer: lower(alice.address),
        amountText: '4.99',
        asset: 'USDC',
        recipient: lower(shop),
        chain: {
          chain,
          name: 'Base',
          explorer: 'https://basescan.org',
          currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        },
        transaction: { chainId: 8453, to: lower(usdc), data: expect.any(String) },
        expiresAt: quote.expiresAt,
      },
    })
    expect(readTransfer(asked.payment.transaction.data)).toEqual({ to: lower(shop), units: 4_990_000n })
  })

  test('is the exact amount of the quote for another wallet, buys the gate, and is reported once', async () => {
    const { stage, step, ask, phone, computer, quote, qHash } = await arrive({ wallet: bob })
    await ask()
    const { payment } = (await step('/phone', { secret: phone })).asked
    expect(payment.amountText).toBe(quote.amountText)
    expect(readTransfer(payment.transaction.data).units).toBe(BigInt(quote.amount))
    await mintTo(anvil, { from: bob.address })
    await mintTo(anvil, { from: bob.address })
    const tx = await sendAs(anvil, bob.address, payment.transaction)
    await catchUp(stage, anvil)
    expect((await step('/phone', { secret: phone, answer: { number: 1, tx } })).status).toBe(200)
    // The phone did not hear the answer of the server.
    expect((await step('/phone', { secret: phone, answer: { number: 1, tx } })).status).toBe(200)
    expect((await step('/phone', { secret: phone, answer: { number: 1, tx: `0x${'0'.repeat(64)}` } })).status).toBe(409)
    const { answer } = await step('/computer', { secret: computer })
    expect(answer).toEqual({ number: 1, given: { tx } })
    const bought = await stage.fulfill('gate_shop', qHash, { paymentTxHash: tx, paymentQuoteId: quote.quoteId })
    expect(bought.status).toBe(200)
  })

  test('is no signature, and a text is not answered by a transaction', async () => {
    const { step, ask, phone } = await arrive()
    await ask()
    const signature = await step('/phone', { secret: phone, answer: { number: 1, signature: '0x12' } })
    expect(signature.status).toBe(409)
    expect((await step('/phone', { secret: phone })).asked.number).toBe(1)
    expect((await step('/phone', { secret: phone, answer: { number: 1 } })).status).toBe(200)
  })

  test('needs a quote of this server that is open, in a token that it takes', async () => {
    const { stage, step, ask, choice, phone, quote } = await arrive()
    const foreign = [
      { ...choice, quoteId: 'quote_unknown' },
      { ...choice, network: 'eip155:1' },
      { ...choice, assetAddress: shop },
    ]
    for (const payment of foreign) expect((await ask(payment)).status).toBe(400)
    expect(await ask({ ...choice, assetAddress: '0x12' })).toMatchObject({ status: 400 })
    stage.wait(quote.expiresAt - stage.now())
    const late = await ask()
    expect(late.error.message).toContain('the quote is unknown or has ended')
    expect((await step('/phone', { secret: phone })).asked).toBeUndefined()
  })

  test('needs a code for a checkout, and a wallet of the right kind of chain', async () => {
    const signIn = await (await arrive({ purpose: 'verify' })).ask()
    expect(signIn.error.message).toContain('this code is not for a checkout')
    const solana = await (await arrive({ wallet: sol })).ask()
    expect(solana.error.message).toContain('another kind of chain')
  })

  test('buys something: the gate is not deleted, and the proof is not revoked', async () => {
    const deleted = await arrive()
    const { headers } = await deleted.stage.signIn(bob)
    const gone = await deleted.stage.request('/api/v1/profile/gates/gate_shop', { method: 'DELETE', headers })
    expect(gone.status).toBe(200)
    expect((await deleted.ask()).error.message).toContain('the quote is unknown or has ended')
    const { stage, qHash, ask } = await arrive()
    const signed = await alice.signAction({ action: 'revoke_proof', qHash }, stage.now())
    expect((await stage.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status).toBe(200)
    expect((await ask()).error.code).toBe('PROOF_NOT_VERIFIED')
  })

  test('is not for a contract wallet of another chain', async () => {
    const elsewhere = await (await arrive({ account: { isContract: true, chainId: 1 } })).ask()
    expect(elsewhere.error.message).toContain('a contract on another chain')
    expect((await (await arrive({ account: { isContract: true, chainId: 8453 } })).ask()).status).toBe(200)
  })
})
