/**
 * Several endpoints of one chain: fail-over from one to the next, and the rule of `agree`. Does not know what an answer
 * is about.
 */
import { OutsideError } from '../failure.ts'

export interface Question<Source, Answer> {
  /** The key of [chains.<name>]. */
  readonly chainName: string
  /** The preferred one first. */
  readonly sources: readonly Source[]
  /** How many sources must give the same answer. */
  readonly agree: number
  ask(source: Source): Promise<Answer>
  isSame(one: Answer, other: Answer): boolean
}

export interface Given<Source, Answer> {
  readonly source: Source
  readonly answer: Answer
}

/**
 * The same answer from `agree` sources. No more are asked than are still needed: the next one takes the place of each
 * that cannot answer, or answers something else. Errors: OutsideError when they run out; others pass at once.
 */
export async function agreedAnswers<Source extends { readonly setting: string }, Answer>(
  question: Question<Source, Answer>,
): Promise<readonly Given<Source, Answer>[]> {
  const { sources, agree, ask, isSame } = question
  const answers: Given<Source, Answer>[] = []
  const faults: OutsideError[] = []
  let asked = 0
  for (;;) {
    const [same = []] = answers
      .map(({ answer }) => answers.filter((one) => isSame(one.answer, answer)))
      .sort((one, other) => other.length - one.length)
    if (same.length >= agree) return same
    const next = sources.slice(asked, asked + agree - same.length)
    if (next.length === 0) throw noAgreement(question, answers, faults)
    asked += next.length
    const outcomes = await Promise.all(
      next.map((source) => ask(source).then((answer) => ({ source, answer }), requireOutsideError)),
    )
    for (const outcome of outcomes) {
      if (outcome instanceof OutsideError) faults.push(outcome)
      else answers.push(outcome)
    }
  }
}

function requireOutsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error
  throw error
}

function noAgreement<Source extends { readonly setting: string }, Answer>(
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
      `has ${sources.length === 1 ? '1 endpoint' : `${sources.length} endpoints`}, and ${agree} must agree`,
      `add endpoints, or lower chains.${chainName}.agree`,
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
