/** A real chain with a dollar token at its real address, buyers who hold it, and the app. */
import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  stringToHex,
  type TransactionReceipt,
  toEventSelector,
} from 'viem'
import type { PaymentOffer, PaymentVerdict } from '../../src/payments/payment.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { startApp, type TestApp } from '../app.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { contractAt, deploy } from '../parts/contracts/contracts.ts'
import { alice } from '../wallets.ts'

export const base = 8453
export const chain = `eip155:${base}`
export const usdc: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
/** The seller that the gates of these tests pay. */
export const shop: Hex = '0x5409ed021d9299bf6814279a6a1411a7e866a631'

export const lower = (address: string): Hex => address.toLowerCase() as Hex

/** The code of our ERC-20 at an address of choice, where everybody may mint, with a symbol of choice. */
export async function putToken(anvil: Anvil, address: Hex, decimals = 6, symbol = 'USDC'): Promise<void> {
  const { address: made } = await deploy(anvil, 'Erc20', [decimals])
  await anvil.rpc('anvil_setCode', [address, await anvil.publicClient.getCode({ address: made })])
  // A short text as Solidity keeps it: its bytes, and twice their number at the end.
  const kept = stringToHex(symbol, { size: 31 }) + (symbol.length * 2).toString(16).padStart(2, '0')
  await anvil.rpc('anvil_setStorageAt', [address, symbolSlot, kept])
}

/** Storage slot of the symbol in OpenZeppelin's ERC20. */
const symbolSlot = `0x${'4'.padStart(64, '0')}`

export async function openCoinStage(chainId = base): Promise<Anvil> {
  const anvil = await startAnvil({ chainId })
  await anvil.rpc('anvil_autoImpersonateAccount', [true])
  await putToken(anvil, usdc)
  return anvil
}

/** The settings of a server that takes the token on this chain. */
export const coinEnv = (rpc: string, more: Record<string, string> = {}): Record<string, string> => ({
  PROOFGATE_CHAINS_BASE_CHAIN: chain,
  PROOFGATE_CHAINS_BASE_RPC: rpc,
  // Tests move the clock of the app, and that of the chain not at all.
  PROOFGATE_CHAINS_BASE_STALE_AFTER_SECONDS: '0',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
  PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '2',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: chain,
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: usdc,
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '1',
  PROOFGATE_LOG_LEVEL: 'error',
  ...more,
})

/** The app at the time of the newest block. */
export async function startShop(anvil: Anvil, more: Record<string, string> = {}): Promise<TestApp> {
  const app = await startApp(coinEnv(anvil.url, more))
  await catchUp(app, anvil)
  return app
}

/** Moves the clock of the app to the newest block, and never back. */
export async function catchUp(app: TestApp, anvil: Anvil): Promise<void> {
  const { timestamp } = await anvil.publicClient.getBlock()
  app.wait(Math.max(0, Number(timestamp) * 1000 - app.now()))
}

/** Sends a transaction of any account: the test chain needs no key. */
export async function sendAs(anvil: Anvil, from: string, transaction: { to?: Hex; data: Hex }): Promise<Hex> {
  await anvil.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  return (await anvil.rpc('eth_sendTransaction', [{ from, gas: '0x1000000', ...transaction }])) as Hex
}

export const mined = (anvil: Anvil, hash: Hex): Promise<TransactionReceipt> =>
  anvil.publicClient.waitForTransactionReceipt({ hash })

export interface Pays {
  readonly from?: string
  readonly to?: Hex
  readonly amount?: bigint
  readonly token?: Hex
}

export const mintTo = (anvil: Anvil, { from = alice.address, amount = 4_990_000n, token = usdc }: Pays = {}) =>
  contractAt(anvil, 'Erc20', token).write('mint', [from, amount])

/** Transfers minted tokens, without waiting for the block. */
export const transfers = (
  anvil: Anvil,
  { from = alice.address, to = shop, amount = 4_990_000n, token = usdc }: Pays = {},
): Promise<Hex> =>
  sendAs(anvil, from, {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

export async function paid(anvil: Anvil, payment: Pays = {}): Promise<Hex> {
  await mintTo(anvil, payment)
  const hash = await transfers(anvil, payment)
  const { status } = await mined(anvil, hash)
  if (status !== 'success') throw new Error('the transfer failed')
  return hash
}

/** Anvil calls a block final when 64 more stand on it. */
export const makeFinal = (anvil: Anvil): Promise<unknown> => mine(anvil, 64)

export const mine = (anvil: Anvil, blocks = 1): Promise<unknown> =>
  anvil.rpc('anvil_mine', [`0x${blocks.toString(16)}`])

export const price = { amountUsd: '4.99', methods: ['stablecoin' as const], recipient: shop }

/** Alice's payment evidence at a gate for 4.99 dollars. */
export const offerOf = (evidence: string, more: Partial<PaymentOffer> = {}): PaymentOffer => ({
  gateId: 'gate_shop',
  qHash: `0x${'ab'.repeat(32)}`,
  price,
  wallets: [lower(alice.address)],
  evidence,
  ...more,
})

export const confirm = (app: TestApp, evidence: string, more: Partial<PaymentOffer> = {}): Promise<PaymentVerdict> =>
  stablecoin.confirm(offerOf(evidence, more), app.parts)

/** The reason why it does not pay. */
export async function reasonOf(verdict: Promise<PaymentVerdict>): Promise<string> {
  const found = await verdict
  return found.paid ? 'PAID' : found.reason
}

export const transferTopic = toEventSelector('Transfer(address,address,uint256)')
export const word = (value: string | bigint): Hex =>
  typeof value === 'bigint'
    ? `0x${value.toString(16).padStart(64, '0')}`
    : `0x${value.slice(2).toLowerCase().padStart(64, '0')}`

/** Takes three topics and the data of a log as its input, and logs that `times` times. */
const loggerCode = (times: number): Hex =>
  `0x365f5f37${'6040516020515f516060360360 60a3'.replace(' ', '').repeat(times)}00`

export const putLogger = (anvil: Anvil, address: Hex, times = 1): Promise<unknown> =>
  anvil.rpc('anvil_setCode', [address, loggerCode(times)])

/** The input with which a logger logs such a transfer. */
export const logInput = (from: string, to: string, amount: bigint): Hex =>
  concatHex([transferTopic, word(from), word(to), word(amount)])

/** Blocks come only when the test makes them. */
export async function withoutMining(anvil: Anvil, run: () => Promise<void>): Promise<void> {
  await anvil.rpc('evm_setAutomine', [false])
  try {
    await run()
  } finally {
    await anvil.rpc('anvil_dropAllTransactions')
    await anvil.rpc('evm_setAutomine', [true])
  }
}
