/**
 * One judgement of several calls, all of which are awaited: a sanctions answer of "yes" counts whatever becomes of the
 * others, or whoever can disturb one of them would undo it.
 */
import { isAbsence } from '../panel.ts'
import { makeAssessment, type NotAsked, type RiskAssessment } from './risk.ts'

/** Errors: of those that failed, one that was not understood before one that was away, which a policy may let be. */
export function requireAll<Answers extends readonly unknown[]>(
  outcomes: {
    readonly [Position in keyof Answers]: PromiseSettledResult<Answers[Position]>
  },
): Answers {
  const errors = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  if (errors.length > 0) throw errors.find((error) => !isAbsence(error)) ?? errors[0]
  return listFulfilled<unknown>(outcomes) as unknown as Answers
}

/** Those that came. */
export const listFulfilled = <Answer>(outcomes: readonly PromiseSettledResult<Answer>[]): Answer[] =>
  outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))

/** Of a provider that is asked about one chain in place of another, which it does not know. */
export interface Elsewhere {
  readonly chains: readonly string[]
  readonly notAsked: readonly NotAsked[]
}

export const describeElsewhere = (asked: string, unknown: string): Elsewhere => ({
  chains: [asked],
  notAsked: [{ chain: unknown, reason: 'CHAIN_NOT_COVERED' }],
})

/** Where nothing else is known of the wallet, or was asked. */
export const assessSanctions = (
  sanctioned: boolean,
  sources: readonly string[],
  elsewhere?: Elsewhere,
): RiskAssessment =>
  makeAssessment({
    overallRisk: 0,
    sanctioned,
    poisoned: false,
    issues: [],
    checked: ['sanctions'],
    sources,
    ...elsewhere,
  })
