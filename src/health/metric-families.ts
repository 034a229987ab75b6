/** Metrics of the server's present faults. */
import { conditionNames } from '../condition-names.ts'
import type { Conditions } from '../conditions.ts'
import type { Family } from '../metric-family.ts'

const levels = ['failing', 'warning'] as const

export const conditionFamilies: readonly Family<{ readonly conditions: Conditions }>[] = [
  {
    name: 'proofgate_condition',
    type: 'gauge',
    help: '1 while a condition stands. While a failing one does, the server is not ready.',
    read({ conditions }) {
      const standing = new Map(conditions.list().map(({ name, level }) => [name, level]))
      return conditionNames.flatMap((condition) =>
        levels.map((level) => ({ labels: { condition, level }, value: standing.get(condition) === level ? 1 : 0 })),
      )
    },
  },
]
