/** Counts the verdicts of the verifiers, and how long each took. */
import { type Distribution, openDistribution, secondBounds } from '../distribution.ts'

/** `undecided`: it could not be looked up. `refused`: the request cannot be judged as it stands. */
export const verdictOutcomes = ['holds', 'fails', 'undecided', 'refused'] as const
export type VerdictOutcome = (typeof verdictOutcomes)[number]

export interface VerifierFigures {
  readonly verifier: string
  readonly counts: Readonly<Record<VerdictOutcome, number>>
  readonly seconds: Distribution
}

export interface VerdictFigures {
  note(verifier: string, outcome: VerdictOutcome, ms: number): void
  list(): readonly VerifierFigures[]
}

type Counting = VerifierFigures & { readonly counts: Record<VerdictOutcome, number> }

const startCounting = (verifier: string): Counting => ({
  verifier,
  counts: { holds: 0, fails: 0, undecided: 0, refused: 0 },
  seconds: openDistribution(secondBounds),
})

/** Of every offered verifier from the start: a counter that appears later hides its first events from Prometheus. */
export function openVerdictFigures(offered: Iterable<string>): VerdictFigures {
  const byVerifier = new Map([...offered].map((verifier) => [verifier, startCounting(verifier)]))
  return {
    note(verifier, outcome, ms) {
      const figures = byVerifier.get(verifier)
      if (!figures) return
      figures.counts[outcome]++
      figures.seconds.note(ms / 1000)
    },
    list: () => [...byVerifier.values()],
  }
}
