/**
 * The clock of a database that several machines share. All of them go by it: a machine whose own clock is wrong neither
 * ends nor prolongs what others stored.
 *
 * Between two questions the uptime counts on, so the own clock of the machine may be set at any time.
 */
import { formatSpan, type SharedClock } from './clock.ts'
import type { Conditions } from './conditions.ts'

export interface DatabaseClock extends SharedClock {
  /** Unix milliseconds. */
  now(): number
}

interface DatabaseClockParts {
  /** Unix milliseconds by the database. */
  readonly readTime: () => Promise<number>
  readonly readUptime: () => number
  readonly conditions: Conditions
  /** The clock of this machine. */
  readonly readMachineTime: () => number
}

/** Time services keep machines within milliseconds. */
const toleratedDifferenceMs = 5_000
/** So that a clock that runs a little wrong is not told anew each time. */
const tellsAnewMs = 5_000

/** Errors: those of the database. */
export async function openDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { readTime, readUptime, conditions, readMachineTime } = parts
  const first = await ask()
  /** Between the database's clock and the uptime. */
  let distance = (first.least + first.most) / 2
  let seenAt = first.askedAt
  let unseenMs = 0
  let told: number | undefined

  /** The database read its clock between question and answer. */
  async function ask() {
    const askedAt = readUptime()
    const time = await readTime()
    return { askedAt, least: time - readUptime(), most: time - askedAt }
  }

  function compare(): void {
    const differenceMs = readMachineTime() - (readUptime() + distance)
    if (Math.abs(differenceMs) <= toleratedDifferenceMs) {
      told = undefined
      conditions.end('clock-differs')
      return
    }
    if (told === undefined || Math.abs(differenceMs - told) > tellsAnewMs) {
      const side = differenceMs > 0 ? 'ahead of' : 'behind'
      conditions.begin({
        name: 'clock-differs',
        level: 'warning',
        cause: side,
        says: `the clock of this machine is ${formatSpan(differenceMs)} ${side} that of the database`,
        mend: 'see on both machines what sets the time (timedatectl, chronyc tracking). This server goes by the clock of the database; its log has the time of this machine',
        details: { differenceMs: Math.round(differenceMs) },
      })
      told = differenceMs
    }
  }

  return {
    now: () => Math.floor(readUptime() + distance),
    async look() {
      const answer = await ask().catch(() => undefined)
      if (answer) {
        distance = Math.min(Math.max(distance, answer.least), answer.most)
        unseenMs = readUptime() - seenAt
        seenAt = answer.askedAt
      }
      compare()
    },
    readUnseenMs: () => unseenMs,
  }
}
