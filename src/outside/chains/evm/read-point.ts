/** The block at which proofs of assets read a chain, and its final blocks. Both are depths, or tags of its nodes. */
import type { ReadPoint } from '../../../config/sections/chains.ts'
import { OutsideError } from '../../failure.ts'
import { type Finality, settledAfterMs } from '../chain.ts'
import type { Quorum } from '../quorum.ts'
import {
  type Block,
  type ChosenBlock,
  chooseBlock,
  type Freshness,
  isSameBlock,
  listSharedHeights,
  makeChosenBlock,
  parseBlock,
  readBlock,
  readNewestBlock,
} from './block.ts'
import { makeMalformedError } from './hex.ts'
import { makeOutage } from './node-error.ts'
import type { EvmSource } from './source.ts'

type Tag = 'safe' | 'finalized'

/** Errors: OutsideError, also when the endpoints do not know the tag. */
export async function chooseReadPoint(
  quorum: Quorum<EvmSource>,
  freshness: Freshness,
  readAt: ReadPoint,
): Promise<ChosenBlock> {
  if (readAt === 'latest' || readAt === 0) return chooseBlock(quorum, freshness)
  if (typeof readAt !== 'number') return chooseTagged(quorum, freshness, readAt)
  const { block } = await chooseBlock(quorum, freshness)
  const number = Math.max(0, block.number - readAt)
  return makeChosenBlock(await quorum.agreed((source) => readBlock(source, number), isSameBlock))
}

/** The time for further endpoints to show that one of those asked first lags behind. */
const laggardsShownWithinMs = 500

/** Nodes learn of it one after the other, so the newest block that a quorum tags so is used. */
async function chooseTagged(quorum: Quorum<EvmSource>, freshness: Freshness, tag: Tag): Promise<ChosenBlock> {
  const { sources, agree, agreed, askOne } = quorum
  const known = new Map<EvmSource, Block>()
  const readTagged = async (source: EvmSource): Promise<void> => {
    const [newest, block] = await Promise.all([readNewestBlock(source, freshness), findTagged(source, tag)])
    if (!block) throw lacksTag(quorum, source, tag)
    if (block.number > newest.number)
      throw makeMalformedError(
        { setting: source.setting, method: 'eth_getBlockByNumber' },
        `calls a block ${tag} that is newer than its newest`,
      )
    known.set(source, block)
  }
  await agreed(readTagged, () => true)
  const others = sources.filter((source) => !known.has(source))
  if (agree > 1 && others.length > 0) {
    const asked = others.map((source) => askOne(source, () => readTagged(source)).catch(() => undefined))
    await Promise.race([Promise.all(asked), Bun.sleep(laggardsShownWithinMs)])
  }
  const number = listSharedHeights(known, agree)[0]!
  const given = await agreed(async (source) => {
    const own = known.get(source)
    return own?.number === number ? own : readBlock(source, number)
  }, isSameBlock)
  return { ...makeChosenBlock(given), isFinal: tag === 'finalized' }
}

const lacksTag = ({ chainName }: Quorum<EvmSource>, { setting }: EvmSource, tag: Tag): OutsideError =>
  new OutsideError(
    'wrong-source',
    setting,
    `does not say which block is ${tag}`,
    `set chains.${chainName}.read_at to a number of blocks, or use an endpoint that knows the tag`,
    60,
  )

/** Errors: OutsideError. */
export async function readFinality(quorum: Quorum<EvmSource>, freshness: Freshness): Promise<Finality> {
  const given = await quorum.agreed(
    async (source) => {
      const final = await findTagged(source, 'finalized')
      if (final) return { finalNumber: final.number, finalTime: final.timestampMs }
      const newest = await readNewestBlock(source, freshness)
      return { finalNumber: undefined, finalTime: newest.timestampMs - settledAfterMs }
    },
    () => true,
  )
  const answers = given.map(({ answer }) => answer)
  const numbers = answers.flatMap(({ finalNumber }) => finalNumber ?? [])
  const isTagged = numbers.length === answers.length
  return {
    rule: isTagged ? 'finalized-block' : 'half-an-hour',
    finalNumber: isTagged ? Math.min(...numbers) : undefined,
    finalTime: Math.min(...answers.map(({ finalTime }) => finalTime)),
    covers: ({ blockNumber, blockTime }) =>
      answers.every(({ finalNumber, finalTime }) =>
        finalNumber === undefined ? blockTime <= finalTime : blockNumber <= finalNumber,
      ),
  }
}

/** Undefined when the node knows no such block. Errors: OutsideError. */
async function findTagged(source: EvmSource, tag: Tag): Promise<Block | undefined> {
  const from = { setting: source.setting, method: 'eth_getBlockByNumber' }
  const answer = await source.ask(from.method, [tag, false])
  if ('result' in answer) return answer.result === null ? undefined : parseBlock(answer.result, from)
  const outage = makeOutage(from, answer.error)
  // With other errors nodes say that they do not know the tag, or have no such block yet.
  if (outage.fault === 'rate-limited' || outage.fault === 'credentials') throw outage
  return undefined
}
