/** Reorganizations, lying or absent endpoints, and wrong settings or hashes: none of these counts as a payment. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { zeroAddress } from 'viem'
import { AppError } from '../../src/errors.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { makeStablecoinProbes } from '../../src/payments/stablecoin/probe.ts'
import { startApp, type TestApp } from '../app.ts'
import type { Anvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { type Lie, type LyingRpc, lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice } from '../wallets.ts'
import {
  catchUp,
  chain,
  coinEnv,
  confirm,
  lower,
  mine,
  mined,
  openCoinStage,
  paid,
  price,
  reasonOf,
  shop,
  startShop,
  transferTopic,
  usdc,
  word,
} from './coin-stage.ts'

setDefaultTimeout(60_000)

let anvil: Anvil
let other: Anvil
let rpc: LyingRpc
let app: TestApp

beforeAll(async () => {
  ;[anvil, other] = await Promise.all([openCoinStage(), openCoinStage(10)])
  rpc = startLyingRpc(anvil.url)
  app = await startApp(coinEnv(rpc.url))
})
afterAll(() => Promise.all([anvil.stop(), other.stop(), rpc.stop()]))

async function failureOf(work: Promise<unknown>): Promise<OutsideError | AppError> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (error instanceof OutsideError || error instanceof AppError) return error
  throw new Error(`neither an outage nor a refusal: ${error}`)
}

/** The app with an endpoint that tells these lies. */
async function lyingTo(run: (hash: string) => Promise<void>, ...told: readonly Lie[]): Promise<void> {
  const hash = await paid(anvil)
  await catchUp(app, anvil)
  expect(await reasonOf(confirm(app, hash))).toBe('PAID')
  rpc.lie(...told)
  try {
    await run(hash)
  } finally {
    rpc.tellTheTruth()
  }
  expect(await reasonOf(confirm(app, hash))).toBe('PAID')
}

describe('a value that is not a transaction hash', () => {
  test.each([
    '',
    '0x',
    '0x12',
    'a'.repeat(66),
    `0x${'g'.repeat(64)}`,
    `0x${'a'.repeat(65)}`,
    `0x${'a'.repeat(64)} `,
    `usdc:0x${'a'.repeat(64)}`,
    `0x${'a'.repeat(64)}\n`,
  ])('%j is refused before anything is asked', async (evidence) => {
    rpc.forgetAsked()
    const error = await failureOf(confirm(app, evidence))
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('VALIDATION_ERROR')
    expect((error as AppError).details).toEqual({ path: '/paymentTxHash' })
    expect(rpc.asked).toEqual([])
  })

  test('is refused, and an unknown hash is reported as not found yet', async () => {
    expect(await confirm(app, `0x${'ab'.repeat(32)}`)).toMatchObject({ reason: 'TX_NOT_FOUND', retryAfterSeconds: 5 })
  })
})

describe('an endpoint', () => {
  test.each([
    ['that fails', lies.status(500)],
    ['of another chain', lies.chainId(1)],
    [
      'that gives the receipt of another transaction',
      lies.result('eth_getTransactionReceipt', (receipt) => ({ ...receipt, transactionHash: `0x${'cd'.repeat(32)}` })),
    ],
    ['that cuts its answers off', lies.halfDocument('eth_getTransactionReceipt')],
    [
      'that gives receipts without a status, as before Byzantium',
      lies.result('eth_getTransactionReceipt', ({ status: _, ...receipt }) => receipt),
    ],
    ['that answers with a receipt of two megabytes', lies.huge(2, 'eth_getTransactionReceipt')],
    ['that answers in HTML', lies.html('eth_getBlockByNumber')],
  ])('%s means neither yes nor no', async (_, lie) => {
    // A new app asks for the chain id anew, and its endpoint has no failures behind it.
    const fresh = await startApp(coinEnv(rpc.url))
    const hash = await paid(anvil)
    await catchUp(fresh, anvil)
    rpc.lie(lie)
    const error = await failureOf(confirm(fresh, hash))
    rpc.tellTheTruth()
    expect(error).toBeInstanceOf(OutsideError)
    expect((error as OutsideError).source).toBe('chains.base.rpc[0]')
    expect(error.message).not.toContain(rpc.url)
  })

  test('gives an error and no verdict when it is down', async () => {
    const gone = await startApp(coinEnv('http://127.0.0.1:9'))
    expect(await failureOf(confirm(gone, `0x${'ab'.repeat(32)}`))).toBeInstanceOf(OutsideError)
  })

  test('with another block at that height does not confirm, whatever its receipt says', async () => {
    await lyingTo(
      async (hash) => {
        expect(await confirm(app, hash)).toMatchObject({ reason: 'BLOCK_NOT_CANONICAL', retryAfterSeconds: 10 })
      },
      lies.blockHash(`0x${'ee'.repeat(32)}`),
    )
  })

  test('makes the buyer wait when it has the receipt and not yet the block', async () => {
    const hash = await paid(anvil)
    await mine(anvil)
    await catchUp(app, anvil)
    const { blockNumber } = await mined(anvil, hash)
    rpc.lie(lies.behind(Number(blockNumber) - 1))
    expect(await reasonOf(confirm(app, hash))).toBe('NOT_CONFIRMED')
    rpc.tellTheTruth()
    expect(await reasonOf(confirm(app, hash))).toBe('PAID')
  })

  test('is not believed alone where two must agree', async () => {
    const both = await startShop(anvil, {
      PROOFGATE_CHAINS_BASE_RPC: `${anvil.url},${rpc.url}`,
      PROOFGATE_CHAINS_BASE_AGREE: '2',
    })
    const hash = await paid(anvil, { amount: 1n })
    rpc.lie(
      lies.result('eth_getTransactionReceipt', (receipt) => ({
        ...receipt,
        logs: receipt.logs.map((log: object) => ({ ...log, data: word(4_990_000n) })),
      })),
    )
    expect(((await failureOf(confirm(both, hash))) as OutsideError).fault).toBe('disagree')
    rpc.tellTheTruth()
    expect(await reasonOf(confirm(both, hash))).toBe('AMOUNT_TOO_LOW')
  })
})

describe('a transfer must be logged as EIP-20 says:', () => {
  const from = alice.address
  const amount = 4_990_000n
  const topics = [transferTopic, word(from), word(shop)]
  test.each([
    ['as it says', topics, word(amount), 'PAID'],
    ['without the recipient', topics.slice(0, 2), word(amount), 'NO_TRANSFER'],
    ['with a topic more, as tokens of ERC-721 do', [...topics, word(amount)], '0x', 'NO_TRANSFER'],
    ['with a topic more, and an amount', [...topics, word(amount)], word(amount), 'NO_TRANSFER'],
    ['under another name', [word(7n), ...topics.slice(1)], word(amount), 'NO_TRANSFER'],
    [
      'with more than an address in the place of the recipient',
      [transferTopic, word(from), `0x${'1'.padEnd(24, '0')}${shop.slice(2)}`],
      word(amount),
      'NO_TRANSFER',
    ],
    [
      'with more than an address in the place of the payer',
      [transferTopic, `0x${'1'.padEnd(24, '0')}${lower(from).slice(2)}`, word(shop)],
      word(amount),
      'NO_TRANSFER',
    ],
    ['without an amount', topics, '0x', 'NO_TRANSFER'],
    ['with half an amount', topics, `0x${'00'.repeat(16)}`, 'NO_TRANSFER'],
    ['with more after the amount', topics, `${word(amount)}00`, 'NO_TRANSFER'],
    ['with the largest amount there is', topics, `0x${'ff'.repeat(32)}`, 'PAID'],
  ])('%s', async (_, logged, data, reason) => {
    await lyingTo(
      async (hash) => {
        expect(await reasonOf(confirm(app, hash))).toBe(reason)
      },
      lies.result('eth_getTransactionReceipt', (receipt) => ({
        ...receipt,
        logs: receipt.logs.map((log: object) => ({ ...log, topics: logged, data })),
      })),
    )
  })

  const used = word(7n)
  const authorization = (nonce: string) => ({
    topics: ['0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5', word(from), nonce],
    data: '0x',
  })
  const withLogs = (...more: readonly object[]): Lie =>
    lies.result('eth_getTransactionReceipt', (receipt) => ({
      ...receipt,
      logs: [...more.map((log) => ({ ...receipt.logs[0], ...log })), ...receipt.logs],
    }))

  test('by an authorization (EIP-3009) it has the name that x402 gives it', async () => {
    await lyingTo(
      async (hash) => {
        expect(await confirm(app, hash)).toMatchObject({
          paid: true,
          identity: `x402:${chain}:${lower(usdc)}:${lower(from)}:${used}`,
        })
      },
      withLogs(authorization(used)),
    )
  })

  test('by several authorizations of one payer it has no name, and is no payment', async () => {
    await lyingTo(
      async (hash) => {
        expect(await reasonOf(confirm(app, hash))).toBe('SEVERAL_AUTHORIZATIONS')
      },
      withLogs(authorization(used), authorization(word(8n))),
    )
  })

  test('among a thousand others it is found', async () => {
    await lyingTo(
      async (hash) => {
        expect(await confirm(app, hash)).toMatchObject({ paid: true, amount: '4990000' })
      },
      lies.result('eth_getTransactionReceipt', (receipt) => {
        const noise = { ...receipt.logs[0], topics: [transferTopic, word(shop), word(from)] }
        return { ...receipt, logs: [...Array(1000).fill(noise), ...receipt.logs] }
      }),
    )
  })
})

describe('a reorganization before the claim', () => {
  test('makes the payment unknown until it is mined again', async () => {
    const hash = await paid(anvil)
    await mine(anvil, 2)
    await catchUp(app, anvil)
    expect(await reasonOf(confirm(app, hash))).toBe('PAID')
    await anvil.rpc('anvil_reorg', [3, []])
    expect(await reasonOf(confirm(app, hash))).toBe('TX_NOT_FOUND')
  })
})

describe('several chains', () => {
  const twoChains = (more: Record<string, string> = {}): Record<string, string> => ({
    PROOFGATE_CHAINS_OPTIMISM_CHAIN: 'eip155:10',
    PROOFGATE_CHAINS_OPTIMISM_RPC: other.url,
    PROOFGATE_CHAINS_OPTIMISM_STALE_AFTER_SECONDS: '0',
    PROOFGATE_PAYMENTS_STABLECOIN_XDAI_CHAIN: 'eip155:10',
    PROOFGATE_PAYMENTS_STABLECOIN_XDAI_TOKEN: usdc,
    PROOFGATE_PAYMENTS_STABLECOIN_XDAI_CONFIRMATIONS: '1',
    ...more,
  })

  test('are all searched, and the payment is named by the one it is on', async () => {
    const both = await startShop(anvil, twoChains())
    const here = await paid(anvil)
    const there = await paid(other)
    await catchUp(both, other)
    expect(await confirm(both, here)).toMatchObject({ identity: `tx:${chain}:${here}:${lower(alice.address)}:1` })
    expect(await confirm(both, there)).toMatchObject({ identity: `tx:eip155:10:${there}:${lower(alice.address)}:1` })
  })

  test('are each asked once, however many tokens they have', async () => {
    const many = await startApp({
      ...coinEnv(rpc.url, twoChains()),
      PROOFGATE_PAYMENTS_STABLECOIN_AGAIN_CHAIN: chain,
      PROOFGATE_PAYMENTS_STABLECOIN_AGAIN_TOKEN: shop.replace('0x5', '0x6'),
    })
    rpc.forgetAsked()
    expect(await reasonOf(confirm(many, `0x${'ab'.repeat(32)}`))).toBe('TX_NOT_FOUND')
    expect(rpc.asked.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(1)
  })

  test('count when one is down: a known payment is paid, and an unknown one may still exist', async () => {
    const both = await startShop(anvil, twoChains({ PROOFGATE_CHAINS_OPTIMISM_RPC: 'http://127.0.0.1:9' }))
    const hash = await paid(anvil)
    const little = await paid(anvil, { amount: 1n })
    await catchUp(both, anvil)
    expect(await reasonOf(confirm(both, hash))).toBe('PAID')
    expect(await reasonOf(confirm(both, little))).toBe('AMOUNT_TOO_LOW')
    expect(await failureOf(confirm(both, `0x${'ab'.repeat(32)}`))).toBeInstanceOf(OutsideError)
  })
})

describe('a gate', () => {
  test('needs a recipient that is a usable address', () => {
    const { recipient: _, ...without } = price
    expect(stablecoin.findPriceFault(without)).toBe('needs price.recipient')
    expect(stablecoin.findPriceFault({ ...price, recipient: zeroAddress })).toMatch(/zero address/)
    expect(stablecoin.findPriceFault(price)).toBeUndefined()
  })

  test.each([
    ['nobody', undefined],
    ['the zero address', zeroAddress],
    ['the contract of the token', usdc],
  ])('takes no payment when it is paid to %s', async (_, recipient) => {
    const { recipient: __, ...without } = price
    rpc.forgetAsked()
    const error = await failureOf(
      confirm(app, `0x${'ab'.repeat(32)}`, { price: recipient === undefined ? without : { ...without, recipient } }),
    )
    expect((error as AppError).code).toBe('GATE_MISCONFIGURED')
    expect(rpc.asked).toEqual([])
  })
})

describe('the settings', () => {
  test('are reported when they lack a token or its chain', async () => {
    const bare = await startApp({})
    expect(stablecoin.findMissingConfiguration(bare.parts)).toBe('needs a table [payments.stablecoin.<name>]')
    expect(stablecoin.describe(bare.parts)).toEqual({ id: 'usdc', type: 'onchain', enabled: false, tokens: [] })
    const elsewhere = await startApp({
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: 'eip155:1',
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: usdc,
    })
    expect(stablecoin.findMissingConfiguration(elsewhere.parts)).toBe(
      'needs a table [chains.<name>] with chain = "eip155:1", the chain of payments.stablecoin.usdc',
    )
    expect(stablecoin.findMissingConfiguration(app.parts)).toBeUndefined()
  })

  test('are shown to buyers', () => {
    const token = { network: chain, asset: 'USDC', assetAddress: lower(usdc), decimals: 6, confirmations: 1 }
    expect(stablecoin.describe(app.parts)).toEqual({
      id: 'usdc',
      type: 'onchain',
      enabled: true,
      ...token,
      tokens: [token],
    })
  })

  const findings = async (more: Record<string, string> = {}) => {
    const { parts } = await startApp(coinEnv(anvil.url, more))
    const [probe, ...others] = makeStablecoinProbes(parts)
    expect(probe!.setting).toMatch(/^payments\.stablecoin\.usdc(\.chain)?$/)
    expect(others).toEqual([])
    return probe!.run()
  }
  const name = 'PROOFGATE_PAYMENTS_STABLECOIN_USDC'

  test('are compared with the contract by doctor', async () => {
    expect(await findings()).toEqual({ level: 'ok', says: `USDC with 6 decimals at ${usdc} on ${chain}` })
    expect(await findings({ [`${name}_DECIMALS`]: '18' })).toMatchObject({ level: 'fail', mend: 'set decimals = 6' })
    expect(await findings({ [`${name}_SYMBOL`]: 'EURC' })).toMatchObject({
      level: 'warn',
      says: 'the token calls itself USDC, and buyers are shown EURC',
    })
    expect(await findings({ [`${name}_TOKEN`]: alice.address })).toMatchObject({
      level: 'fail',
      says: `no contract stands at ${alice.address} on ${chain}`,
    })
    const { address } = await deploy(anvil, 'ReturnsGarbage')
    expect(await findings({ [`${name}_TOKEN`]: address })).toMatchObject({
      level: 'fail',
      says: `the contract at ${address} on ${chain} has no decimals() that answers: it is no ERC-20 token`,
    })
    expect(await findings({ [`${name}_CHAIN`]: 'eip155:1' })).toMatchObject({
      level: 'fail',
      mend: 'add a table [chains.<name>] with chain = "eip155:1", or remove this one',
    })
  })
})
