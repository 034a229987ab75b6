/** Chooses the block to read: the requested one, or the newest one that the endpoints share. */
import { OutsideError, UnanswerableError } from '../../failure.ts'
import type { Hex } from '../chain.ts'
import { isRecord } from '../json-rpc.ts'
import type { Quorum } from '../quorum.ts'
import { type AnswerTo, makeMalformedError, parseData, parseNumber, parseQuantity, writeQuantity } from './hex.ts'
import type { EvmSource } from './source.ts'

export interface Block {
  readonly number: number
  readonly hash: Hex
  readonly timestampMs: number
  /** Wei per gas. Chains without EIP-1559 have none. */
  readonly baseFee: bigint | undefined
}

export interface Freshness {
  /** Unix milliseconds. */
  readonly now: () => number
  /** The maximum age of the newest block. 0 disables the check. */
  readonly staleAfterMs: number
}

export interface ChosenBlock {
  readonly block: Block
  /** Setting paths of the endpoints that have it. */
  readonly sources: readonly string[]
  /** The endpoints call it final. */
  readonly isFinal?: boolean
}

/** Errors: OutsideError, also for an endpoint that has fallen behind. */
export async function readNewestBlock(source: EvmSource, { now, staleAfterMs }: Freshness): Promise<Block> {
  const from = { setting: source.setting, method: 'eth_getBlockByNumber' }
  const block = parseBlock(await source.request(from.method, ['latest', false]), from)
  const ageSeconds = Math.round((now() - block.timestampMs) / 1000)
  if (staleAfterMs > 0 && ageSeconds * 1000 > staleAfterMs)
    throw new OutsideError(
      'wrong-source',
      source.setting,
      `is behind its chain: its newest block, ${block.number}, is ${ageSeconds} s old`,
      'see whether the node is in sync; for a chain without traffic set stale_after_seconds to 0',
      60,
    )
  return block
}

/**
 * Errors: OutsideError; UnanswerableError BLOCK_NOT_REACHED when a quorum of endpoints says that the chain has not
 * reached it.
 */
export const chooseBlock = (
  quorum: Quorum<EvmSource>,
  freshness: Freshness,
  requested?: number,
): Promise<ChosenBlock> =>
  requested === undefined ? chooseNewestShared(quorum, freshness) : chooseRequestedBlock(quorum, freshness, requested)

async function chooseRequestedBlock(
  quorum: Quorum<EvmSource>,
  freshness: Freshness,
  requested: number,
): Promise<ChosenBlock> {
  if (!Number.isSafeInteger(requested) || requested < 0)
    throw new UnanswerableError('BLOCK_NOT_REACHED', `${requested} is no block number.`)
  /** The newest block that each voice has. */
  const behind = new Map<string, number>()
  try {
    const given = await quorum.agreed(async (source) => {
      const newest = await readNewestBlock(source, freshness)
      if (newest.number >= requested) return readBlock(source, requested)
      behind.set(source.voice, newest.number)
      throw makeBehindError(source, newest.number, requested)
    }, isSameBlock)
    return makeChosenBlock(given)
  } catch (error) {
    if (behind.size < quorum.agree) throw error
    throw new UnanswerableError(
      'BLOCK_NOT_REACHED',
      `Block ${requested} is not there yet: the newest block of the chain is ${Math.max(...behind.values())}. Ask for a block that exists, or for none.`,
    )
  }
}

const makeBehindError = ({ setting }: EvmSource, newest: number, wanted: number): OutsideError =>
  new OutsideError('disagree', setting, `is at block ${newest} and not yet at ${wanted}`, 'nothing: it catches up')

/** The time for the other endpoints to show that one of those asked first lags behind. */
const laggardsShownWithinMs = 500

/**
 * Returns the newest block that a quorum of endpoints has. The endpoints asked first decide it when they share one
 * height and too few others are left. Otherwise all are asked, so that a lagging one does not make the answer old. With
 * `agree` 1 the preferred endpoint decides alone, and the others replace it when it fails.
 */
async function chooseNewestShared(quorum: Quorum<EvmSource>, freshness: Freshness): Promise<ChosenBlock> {
  const { sources, agree } = quorum
  const newest = new Map<EvmSource, Block>()
  const readNewest = async (source: EvmSource): Promise<Block> => {
    const block = await readNewestBlock(source, freshness)
    newest.set(source, block)
    return block
  }
  const shareBlock = async (number: number): Promise<ChosenBlock> =>
    makeChosenBlock(
      await quorum.agreed(async (source) => {
        const known = newest.get(source)
        if (known && known.number < number) throw makeBehindError(source, known.number, number)
        return known?.number === number ? known : readBlock(source, number)
      }, isSameBlock),
    )

  await quorum.agreed(readNewest, () => true)
  const others = sources.filter((source) => !newest.has(source))
  const askOthers = (): Promise<unknown> =>
    Promise.all(others.map((source) => quorum.askOne(source, readNewest).catch(() => undefined)))
  const mayLag = agree > 1 && (listSharedHeights(newest, 1).length > 1 || others.length >= agree)
  if (mayLag && others.length > 0) await Promise.race([askOthers(), Bun.sleep(laggardsShownWithinMs)])
  try {
    return await shareBlock(listSharedHeights(newest, agree)[0]!)
  } catch (error) {
    if (sources.length === agree || !isDisagreement(error)) throw error
    // One of them is wrong, and the correct ones may stand at different heights.
    if (!mayLag) await askOthers()
    for (const number of listSharedHeights(newest, agree)) {
      const shared = await shareBlock(number).catch(() => undefined)
      if (shared) return shared
    }
    throw error
  }
}

/** Heights that at least `agree` voices have reached, the highest first. */
export function listSharedHeights(newest: ReadonlyMap<EvmSource, Block>, agree: number): readonly number[] {
  const reached = new Map<string, number>()
  for (const [{ voice }, { number }] of newest) reached.set(voice, Math.max(number, reached.get(voice) ?? 0))
  const heights = [...reached.values()].sort((one, other) => other - one)
  return [...new Set(heights.slice(agree - 1))]
}

const isDisagreement = (error: unknown): boolean => error instanceof OutsideError && error.fault === 'disagree'

export const isSameBlock = (one: Block, other: Block): boolean =>
  one.hash === other.hash && one.timestampMs === other.timestampMs

export const makeChosenBlock = (
  given: readonly { readonly source: EvmSource; readonly answer: Block }[],
): ChosenBlock => ({
  block: given[0]!.answer,
  sources: given.map(({ source }) => source.setting),
})

export async function readBlock(source: EvmSource, number: number): Promise<Block> {
  const from = { setting: source.setting, method: 'eth_getBlockByNumber' }
  const result = await source.request(from.method, [writeQuantity(number), false])
  if (result === null)
    throw new OutsideError(
      'disagree',
      source.setting,
      `does not have block ${number}`,
      'see whether the node is in sync, and for old blocks whether it keeps them',
    )
  const block = parseBlock(result, from)
  if (block.number !== number) throw makeMalformedError(from, 'is another block than the one asked for')
  return block
}

export function parseBlock(result: unknown, from: AnswerTo): Block {
  if (!isRecord(result)) throw makeMalformedError(from, 'is no block')
  const { number, hash, timestamp, baseFeePerGas } = result
  return {
    number: parseNumber(number, from),
    hash: parseData(hash, from, 32),
    timestampMs: parseNumber(timestamp, from) * 1000,
    baseFee: baseFeePerGas === undefined ? undefined : parseQuantity(baseFeePerGas, from),
  }
}
