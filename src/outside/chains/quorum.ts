/**
 * The endpoints of a chain, asked together for a while: their order, the quorum, and the time limit. One value serves
 * one question of ours, such as all reads at one block. Its knowledge of the endpoints ends with it.
 */
import { limitWait } from '../../limit-wait.ts'
import { OutsideError } from '../failure.ts'
import { countVoices, describeShared, explainShared, type Given, requireAgreement } from './agreement.ts'

interface Named {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** The name that counts once towards `agree`. */
  readonly voice: string
  readonly whyShared?: string | undefined
}

export interface Members<Source extends Named> {
  /** The key of [chains.<name>]. */
  readonly chainName: string
  /** The preferred one first. */
  readonly sources: readonly Source[]
  /** The number of voices that must give the same answer. */
  readonly agree: number
}

export interface Quorum<Source extends Named> extends Members<Source> {
  /** Errors: OutsideError when not enough of them agree, or when the time is over. */
  agreed<Answer>(
    ask: (source: Source) => Promise<Answer>,
    isSame?: (one: Answer, other: Answer) => boolean,
  ): Promise<readonly Given<Source, Answer>[]>
  /**
   * Returns one answer, for answers that prove themselves. The next endpoint takes over when one fails. Errors: as for
   * `agreed`.
   */
  first<Answer>(ask: (source: Source) => Promise<Answer>): Promise<Given<Source, Answer>>
  /**
   * For questions without agreement, such as sending. Errors: those of `ask`, and OutsideError when the time is over.
   */
  askOne<Answer>(source: Source, ask: (source: Source) => Promise<Answer>): Promise<Answer>
}

/** Below the 25 seconds that a verifier has in all (verification/judge.ts). */
const quorumLastsMs = 20_000

/** Errors: OutsideError when more must agree than there are. */
export function openQuorum<Source extends Named>(members: Members<Source>, lastsMs = quorumLastsMs): Quorum<Source> {
  const { chainName, sources, agree } = members
  const voices = countVoices(sources)
  if (voices < agree)
    throw new OutsideError(
      'disagree',
      `chains.${chainName}.agree`,
      `asks for ${agree} endpoints that agree, and rpc has ${voices}${voices < sources.length ? ' that count, each host once' : ''}${describeShared(sources)}`,
      `add endpoints of other hosts to chains.${chainName}.rpc, or lower chains.${chainName}.agree${explainShared(sources, chainName)}`,
      60,
    )
  const endsAt = performance.now() + lastsMs
  /** Sources that failed or disagreed: they are asked last from now on. */
  const doubted = new Set<Source>()

  const limitTime = <Answer>(source: Source, shares: number, answer: Promise<Answer>): Promise<Answer> =>
    limitWait(answer, (endsAt - performance.now()) / shares, () => makeTimeout(source.setting))

  async function collectAnswers<Answer>(
    needed: number,
    ask: (source: Source) => Promise<Answer>,
    isSame: (one: Answer, other: Answer) => boolean,
  ): Promise<readonly Given<Source, Answer>[]> {
    const order = [...sources].sort((one, other) => Number(doubted.has(one)) - Number(doubted.has(other)))
    const asked = new Set<Source>()
    const given = await requireAgreement({
      chainName,
      sources: order,
      agree: needed,
      isSame,
      ask(source) {
        // Each source gets its share of the time, so that one that hangs leaves time for those after it.
        const shares = Math.min(order.length - needed + 1, order.length - asked.size)
        asked.add(source)
        return limitTime(source, shares, ask(source))
      },
    })
    for (const { source } of given) asked.delete(source)
    for (const source of asked) doubted.add(source)
    return given
  }

  return {
    ...members,

    agreed: (ask, isSame = (one, other) => one === other) => collectAnswers(agree, ask, isSame),

    async first(ask) {
      const [given] = await collectAnswers(1, ask, () => true)
      return given!
    },

    askOne: (source, ask) => limitTime(source, 1, ask(source)),
  }
}

const makeTimeout = (setting: string): OutsideError =>
  new OutsideError(
    'timeout',
    setting,
    'did not answer in the time that was left',
    'lower outside.timeout_seconds, or remove endpoints that hang',
  )
