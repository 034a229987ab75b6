/**
 * Several endpoints of one chain: fail-over from one to the next, and the quorum that `agree` sets. The module does not
 * know what an answer is about.
 */
import { OutsideError } from '../failure.ts'

interface Voice {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** Endpoints of one voice, such as those of one host, count once. When one has answered, the others are not asked. */
  readonly voice: string
  /** The reason why its name shares a voice with another: `leads to the same machine as …`. */
  readonly whyShared?: string | undefined
}

export interface Question<Source, Answer> {
  /** The key of [chains.<name>]. */
  readonly chainName: string
  /** The preferred one first. */
  readonly sources: readonly Source[]
  /** The number of voices that must give the same answer. */
  readonly agree: number
  ask(source: Source): Promise<Answer>
  isSame(one: Answer, other: Answer): boolean
}

export interface Given<Source, Answer> {
  readonly source: Source
  readonly answer: Answer
}

/**
 * Returns the same answer from `agree` voices. It asks no more sources than are still needed. The next source replaces
 * each one that cannot answer or that answers otherwise. Errors: OutsideError when the sources run out; other errors
 * pass at once.
 */
export async function requireAgreement<Source extends Voice, Answer>(
  question: Question<Source, Answer>,
): Promise<readonly Given<Source, Answer>[]> {
  const { sources, agree, ask, isSame } = question
  const answers: Given<Source, Answer>[] = []
  const faults: OutsideError[] = []
  const left = new Set(sources)
  for (;;) {
    const [same = []] = answers
      .map(({ answer }) => answers.filter((one) => isSame(one.answer, answer)))
      // A name is resolved only when it is called, so two voices may turn out to be one.
      .map(selectOnePerVoice)
      .sort((one, other) => other.length - one.length)
    if (same.length >= agree) return same
    const next = listUnheard(left, answers).slice(0, agree - same.length)
    if (next.length === 0) throw refuseDisagreement(question, answers, faults)
    for (const source of next) left.delete(source)
    const outcomes = await Promise.all(
      next.map((source) => ask(source).then((answer) => ({ source, answer }), requireOutsideError)),
    )
    for (const outcome of outcomes) {
      if (outcome instanceof OutsideError) faults.push(outcome)
      else answers.push(outcome)
    }
  }
}

function selectOnePerVoice<Source extends Voice, Answer>(given: readonly Given<Source, Answer>[]) {
  const first = new Map<string, Given<Source, Answer>>()
  for (const one of given) if (!first.has(one.source.voice)) first.set(one.source.voice, one)
  return [...first.values()]
}

/** The first source of each voice that has not answered yet. */
function listUnheard<Source extends Voice>(
  left: ReadonlySet<Source>,
  answers: readonly Given<Source, unknown>[],
): readonly Source[] {
  const heard = new Set(answers.map(({ source }) => source.voice))
  const first = new Map<string, Source>()
  for (const source of left) if (!heard.has(source.voice) && !first.has(source.voice)) first.set(source.voice, source)
  return [...first.values()]
}

function requireOutsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error
  throw error
}

/** ` (chains.base.rpc[1] leads to the same machine as …)`, or an empty text. */
export function describeShared(sources: readonly Voice[]): string {
  const found = sources.flatMap(({ setting, whyShared }) => (whyShared ? `${setting} ${whyShared}` : []))
  return found.length > 0 ? ` (${found.join('; ')})` : ''
}

/** The remedy for names that lead to one machine with several nodes. */
export const explainShared = (sources: readonly Voice[], chainName: string): string =>
  sources.some(({ whyShared }) => whyShared)
    ? `; set chains.${chainName}.agree_counts = "addresses" where they are different nodes all the same`
    : ''

/** The number of sources that can agree: each voice counts once. */
export const countVoices = (sources: readonly Voice[]): number => new Set(sources.map(({ voice }) => voice)).size

function refuseDisagreement<Source extends Voice, Answer>(
  { chainName, sources, agree, isSame }: Question<Source, Answer>,
  answers: readonly Given<Source, Answer>[],
  faults: readonly OutsideError[],
): OutsideError {
  const setting = `chains.${chainName}.rpc`
  const [first] = answers
  if (first && answers.some(({ answer }) => !isSame(answer, first.answer)))
    return new OutsideError(
      'disagree',
      setting,
      `gave different answers, and ${agree} endpoints must agree`,
      `see which of ${answers.map(({ source }) => source.setting).join(', ')} is wrong, or add another endpoint`,
    )
  const [fault] = faults
  if (!fault)
    return new OutsideError(
      'disagree',
      setting,
      `has ${countVoices(sources) === 1 ? '1 endpoint that counts' : `${countVoices(sources)} endpoints that count`}, and ${agree} must agree${describeShared(sources)}`,
      `add endpoints of other hosts, or lower chains.${chainName}.agree${explainShared(sources, chainName)}`,
    )
  if (sources.length === 1) return fault
  return new OutsideError(
    fault.fault,
    setting,
    `got ${answers.length} of ${agree} needed answers: ${faults.map(({ message }) => message).join('; ')}`,
    [...new Set(faults.map(({ source, mend }) => `${source}: ${mend}`))].join('; '),
    Math.min(...faults.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  )
}
