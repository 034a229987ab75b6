/** The metrics for charts: a value for each day, including days without events. */

import { type Surface, surfaces } from '../http/surfaces.ts'
import { addBuckets, bucketCount, computePercentile } from '../metrics/histogram.ts'
import type { Kind } from '../metrics/measure.ts'
import { everything, readDay, readSlot } from '../metrics/metrics.ts'
import { listDays, listLatencies, listTotals, sumBySubject } from '../metrics/store.ts'
import type { Parts } from '../parts.ts'

const days = 90
/** Fewer days, because all gates of each day are added up. */
const topDays = 30
const topGates = 10
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Includes counts that are not written yet. */
export async function readMetrics(parts: Parts) {
  await parts.metrics.flush()
  const { db, now } = parts
  const today = readDay(now())
  const from = today - days + 1
  const listTotal = async (kind: Kind): Promise<number[]> => listPerDay(await listTotals(db, kind, from), from)
  return {
    /** Unix milliseconds of the first day; the others follow. */
    firstDay: from * dayMs,
    days,
    proofs: { total: await listTotal('proofs'), byVerifier: await listByVerifier(parts, from) },
    gates: {
      passes: await listTotal('gate_passes'),
      refusals: await listTotal('gate_refusals'),
      fulfillments: await listTotal('fulfillments'),
      refunds: await listTotal('refunds'),
      topDays,
      top: await listTopGates(parts, today - topDays + 1),
    },
    /** Payments that arrived and bought nothing. */
    unmatchedPayments: await listTotal('unmatched_payments'),
    latency: await readLatency(parts),
  }
}

function listPerDay(counts: readonly { readonly day: number; readonly count: number }[], from: number): number[] {
  const values = new Array<number>(days).fill(0)
  // A clock that was set back may have counted future days.
  for (const { day, count } of counts) if (day - from < days) values[day - from] = count
  return values
}

/** Verifiers with the most proofs come first. Their number is bounded by this build. */
async function listByVerifier({ db }: Parts, from: number) {
  const rows = Map.groupBy(
    (await listDays(db, 'proofs', from)).filter(({ subject }) => subject !== everything),
    ({ subject }) => subject,
  )
  return [...rows]
    .map(([verifier, counts]) => ({ verifier, counts: listPerDay(counts, from) }))
    .sort((one, other) => sum(other.counts) - sum(one.counts))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

async function listTopGates({ db }: Parts, from: number) {
  const gates = new Map<string, { passes: number; refusals: number; fulfillments: number }>()
  const columns = { gate_passes: 'passes', gate_refusals: 'refusals', fulfillments: 'fulfillments' } as const
  for (const [kind, column] of Object.entries(columns) as [
    keyof typeof columns,
    'passes' | 'refusals' | 'fulfillments',
  ][])
    for (const { subject, count } of await sumBySubject(db, kind, from)) {
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
