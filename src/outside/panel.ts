/**
 * How several are asked the same, and how many of them must answer. Which of them there are, and which policy holds, is
 * the operator's choice; nobody who asks has a say in it.
 *
 * - all: everybody who can judge it must answer.
 * - any: everybody is asked; those who are away are left out, as long as one answers.
 * - fallback: the next is asked only when the one before could not be asked.
 *
 * One refusal is enough, whoever else is away. An answer that nobody understands is no absence: the caller chooses what
 * is judged, and might choose what one of them stumbles over.
 */
import { OutsideError, UnanswerableError } from './failure.ts'

export const panelPolicies = ['all', 'any', 'fallback'] as const
export type PanelPolicy = (typeof panelPolicies)[number]

export interface Member<Name extends string, Answer> {
  readonly name: Name
  /** Undefined when it cannot judge this: then it is listed, and not asked. */
  readonly ask: (() => Promise<Answer>) | undefined
  /** False when its answer counts beside others only, because it sees a part. */
  readonly isEnough: boolean
}

/** What became of one member. */
export type Heard<Name extends string, Answer> =
  | { readonly name: Name; readonly answer: Answer }
  | { readonly name: Name; readonly silence: Silence }

/** NOT_COVERED: it cannot judge this. UNAVAILABLE: it could not be asked; the operator sees why in the catalog (watch.ts). */
export type Silence = 'NOT_COVERED' | 'UNAVAILABLE'

export const listAnswers = <Answer>(heard: readonly Heard<string, Answer>[]): Answer[] =>
  heard.flatMap((one) => ('answer' in one ? [one.answer] : []))

/**
 * Told of a member whose key or account is refused: no outage, as it never ends by itself. The others may answer in its
 * place for ever, so somebody has to hear of it.
 */
export type TellRefusedKey = (error: OutsideError) => void

const tellAgainMs = 10 * 60_000

/** Once in a while for each source. */
export function tellSeldom(tell: TellRefusedKey, now: () => number): TellRefusedKey {
  const toldAt = new Map<string, number>()
  return (error) => {
    if (now() - (toldAt.get(error.source) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return
    toldAt.set(error.source, now())
    tell(error)
  }
}

/**
 * In the order of the members. With `fallback` those who were not needed are left out.
 * Errors: OutsideError when too few answered; UnanswerableError when one of them takes no such question.
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
  // Whoever sent the question can change it, which no waiting does.
  const grave =
    errors.find((error) => error instanceof UnanswerableError) ??
    errors.find((error) => policy === 'all' || !isAbsence(error))
  if (grave) throw grave
  const isAnswered = outcomes.some(({ member, answer }) => answer !== undefined && member.isEnough)
  if (!isAnswered) throw errors[0] ?? new Error('a panel was asked in which nobody can judge')
}

/** It could not be asked, which a policy may let be. */
export const isAbsence = (error: unknown): boolean => error instanceof OutsideError && error.fault !== 'malformed'

/** For people: `webacy and chainalysis`. */
export const joinNames = (names: readonly string[], joint = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`

/** How the panel decides, as the end of a sentence that names it. Empty where there is one alone. */
export const describePolicy = (names: readonly string[], policy: PanelPolicy): string =>
  names.length < 2 ? '' : `: ${policyTexts[policy]}`

const policyTexts: Readonly<Record<PanelPolicy, string>> = {
  all: 'each that can judge must answer',
  any: 'one answer is enough',
  fallback: 'the next when the one before could not be asked',
}
