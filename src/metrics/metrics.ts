/**
 * Measures this server's load and speed. It counts in memory and writes to the database every ten seconds, so that no
 * request waits. A crash loses the counts since then. It holds nothing personal: verifiers, gates and surfaces.
 */

import { StorageError } from '../db/db.ts'
import type { Surface } from '../http/surfaces.ts'
import type { Parts } from '../parts.ts'
import { bucketCount, findBucket } from './histogram.ts'
import type { Kind, Metrics } from './measure.ts'
import { kinds } from './measure.ts'
import { addLatency, counts, deleteOldLatencies } from './store.ts'
import { openTally } from './tally.ts'

export const dayMs = 86_400_000
export const hourMs = 3_600_000
export const slotMs = 600_000
export const readDay = (at: number): number => Math.floor(at / dayMs)
export const readHour = (at: number): number => Math.floor(at / hourMs)
export const readSlot = (at: number): number => Math.floor(at / slotMs)

interface Span {
  readonly slot: number
  readonly surface: Surface
  readonly buckets: Uint32Array
  isChanged: boolean
}

type MetricTools = Pick<Parts, 'db' | 'now' | 'log' | 'run'>

export function openMetrics({ db, now, log, run }: MetricTools): Metrics {
  const days = openTally(readDay(now()))
  const hours = openTally(readHour(now()))
  const spans = new Map<Surface, Span>()
  const over: Span[] = []
  let flushing: Promise<void> | undefined

  function startSpan(surface: Surface, slot: number): Span {
    const before = spans.get(surface)
    if (before?.isChanged) over.push(before)
    const span = { slot, surface, buckets: new Uint32Array(bucketCount), isChanged: false }
    spans.set(surface, span)
    return span
  }

  /** Takes out what is to be written; gives back how to put it in again. */
  function take() {
    const counted = { day: days.take(), hour: hours.take() }
    const changed = [...over.splice(0), ...spans.values()].filter(({ isChanged }) => isChanged)
    for (const span of changed) span.isChanged = false
    return {
      statements: [
        ...counted.day.map(counts.day.add),
        ...counted.hour.map(counts.hour.add),
        ...changed.map((span) => addLatency(run, span)),
      ],
      putBack() {
        days.putBack(counted.day)
        hours.putBack(counted.hour)
        for (const span of changed) {
          span.isChanged = true
          if (spans.get(span.surface) !== span) over.push(span)
        }
      },
    }
  }

  async function write(): Promise<void> {
    const { statements, putBack } = take()
    if (statements.length === 0) return
    try {
      await db.write(statements, 'free')
    } catch (error) {
      // If it may have been stored, counting it twice would be worse than losing it.
      if (!(error instanceof StorageError) || !error.isUncertain) putBack()
      log.count({
        level: 'warn',
        event: 'dashboard-numbers-unstored',
        message: 'the numbers of the dashboard were not stored',
        error,
        fields: { mend: 'look at the disk of the data folder; they are stored later, or some are lost' },
      })
    }
  }

  return {
    count(kind, counting) {
      const at = now()
      days.count(readDay(at), kind, counting)
      hours.count(readHour(at), kind, counting)
    },
    took(surface, ms) {
      const slot = readSlot(now())
      let span = spans.get(surface)
      if (span?.slot !== slot) span = startSpan(surface, slot)
      span.buckets[findBucket(ms)]!++
      span.isChanged = true
    },
    flush() {
      // One after the other: a span is written with all it has, and an older one must not come later.
      flushing = (flushing ?? Promise.resolve()).then(write)
      return flushing
    },
  }
}

const keptDays = 400
const keptHours = 48

const latencyKeptMs = 2 * 86_400_000

/** Returns how many rows it deleted, of each table and kind `batch` at most. */
export async function sweepMetrics({ db, readSure }: Pick<Parts, 'db' | 'readSure'>, batch: number): Promise<number> {
  let deleted = await deleteOldLatencies(db, readSlot(readSure() - latencyKeptMs), batch)
  for (const kind of Object.keys(kinds) as Kind[]) {
    deleted += await counts.day.deleteBefore(db, kind, readDay(readSure()) - keptDays, batch)
    deleted += await counts.hour.deleteBefore(db, kind, readHour(readSure()) - keptHours, batch)
  }
  return deleted
}
