/**
 * Many buyers want the same few places at once, each by its own way to pay. Wallets, the chain with its dollar token
 * and the x402 facilitator are real; Stripe is a contract server. The server may be killed at any moment. Every buyer
 * then continues from where it stopped at the next server, as people do.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import Stripe from 'stripe'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { putGate } from '../gates/fulfill-stage.ts'
import { startOnFiles } from '../journeys/server.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { contractAt, type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { type StripeServer, startStripe, stripeKey, stripeWebhookSecret } from '../parts/stripe-server.ts'
import { type FacilitatorServer, startFacilitator } from '../parts/x402-facilitator.ts'
import { chain, shop, usdc } from '../payments/coin-stage.ts'
import { evmWallet, type TestWallet } from '../wallets.ts'

const amountUsd = '0.5'
const amount = 500_000n
const seller = '0x00000000000000000000000000000000000005e1'

export interface RaceStage {
  readonly anvil: Anvil
  readonly token: Deployed
  readonly facilitator: FacilitatorServer
  readonly stripe: StripeServer
  /** The data folder. */
  readonly data: string
  /** Makes gates with limits, and buyers who want something of each. */
  newRace(): Promise<readonly Buyer[]>
  stop(): Promise<void>
}

export interface Gate {
  readonly gateId: string
  readonly supply?: number
  readonly perWallet?: number
}

const ways = ['x402', 'card', 'hand', 'quote'] as const
type Way = (typeof ways)[number]
/** The ways to pay of ten buyers. Transfers by hand are few, because each is paid before a place is certain. */
const mix: readonly Way[] = ['x402', 'card', 'x402', 'quote', 'card', 'x402', 'hand', 'quote', 'card', 'x402']

interface Proved {
  readonly wallet: TestWallet
  readonly account: PrivateKeyAccount
  readonly qHash: string
}

/** A buyer who wants a gate's reward for a proof, and the steps done so far to get it. */
export interface Buyer extends Proved {
  readonly gate: Gate
  readonly way: Way
  /** Pays, or goes away with the page of payment open. */
  readonly pays: boolean
  /** Pays by hand as well, beside the page of a card: one of both payments is for nothing. */
  readonly paysTwice: boolean
  /** Comes back for the reward, or leaves it to the server to find the payment. */
  readonly comesBack: boolean
  signature?: string
  sessionId?: string
  quoteId?: string
  transaction?: Hex
  /** The last answer that they got; undefined where none came. */
  heard: { readonly status: number; readonly code: string; readonly data: string } | undefined
}

export async function openRaceStage(folder: string, people: number): Promise<RaceStage> {
  const anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) - 5 })
  await anvil.rpc('anvil_autoImpersonateAccount', [true])
  const { address } = await deploy(anvil, 'Eip3009Token')
  await anvil.rpc('anvil_setCode', [usdc, await anvil.publicClient.getCode({ address })])
  const token = contractAt(anvil, 'Eip3009Token', usdc)
  const facilitator = await startFacilitator(anvil)
  const stripe = startStripe(() => Date.now())
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(folder, 'proofgate.toml'), settings({ anvil, facilitator, stripe }))

  const proofs = await provePeople(data, people, token, anvil)
  let races = 0
  return {
    anvil,
    token,
    facilitator,
    stripe,
    data,
    async newRace() {
      races++
      const gates: Gate[] = [
        { gateId: `few-${races}`, supply: 3 },
        { gateId: `more-${races}`, supply: 20, perWallet: 1 },
        { gateId: `each-${races}`, supply: 40, perWallet: 1 },
        { gateId: `one-${races}`, supply: 1 },
      ]
      await putGates(data, gates)
      return gates.flatMap((gate, at) => proofs.map((proof, number) => makeBuyer(proof, gate, number + at + races)))
    },
    async stop() {
      await facilitator.stop()
      await anvil.stop()
    },
  }
}

const makeBuyer = (proof: Proved, gate: Gate, number: number): Buyer => ({
  ...proof,
  gate,
  way: mix[number % mix.length]!,
  pays: number % 11 !== 0,
  paysTwice: number % 4 === 0,
  comesBack: number % 7 !== 0 || number % 4 === 0,
  heard: undefined,
})

const settings = ({ anvil, facilitator, stripe }: Pick<RaceStage, 'anvil' | 'facilitator' | 'stripe'>): string =>
  [
    // Receipts and quotes name it: answers of two starts, on two ports, must be the same.
    'base_url = "https://gates.example"',
    '[chains.base]',
    `chain = "${chain}"`,
    `rpc = ["${anvil.url}"]`,
    '[payments]',
    'reservation_minutes = 2',
    '[payments.stablecoin.usdc]',
    `chain = "${chain}"`,
    `token = "${usdc}"`,
    'confirmations = 1',
    '[payments.x402]',
    `facilitator_url = "${facilitator.url}"`,
    '[payments.stripe]',
    `secret_key = "${stripeKey}"`,
    `webhook_secret = "${stripeWebhookSecret}"`,
    `url = "${stripe.url}"`,
    'live = false',
  ].join('\n')

/** Two proofs of each person, so that the limits of a wallet matter, and money for everything they may buy. */
async function provePeople(data: string, people: number, token: Deployed, anvil: Anvil): Promise<Proved[]> {
  const server = await startOnFiles(data, { PROOFGATE_DATA: data, PROOFGATE_LIMITS_ENABLED: 'false' })
  const proofs: Proved[] = []
  for (let person = 1; person <= people; person++) {
    const key = `0x${(0xbeef_0000 + person).toString(16).padStart(64, '0')}` as const
    const wallet = evmWallet(key)
    await token.write('mint', [wallet.address, 1_000_000_000_000n])
    await anvil.rpc('anvil_setBalance', [wallet.address, '0x3635c9adc5dea00000'])
    for (const content of ['first', 'second']) {
      const claim = { verifierIds: ['ownership-basic'], data: { owner: wallet.address, content } }
      const { body } = await server.submit(wallet, claim)
      proofs.push({ wallet, account: privateKeyToAccount(key), qHash: body.data.qHash })
    }
  }
  await server.stop()
  return proofs
}

async function putGates(data: string, gates: readonly Gate[]): Promise<void> {
  const server = await startOnFiles(data, { PROOFGATE_DATA: data, PROOFGATE_LIMITS_ENABLED: 'false' })
  const price = { amountUsd, methods: ['x402' as const, 'card' as const, 'stablecoin' as const], recipient: shop }
  for (const gate of gates)
    await putGate(server.parts, { ...gate, price, rewards: [{ kind: 'reveal', value: 'open sesame' }] }, seller)
  await server.stop()
}

type Said = NonNullable<Buyer['heard']>

/** Makes one attempt, from where the buyer stopped. Throws where the server went away. */
export async function attempt(url: string, buyer: Buyer, stage: RaceStage): Promise<void> {
  buyer.heard = undefined
  buyer.heard = await steps[buyer.way](url, buyer, stage)
}

const steps: Readonly<Record<Way, (url: string, buyer: Buyer, stage: RaceStage) => Promise<Said>>> = {
  async x402(url, buyer) {
    if (buyer.signature === undefined) {
      const { response, said } = await fulfill(url, buyer)
      const asked = response.headers.get('payment-required')
      if (!asked || !buyer.pays) return said
      const client = new x402Client()
      registerExactEvmScheme(client, { signer: buyer.account })
      const http = new x402HTTPClient(client.setSpendControls(false))
      const required = http.getPaymentRequiredResponse((name) => response.headers.get(name))
      const payload = await http.createPaymentPayload(required)
      buyer.signature = Buffer.from(JSON.stringify(payload)).toString('base64')
    }
    return (await fulfill(url, buyer, {}, { 'payment-signature': buyer.signature })).said
  },

  async card(url, buyer, { stripe, anvil }) {
    if (buyer.sessionId === undefined) {
      const { said, body } = await post(url, '/api/v1/payments/stripe/checkout', {
        gateId: buyer.gate.gateId,
        qHash: buyer.qHash,
        ...(await signed(buyer, 'open_checkout')),
      })
      if (said.status !== 200) return said
      buyer.sessionId = body.data.sessionId as string
    }
    if (buyer.paysTwice && buyer.pays) {
      buyer.transaction ??= await transfer(anvil, buyer, amount)
      await fulfill(url, buyer, { paymentTxHash: buyer.transaction })
    }
    const session = stripe.session(buyer.sessionId)
    if (session.status === 'open')
      if (buyer.pays) stripe.pay(session.id)
      else stripe.expire(session.id)
    const type = buyer.pays ? 'checkout.session.completed' : 'checkout.session.expired'
    await sendEvent(url, stripe.event(type, session))
    if (!buyer.comesBack || !buyer.pays) return { status: 204, code: 'LEFT', data: '' }
    const both = { paymentCheckoutSessionId: buyer.sessionId, paymentTxHash: buyer.transaction }
    return (await fulfill(url, buyer, both)).said
  },

  async hand(url, buyer, { anvil }) {
    buyer.transaction ??= await transfer(anvil, buyer, amount)
    return (await fulfill(url, buyer, { paymentTxHash: buyer.transaction })).said
  },

  async quote(url, buyer, { anvil }) {
    if (buyer.transaction === undefined) {
      const { said, body } = await post(url, '/api/v1/payments/quote', {
        gateId: buyer.gate.gateId,
        qHash: buyer.qHash,
        ...(await signed(buyer, 'open_quote')),
      })
      if (said.status !== 200 || !buyer.pays) return said
      buyer.quoteId = body.data.quoteId as string
      buyer.transaction = await transfer(anvil, buyer, BigInt(body.data.amount))
    }
    return (await fulfill(url, buyer, { paymentTxHash: buyer.transaction, paymentQuoteId: buyer.quoteId })).said
  },
}

const signed = ({ wallet, gate: { gateId }, qHash }: Buyer, action: string) =>
  wallet.signAction({ action, gateId, qHash }, Date.now())

async function fulfill(url: string, buyer: Buyer, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const body = { qHash: buyer.qHash, ...more, ...(await signed(buyer, 'fulfill_gate')) }
  return post(url, `/api/v1/profile/gates/${buyer.gate.gateId}/fulfill`, body, headers)
}

async function post(url: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const answer = (await response.json()) as any
  const { data, error } = answer
  const said: Said = { status: response.status, code: error?.code ?? 'OK', data: JSON.stringify(data ?? error) }
  return { response, body: answer, said }
}

/** Transfers under way, by wallet. */
const sending = new Map<string, Promise<unknown>>()

/**
 * Sends the transfers of each wallet one after the other. Anvil may give the same nonce to transactions sent at once
 * for one account. It then never mines one whose hash it returned, nor transactions sent while anvil_setBalance runs.
 */
function transfer(anvil: Anvil, { wallet: { address } }: Buyer, value: bigint): Promise<Hex> {
  const before = sending.get(address) ?? Promise.resolve()
  const sent = before.catch(() => {}).then(() => sendMined(anvil, address, value))
  sending.set(address, sent)
  return sent
}

async function sendMined(anvil: Anvil, from: string, value: bigint): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, value] })
  const hash = (await anvil.rpc('eth_sendTransaction', [{ from, to: usdc, gas: '0x30000', data }])) as Hex
  await anvil.publicClient.waitForTransactionReceipt({ hash })
  return hash
}

/** Sends an event as Stripe does: signed, and lost if the server is down. */
async function sendEvent(url: string, payload: string): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000)
  const header = { payload, secret: stripeWebhookSecret, timestamp }
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync(header)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  await fetch(`${url}/api/v1/payments/stripe/webhook`, { method: 'POST', headers, body: payload })
}
