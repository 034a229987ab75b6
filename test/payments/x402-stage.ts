/** A chain with USDC as it is, signed transfers included, a facilitator, buyers with money, and their x402 clients. */
import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { encodeFunctionData, type Hex, parseAbi, parseSignature, size } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Parts } from '../../src/parts.ts'
import type { PaymentVerdict } from '../../src/payments/payment.ts'
import { x402 } from '../../src/payments/x402/method.ts'
import type { Quote } from '../../src/payments/x402/quote.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { contractAt, type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { type FacilitatorServer, startFacilitator } from '../parts/x402-facilitator.ts'
import { evmWallet, type TestWallet } from '../wallets.ts'
import { coinEnv, lower, shop, usdc } from './coin-stage.ts'

export interface X402Stage {
  readonly anvil: Anvil
  readonly token: Deployed
  readonly facilitator: FacilitatorServer
  readonly env: Record<string, string>
  /** Base units that the shop has. */
  till(): Promise<bigint>
  stop(): Promise<void>
}

/** Runs in real time: clients and facilitators of x402 have only the system's clock. */
export async function openX402Stage(): Promise<X402Stage> {
  const anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) - 5 })
  const { address } = await deploy(anvil, 'Eip3009Token')
  await anvil.rpc('anvil_setCode', [usdc, await anvil.publicClient.getCode({ address })])
  const token = contractAt(anvil, 'Eip3009Token', usdc)
  await Promise.all([payer, other].map(({ account }) => token.write('mint', [account.address, 1_000_000_000n])))
  const facilitator = await startFacilitator(anvil)
  return {
    anvil,
    token,
    facilitator,
    env: coinEnv(anvil.url, { PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: facilitator.url }),
    till: () => token.read('balanceOf', [shop]),
    async stop() {
      await facilitator.stop()
      await anvil.stop()
    },
  }
}

export interface Payer {
  readonly account: PrivateKeyAccount
  readonly wallet: TestWallet
}

const payerOf = (key: `0x${string}`): Payer => ({ account: privateKeyToAccount(key), wallet: evmWallet(key) })
export const payer = payerOf(`0x${'71'.repeat(32)}`)
export const other = payerOf(`0x${'72'.repeat(32)}`)
/** Has no money. */
export const pauper = payerOf(`0x${'73'.repeat(32)}`)

/** The clock of an app, set to that of the system. */
export const toRealTime = (app: { readonly now: () => number; wait(ms: number): void }): void =>
  app.wait(Date.now() - app.now())

export const price = { amountUsd: '0.25', methods: ['x402' as const], recipient: shop }

export const quoteFor = (by: Payer, more: Partial<Quote> = {}): Quote => ({
  gateId: 'gate_shop',
  qHash: `0x${'ab'.repeat(32)}`,
  price,
  wallets: [lower(by.account.address)],
  ...more,
})

export function clientOf({ account }: Payer): x402Client {
  const client = new x402Client()
  registerExactEvmScheme(client, { signer: account })
  return client
}

export const decoded = (header: string | null | undefined) =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

export interface Changes {
  /** Changes the request that the client sees, before it signs. */
  readonly asked?: (required: PaymentRequired) => unknown
  /** After it signed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests break payloads of every shape
  readonly signed?: (payload: any) => unknown
}

/** Builds the PAYMENT-SIGNATURE that a payer's client sends when it gets this quote. */
export async function signedBy(
  by: Payer,
  quote: Quote,
  parts: Parts,
  { asked, signed }: Changes = {},
): Promise<string> {
  const http = new x402HTTPClient(clientOf(by).setSpendControls(false))
  const headers = new Headers(x402.ask!(quote, parts))
  const required = http.getPaymentRequiredResponse((name) => headers.get(name))
  asked?.(required)
  const payload: PaymentPayload = await http.createPaymentPayload(required)
  signed?.(payload)
  return encoded(payload)
}

/** Sends an authorization past the facilitator, as everybody can. */
export async function sendPast(evidence: string, { anvil }: Pick<X402Stage, 'anvil'>): Promise<Hex> {
  const { transactionHash, status } = await anvil.send({ to: usdc, data: callOf(evidence) })
  if (status !== 'success') throw new Error('the authorization was not taken')
  return transactionHash
}

/** The payer takes an authorization back, unused. */
export async function cancel(evidence: string, { token }: Pick<X402Stage, 'token'>): Promise<void> {
  const { nonce, from } = decoded(evidence).payload.authorization
  const signed = await payer.account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  })
  const { r, s, yParity } = parseSignature(signed)
  await token.write('cancelAuthorization', [from, nonce, 27 + yParity, r, s])
}

/** Several authorizations in one transaction, by whomever: a contract that makes these calls while it is created. */
export async function sendTogether(evidences: readonly string[], { anvil }: Pick<X402Stage, 'anvil'>): Promise<Hex> {
  // With the estimated gas, the calls would silently run out of it.
  const transaction = { data: writeCalls(evidences.map(callOf)), gas: 1_000_000n }
  const { transactionHash } = await anvil.send(transaction)
  return transactionHash
}

/** Code that makes these calls to the token, one after the other. */
export function writeCalls(calls: readonly Hex[]): Hex {
  const stepBytes = 46
  let offset = stepBytes * calls.length + 1
  const steps = calls.map((call) => {
    const at = word16(offset)
    offset += size(call)
    // Copies the call into memory (CODECOPY), and makes it (CALL), with all gas and no value.
    return `61${word16(size(call))}61${at}5f395f5f61${word16(size(call))}5f5f73${usdc.slice(2)}5af150`
  })
  return `0x${steps.map((step) => step.padEnd(2 * stepBytes, '5b')).join('')}00${calls.map((call) => call.slice(2)).join('')}`
}

const word16 = (number: number): string => number.toString(16).padStart(4, '0')

function callOf(evidence: string): Hex {
  const { authorization, signature } = decoded(evidence).payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return encodeFunctionData({
    abi: parseAbi(['function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)']),
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
}

/** The outcome of the payment, in one word. */
export const wordOf = (verdict: PaymentVerdict): string => (verdict.paid ? 'PAID' : verdict.reason)
