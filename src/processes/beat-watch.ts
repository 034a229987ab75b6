/** Watches counters of other processes, and tells which of them stand still. */
import { deadAfterMs, longestGapMs } from './timing.ts'

export interface BeatWatch {
  /** One look at all counters, by name. */
  look(read: () => Promise<ReadonlyMap<string, string>>): Promise<void>
  /** Whether a counter stood at this value for so long that nothing living raises it. */
  isStill(name: string, counter: string): boolean
}

interface Seen {
  readonly counter: string
  readonly stillMs: number
}

/** `readUptime`: milliseconds of a clock that only counts on. */
export function openBeatWatch(readUptime: () => number): BeatWatch {
  let seen: ReadonlyMap<string, Seen> = new Map()
  let answeredAt: number | undefined

  return {
    async look(read) {
      const askedAt = readUptime()
      const counters = await read()
      // From the last answer to this question: the counters stood so long for sure.
      const passedMs = answeredAt === undefined ? 0 : Math.min(askedAt - answeredAt, longestGapMs)
      const before = seen
      seen = new Map(
        [...counters].map(([name, counter]) => {
          const known = before.get(name)
          return [name, { counter, stillMs: known?.counter === counter ? known.stillMs + passedMs : 0 }]
        }),
      )
      answeredAt = readUptime()
    },
    isStill(name, counter) {
      const known = seen.get(name)
      return known?.counter === counter && known.stillMs >= deadAfterMs
    },
  }
}
