/**
 * One judgment of several calls, all of which are awaited. A sanctions "yes" counts whatever the others return.
 * Otherwise disturbing one of them would undo it.
 */
import { isAbsence } from '../panel.ts'
import { makeAssessment, type NotAsked, type RiskAssessment } from './risk.ts'

/** Errors: of the failed calls, an unreadable answer comes before a missing one, which a policy may tolerate. */
export function requireAll<Answers extends readonly unknown[]>(
  outcomes: {
    readonly [Position in keyof Answers]: PromiseSettledResult<Answers[Position]>
  },
): Answers {
  const errors = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  if (errors.length > 0) throw errors.find((error) => !isAbsence(error)) ?? errors[0]
  return listFulfilled<unknown>(outcomes) as unknown as Answers
}

/** The fulfilled values. */
export const listFulfilled = <Answer>(outcomes: readonly PromiseSettledResult<Answer>[]): Answer[] =>
  outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))

/** The chains at which a provider is asked in place of one that it does not know. */
export interface Elsewhere {
  readonly chains: readonly string[]
  readonly notAsked: readonly NotAsked[]
}

export const describeElsewhere = (asked: string, unknown: string): Elsewhere => ({
  chains: [asked],
  notAsked: [{ chain: unknown, reason: 'CHAIN_NOT_COVERED' }],
})

/** The assessment from sanctions alone. */
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
