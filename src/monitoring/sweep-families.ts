/** Metrics of the sweep: its runs, what it deleted, and whether it is behind. */
import { findOverdue } from '../db/overdue.ts'
import { type Family, makeValue } from '../metric-family.ts'
import type { Parts } from '../parts.ts'

export const sweepFamilies: readonly Family<Pick<Parts, 'sweepRecord' | 'db' | 'readSure'>>[] = [
  {
    name: 'proofgate_sweep_runs_total',
    type: 'counter',
    help: 'Sweeps of what has expired, by how they ended.',
    read({ sweepRecord }) {
      const { runs, failures } = sweepRecord.total()
      return [
        { labels: { result: 'done' }, value: runs },
        { labels: { result: 'failed' }, value: failures },
      ]
    },
  },
  {
    name: 'proofgate_sweep_rows_total',
    type: 'counter',
    help: 'Rows that sweeps deleted or marked as expired.',
    read: ({ sweepRecord }) => makeValue(sweepRecord.total().rows),
  },
  {
    name: 'proofgate_sweep_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the last sweep ended that did not fail. 0 before the first one.',
    read: ({ sweepRecord }) => makeValue((sweepRecord.last()?.endedAt ?? 0) / 1000),
  },
  {
    name: 'proofgate_sweep_last_run_seconds',
    type: 'gauge',
    help: 'How long the last sweep took.',
    read: ({ sweepRecord }) => makeValue((sweepRecord.last()?.tookMs ?? 0) / 1000),
  },
  {
    name: 'proofgate_sweep_overdue_seconds',
    type: 'gauge',
    help: 'How long ago the oldest row expired that is not swept yet.',
    async read({ db, readSure }) {
      const at = readSure()
      return makeValue((at - ((await findOverdue(db, at)) ?? at)) / 1000)
    },
  },
]
