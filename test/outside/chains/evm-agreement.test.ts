/** `agree = 2`: no single endpoint decides the answer, and none can block those that agree. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { deploy } from '../../parts/contracts/contracts.ts'
import { type Lie, type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

const rich: Hex = '0x00000000000000000000000000000000000000bb'
const someHash = `0x${'12'.repeat(32)}`

let anvil: Anvil
let first: LyingRpc
let second: LyingRpc
let third: LyingRpc
let art: Hex
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  art = (await deploy(anvil, 'Erc721')).address
  await anvil.send({ to: rich, value: 5n })
})
beforeEach(() => {
  first = startLyingRpc(anvil.url)
  second = startLyingRpc(anvil.url)
  third = startLyingRpc(anvil.url)
})
afterEach(() => Promise.all([first, second, third].map((rpc) => rpc.stop())))
afterAll(() => anvil.stop())

const openTwo = () => openBase([first.url, second.url], { agree: 2 }).chain
const openThree = () => openBase([first.url, second.url, third.url], { agree: 2 }).chain
const balanceOn = async (chain = openThree()): Promise<string> => {
  const view = await chain.at()
  return `${await view.readNativeBalance(rich)} by ${view.sources.join(' ')}`
}
const newestNumber = async (): Promise<number> => Number(await anvil.publicClient.getBlockNumber())
const ownerOf = encodeFunctionData({
  abi: parseAbi(['function ownerOf(uint256 id) view returns (address)']),
  functionName: 'ownerOf',
  args: [1n],
})

describe('two endpoints that must agree', () => {
  test('are both asked, and both named', async () => {
    expect(await balanceOn(openTwo())).toBe('5 by chains.base.rpc[0] chains.base.rpc[1]')
    expect(first.asked).toEqual(second.asked)
  })

  test('do not ask the third one while they agree', async () => {
    expect(await balanceOn()).toBe('5 by chains.base.rpc[0] chains.base.rpc[1]')
    expect(third.asked).toEqual([])
  })

  test.each<[string, Lie]>([
    ['a balance', lies.balance(1000n)],
    ['a block', lies.blockHash(someHash)],
    ['the time of a block', lies.olderBlocks(60)],
  ])('and do not about %s are an outage, not an answer', async (_, lie) => {
    second.lie(lie)
    expect(await outageOf(balanceOn(openTwo()))).toBe(
      'disagree chains.base.rpc: gave different answers, and 2 endpoints must agree',
    )
  })

  test.each<[string, Lie]>([
    ['hangs', lies.hangs()],
    ['fails', lies.status(500)],
    ['is of another chain', lies.chainId(1)],
    ['has not seen a new block for an hour', lies.olderBlocks(3600)],
  ])('and one of which %s are an outage', async (_, lie) => {
    second.lie(lie)
    expect(await outageOf(balanceOn(openTwo()))).toContain(
      'chains.base.rpc: got 1 of 2 needed answers: chains.base.rpc[1]: ',
    )
  })

  test('are an outage that names the setting when there is only one, also when it is written twice', async () => {
    const outage = 'disagree chains.base.agree: asks for 2 endpoints that agree, and rpc has 1'
    for (const rpc of [[first.url], [first.url, first.url]])
      expect(await outageOf(openBase(rpc, { agree: 2 }).chain.at())).toBe(outage)
    expect(first.asked).toEqual([])
  })
})

describe('with three endpoints and a quorum of two, one that', () => {
  const faults: readonly (readonly [string, () => Lie])[] = [
    ['lies about a balance', () => lies.balance(1000n)],
    ['lies about its blocks', () => lies.blockHash(someHash)],
    ['is of another chain', () => lies.chainId(1)],
    ['is an hour behind', () => lies.olderBlocks(3600)],
    ['hangs', () => lies.hangs()],
    ['hangs when it is read', () => lies.hangs('eth_getBalance')],
    ['answers with HTML', () => lies.html()],
  ]
  for (const position of [0, 1, 2])
    test.each(faults)(`%s cannot block the others, at place ${position + 1}`, async (_, lie) => {
      ;[first, second, third][position]!.lie(lie())
      const answer = await balanceOn()
      expect(answer).toStartWith('5 by ')
      // Its earlier answer about the block was used, so it stays named among the sources.
      const honest = [0, 1, 2].filter((index) => index !== position).map((index) => `chains.base.rpc[${index}]`)
      if (position < 2) for (const source of honest) expect(answer).toContain(source)
    })

  test('lied once is not asked again while the others answer', async () => {
    first.lie(lies.balance(1000n))
    const view = await openThree().at()
    expect(await view.readNativeBalance(rich)).toBe(5n)
    first.forgetAsked()
    expect(await view.readNativeBalance(rich)).toBe(5n)
    expect(first.asked).toEqual([])
  })
})

describe('endpoints at different heights', () => {
  beforeEach(() => anvil.rpc('anvil_mine', ['0x3']))

  test('agree on the newest block that both have', async () => {
    const newest = await newestNumber()
    second.lie(lies.behind(newest - 2))
    expect((await openTwo().at()).blockNumber).toBe(newest - 2)
    first.lie(lies.behind(newest - 3))
    expect((await openTwo().at()).blockNumber).toBe(newest - 3)
  })

  test.each([0, 1, 2])('are not held back by one that lags, at place %d', async (position) => {
    const newest = await newestNumber()
    ;[first, second, third][position]!.lie(lies.behind(newest - 3))
    expect((await openThree().at()).blockNumber).toBe(newest)
  })

  test('are read at the newest block that as many of them have as must agree', async () => {
    const newest = await newestNumber()
    first.lie(lies.behind(newest - 3))
    second.lie(lies.behind(newest - 1))
    expect((await openThree().at()).blockNumber).toBe(newest - 1)
    const fourth = startLyingRpc(anvil.url)
    second.lie(lies.behind(newest - 3))
    const urls = [first, second, third, fourth].map(({ url }) => url)
    expect((await openBase(urls, { agree: 2 }).chain.at()).blockNumber).toBe(newest)
    await fourth.stop()
  })

  test('are not held back by one that lags while another hangs', async () => {
    const newest = await newestNumber()
    second.lie(lies.behind(newest - 3))
    third.lie(lies.hangs())
    expect((await openThree().at()).blockNumber).toBe(newest - 3)
  })

  test('cannot be moved to a block that only one says is there', async () => {
    const newest = await newestNumber()
    second.lie(
      lies.result('eth_getBlockByNumber', (block) => ({ ...block, number: `0x${(newest + 1000).toString(16)}` })),
    )
    expect((await openThree().at()).blockNumber).toBe(newest)
  })

  test('at one address are one: two spellings of it make no quorum', async () => {
    const port = new URL(first.url).port
    for (const other of [`http://localhost:${port}`, `${first.url}/`, `http://LOCALHOST.:${port}//`])
      expect(await outageOf(openBase([first.url, other], { agree: 2 }).chain.at())).toStartWith(
        'disagree chains.base.agree: asks for 2 endpoints that agree, and rpc has 1',
      )
    expect(first.asked).toEqual([])
  })

  test('agree although a third one lies and only an older block is shared', async () => {
    const newest = await newestNumber()
    first.lie(lies.blockHash(someHash))
    third.lie(lies.behind(newest - 1))
    const view = await openThree().at()
    expect(view).toMatchObject({ blockNumber: newest - 1, sources: ['chains.base.rpc[1]', 'chains.base.rpc[2]'] })
    expect(await view.readNativeBalance(rich)).toBe(5n)
  })

  test('need a quorum to report a missing block', async () => {
    const newest = await newestNumber()
    second.lie(lies.behind(newest - 1))
    expect((await openThree().at(newest)).sources).toEqual(['chains.base.rpc[0]', 'chains.base.rpc[2]'])
    expect(await outageOf(openTwo().at(newest))).toContain(`is at block ${newest - 1} and not yet at ${newest}`)
    expect(await outageOf(openTwo().at(newest))).toStartWith('disagree')
    first.lie(lies.behind(newest - 2))
    expect(await outageOf(openTwo().at(newest))).toBe(
      `BLOCK_NOT_REACHED: Block ${newest} is not there yet: the newest block of the chain is ${newest - 1}. Ask for a block that exists, or for none.`,
    )
  })

  test('agree on a block of the past', async () => {
    const view = await openThree().at(1)
    expect(view.blockNumber).toBe(1)
    expect(await view.readNativeBalance(rich)).toBe(0n)
  })
})

describe('the outcome of a contract call', () => {
  const callOn = async (chain = openTwo()) => (await chain.at()).call({ to: art, data: ownerOf })

  test('must be the same: a returned value and a revert make no quorum', async () => {
    second.lie(lies.result('eth_call', () => `0x${'0'.repeat(64)}`))
    first.lie(lies.error(3, 'execution reverted', ['eth_call'], '0x7e273289'))
    expect(await outageOf(callOn())).toStartWith('disagree')
    expect(await callOn(openThree())).toEqual({ failed: 'reverted', data: '0x' })
  })

  test('must be the same: a revert and running out of gas differ', async () => {
    second.lie(lies.error(-32000, 'out of gas', ['eth_call']))
    expect(await outageOf(callOn())).toStartWith('disagree')
  })

  test('is reported without the reason when the endpoints give different ones', async () => {
    expect(await callOn()).toMatchObject({ failed: 'reverted', data: expect.stringMatching(/^0x7e273289/) })
    second.lie(lies.error(-32000, 'execution reverted', ['eth_call']))
    expect(await callOn()).toEqual({ failed: 'reverted', data: '0x' })
  })
})
