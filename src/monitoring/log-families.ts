/** Metrics of the log: how many lines of each level, and how many the disk did not take. */
import { type Family, makeValue } from '../metric-family.ts'
import type { Parts } from '../parts.ts'

export const logFamilies: readonly Family<Pick<Parts, 'log'>>[] = [
  {
    name: 'proofgate_log_lines_total',
    type: 'counter',
    help: 'Lines of the log, by level.',
    read: ({ log }) => Object.entries(log.figures().lines).map(([level, value]) => ({ labels: { level }, value })),
  },
  {
    name: 'proofgate_log_lines_lost_total',
    type: 'counter',
    help: 'Lines that the disk of the log file did not take (log.file).',
    read: ({ log }) => makeValue(log.figures().lost),
  },
]
