/** The block at which proofs of assets are read, and final blocks, with honest and dishonest nodes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ReadPoint } from '../../../src/config/sections/chains.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Lie, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

/** With one slot in an epoch, safe is one block below the newest, and finalized two. */
const fastFinality = ['--slots-in-an-epoch', '1']

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453, args: fastFinality })
  await anvil.rpc('anvil_mine', ['0xa'])
})
afterAll(() => anvil.stop())

const readView = async (readAt: ReadPoint, rpc = [anvil.url], agree = 1) => {
  const { blockNumber, blockHash, isFinal } = await openBase(rpc, {
    readAt,
    agree,
    staleAfterSeconds: 0,
  }).chain.atReadPoint()
  return { blockNumber, blockHash, isFinal }
}
const readNumber = async (tag: 'latest' | 'safe' | 'finalized') =>
  Number((await anvil.publicClient.getBlock({ blockTag: tag })).number)

const isTag = (tag: unknown): boolean => tag === 'safe' || tag === 'finalized'
/** A node that is older than the tags. */
const refusesTags: Lie = ({ id, params: [tag] }) =>
  isTag(tag) ? Response.json({ id, jsonrpc: '2.0', error: { code: -32602, message: 'invalid argument 0' } }) : undefined
/** Members of the block in the place of its own; null where there is no such block. */
const answersTags =
  (members: object | null): Lie =>
  async ({ id, params: [tag] }, honest) => {
    if (!isTag(tag)) return undefined
    const { result } = await honest()
    return Response.json({ id, jsonrpc: '2.0', result: members && { ...result, ...members } })
  }
const readHeader = async (number: number) =>
  (await anvil.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as object

describe('read_at', () => {
  test('latest is the newest block, and so is 0', async () => {
    for (const point of ['latest', 0] as const)
      expect(await readView(point)).toMatchObject({ blockNumber: await readNumber('latest'), isFinal: false })
  })

  test('latest costs one question, as a read of the newest block does', async () => {
    const rpc = startLyingRpc(anvil.url)
    const { chain } = openBase([rpc.url], { staleAfterSeconds: 0 })
    await chain.at()
    rpc.forgetAsked()
    await chain.atReadPoint()
    expect(rpc.asked).toEqual(['eth_getBlockByNumber'])
    await rpc.stop()
  })

  test('a number is so many blocks below it, and the first block of a chain that is shorter', async () => {
    const newest = await readNumber('latest')
    const block = await anvil.publicClient.getBlock({ blockNumber: BigInt(newest - 3) })
    expect(await readView(3)).toEqual({ blockNumber: newest - 3, blockHash: block.hash, isFinal: false })
    expect(await readView(1_000)).toMatchObject({ blockNumber: 0 })
  })

  test('safe and finalized follow the nodes', async () => {
    expect(await readView('safe')).toMatchObject({ blockNumber: await readNumber('safe'), isFinal: false })
    expect(await readView('finalized')).toMatchObject({ blockNumber: await readNumber('finalized'), isFinal: true })
    expect(await readNumber('finalized')).toBeLessThan(await readNumber('safe'))
  })

  test('a block that is named is read, whatever is set', async () => {
    const { chain } = openBase([anvil.url], { readAt: 'finalized', staleAfterSeconds: 0 })
    const newest = await readNumber('latest')
    expect((await chain.atReadPoint(newest)).blockNumber).toBe(newest)
  })

  test('is an outage that names the remedy where the node knows no such block', async () => {
    const rpc = startLyingRpc(anvil.url)
    rpc.lie(refusesTags)
    expect(await outageOf(readView('safe', [rpc.url]))).toBe(
      'wrong-source chains.base.rpc[0]: does not say which block is safe',
    )
    rpc.lie(answersTags({ number: '0xfffff' }))
    expect(await outageOf(readView('finalized', [rpc.url]))).toStartWith('malformed chains.base.rpc[0]')
    await rpc.stop()
  })

  test('with agree is the newest that enough of them call so, where they have the same block', async () => {
    const [liar, fork] = [startLyingRpc(anvil.url), startLyingRpc(anvil.url)]
    const [lower, finalized] = [4, await readNumber('finalized')]
    liar.lie(answersTags(await readHeader(lower)))
    expect(await readView('finalized', [anvil.url, liar.url], 2)).toMatchObject({ blockNumber: lower, isFinal: true })
    expect(await readView('finalized', [anvil.url, fork.url], 2)).toMatchObject({ blockNumber: finalized })
    fork.lie(answersTags({ ...(await readHeader(finalized)), hash: `0x${'ab'.repeat(32)}` }))
    expect(await outageOf(readView('finalized', [anvil.url, fork.url], 2))).toStartWith('disagree chains.base.rpc')
    fork.tellTheTruth()
    const three = [liar.url, anvil.url, fork.url]
    expect(await readView('finalized', three, 2)).toMatchObject({ blockNumber: finalized })
    await Promise.all([liar.stop(), fork.stop()])
  })
})

describe('a final block', () => {
  const readFinality = (rpc: readonly string[], agree = 1) =>
    openBase(rpc, { agree, staleAfterSeconds: 0 }).chain.finality()

  test('is every block up to the finalized one', async () => {
    const finalized = await readNumber('finalized')
    const finality = await readFinality([anvil.url])
    expect(finality.covers({ blockNumber: finalized, blockTime: 0 })).toBe(true)
    expect(finality.covers({ blockNumber: finalized + 1, blockTime: 0 })).toBe(false)
  })

  test('is the highest block that a quorum calls final, so that no single endpoint can hurry', async () => {
    const liar = startLyingRpc(anvil.url)
    liar.lie(answersTags({ number: '0xfffff' }))
    const newest = { blockNumber: await readNumber('latest'), blockTime: 0 }
    expect((await readFinality([liar.url])).covers(newest)).toBe(true)
    expect((await readFinality([liar.url, anvil.url], 2)).covers(newest)).toBe(false)
    await liar.stop()
  })

  test('is the block of half an hour ago, where nodes call nothing final', async () => {
    const rpc = startLyingRpc(anvil.url)
    const { timestamp } = await anvil.publicClient.getBlock()
    const agesAgo = (minutes: number) => ({ blockNumber: 1, blockTime: Number(timestamp) * 1000 - minutes * 60_000 })
    for (const lie of [refusesTags, answersTags(null)]) {
      rpc.lie(lie)
      const finality = await readFinality([rpc.url])
      expect([29, 30].map((minutes) => finality.covers(agesAgo(minutes)))).toEqual([false, true])
    }
    await rpc.stop()
  })

  test('is not known while an endpoint wants fewer calls', async () => {
    const rpc = startLyingRpc(anvil.url)
    rpc.lie(({ id, params: [tag] }) =>
      tag === 'finalized'
        ? Response.json({ id, jsonrpc: '2.0', error: { code: -32005, message: 'limit' } })
        : undefined,
    )
    expect(await outageOf(readFinality([rpc.url]))).toStartWith('rate-limited chains.base.rpc[0]')
    await rpc.stop()
  })
})
