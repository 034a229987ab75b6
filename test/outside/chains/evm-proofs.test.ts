/** `proofs = true`: a value is proved under the state root of the agreed block, or is no answer. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { concat, encodeFunctionData, type Hex, keccak256, numberToHex, pad, parseAbi, zeroHash } from 'viem'
import type { Reading } from '../../../src/outside/chains/chain.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type ContractName, contractAt, type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

const holder: Hex = '0x00000000000000000000000000000000000000bb'
const stranger: Hex = '0x00000000000000000000000000000000000000cc'
const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
  'function owner() view returns (address)',
  'function hasRole(bytes32, address) view returns (bool)',
])
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const encodeCall = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never)
const encodeBalanceCall = (who: Hex) => ({ data: encodeCall('balanceOf', who), keys: [pad(who)] })

let anvil: Anvil
let coin: Deployed
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  coin = await deploy(anvil, 'Erc20', [6])
  await coin.write('mint', [holder, 1234n])
  await anvil.send({ to: holder, value: 5n })
})
afterAll(() => anvil.stop())

const open = (...rpc: readonly string[]) => openBase(rpc.length > 0 ? rpc : [anvil.url], { proofs: true }).chain
const read = async (to: Hex, question: { readonly data: Hex; readonly keys: readonly Hex[] }): Promise<Reading> =>
  (await open().at()).read({ to, ...question })

/** A contract of this code, with this storage. */
async function standing(code: string, storage: Readonly<Record<Hex, Hex>> = {}): Promise<Hex> {
  const address = `0x${keccak256(`0x${code}`).slice(-40)}` as const
  await anvil.rpc('anvil_setCode', [address, `0x${code}`])
  for (const [slot, value] of Object.entries(storage)) await anvil.rpc('anvil_setStorageAt', [address, slot, value])
  await anvil.rpc('anvil_mine')
  return address
}

const returnTop = '5f5260205ff3'
/** Puts the value at keccak(first argument, 0) on the stack. */
const mapped = '6004355f525f60205260405f2054'
const computeSlot = (key: Hex, base: number): Hex => keccak256(concat([pad(key), word(base)]))

describe('a value alone in its slot is proved, and the layout is found:', () => {
  test.each<
    [string, ContractName, readonly unknown[], readonly unknown[], { data: Hex; keys: readonly Hex[] }, number]
  >([
    ['a balance (ERC-20)', 'Erc20', [6], [holder, 7n], encodeBalanceCall(holder), 0],
    ['an owner (ERC-721)', 'Erc721', [], [holder, 7n], { data: encodeCall('ownerOf', 7n), keys: [word(7)] }, 2],
    [
      'a balance (ERC-1155)',
      'Erc1155',
      [],
      [holder, 7n, 3n],
      { data: encodeCall('balanceOf', holder, 7n), keys: [word(7), pad(holder)] },
      0,
    ],
  ])('%s', async (_, name, args, minted, question, base) => {
    const token = await deploy(anvil, name, args)
    await token.write('mint', minted)
    const { outcome, proof } = await read(token.address, question)
    expect('returned' in outcome && BigInt(outcome.returned)).toBeGreaterThan(0n)
    const block = await anvil.publicClient.getBlock()
    expect(proof).toMatchObject({
      proved: true,
      account: true,
      contract: token.address,
      layout: 'mapping',
      baseSlot: word(base),
      stateRoot: block.stateRoot,
    })
    // The slot that the proof names can be looked up by anybody.
    const { storageSlot } = proof as { storageSlot: Hex }
    const value = await anvil.publicClient.getStorageAt({ address: token.address, slot: storageSlot })
    expect<unknown>({ returned: value! }).toEqual(outcome)
  })

  test('a balance of zero', async () => {
    expect(await read(coin.address, encodeBalanceCall(stranger))).toMatchObject({
      outcome: { returned: zeroHash },
      proof: { proved: true, layout: 'mapping', baseSlot: zeroHash },
    })
  })

  test('an owner of a contract', async () => {
    const owned = await deploy(anvil, 'Owned', [holder])
    expect(await read(owned.address, { data: encodeCall('owner'), keys: [] })).toMatchObject({
      outcome: { returned: pad(holder) },
      proof: { proved: true, layout: 'plain', storageSlot: zeroHash, baseSlot: zeroHash },
    })
  })

  test('an owner that is the contract itself', async () => {
    const code = `5f54${returnTop}`
    const itself = await standing(code)
    await anvil.rpc('anvil_setStorageAt', [itself, zeroHash, pad(itself)])
    await anvil.rpc('anvil_mine')
    expect(await read(itself, { data: encodeCall('owner'), keys: [] })).toMatchObject({
      outcome: { returned: pad(itself) },
      proof: { proved: true, layout: 'plain' },
    })
  })

  test('a role, which is looked up by two keys', async () => {
    const roles = await deploy(anvil, 'Roles', [holder])
    const question = { data: encodeCall('hasRole', zeroHash, holder), keys: [zeroHash, pad(holder)] }
    expect(await read(roles.address, question)).toMatchObject({ proof: { proved: true, layout: 'mapping' } })
  })

  test('a balance behind a proxy, whose own slot is no part of it', async () => {
    const mint = encodeFunctionData({ abi: coin.abi, functionName: 'mint', args: [holder, 9n] } as never)
    const proxy = await deploy(anvil, 'TransparentProxy', [coin.address, holder, mint])
    expect(await contractAt(anvil, 'Erc20', proxy.address).read('balanceOf', [holder])).toBe(9n)
    expect(await read(proxy.address, encodeBalanceCall(holder))).toMatchObject({
      outcome: { returned: word(9) },
      proof: { proved: true, contract: proxy.address, baseSlot: zeroHash },
    })
  })

  test('a mapping of Vyper', async () => {
    const slot = keccak256(concat([word(5), pad(holder)]))
    const vyper = await standing(`60055f5260043560205260405f2054${returnTop}`, { [slot]: word(77) })
    expect(await read(vyper, encodeBalanceCall(holder))).toMatchObject({
      outcome: { returned: word(77) },
      proof: { proved: true, layout: 'vyper-mapping', baseSlot: word(5), storageSlot: slot },
    })
  })

  test('a mapping with a seed, as Solady has it', async () => {
    const slot = keccak256(concat([holder, pad('0x87a211a2', { size: 12 })]))
    const solady = await standing(`6387a211a2600c526004355f526020600c2054${returnTop}`, { [slot]: word(78) })
    expect(await read(solady, encodeBalanceCall(holder))).toMatchObject({
      outcome: { returned: word(78) },
      proof: { proved: true, layout: 'seeded', baseSlot: word(0x87a211a2), storageSlot: slot },
    })
  })
})

describe('a value that shares its slot is marked as not proved:', () => {
  const mine = computeSlot(holder, 0)
  test.each<[string, string, Record<Hex, Hex>, string, bigint]>([
    ['it shares a slot', `${mapped}61ffff16${returnTop}`, { [mine]: word(0xaa_1234) }, 'packed', 0x1234n],
    [
      'it is computed, as tokens that rebase do',
      `${mapped}60095402${returnTop}`,
      { [mine]: word(3), [word(9)]: word(5) },
      'computed',
      15n,
    ],
    [
      'it is computed, also while the factor is one',
      `${mapped}60095402${returnTop}`,
      { [mine]: word(3), [word(9)]: word(1) },
      'computed',
      3n,
    ],
    ['it stands in the code', `602a${returnTop}`, {}, 'not-in-storage', 42n],
    ['it stands at a place of its own', `600754${returnTop}`, { [word(7)]: word(8) }, 'unknown-layout', 8n],
    [
      'it stands at the place of somebody else',
      `61beef5f525f60205260405f2054${returnTop}`,
      { [computeSlot('0xbeef', 0)]: word(8) },
      'unknown-layout',
      8n,
    ],
    ['it writes on the way', `60015f55${mapped}${returnTop}`, { [mine]: word(4) }, 'writes', 4n],
    ['it looks at the block', `4350602b${returnTop}`, {}, 'outside-state', 43n],
    ['it calls a function of the chain', `5f5f5f5f60055afa50602c${returnTop}`, {}, 'outside-state', 44n],
    ['it calls what has no code', `5f5f5f5f61dead5afa50602d${returnTop}`, {}, 'outside-state', 45n],
    ['it takes too many steps', `6120005b600190038060035750602e${returnTop}`, {}, 'too-long', 46n],
    [
      'it reads more slots than are asked for',
      `${Array.from({ length: 17 }, (_, at) => `60${(at + 16).toString(16)}5450`).join('')}602a${returnTop}`,
      {},
      'too-long',
      42n,
    ],
    ['it fills memory', `60016201000052602f${returnTop}`, {}, 'too-long', 47n],
  ])('%s', async (_, code, storage, reason, value) => {
    const contract = await standing(code, storage)
    expect(await read(contract, encodeBalanceCall(holder))).toMatchObject({
      outcome: { returned: word(value) },
      proof: { proved: false, reason },
    })
  })
})

describe('an endpoint', () => {
  test('is skipped when it cannot prove its answer, and with none left it is an outage', async () => {
    const liar = startLyingRpc(anvil.url)
    try {
      for (const [lie, fault] of [
        [lies.error(-32601, 'method not found', ['eth_getProof']), 'wrong-source'],
        [lies.result('eth_getProof', (proof) => ({ ...proof, accountProof: [] })), 'malformed'],
        [lies.result('eth_getProof', () => null), 'malformed'],
        [lies.result('eth_getBlockByHash', (block) => ({ ...block, stateRoot: zeroHash })), 'wrong-source'],
        [lies.result('eth_getCode', () => '0xfe'), 'malformed'],
        [lies.result('eth_call', () => word(1_000_000)), 'malformed'],
        [lies.error(3, 'execution reverted', ['eth_call'], '0x'), 'malformed'],
      ] as const) {
        liar.lie(lie)
        const question = { to: coin.address, ...encodeBalanceCall(holder) }
        expect(await outageOf((await open(liar.url).at()).read(question))).toStartWith(`${fault} chains.base.rpc[0]: `)
        const view = await open(liar.url, anvil.url).at()
        expect(await view.read(question)).toMatchObject({ outcome: { returned: word(1234) }, proof: { proved: true } })
        expect(view.sources).toContain('chains.base.rpc[1]')
      }
    } finally {
      await liar.stop()
    }
  })

  test('is awaited when it gets the block a little later than announced', async () => {
    const late = startLyingRpc(anvil.url)
    late.lie(lies.errorOnce(-32000, 'header not found', ['eth_getProof']))
    expect(await (await open(late.url).at()).readNativeBalance(holder)).toBe(5n)
    await late.stop()
  })

  test('is exposed by the header when it lies about the time of the block', async () => {
    const liar = startLyingRpc(anvil.url)
    liar.lie(lies.olderBlocks(60))
    expect(await outageOf((await open(liar.url).at()).readNativeBalance(holder))).toBe(
      'malformed chains.base.rpc[0]: gave an answer to eth_getBlockByHash that has another number or time than the block that was chosen',
    )
    await liar.stop()
  })

  test('is believed about the header as it is, where the members of the block are not all of it', async () => {
    const liar = startLyingRpc(anvil.url)
    const { stateRoot } = await anvil.publicClient.getBlock()
    liar.lie(
      lies.result('eth_getBlockByHash', (block) => ({ ...block, blockAccessListHash: zeroHash, slotNumber: '0x5' })),
    )
    expect(
      (await (await open(liar.url).at()).read({ to: coin.address, ...encodeBalanceCall(holder) })).proof,
    ).toMatchObject({
      stateRoot,
    })
    await liar.stop()
  })
})

test('accounts, code and slots are proved as well, at blocks of the past too', async () => {
  const view = await open().at()
  expect(await view.readNativeBalance(holder)).toBe(5n)
  expect(await view.readNativeBalance(stranger)).toBe(0n)
  expect(await view.readCode(holder)).toBe('0x')
  expect(await view.readCode(coin.address)).toBe((await anvil.publicClient.getCode({ address: coin.address }))!)
  expect(await view.readNonce(anvil.accounts[0].address)).toBeGreaterThan(1)
  expect(await view.readSlot(coin.address, computeSlot(holder, 0))).toMatchObject({
    value: word(1234),
    proof: { proved: true, layout: 'plain' },
  })
  const past = await open().at(coin.blockNumber)
  expect(await past.read({ to: coin.address, ...encodeBalanceCall(holder) })).toMatchObject({
    outcome: { returned: zeroHash },
  })
  expect(await past.readNativeBalance(holder)).toBe(0n)
})

describe('a contract call that depends on a stranger', () => {
  /** Returns 1, and looks at the number of the block before. */
  const looking = '4350600160005260206000f3'
  const question = async (rpc: readonly string[], agree: number, isDataOfStranger: boolean) => {
    const to = await standing(looking)
    const view = await openBase(rpc, { proofs: true, agree, agreeCounts: 'addresses' }).chain.at()
    return { view, answer: view.call({ to, data: '0x', isDataOfStranger }) }
  }

  test('is refused from one endpoint alone when it cannot be run', async () => {
    const { answer } = await question([anvil.url], 1, true)
    expect(await outageOf(answer)).toMatch(
      /^disagree chains\.base\.agree: is 1, and the contract asks for what is not in the state of the chain/,
    )
  })

  test('counts by a quorum of two when it cannot be run, and is marked as unproved', async () => {
    const other = startLyingRpc(anvil.url)
    const { view, answer } = await question([anvil.url, other.url], 2, true)
    expect(await answer).toEqual({ returned: word(1) })
    expect(view.unproved).toEqual(['outside-state'])
    other.lie(lies.result('eth_call', () => word(2)))
    const lied = await question([anvil.url, other.url], 2, true)
    expect(await outageOf(lied.answer)).toMatch(/^disagree /)
    await other.stop()
  })

  test('never counts when it cannot be run and its code belongs to the stranger, too', async () => {
    const other = startLyingRpc(anvil.url)
    const to = await standing(looking)
    const view = await openBase([anvil.url, other.url], { proofs: true, agree: 2, agreeCounts: 'addresses' }).chain.at()
    expect(await outageOf(view.call({ to, data: '0x', isCodeOfStranger: true }))).toMatch(
      /^disagree chains\.base\.proofs: is on, and what deploys the wallet asks for what is not in the state/,
    )
    await other.stop()
  })

  test('is not asked of contracts that the operator named', async () => {
    const { view, answer } = await question([anvil.url], 1, false)
    expect(await answer).toEqual({ returned: word(1) })
    expect(view.unproved).toEqual(['outside-state'])
  })

  test('may write during the call, and its writes are read again and dropped', async () => {
    // Stores 7, reads it back, and returns it.
    const to = await standing('600760005560005460005260206000f3')
    for (let times = 0; times < 2; times += 1) {
      const view = await open().at()
      expect(await view.call({ to, data: '0x', isDataOfStranger: true })).toEqual({ returned: word(7) })
      expect(view.unproved).toEqual([])
      expect((await view.readSlot(to, zeroHash)).value).toBe(zeroHash)
    }
  })

  test('is taken back where the call that wrote it failed', async () => {
    // Stores 9 and reverts.
    const failing = await standing('600960005560006000fd')
    // Delegates to that contract, and then returns its own slot.
    const to = await standing(`600060006000600073${failing.slice(2)}5af45060005460005260206000f3`)
    const view = await open().at()
    expect(await view.call({ to, data: '0x', isDataOfStranger: true })).toEqual({ returned: word(0) })
    expect(view.unproved).toEqual([])
  })
})
