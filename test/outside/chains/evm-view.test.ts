/** Tests reads from an honest EVM node at one block, also a past one, and contracts' effects on callers. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import type { BlockView, EvmChain } from '../../../src/outside/chains/chain.ts'
import { startOfTime } from '../../app.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type ContractName, deploy } from '../../parts/contracts/contracts.ts'
import { openBase, outageOf } from './evm-chain.ts'

const abi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function decimals() view returns (uint8)',
])
const ownerOf = encodeFunctionData({ abi, functionName: 'ownerOf', args: [1n] })

let anvil: Anvil
let base: EvmChain
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  base = openBase([anvil.url]).chain
})
afterAll(() => anvil.stop())

const stranger: Hex = '0x00000000000000000000000000000000000000aa'
const word = (value: bigint | Hex): Hex => toHex(BigInt(value), { size: 32 })

describe('a view of a chain', () => {
  test('reads the newest block, with its number and time', async () => {
    await anvil.rpc('anvil_mine', ['0x2'])
    const block = await anvil.publicClient.getBlock()
    const view = await base.at()
    expect(view).toMatchObject({ blockNumber: Number(block.number), blockHash: block.hash })
    expect(view.blockTime).toBe(Number(block.timestamp) * 1000)
    expect(view.blockTime).toBeGreaterThanOrEqual(startOfTime)
    expect(view.sources).toEqual(['chains.base.rpc[0]'])
  })

  test('reads balance, nonce, code, storage and calls', async () => {
    const [payer, holder] = anvil.accounts
    const coin = await deploy(anvil, 'Erc20', [6])
    const owned = await deploy(anvil, 'Owned', [holder.address])
    const view = await base.at()
    expect(await view.readNativeBalance(holder.address)).toBe(10_000n * 10n ** 18n)
    expect(await view.readNonce(payer.address)).toBe(
      await anvil.publicClient.getTransactionCount({ address: payer.address }),
    )
    expect(await view.readCode(coin.address)).toBe((await anvil.publicClient.getCode({ address: coin.address }))!)
    expect(await view.readCode(stranger)).toBe('0x')
    expect((await view.readSlot(owned.address, '0x0')).value).toBe(word(holder.address))
    expect((await view.readSlot(owned.address, word(9n))).value).toBe(word(0n))
    const decimals = encodeFunctionData({ abi, functionName: 'decimals' })
    expect(await view.call({ to: coin.address, data: decimals })).toEqual({ returned: word(6n) })
  })

  test('stays at its block when the chain goes on', async () => {
    const view = await base.at()
    await anvil.send({ to: stranger, value: 7n })
    expect(await view.readNativeBalance(stranger)).toBe(0n)
    expect(await (await base.at()).readNativeBalance(stranger)).toBe(7n)
  })

  test('can be of a block of the past', async () => {
    const art = await deploy(anvil, 'Erc721')
    const [, first, second] = anvil.accounts
    const { blockNumber } = await art.write('mint', [first.address, 1n])
    await art.write('burn', [1n])
    await art.write('mint', [second.address, 1n])

    const past = await base.at(Number(blockNumber))
    expect(past.blockNumber).toBe(Number(blockNumber))
    expect(await past.call({ to: art.address, data: ownerOf })).toEqual({ returned: word(first.address) })
    const burnt = await (await base.at(Number(blockNumber) + 1)).call({ to: art.address, data: ownerOf })
    expect(burnt).toMatchObject({ failed: 'reverted' })
    const newest = await (await base.at()).call({ to: art.address, data: ownerOf })
    expect(newest).toEqual({ returned: word(second.address) })
  })

  test('is refused for a future block, and for malformed numbers', async () => {
    const { blockNumber } = await base.at()
    expect(await outageOf(base.at(blockNumber + 1))).toBe(
      `BLOCK_NOT_REACHED: Block ${blockNumber + 1} is not there yet: the newest block of the chain is ${blockNumber}. Ask for a block that exists, or for none.`,
    )
    for (const number of [-1, 1.5, 2 ** 60]) expect(await outageOf(base.at(number))).toStartWith('BLOCK_NOT_REACHED')
  })

  test('does not mix two branches: after a reorganization it no longer answers, and a new view does', async () => {
    await anvil.rpc('anvil_mine', ['0x3'])
    const view = await base.at()
    await anvil.rpc('anvil_reorg', [2, []])
    expect((await anvil.publicClient.getBlock()).number).toBe(BigInt(view.blockNumber))
    expect(await outageOf(view.readNativeBalance(stranger))).toStartWith(
      'disagree chains.base.rpc[0]: does not know the block',
    )
    expect(await (await base.at()).readNativeBalance(stranger)).toBe(7n)
  })

  test('is an outage that names the remedy when the state of its block was pruned', async () => {
    const pruned = await startAnvil({ chainId: 8453, args: ['--prune-history', '2'] })
    try {
      await pruned.rpc('anvil_mine', ['0x20'])
      const view = await openBase([pruned.url]).chain.at(5)
      const error = await view.readNativeBalance(stranger).catch((thrown) => thrown)
      expect(await outageOf(view.readNativeBalance(stranger))).toBe(
        'wrong-source chains.base.rpc[0]: does not keep the state of that block',
      )
      expect(error.mend).toContain('archive node')
    } finally {
      await pruned.stop()
    }
  })
})

describe('a contract that is called', () => {
  const outcomes: readonly (readonly [string, ContractName, object])[] = [
    ['reverts', 'Erc721', { failed: 'reverted' }],
    ['meets an invalid instruction', 'InvalidOpcode', { failed: 'reverted', data: '0x' }],
    ['burns all gas', 'BurnsGas', { failed: 'out-of-gas', data: '0x' }],
    ['returns 2 MiB', 'Returns2Megabytes', { failed: 'too-large', data: '0x' }],
    ['reverts with 2 MiB', 'RevertsWith2Megabytes', { failed: 'reverted', data: '0x' }],
    ['returns 31 bytes', 'Returns31Bytes', { returned: `0x${'00'.repeat(31)}` }],
    ['returns garbage', 'ReturnsGarbage', { returned: `0x${'ab'.repeat(100)}` }],
  ]
  let view: BlockView
  const deployed = new Map<ContractName, Hex>()
  beforeAll(async () => {
    for (const [, name] of outcomes) deployed.set(name, (await deploy(anvil, name)).address)
    view = await openBase([anvil.url], { timeoutMs: 10_000 }).chain.at()
  })

  test.each(outcomes)('gives an answer, and no outage, when it %s', async (_, name, outcome) => {
    expect(await view.call({ to: deployed.get(name)!, data: ownerOf })).toMatchObject(outcome)
  })

  test('reports its revert data when it reverts', async () => {
    const outcome = await view.call({ to: deployed.get('Erc721')!, data: ownerOf })
    // ERC721NonexistentToken(uint256), EIP-6093.
    expect(outcome).toEqual({ failed: 'reverted', data: `0x7e273289${word(1n).slice(2)}` })
  })

  test('may be code that is deployed nowhere', async () => {
    // PUSH1 1, PUSH1 0, MSTORE, PUSH1 1, PUSH1 31, RETURN.
    expect(await view.call({ data: '0x60016000526001601ff3' })).toEqual({ returned: '0x01' })
    expect(await view.call({ data: '0xfe' })).toEqual({ failed: 'reverted', data: '0x' })
  })

  test.each([
    ['takes from an empty stack', 'reverted', '0x01'],
    ['fills the stack', 'reverted', '0x5b6001600056'],
    ['jumps to nowhere', 'reverted', '0x600256'],
    ['meets an unknown instruction', 'reverted', '0x0c'],
    ['copies what was not returned', 'reverted', '0x6001600060003e'],
    ['deploys code that begins with EF', 'reverted', '0x60ef60005360016000f3'],
    ['deploys more code than EIP-170 allows', 'reverted', '0x6162006000f3'],
    ['loops for ever', 'out-of-gas', '0x5b600056'],
    ['wants 80 MB of memory', 'out-of-gas', '0x60016304ffffff52'],
    ['wants 4 GB of memory', 'out-of-gas', '0x600163ffffffff52'],
    ['wants more memory than can be counted', 'out-of-gas', `0x60017f${'ff'.repeat(32)}52`],
  ] as const)('fails when it %s: %s', async (_, failed, data) => {
    expect(await view.call({ data })).toEqual({ failed, data: '0x' })
  })

  test('gets 15 million gas, less than a transaction may have (EIP-7825)', async () => {
    // GAS, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: how much is left after the cost of the call itself.
    const outcome = await view.call({ data: '0x5a5f5260205ff3' })
    const left = 'returned' in outcome ? BigInt(outcome.returned) : 0n
    expect(left).toBeGreaterThan(14_900_000n)
    expect(left).toBeLessThan(15_000_000n)
  })

  test('returns nothing when it does not exist', async () => {
    expect(await view.call({ to: stranger, data: ownerOf })).toEqual({ returned: '0x' })
  })
})
