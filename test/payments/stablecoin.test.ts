/** Tests which transactions pay and which do not, on a real chain, by calling the method itself. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { encodeFunctionData, erc20Abi, getContractAddress, type Hex } from 'viem'
import { startApp, type TestApp } from '../app.ts'
import type { Anvil } from '../parts/anvil.ts'
import { contractAt } from '../parts/contracts/contracts.ts'
import { alice, bob, mallory } from '../wallets.ts'
import {
  catchUp,
  chain,
  coinEnv,
  confirm,
  logInput,
  lower,
  makeFinal,
  mine,
  mined,
  mintTo,
  openCoinStage,
  paid,
  price,
  putLogger,
  putToken,
  reasonOf,
  sendAs,
  shop,
  startShop,
  transfers,
  usdc,
  withoutMining,
} from './coin-stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
let anvil: Anvil
let app: TestApp

beforeAll(async () => {
  anvil = await openCoinStage()
  app = await startShop(anvil)
})
afterAll(() => anvil.stop())

const messageOf = async (hash: string, more = {}): Promise<string> => {
  const verdict = await confirm(app, hash, more)
  return verdict.paid ? 'PAID' : verdict.message
}

describe('a transfer', () => {
  test('from the buyer to the recipient pays the price, and is described', async () => {
    const hash = await paid(anvil)
    const receipt = await mined(anvil, hash)
    const { timestamp } = await anvil.publicClient.getBlock({ blockNumber: receipt.blockNumber })
    expect(await confirm(app, hash)).toEqual({
      paid: true,
      identity: `tx:${chain}:${hash}:${lower(alice.address)}:1`,
      payer: lower(alice.address),
      amount: '4990000',
      paidAt: Number(timestamp) * 1000,
      details: {
        chain,
        transactionHash: hash,
        blockNumber: Number(receipt.blockNumber),
        blockHash: receipt.blockHash,
        token: lower(usdc),
        payer: lower(alice.address),
        recipient: shop,
        due: '4990000',
        confirmations: 1,
        nth: 1,
      },
      isFinal: false,
    })
  })

  test('is one payment in every spelling of its hash, of the recipient and of the buyer', async () => {
    const hash = await paid(anvil)
    const first = await confirm(app, hash)
    const second = await confirm(app, `0x${hash.slice(2).toUpperCase()}`, {
      price: { ...price, recipient: `0x${shop.slice(2).toUpperCase()}` },
      wallets: [alice.address],
    })
    expect(second).toEqual(first)
  })

  test('pays when it exceeds the price', async () => {
    expect(await confirm(app, await paid(anvil, { amount: 5_000_000n }))).toMatchObject({
      paid: true,
      amount: '5000000',
    })
  })

  test('is refused when one base unit is missing, and the buyer hears how much is missing', async () => {
    const hash = await paid(anvil, { amount: 4_989_999n })
    expect(await confirm(app, hash)).toEqual({
      paid: false,
      arrived: expect.objectContaining({ amount: '4989999' }),
      headers: {},
      reason: 'AMOUNT_TOO_LOW',
      message: `the transfer is of 4.989999 USDC, and the price is 4.99 USDC: 0.000001 USDC is missing. The whole price must come in one transfer of the token ${usdc.toLowerCase()} on ${chain}`,
    })
  })

  test('is measured by the price of the gate to the last of six digits', async () => {
    const fine = { price: { ...price, amountUsd: '4.990001' } }
    expect(await reasonOf(confirm(app, await paid(anvil, { amount: 4_990_000n }), fine))).toBe('AMOUNT_TOO_LOW')
    expect(await reasonOf(confirm(app, await paid(anvil, { amount: 4_990_001n }), fine))).toBe('PAID')
  })

  test('to another recipient does not pay', async () => {
    const hash = await paid(anvil, { to: lower(bob.address) })
    expect(await reasonOf(confirm(app, hash))).toBe('NO_TRANSFER')
    expect(await messageOf(hash)).toBe(
      `the transaction transfers no USDC (${lower(usdc)} on ${chain}) to ${shop}: other tokens and other recipients do not count`,
    )
  })

  test('by a stranger cannot be claimed by its hash', async () => {
    const hash = await paid(anvil, { from: bob.address })
    expect(await reasonOf(confirm(app, hash))).toBe('PAYER_MISMATCH')
    expect(await reasonOf(confirm(app, hash, { wallets: [lower(mallory.address)] }))).toBe('PAYER_MISMATCH')
    expect(await messageOf(hash)).toStartWith(`${lower(bob.address)} made the payment, and not ${lower(alice.address)}`)
    expect(await reasonOf(confirm(app, hash, { wallets: [lower(bob.address)] }))).toBe('PAID')
  })

  test('sent by a relayer counts for the wallet whose money it was', async () => {
    await contractAt(anvil, 'Erc20', usdc).write('mint', [alice.address, 4_990_000n])
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [lower(bob.address), 4_990_000n],
    })
    await mined(anvil, await sendAs(anvil, alice.address, { to: usdc, data: approve }))
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [lower(alice.address), shop, 4_990_000n],
    })
    const hash = await sendAs(anvil, bob.address, { to: usdc, data })
    await mined(anvil, hash)
    expect(await confirm(app, hash)).toMatchObject({ paid: true, payer: lower(alice.address) })
    expect(await reasonOf(confirm(app, hash, { wallets: [lower(bob.address)] }))).toBe('PAYER_MISMATCH')
  })

  test('from the recipient to itself is no payment', async () => {
    const hash = await paid(anvil, { from: shop })
    expect(await reasonOf(confirm(app, hash, { wallets: [shop] }))).toBe('NO_TRANSFER')
  })

  test('in a transaction that failed does not pay', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, 10n ** 30n] })
    const hash = await sendAs(anvil, alice.address, { to: usdc, data })
    expect((await mined(anvil, hash)).status).toBe('reverted')
    expect(await reasonOf(confirm(app, hash))).toBe('TX_FAILED')
  })
})

describe('a token', () => {
  const other: Hex = `0x${'c0ffee'.padStart(40, '1')}`

  test('with the same symbol at another address does not count', async () => {
    await putToken(anvil, other)
    for (const token of [usdc, other]) expect(await contractAt(anvil, 'Erc20', token).read('symbol')).toBe('USDC')
    expect(await reasonOf(confirm(app, await paid(anvil, { token: other })))).toBe('NO_TRANSFER')
  })

  test('does not count when another contract logs its transfers', async () => {
    const liar: Hex = `0x${'bad'.padStart(40, '2')}`
    await putLogger(anvil, liar)
    const hash = await sendAs(anvil, alice.address, { to: liar, data: logInput(alice.address, shop, 4_990_000n) })
    const { logs } = await mined(anvil, hash)
    expect(logs).toHaveLength(1)
    expect(await reasonOf(confirm(app, hash))).toBe('NO_TRANSFER')
  })

  test('logging a transfer twice does not add up to the price, and makes two payments where each is enough', async () => {
    const double: Hex = `0x${'d0'.padStart(40, '3')}`
    await putLogger(anvil, double, 2)
    const shopTakingIt = await startShop(anvil, { PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: double })
    const logged = async (amount: bigint): Promise<Hex> => {
      const hash = await sendAs(anvil, alice.address, { to: double, data: logInput(alice.address, shop, amount) })
      expect((await mined(anvil, hash)).logs).toHaveLength(2)
      return hash
    }
    const hash = await logged(4_990_000n)
    const verdict = await confirm(shopTakingIt, hash)
    expect(verdict).toMatchObject({
      paid: true,
      identity: `tx:${chain}:${hash}:${lower(alice.address)}:1`,
      amount: '4990000',
      beside: [{ identity: `tx:${chain}:${hash}:${lower(alice.address)}:2` }],
    })
    expect(await reasonOf(confirm(shopTakingIt, await logged(2_495_000n)))).toBe('AMOUNT_TOO_LOW')
  })

  test('with 18 decimals costs as many base units', async () => {
    const wide: Hex = `0x${'18'.padStart(40, '4')}`
    await putToken(anvil, wide, 18)
    const shopTakingIt = await startShop(anvil, {
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: wide,
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_DECIMALS: '18',
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_SYMBOL: 'DAI',
    })
    const due = 4_990_000_000_000_000_000n
    expect(await reasonOf(confirm(shopTakingIt, await paid(anvil, { token: wide, amount: 4_990_000n })))).toBe(
      'AMOUNT_TOO_LOW',
    )
    const short = await confirm(shopTakingIt, await paid(anvil, { token: wide, amount: due - 1n }))
    expect(short.paid ? '' : short.message).toContain('0.000000000000000001 DAI is missing')
    expect(await confirm(shopTakingIt, await paid(anvil, { token: wide, amount: due }))).toMatchObject({
      paid: true,
      amount: String(due),
    })
  })

  test('is found among several of one chain, each with its own confirmations', async () => {
    const slow: Hex = `0x${'510'.padStart(40, '5')}`
    await putToken(anvil, slow)
    const both = await startShop(anvil, {
      PROOFGATE_PAYMENTS_STABLECOIN_SLOW_CHAIN: chain,
      PROOFGATE_PAYMENTS_STABLECOIN_SLOW_TOKEN: slow,
      PROOFGATE_PAYMENTS_STABLECOIN_SLOW_CONFIRMATIONS: '4',
    })
    const hash = await paid(anvil, { token: slow })
    expect(await reasonOf(confirm(both, hash))).toBe('NOT_CONFIRMED')
    await mine(anvil, 3)
    expect(await confirm(both, hash)).toMatchObject({ paid: true, details: { token: slow, confirmations: 4 } })
    expect(await confirm(both, await paid(anvil))).toMatchObject({ paid: true, details: { token: lower(usdc) } })
  })
})

describe('one transaction with several transfers', () => {
  /** Creation code that makes calls, one after the other, as the contract that is being created. */
  function calls(...made: readonly { readonly to: Hex; readonly data: Hex }[]): Hex {
    const call = ({ to, data }: { readonly to: Hex; readonly data: Hex }): string => {
      const bytes = data.slice(2)
      const words = (bytes.match(/.{1,64}/g) ?? []).map((part) => part.padEnd(64, '0'))
      const stored = words.map((part, index) => `7f${part}61${(index * 32).toString(16).padStart(4, '0')}52`).join('')
      return `${stored}5f5f61${(bytes.length / 2).toString(16).padStart(4, '0')}5f5f73${to.slice(2)}5af150`
    }
    return `0x${made.map(call).join('')}00`
  }
  const transferFrom = (from: string, amount: bigint, token: Hex) => ({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [lower(from), shop, amount] }),
  })

  /** Both approve a future contract, which takes the approved amounts in one transaction. */
  async function bundle(
    ...parts: readonly { readonly from: string; readonly amount: bigint; readonly token?: Hex }[]
  ): Promise<Hex> {
    const sender = anvil.accounts[1].address
    const nonce = await anvil.publicClient.getTransactionCount({ address: sender })
    const bundler = getContractAddress({ from: sender, nonce: BigInt(nonce) })
    for (const { from, amount, token = usdc } of parts) {
      await contractAt(anvil, 'Erc20', token).write('mint', [from, amount])
      const args = [bundler, 10n ** 12n] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      await mined(anvil, await sendAs(anvil, from, { to: token, data }))
    }
    const hash = await sendAs(anvil, sender, {
      data: calls(...parts.map(({ from, amount, token = usdc }) => transferFrom(from, amount, token))),
    })
    const { logs } = await mined(anvil, hash)
    expect(logs).toHaveLength(parts.length)
    return hash
  }

  test('pays once for each payer, and no other wallet can claim the payment in it', async () => {
    const hash = await bundle({ from: alice.address, amount: 4_990_000n }, { from: bob.address, amount: 4_990_000n })
    const [hers, his] = await Promise.all([confirm(app, hash), confirm(app, hash, { wallets: [lower(bob.address)] })])
    expect([hers.paid && hers.identity, his.paid && his.identity]).toEqual([
      `tx:${chain}:${hash}:${lower(alice.address)}:1`,
      `tx:${chain}:${hash}:${lower(bob.address)}:1`,
    ])
    expect(await reasonOf(confirm(app, hash, { wallets: [lower(mallory.address)] }))).toBe('PAYER_MISMATCH')
  })

  test('has one name for one payer, whichever of the transfers is named', async () => {
    const hash = await bundle({ from: alice.address, amount: 9_000_000n }, { from: alice.address, amount: 4_990_000n })
    const [cheap, dear] = await Promise.all([
      confirm(app, hash),
      confirm(app, hash, { price: { ...price, amountUsd: '9' } }),
    ])
    expect(cheap.paid && cheap.identity).toBe(`tx:${chain}:${hash}:${lower(alice.address)}:1`)
    expect(dear.paid && dear.identity).toBe(cheap.paid && cheap.identity)
  })

  test('pays with the token that the buyer used, whatever a stranger used before', async () => {
    const second: Hex = `0x${'2d'.padStart(40, '6')}`
    await putToken(anvil, second)
    const both = await startShop(anvil, {
      PROOFGATE_PAYMENTS_STABLECOIN_XUSD_CHAIN: chain,
      PROOFGATE_PAYMENTS_STABLECOIN_XUSD_TOKEN: second,
      PROOFGATE_PAYMENTS_STABLECOIN_XUSD_CONFIRMATIONS: '1',
    })
    const hash = await bundle(
      { from: bob.address, amount: 4_990_000n },
      { from: alice.address, amount: 4_990_000n, token: second },
    )
    await catchUp(both, anvil)
    expect(await confirm(both, hash)).toMatchObject({ paid: true, details: { token: second } })
  })

  test('does not add the transfers up', async () => {
    const hash = await bundle({ from: alice.address, amount: 2_500_000n }, { from: alice.address, amount: 2_500_000n })
    expect(await messageOf(hash)).toContain('2.49 USDC is missing')
  })

  test('pays with the transfer of a linked wallet that is enough, beside one of the buyer that is not', async () => {
    const hash = await bundle({ from: alice.address, amount: 1n }, { from: bob.address, amount: 4_990_000n })
    expect(await confirm(app, hash, { wallets: [lower(alice.address), lower(bob.address)] })).toMatchObject({
      paid: true,
      payer: lower(bob.address),
    })
  })

  test('does not let a buyer who paid too little use the payment of a stranger', async () => {
    const hash = await bundle({ from: alice.address, amount: 1n }, { from: bob.address, amount: 4_990_000n })
    expect(await reasonOf(confirm(app, hash))).toBe('PAYER_MISMATCH')
  })
})

describe('a linked wallet', () => {
  const wallets = [lower(alice.address), lower(bob.address)]

  test('pays for the wallet of the proof', async () => {
    const hash = await paid(anvil, { from: bob.address })
    expect(await confirm(app, hash, { wallets })).toMatchObject({
      paid: true,
      payer: lower(bob.address),
      identity: `tx:${chain}:${hash}:${lower(bob.address)}:1`,
    })
  })

  test('does not pay when it is a contract on that chain, unless it is a delegated key account', async () => {
    const wallet = lower(mallory.address)
    const hash = await paid(anvil, { from: wallet })
    const linked = { wallets: [lower(alice.address), wallet] }
    await anvil.rpc('anvil_setCode', [wallet, '0x5f5ff3'])
    expect(await reasonOf(confirm(app, hash, linked))).toBe('PAYER_MISMATCH')
    await anvil.rpc('anvil_setCode', [wallet, `0xef0100${'11'.repeat(20)}`])
    expect(await reasonOf(confirm(app, hash, linked))).toBe('PAID')
    await anvil.rpc('anvil_setCode', [wallet, '0x'])
  })

  test('cannot pay here when it is a contract on another chain', async () => {
    const hash = await paid(anvil)
    expect(await reasonOf(confirm(app, hash, { contractOn: 'eip155:10' }))).toBe('PAYER_MISMATCH')
    expect(await reasonOf(confirm(app, hash, { contractOn: chain }))).toBe('PAID')
  })
})

describe('time', () => {
  test('a payment is accepted for as long as quotes hold, and no longer', async () => {
    const late = await startShop(anvil, { PROOFGATE_PAYMENTS_QUOTE_MINUTES: '5' })
    const hash = await paid(anvil)
    await catchUp(late, anvil)
    const verdict = await confirm(late, hash)
    const paidAt = verdict.paid ? verdict.paidAt : 0
    late.wait(paidAt + 5 * minute - late.now())
    expect(await reasonOf(confirm(late, hash))).toBe('PAID')
    late.wait(1)
    expect(await confirm(late, hash)).toEqual({
      paid: false,
      arrived: expect.objectContaining({ amount: '4990000' }),
      headers: {},
      reason: 'PAYMENT_TOO_OLD',
      message: `the payment was made at ${new Date(paidAt).toISOString()}, and a payment can be offered for 5 minutes`,
    })
  })

  test('a block from the future is refused, except for the minute that clocks may differ', async () => {
    const early = await startApp(coinEnv(anvil.url))
    const hash = await paid(anvil)
    const { timestamp } = await anvil.publicClient.getBlock()
    early.wait(Number(timestamp) * 1000 - early.now() - minute)
    expect(await reasonOf(confirm(early, hash))).toBe('PAID')
    early.wait(-1)
    expect(await confirm(early, hash)).toMatchObject({ paid: false, reason: 'PAYMENT_IN_FUTURE', retryAfterSeconds: 1 })
  })
})

describe('confirmations', () => {
  test('are waited for, and the buyer hears how many there are', async () => {
    const strict = await startShop(anvil, { PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '3' })
    const hash = await paid(anvil)
    expect(await confirm(strict, hash)).toEqual({
      paid: false,
      progress: { confirmations: 1, needed: 3 },
      reason: 'NOT_CONFIRMED',
      message: `the payment has 1 of 3 confirmations on ${chain}. Nothing more is to be paid: repeat the same request`,
      retryAfterSeconds: 5,
      isAwaited: true,
    })
    await mine(anvil)
    expect(await reasonOf(confirm(strict, hash))).toBe('NOT_CONFIRMED')
    await mine(anvil)
    expect(await reasonOf(confirm(strict, hash))).toBe('PAID')
  })

  test('begin with the block: before it, the transaction is unknown', async () => {
    await mintTo(anvil)
    await withoutMining(anvil, async () => {
      const hash = await transfers(anvil)
      expect(await confirm(app, hash)).toMatchObject({ paid: false, reason: 'TX_NOT_FOUND', retryAfterSeconds: 5 })
      await mine(anvil)
      expect(await reasonOf(confirm(app, hash))).toBe('PAID')
    })
  })

  test('at 0 wait until the chain calls the block final', async () => {
    const patient = await startShop(anvil, { PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '0' })
    const hash = await paid(anvil)
    await mine(anvil, 60)
    await anvil.rpc('evm_increaseTime', [30 * 60])
    await mine(anvil)
    await catchUp(patient, anvil)
    expect(await confirm(patient, hash)).toMatchObject({ reason: 'NOT_CONFIRMED', retryAfterSeconds: 60 })
    await makeFinal(anvil)
    await catchUp(patient, anvil)
    expect(await confirm(patient, hash)).toMatchObject({ paid: true, isFinal: true })
    await catchUp(app, anvil)
  })
})
