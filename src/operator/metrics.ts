/** The metrics for charts: a value for each hour or day, including those without events. */

import { preferReplica } from '../db/prefer-replica.ts'
import { type Surface, surfaces } from '../http/surfaces.ts'
import { addBuckets, bucketCount, computePercentile } from '../metrics/histogram.ts'
import type { Kind } from '../metrics/measure.ts'
import { dayMs, hourMs, readSlot } from '../metrics/metrics.ts'
import { chooseSteps, type Range, type Steps } from '../metrics/periods.ts'
import { counts, listLatencies } from '../metrics/store.ts'
import { everything } from '../metrics/tally.ts'
import type { Parts } from '../parts.ts'

const topGates = 10

/** Includes counts that were not written yet, unless a replica answers. */
export async function readMetrics(all: Parts, range: Range) {
  await all.metrics.flush()
  const parts = preferReplica(all, 'statistics')
  const { db, now } = parts
  const steps = chooseSteps(range, now())
  const { step, stepMs, firstAt } = steps
  const listTotal = async (kind: Kind): Promise<number[]> =>
    listPerStep(await counts[step].listTotals(db, kind, steps.from), steps)
  return {
    range,
    firstAt,
    stepMs,
    proofs: { total: await listTotal('proofs'), byVerifier: await listByVerifier(parts, steps) },
    gates: {
      passes: await listTotal('gate_passes'),
      refusals: await listTotal('gate_refusals'),
      fulfillments: await listTotal('fulfillments'),
      refunds: await listTotal('refunds'),
      top: await listTopGates(parts, steps),
    },
    /** Payments that arrived and bought nothing. */
    unmatchedPayments: await listTotal('unmatched_payments'),
    latency: await readLatency(parts),
  }
}

function listPerStep(rows: readonly { readonly at: number; readonly count: number }[], { from, length }: Steps) {
  const values = new Array<number>(length).fill(0)
  // A clock that was set back may have counted future days.
  for (const { at, count } of rows) if (at - from < length) values[at - from] = count
  return values
}

/** Verifiers with the most proofs come first. Their number is bounded by this build. */
async function listByVerifier({ db }: Parts, steps: Steps) {
  const byVerifier = Map.groupBy(
    (await counts[steps.step].list(db, 'proofs', steps.from)).filter(({ subject }) => subject !== everything),
    ({ subject }) => subject,
  )
  return [...byVerifier]
    .map(([verifier, rows]) => ({ verifier, counts: listPerStep(rows, steps) }))
    .sort((one, other) => sum(other.counts) - sum(one.counts))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

async function listTopGates({ db }: Parts, { step, from }: Steps) {
  const gates = new Map<string, { passes: number; refusals: number; fulfillments: number }>()
  const columns = { gate_passes: 'passes', gate_refusals: 'refusals', fulfillments: 'fulfillments' } as const
  for (const [kind, column] of Object.entries(columns) as [
    keyof typeof columns,
    'passes' | 'refusals' | 'fulfillments',
  ][])
    for (const { subject, count } of await counts[step].sumBySubject(db, kind, from)) {
      const gate = gates.get(subject) ?? { passes: 0, refusals: 0, fulfillments: 0 }
      gate[column] = count
      gates.set(subject, gate)
    }
  return [...gates]
    .map(([gateId, counts]) => ({ gateId, ...counts }))
    .sort((one, other) => other.passes + other.refusals - (one.passes + one.refusals))
    .slice(0, topGates)
}

/** Spans of ten minutes: the last hour begins with the span that contains its first moment. */
async function readLatency({ db, now }: Parts) {
  const rows = await listLatencies(db, readSlot(now() - dayMs))
  const readLatencySince = (at: number) =>
    (Object.entries(surfaces) as [Surface, string][]).flatMap(([surface, label]) => {
      const buckets = new Uint32Array(bucketCount)
      for (const row of rows) if (row.surface === surface && row.slot >= readSlot(at)) addBuckets(buckets, row.buckets)
      const count = sum([...buckets])
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => computePercentile(buckets, share))
      return count === 0 ? [] : [{ surface, label, count, p50, p95, p99 }]
    })
  return { hour: readLatencySince(now() - hourMs), day: readLatencySince(now() - dayMs) }
}
