/**
 * Measures this server's load and speed. It counts in memory and writes to the database every ten seconds, so that no
 * request waits. A crash loses the counts since then. It holds nothing personal: verifiers, gates and surfaces.
 */

import { StorageError } from '../db/db.ts'
import type { Surface } from '../http/surfaces.ts'
import type { Parts } from '../parts.ts'
import { bucketCount, findBucket } from './histogram.ts'
import type { Counted, Kind, Metrics } from './measure.ts'
import { kinds } from './measure.ts'
import { addLatency, addToDay, deleteOldDays, deleteOldLatencies } from './store.ts'

const dayMs = 86_400_000
export const slotMs = 600_000
/** The subject that sums all subjects of a day. */
export const everything = ''
/** More subjects of a kind and day are counted in `everything` only: an owner's gates must not fill the table. */
const mostSubjects = 500

export const readDay = (at: number): number => Math.floor(at / dayMs)
export const readSlot = (at: number): number => Math.floor(at / slotMs)

interface Span {
  readonly slot: number
  readonly surface: Surface
  readonly buckets: Uint32Array
  isChanged: boolean
}

type MetricTools = Pick<Parts, 'db' | 'now' | 'log' | 'run'>

export function openMetrics({ db, now, log, run }: MetricTools): Metrics {
  let day = readDay(now())
  /** By kind and subject: those of the day, whether they were counted since the last flush or not. */
  let subjects = new Map<Kind, Map<string, number>>()
  /** The unwritten counts of past days. */
  let left: Counted[] = []
  const spans = new Map<Surface, Span>()
  const over: Span[] = []
  let flushing: Promise<void> | undefined

  function listCounted(): Counted[] {
    return [...subjects].flatMap(([kind, bySubject]) =>
      [...bySubject].flatMap(([subject, count]) => (count > 0 ? [{ kind, day, subject, count }] : [])),
    )
  }
  function turnDay(today: number): void {
    left.push(...listCounted())
    subjects = new Map()
    day = today
  }
  function add(bySubject: Map<string, number>, subject: string): void {
    const before = bySubject.get(subject)
    if (before === undefined && bySubject.size >= mostSubjects) return
    bySubject.set(subject, (before ?? 0) + 1)
  }
  function startSpan(surface: Surface, slot: number): Span {
    const before = spans.get(surface)
    if (before?.isChanged) over.push(before)
    const span = { slot, surface, buckets: new Uint32Array(bucketCount), isChanged: false }
    spans.set(surface, span)
    return span
  }

  /** Takes out what is to be written; gives back how to put it in again. */
  function take() {
    const counts = [...left, ...listCounted()]
    left = []
    for (const bySubject of subjects.values()) for (const subject of bySubject.keys()) bySubject.set(subject, 0)
    const changed = [...over.splice(0), ...spans.values()].filter(({ isChanged }) => isChanged)
    for (const span of changed) span.isChanged = false
    return {
      statements: [...counts.map(addToDay), ...changed.map((span) => addLatency(run, span))],
      putBack() {
        left.push(...counts)
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
        message: 'the numbers of the dashboard were not stored',
        error,
        fields: { mend: 'look at the disk of the data folder; they are stored later, or some are lost' },
      })
    }
  }

  return {
    count(kind, counting) {
      const today = readDay(now())
      if (today !== day) turnDay(today)
      let bySubject = subjects.get(kind)
      if (!bySubject) {
        bySubject = new Map([[everything, 0]])
        subjects.set(kind, bySubject)
      }
      add(bySubject, everything)
      for (const subject of counting) add(bySubject, subject)
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

const latencyKeptMs = 2 * 86_400_000

/** Returns how many rows it deleted, of each table and kind `batch` at most. */
export async function sweepMetrics({ db, readSure }: Pick<Parts, 'db' | 'readSure'>, batch: number): Promise<number> {
  let deleted = await deleteOldLatencies(db, readSlot(readSure() - latencyKeptMs), batch)
  for (const kind of Object.keys(kinds) as Kind[])
    deleted += await deleteOldDays(db, kind, readDay(readSure()) - keptDays, batch)
  return deleted
}
