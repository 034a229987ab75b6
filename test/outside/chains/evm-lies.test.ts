/**
 * A faulty, slow or lying endpoint stands before a real chain: tests which answer counts, and which endpoint takes
 * over.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Hex } from 'viem'
import { openEvmSource } from '../../../src/outside/chains/evm/source.ts'
import { openQuorum } from '../../../src/outside/chains/quorum.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { makeEndpoint } from '../../../src/outside/http/endpoint.ts'
import { startOfTime } from '../../app.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Lie, type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

const rich: Hex = '0x00000000000000000000000000000000000000bb'
const someHash = `0x${'12'.repeat(32)}`

let anvil: Anvil
let otherChain: Anvil
let liar: LyingRpc
let second: LyingRpc
beforeAll(async () => {
  ;[anvil, otherChain] = await Promise.all([startAnvil({ chainId: 8453 }), startAnvil({ chainId: 1 })])
  await anvil.send({ to: rich, value: 5n })
})
beforeEach(() => {
  liar = startLyingRpc(anvil.url)
  second = startLyingRpc(anvil.url)
})
afterEach(() => Promise.all([liar.stop(), second.stop()]))
afterAll(() => Promise.all([anvil.stop(), otherChain.stop()]))

const balanceOn = async (rpc: readonly string[], options: Parameters<typeof openBase>[1] = {}): Promise<string> => {
  const view = await openBase(rpc, options).chain.at()
  return `${await view.readNativeBalance(rich)} by ${view.sources.join(' ')}`
}

const wrongs: readonly (readonly [string, string, () => Lie])[] = [
  ['is of another chain', 'wrong-source chains.base.rpc[0]: is of eip155:1, not of eip155:8453', () => lies.chainId(1)],
  [
    'has not seen a new block for an hour',
    'wrong-source chains.base.rpc[0]: is behind its chain: its newest block, 1, is 36',
    () => lies.olderBlocks(3650),
  ],
  [
    'answers with half a document',
    'malformed chains.base.rpc[0]: answered 200 with something that is not JSON',
    () => lies.halfDocument(),
  ],
  [
    'answers with HTML',
    'malformed chains.base.rpc[0]: answered 200 with something that is not JSON',
    () => lies.html(),
  ],
  [
    'answers another request',
    'malformed chains.base.rpc[0]: gave an answer to eth_chainId that',
    () => lies.envelope({ id: 7 }),
  ],
  [
    'speaks another version',
    'malformed chains.base.rpc[0]: gave an answer to eth_chainId that',
    () => lies.envelope({ jsonrpc: '1.0' }),
  ],
  [
    'gives a result and an error',
    'malformed chains.base.rpc[0]: gave an answer to eth_chainId that',
    () => lies.envelope({ error: { code: 1, message: '' } }),
  ],
  [
    'gives neither result nor error',
    'malformed chains.base.rpc[0]: gave an answer to eth_chainId that',
    () => lies.envelope({ result: undefined }),
  ],
  ['hangs', 'timeout chains.base.rpc[0]: did not answer', () => lies.hangs()],
  ['has a fault of its own (500)', 'unreachable chains.base.rpc[0]: answered 500', () => lies.status(500)],
  ['wants fewer calls (429)', 'rate-limited chains.base.rpc[0]: wants fewer calls', () => lies.status(429)],
  [
    'wants fewer calls, in JSON',
    'rate-limited chains.base.rpc[0]: wants fewer calls',
    () => lies.error(-32005, 'limit exceeded'),
  ],
  ['refuses the key', 'credentials chains.base.rpc[0]: refused the key', () => lies.status(401)],
  ['sends 13 MB', 'malformed chains.base.rpc[0]: sent more than', () => lies.huge(13)],
  [
    'gives a number in decimal',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBlockByNumber that is no quantity',
    () => lies.result('eth_getBlockByNumber', (block) => ({ ...block, number: '1' })),
  ],
  [
    'gives a block without a hash',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBlockByNumber that is no data',
    () => lies.result('eth_getBlockByNumber', (block) => ({ ...block, hash: null })),
  ],
  [
    'gives half a hash',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBlockByNumber that does not have 32 bytes',
    () => lies.result('eth_getBlockByNumber', (block) => ({ ...block, hash: block.hash.slice(0, 34) })),
  ],
  [
    'gives no block',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBlockByNumber that is no block',
    () => lies.result('eth_getBlockByNumber', () => null),
  ],
  [
    'gives a balance that is none',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBalance that is no quantity',
    () => lies.result('eth_getBalance', () => '0x'),
  ],
  [
    'gives a balance of 257 bits',
    'malformed chains.base.rpc[0]: gave an answer to eth_getBalance that is no quantity',
    () => lies.result('eth_getBalance', () => `0x1${'0'.repeat(64)}`),
  ],
  [
    'has thrown the state away',
    'wrong-source chains.base.rpc[0]: does not keep the state',
    () => lies.error(-32000, 'missing trie node 12 (path )', ['eth_getBalance']),
  ],
  [
    'fails when it is read',
    'unreachable chains.base.rpc[0]: answered eth_getBalance with the error -32603',
    () => lies.error(-32603, 'Internal error', ['eth_getBalance']),
  ],
]

describe('an endpoint that', () => {
  test.each(wrongs)('%s is an outage that says so', async (_, outage, lie) => {
    liar.lie(lie())
    expect(await outageOf(balanceOn([liar.url]))).toStartWith(outage)
  })

  test.each(wrongs)('%s is passed over for the next one', async (_, __, lie) => {
    liar.lie(lie())
    // The first may have told the block before it failed: then it stays named.
    expect(await balanceOn([liar.url, anvil.url])).toMatch(/^5 by (chains\.base\.rpc\[0\] )?chains\.base\.rpc\[1\]$/)
  })

  test('sends more for a call than a contract can return is an outage', async () => {
    liar.lie(lies.huge(13, 'eth_call'))
    const view = await openBase([liar.url], { timeoutMs: 5000 }).chain.at()
    expect(await outageOf(view.call({ to: rich, data: '0x' }))).toStartWith(
      'malformed chains.base.rpc[0]: sent more than',
    )
  })

  test.each([
    ['wrong-source', -32000, 'missing trie node 12 (path )'],
    ['unreachable', -32603, 'Internal error'],
    ['unreachable', -32000, 'execution aborted (timeout = 5s)'],
    ['rate-limited', -32005, 'limit exceeded'],
  ])(
    'cannot run a contract (%s: %i %s) is an outage and no revert, and is passed over',
    async (fault, code, message) => {
      liar.lie(lies.error(code, message, ['eth_call']))
      const callOn = async (rpc: readonly string[]) => (await openBase(rpc).chain.at()).call({ data: '0x5ff3' })
      expect(await outageOf(callOn([liar.url]))).toStartWith(`${fault} chains.base.rpc[0]: `)
      expect(await callOn([liar.url, anvil.url])).toEqual({ failed: 'reverted', data: '0x' })
    },
  )

  test('gives another block than the one asked for is not believed', async () => {
    liar.lie(lies.result('eth_getBlockByNumber', (block) => ({ ...block, number: '0x1' })))
    const { chain } = openBase([liar.url])
    expect(await outageOf(chain.at(0))).toContain('is another block than the one asked for')
  })

  test('is missing causes an outage, and its address stays hidden', async () => {
    await liar.stop()
    const outage = await outageOf(balanceOn([liar.url]))
    expect(outage).toStartWith('unreachable chains.base.rpc[0]: ')
    expect(outage).not.toMatch(/127\.0\.0\.1|\d{4}/)
  })

  test('gets a block a moment after its neighbour, behind one address, is asked once more', async () => {
    liar.lie(lies.errorOnce(-32000, 'header not found', ['eth_getBalance']))
    expect(await balanceOn([liar.url])).toBe('5 by chains.base.rpc[0]')
    expect(liar.asked.filter((method) => method === 'eth_getBalance')).toHaveLength(2)
  })

  test('lies about a contract is believed without a quorum', async () => {
    liar.lie(lies.balance(1000n))
    expect(await balanceOn([liar.url, anvil.url])).toBe('1000 by chains.base.rpc[0]')
  })
})

describe('several endpoints', () => {
  test('are one outage when all fail, which names each fault', async () => {
    liar.lie(lies.chainId(1))
    second.lie(lies.status(500))
    const error = await openBase([liar.url, second.url])
      .chain.at()
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'OutsideError', fault: 'wrong-source', source: 'chains.base.rpc' })
    expect(error.happened).toContain('chains.base.rpc[0]: is of eip155:1, not of eip155:8453')
    expect(error.happened).toContain('chains.base.rpc[1]: answered 500')
    expect(error.mend).toContain('chains.base.rpc[0]: give an endpoint of the right chain')
  })

  test('are not asked while the first one answers', async () => {
    expect(await balanceOn([liar.url, second.url])).toBe('5 by chains.base.rpc[0]')
    expect(second.asked).toEqual([])
  })

  test('are all named in the sources of a view when one takes over in its middle', async () => {
    const { chain } = openBase([liar.url, second.url])
    const view = await chain.at()
    expect(await view.readNativeBalance(rich)).toBe(5n)
    expect(view.sources).toEqual(['chains.base.rpc[0]'])
    liar.lie(lies.status(502))
    expect(await view.readNativeBalance(rich)).toBe(5n)
    expect(view.sources).toEqual(['chains.base.rpc[0]', 'chains.base.rpc[1]'])
    // The one that failed is asked last from now on.
    liar.forgetAsked()
    await view.readNonce(rich)
    expect(liar.asked).toEqual([])
  })

  test('answer for the same block after taking over, or not at all', async () => {
    const view = await openBase([liar.url, otherChain.url]).chain.at()
    liar.lie(lies.status(500))
    expect(await outageOf(view.readNativeBalance(rich))).toContain(
      'chains.base.rpc[1]: is of eip155:1, not of eip155:8453',
    )
  })

  test('have newer blocks than the first one: a block that only they have is found', async () => {
    const newest = Number(await anvil.publicClient.getBlockNumber())
    await anvil.rpc('anvil_mine', ['0x1'])
    liar.lie(lies.behind(newest))
    const { chain } = openBase([liar.url, anvil.url])
    expect((await chain.at(newest + 1)).sources).toEqual(['chains.base.rpc[1]'])
    expect(await outageOf(chain.at(newest + 2))).toStartWith(
      `BLOCK_NOT_REACHED: Block ${newest + 2} is not there yet: the newest block of the chain is ${newest + 1}.`,
    )
  })
})

describe('the chain of an endpoint', () => {
  const asksFor = (rpc: LyingRpc): number => rpc.asked.filter((method) => method === 'eth_chainId').length

  test('is requested before anything else, and once for all who wait', async () => {
    const { chain } = openBase([liar.url])
    await Promise.all([chain.at(), chain.at(), chain.transactions.newestBlock()])
    expect(liar.asked[0]).toBe('eth_chainId')
    expect(asksFor(liar)).toBe(1)
  })

  test('is requested again after the endpoint failed, because another one may be there now', async () => {
    const { chain } = openBase([liar.url])
    await chain.at()
    liar.lie(lies.status(500))
    await outageOf(chain.at())
    liar.tellTheTruth()
    liar.moveTo(otherChain.url)
    expect(await outageOf(chain.at())).toBe('wrong-source chains.base.rpc[0]: is of eip155:1, not of eip155:8453')
    liar.moveTo(anvil.url)
    expect((await chain.at()).sources).toEqual(['chains.base.rpc[0]'])
  })

  test('is asked for again after ten minutes, for endpoints that are exchanged without a pause', async () => {
    let time = startOfTime
    const { chain } = openBase([liar.url], { now: () => time, staleAfterSeconds: 0 })
    await chain.at()
    liar.moveTo(otherChain.url)
    await chain.at()
    time += 10 * 60_000
    expect(await outageOf(chain.at())).toBe('wrong-source chains.base.rpc[0]: is of eip155:1, not of eip155:8453')
  })
})

describe('the age of the newest block', () => {
  test('is not looked at when stale_after_seconds is 0', async () => {
    liar.lie(lies.olderBlocks(1_000_000))
    expect(await balanceOn([liar.url], { staleAfterSeconds: 0 })).toBe('5 by chains.base.rpc[0]')
  })

  test('is compared with the clock of this server', async () => {
    const late = () => startOfTime + 3_600_000
    expect(await outageOf(balanceOn([anvil.url], { now: late }))).toContain('is behind its chain')
    expect(await balanceOn([anvil.url], { now: late, staleAfterSeconds: 4000 })).toBe('5 by chains.base.rpc[0]')
  })
})

describe('an endpoint that goes on failing', () => {
  test('is left alone after five times, while the next one answers', async () => {
    liar.lie(lies.status(500))
    const { chain } = openBase([liar.url, anvil.url])
    for (let view = 0; view < 6; view += 1) expect((await chain.at()).sources).toEqual(['chains.base.rpc[1]'])
    expect(liar.asked).toHaveLength(5)
    expect(await outageOf(openBase([liar.url]).chain.at())).toBe('unreachable chains.base.rpc[0]: answered 500')
  })

  test('leaves the others their share of the time when it hangs', async () => {
    liar.lie(lies.hangs())
    const policy = { timeoutMs: 30_000, attempts: 1, guard: makeGuard([]) }
    const sources = [liar.url, anvil.url].map((url, index) =>
      openEvmSource(makeEndpoint(`chains.base.rpc[${index}]`, url, policy), 8453, () => startOfTime),
    )
    const ask = (lastsMs: number, of = sources): Promise<unknown> =>
      openQuorum({ chainName: 'base', sources: of, agree: 1 }, lastsMs)
        .agreed((source) => source.request('eth_getBalance', [rich, 'latest']))
        .then(([given]) => `${given!.answer} by ${given!.source.setting}`)
    expect(await ask(2000)).toBe('0x5 by chains.base.rpc[1]')
    expect(await outageOf(ask(100, sources.slice(0, 1)))).toBe(
      'timeout chains.base.rpc[0]: did not answer in the time that was left',
    )
  })

  test('cannot be asked through a view whose time is over', async () => {
    const policy = { timeoutMs: 1000, attempts: 1, guard: makeGuard([]) }
    const source = openEvmSource(makeEndpoint('chains.base.rpc[0]', anvil.url, policy), 8453, () => startOfTime)
    const quorum = openQuorum({ chainName: 'base', sources: [source], agree: 1 }, 0)
    expect(await outageOf(quorum.agreed(() => source.request('eth_getBalance', [rich, 'latest'])))).toContain(
      'did not answer in the time that was left',
    )
  })
})

test('blocks of a branch that no other has are refused by the next endpoint', async () => {
  liar.lie(lies.blockHash(someHash), lies.status(500, 'eth_getBalance'))
  const view = await openBase([liar.url, anvil.url]).chain.at()
  expect(await outageOf(view.readNativeBalance(rich))).toContain('chains.base.rpc[1]: does not know the block')
})
