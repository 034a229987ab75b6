/**
 * Asks several sources the same question, and decides how many must answer. The operator chooses the sources and the
 * policy; callers cannot change them.
 *
 * - all: every source that can judge it must answer.
 * - any: every source is asked; missing answers are ignored, as long as one answers.
 * - fallback: the next is asked only when the one before could not be asked.
 *
 * One refusal is enough, whichever sources are missing. An answer that cannot be understood does not count as missing.
 * The caller chooses the judged content, and could choose content that breaks one of them.
 */
import { OutsideError, UnanswerableError } from './failure.ts'

export const panelPolicies = ['all', 'any', 'fallback'] as const
export type PanelPolicy = (typeof panelPolicies)[number]

export interface Member<Name extends string, Answer> {
  readonly name: Name
  /** Undefined when it cannot judge this: then it is listed, and not asked. */
  readonly ask: (() => Promise<Answer>) | undefined
  /** False when its answer counts only beside others, because it sees a part. */
  readonly isEnough: boolean
}

/** The outcome of one member. */
export type Heard<Name extends string, Answer> =
  | { readonly name: Name; readonly answer: Answer }
  | { readonly name: Name; readonly silence: Silence }

/**
 * NOT_COVERED: it cannot judge this. UNAVAILABLE: it could not be asked; the catalog shows the operator why (watch.ts).
 */
export type Silence = 'NOT_COVERED' | 'UNAVAILABLE'

export const listAnswers = <Answer>(heard: readonly Heard<string, Answer>[]): Answer[] =>
  heard.flatMap((one) => ('answer' in one ? [one.answer] : []))

/**
 * Receives a member whose key or account is refused. A refusal is no outage, as it never ends by itself. The others may
 * answer in its place forever, so the operator must learn of it.
 */
export type TellRefusedKey = (error: OutsideError) => void

const tellAgainMs = 10 * 60_000

/** At most once in a while for each source. */
export function tellSeldom(tell: TellRefusedKey, now: () => number): TellRefusedKey {
  const reportedAt = new Map<string, number>()
  return (error) => {
    if (now() - (reportedAt.get(error.source) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return
    reportedAt.set(error.source, now())
    tell(error)
  }
}

/**
 * In the order of the members. With `fallback` unneeded ones are omitted. Errors: OutsideError when too few answered;
 * UnanswerableError when one of them rejects such a question.
 */
export async function askPanel<Name extends string, Answer>(
  members: readonly Member<Name, Answer>[],
  policy: PanelPolicy,
  isRefusal: (answer: Answer) => boolean,
  tellRefusedKey?: TellRefusedKey,
): Promise<readonly Heard<Name, Answer>[]> {
  const outcomes =
    policy === 'fallback' ? await askInTurn(members, isRefusal) : await Promise.all(members.map(askMember))
  for (const { error } of outcomes)
    if (error instanceof OutsideError && error.fault === 'credentials') tellRefusedKey?.(error)
  const isRefused = outcomes.some(({ answer }) => answer !== undefined && isRefusal(answer))
  if (!isRefused) requireEnough(outcomes, policy)
  return outcomes.map(({ member: { name, ask }, answer }) =>
    answer === undefined ? { name, silence: ask ? 'UNAVAILABLE' : 'NOT_COVERED' } : { name, answer },
  )
}

interface Outcome<Name extends string, Answer> {
  readonly member: Member<Name, Answer>
  readonly answer?: Answer
  readonly error?: OutsideError | UnanswerableError
}

async function askMember<Name extends string, Answer>(member: Member<Name, Answer>): Promise<Outcome<Name, Answer>> {
  if (!member.ask) return { member }
  try {
    return { member, answer: await member.ask() }
  } catch (error) {
    if (error instanceof OutsideError || error instanceof UnanswerableError) return { member, error }
    throw error
  }
}

async function askInTurn<Name extends string, Answer>(
  members: readonly Member<Name, Answer>[],
  isRefusal: (answer: Answer) => boolean,
): Promise<readonly Outcome<Name, Answer>[]> {
  const outcomes: Outcome<Name, Answer>[] = []
  for (const member of members) {
    const outcome = await askMember(member)
    outcomes.push(outcome)
    const { answer, error } = outcome
    if (answer !== undefined && (member.isEnough || isRefusal(answer))) break
    if (error && !isAbsence(error)) break
  }
  return outcomes
}

function requireEnough(outcomes: readonly Outcome<string, unknown>[], policy: PanelPolicy): void {
  const errors = outcomes.flatMap(({ error }) => error ?? [])
  // The caller can change the question, while waiting would not help.
  const grave =
    errors.find((error) => error instanceof UnanswerableError) ??
    errors.find((error) => policy === 'all' || !isAbsence(error))
  if (grave) throw grave
  const isAnswered = outcomes.some(({ member, answer }) => answer !== undefined && member.isEnough)
  if (!isAnswered) throw errors[0] ?? new Error('a panel was asked in which nobody can judge')
}

/** It could not be asked, which a policy may tolerate. */
export const isAbsence = (error: unknown): boolean => error instanceof OutsideError && error.fault !== 'malformed'

/** For people: `webacy and chainalysis`. */
export const joinNames = (names: readonly string[], joint = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`

/** The policy of the panel, as the end of a sentence that names it. Empty for a single source. */
export const describePolicy = (names: readonly string[], policy: PanelPolicy): string =>
  names.length < 2 ? '' : `: ${policyTexts[policy]}`

const policyTexts: Readonly<Record<PanelPolicy, string>> = {
  all: 'each that can judge must answer',
  any: 'one answer is enough',
  fallback: 'the next when the one before could not be asked',
}
