/** Metrics of the verifiers: their verdicts, and how long these took. */
import type { Family } from '../metric-family.ts'
import type { Parts } from '../parts.ts'
import { verdictOutcomes } from './verdict-figures.ts'

export const verdictFamilies: readonly Family<Pick<Parts, 'verdicts'>>[] = [
  {
    name: 'proofgate_verdicts_total',
    type: 'counter',
    help: 'Verdicts by verifier: holds, fails, undecided (no source could tell) or refused (no such question can be asked).',
    read: ({ verdicts }) =>
      verdicts
        .list()
        .flatMap(({ verifier, counts }) =>
          verdictOutcomes.map((outcome) => ({ labels: { verifier, outcome }, value: counts[outcome] })),
        ),
  },
  {
    name: 'proofgate_verdict_seconds',
    type: 'histogram',
    help: 'How long a verdict took, by verifier.',
    read: ({ verdicts }) =>
      verdicts.list().map(({ verifier, seconds }) => ({ labels: { verifier }, distribution: seconds })),
  },
]
