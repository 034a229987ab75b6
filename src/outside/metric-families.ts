/** Metrics of the sources across the network, each named by its setting. */
import type { Family } from '../metric-family.ts'
import type { Outside } from './outside.ts'

interface SourceParts {
  readonly outside: Pick<Outside, 'watch'>
}

export const sourceFamilies: readonly Family<SourceParts>[] = [
  {
    name: 'proofgate_source_calls_total',
    type: 'counter',
    help: 'Calls of a source by result, repeated ones once.',
    read: ({ outside }) =>
      outside.watch.figures().flatMap(({ setting, answered, failed }) => [
        { labels: { source: setting, result: 'answered' }, value: answered },
        { labels: { source: setting, result: 'failed' }, value: failed },
      ]),
  },
  {
    name: 'proofgate_source_call_seconds',
    type: 'histogram',
    help: 'How long a call of a source took, its repetitions included.',
    read: ({ outside }) =>
      outside.watch.figures().map(({ setting, seconds }) => ({ labels: { source: setting }, distribution: seconds })),
  },
  {
    name: 'proofgate_source_skipped',
    type: 'gauge',
    help: '1 while a source is not asked, because it failed too often or asked for a pause.',
    read: ({ outside }) =>
      outside.watch.states().map(({ setting, circuit, pausedUntil }) => ({
        labels: { source: setting },
        value: circuit === 'open' || pausedUntil !== null ? 1 : 0,
      })),
  },
  {
    name: 'proofgate_source_last_success_timestamp_seconds',
    type: 'gauge',
    help: 'When a source last answered. 0: not since the start.',
    read: ({ outside }) =>
      outside.watch
        .states()
        .map(({ setting, lastSuccessAt }) => ({ labels: { source: setting }, value: (lastSuccessAt ?? 0) / 1000 })),
  },
]
