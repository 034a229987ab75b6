/** Counts events in memory by kind and subject, for the current day or hour. */
import type { Counted, Kind } from './measure.ts'

/** The subject that sums all subjects. */
export const everything = ''
/** More subjects of a kind are counted in `everything` only: an owner's gates must not fill the table. */
const mostSubjects = 500

export interface Tally {
  /** `at` is the day or hour of the event. */
  count(at: number, kind: Kind, subjects: readonly string[]): void
  /** Takes out what was counted since the last call. */
  take(): Counted[]
  /** Puts back what could not be stored. */
  putBack(counted: readonly Counted[]): void
}

/** `at` is the day or hour of now. */
export function openTally(at: number): Tally {
  let current = at
  /** Those of the day or hour, whether they were counted since the last call of `take` or not. */
  let subjects = new Map<Kind, Map<string, number>>()
  /** What is left of days or hours that ended. */
  let left: Counted[] = []

  const listCounted = (): Counted[] =>
    [...subjects].flatMap(([kind, bySubject]) =>
      [...bySubject].flatMap(([subject, count]) => (count > 0 ? [{ kind, at: current, subject, count }] : [])),
    )
  function add(bySubject: Map<string, number>, subject: string): void {
    const before = bySubject.get(subject)
    if (before === undefined && bySubject.size >= mostSubjects) return
    bySubject.set(subject, (before ?? 0) + 1)
  }

  return {
    count(now, kind, counting) {
      if (now !== current) {
        left.push(...listCounted())
        subjects = new Map()
        current = now
      }
      let bySubject = subjects.get(kind)
      if (!bySubject) {
        bySubject = new Map([[everything, 0]])
        subjects.set(kind, bySubject)
      }
      add(bySubject, everything)
      for (const subject of counting) add(bySubject, subject)
    },
    take() {
      const counted = [...left, ...listCounted()]
      left = []
      for (const bySubject of subjects.values()) for (const subject of bySubject.keys()) bySubject.set(subject, 0)
      return counted
    },
    putBack(counted) {
      left.push(...counted)
    },
  }
}
