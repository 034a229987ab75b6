/** Nodes from before EIP-1898, in front of a real chain: asked by number, and never believed about another block. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, pad, parseAbi, toHex, zeroHash } from 'viem'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

const rich: Hex = '0x00000000000000000000000000000000000000bb'
const decimals = encodeFunctionData({ abi: parseAbi(['function decimals() view returns (uint8)']) })
const balance = encodeFunctionData({
  abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
  args: [rich],
})
const owner = encodeFunctionData({
  abi: parseAbi(['function ownerOf(uint256 id) view returns (address)']),
  args: [1n],
})

let anvil: Anvil
let old: LyingRpc
let coin: Deployed
let art: Deployed
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  await anvil.send({ to: rich, value: 5n })
  ;[coin, art] = await Promise.all([deploy(anvil, 'Erc20', [6]), deploy(anvil, 'Erc721')])
})
beforeEach(() => {
  old = startLyingRpc(anvil.url)
})
afterEach(() => old.stop())
afterAll(() => anvil.stop())

const setting = 'chains.base.rpc[0]'

describe('a node that takes no block hash', () => {
  test.each([
    [-32602, 'invalid argument 1: json: cannot unmarshal object into Go value of type string'],
    [-32602, 'Invalid params: invalid block number.'],
    [-32602, ''],
    [-32000, 'invalid argument 0: hex string without 0x prefix'],
    [-32600, 'Invalid request: expected a string'],
    [-32700, 'parse error'],
  ])('is asked by number when it says so with %i "%s", which the view reports', async (code, message) => {
    old.lie(lies.noBlockHash(code, message))
    const view = await openBase([old.url]).chain.at()
    expect(view.readByNumber).toEqual([])
    expect(await view.readNativeBalance(rich)).toBe(5n)
    expect(await view.call({ to: coin.address, data: decimals })).toEqual({ returned: toHex(6n, { size: 32 }) })
    expect(await view.call({ to: art.address, data: owner })).toMatchObject({ failed: 'reverted' })
    expect(await view.readCode(rich)).toBe('0x')
    expect(view.readByNumber).toEqual([setting])
  })

  test('is asked by hash once for each view, and is held to the hash of the block after each read', async () => {
    old.lie(lies.noBlockHash())
    const view = await openBase([old.url]).chain.at()
    old.forgetAsked()
    await view.readNativeBalance(rich)
    await view.readNativeBalance(rich)
    expect(old.asked).toEqual([
      'eth_getBalance',
      'eth_getBalance',
      'eth_getBlockByNumber',
      'eth_getBalance',
      'eth_getBlockByNumber',
    ])
  })

  test('stays at its block when the chain goes on', async () => {
    old.lie(lies.noBlockHash())
    const view = await openBase([old.url]).chain.at()
    await anvil.send({ to: rich, value: 7n })
    expect(await view.readNativeBalance(rich)).toBe(5n)
  })

  test('is not believed when that block was replaced meanwhile', async () => {
    old.lie(lies.noBlockHash())
    const view = await openBase([old.url], { timeoutMs: 2000 }).chain.at()
    old.lie(lies.noBlockHash(), lies.blockHash(`0x${'12'.repeat(32)}`))
    expect(await outageOf(view.readNativeBalance(rich))).toStartWith(`disagree ${setting}: has another block`)
    expect(view.readByNumber).toEqual([])
  })

  test('agrees with one that takes hashes, and only the first is named', async () => {
    old.lie(lies.noBlockHash())
    const view = await openBase([old.url, anvil.url], { agree: 2 }).chain.at()
    expect(await view.readNativeBalance(rich)).toBeGreaterThanOrEqual(5n)
    expect(view.sources).toEqual([setting, 'chains.base.rpc[1]'])
    expect(view.readByNumber).toEqual([setting])
  })
})

describe('a node that takes no block hash, where proofs are asked for,', () => {
  const open = () => openBase([old.url], { proofs: true, timeoutMs: 2000 })

  test('proves its state by block number, which the view and doctor tell', async () => {
    old.lie(lies.noBlockHash())
    const view = await open().chain.at()
    const { outcome, proof } = await view.read({ to: coin.address, data: balance, keys: [pad(rich)] })
    expect(outcome).toEqual({ returned: zeroHash })
    expect(proof).toMatchObject({ proved: true, layout: 'mapping' })
    expect(view.readByNumber).toEqual([setting])
    const [probe] = open().probes
    expect(await probe!.run()).toMatchObject({
      level: 'warn',
      says: expect.stringMatching(/; proves its state; takes no block hash/),
    })
  })

  test('is not believed when that block was replaced meanwhile', async () => {
    old.lie(lies.noBlockHash())
    const view = await open().chain.at()
    old.lie(lies.noBlockHash(), lies.blockHash(`0x${'12'.repeat(32)}`))
    expect(await outageOf(view.readCode(coin.address))).toStartWith(`disagree ${setting}: has another block`)
  })
})

describe('a node that refuses for another reason is not asked by number', () => {
  test.each([
    [-32005, 'limit exceeded', 'rate-limited'],
    [-32000, 'missing trie node', 'wrong-source'],
    [-32000, 'header not found', 'disagree'],
    [-32602, 'header for hash not found', 'disagree'],
    [-32601, 'the method does not exist', 'wrong-source'],
    [-32603, 'internal error', 'unreachable'],
  ])('%i "%s"', async (code, message, fault) => {
    old.lie(lies.noBlockHash(code, message))
    const view = await openBase([old.url], { timeoutMs: 2000 }).chain.at()
    old.forgetAsked()
    expect(await outageOf(view.readNativeBalance(rich))).toStartWith(`${fault} ${setting}: `)
    expect(old.asked).not.toContain('eth_getBlockByNumber')
    expect(view.readByNumber).toEqual([])
  })
})
