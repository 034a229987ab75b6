/**
 * The age of the exchange that made the newest tokens. It uses no clock that can be set. A clock that jumps would end
 * an honest client's grant, or accept an old token again.
 */
import { storedEveryMs } from '../db/clock-store.ts'
import type { Parts } from '../parts.ts'
import type { Family } from './family-store.ts'

export interface ExchangeAges {
  /** An exchange of this run, to the generation that is good now. */
  note(family: number, generation: number): void
  /** Infinity for an age that is no longer needed. */
  findAge(family: Pick<Family, 'id' | 'generation' | 'refreshedAt' | 'refreshedBy'>): number
}

/** Ages of this run are kept for `keptMs`. */
export function openExchangeAges(
  { db, readUptime, readSteadyClock, run }: Pick<Parts, 'db' | 'readUptime' | 'readSteadyClock' | 'run'>,
  keptMs: number,
): ExchangeAges {
  const startedAt = readUptime()
  /** By family, the oldest first. */
  const noted = new Map<number, { readonly generation: number; readonly at: number }>()

  return {
    note(family, generation) {
      const at = readUptime()
      for (const [older, exchange] of noted) {
        if (at - exchange.at < keptMs) break
        noted.delete(older)
      }
      if (keptMs === 0) return
      // Taken away first, so that it stands at the end.
      noted.delete(family)
      noted.set(family, { generation, at })
    },
    findAge({ id, generation, refreshedAt, refreshedBy }) {
      if (refreshedAt === null) return Number.POSITIVE_INFINITY
      if (refreshedBy === run) {
        const exchange = noted.get(id)
        return exchange?.generation === generation ? readUptime() - exchange.at : Number.POSITIVE_INFINITY
      }
      const ageMs = readSteadyClock() - refreshedAt
      // The steady clock only goes back further than by a crash after a day in which it was wrong.
      if (ageMs < -2 * storedEveryMs) return Number.POSITIVE_INFINITY
      // Where this is the only process, the other run was before it.
      return db.isShared ? Math.max(0, ageMs) : Math.max(ageMs, readUptime() - startedAt)
    },
  }
}
