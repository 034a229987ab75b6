/** Metrics of traces: how many spans the collector took, and how many were lost. */
import type { Family } from '../metric-family.ts'
import type { Parts } from '../parts.ts'

export const traceFamilies: readonly Family<Pick<Parts, 'tracer'>>[] = [
  {
    name: 'proofgate_trace_spans_total',
    type: 'counter',
    help: 'Spans by what became of them. Both stay 0 while nothing is traced.',
    read({ tracer }) {
      const { sent, dropped } = tracer?.figures() ?? { sent: 0, dropped: 0 }
      return [
        { labels: { result: 'sent' }, value: sent },
        { labels: { result: 'dropped' }, value: dropped },
      ]
    },
  },
]
