/**
 * The clocks of the server. The machine's clock (the wall clock) decides the freshness of requests and the expiry of
 * data. It may be wrong, jump, and be corrected. Two others do not follow it:
 *
 * - The uptime only counts on.
 * - The steady clock is the latest stored time plus the uptime since. It never goes back and never jumps ahead. When
 *   the wall clock is ahead, for example after a long stop, it catches up slowly.
 *
 * Irreversible acts, such as forgetting that a text was used, follow the earlier of steady clock and wall clock. At
 * least that much time has passed.
 */
import type { Conditions } from './conditions.ts'
import type { ClockJump } from './db/clock-jump.ts'
import {
  type FoundJump,
  findStoredClock,
  insertJump,
  listJumps,
  type StoredClock,
  storeClock,
  storedEveryMs,
} from './db/clock-store.ts'
import type { Db } from './db/db.ts'
import type { BehindTime, MovedTimes } from './db/moved-times.ts'
import type { Log, LogFields } from './log.ts'

export interface Clock {
  /** Milliseconds of a clock that only counts on. Its beginning means nothing. */
  readUptime(): number
  /** Unix milliseconds that have passed for sure: for what cannot be undone. */
  readSure(): number
  /** Unix milliseconds that nothing made until now is after: for what means everything until now. */
  readLatest(): number
  /** Unix milliseconds of the steady clock: for how long ago something was, whatever was done to the wall clock since. */
  readSteadyClock(): number
  /** Compares the clocks, and tells and stores what was found. To be called every few seconds. */
  look(): Promise<void>
  /** Stores the steady clock for the next start. */
  store(): Promise<void>
}

/** The clock of a database that several machines share: database-clock.ts. */
export interface SharedClock {
  /** Asks the database. Where it does not answer, the uptime counts on. */
  look(): Promise<void>
  /** How long before the newest answer the one before it came: a jump is not older. */
  readUnseenMs(): number
}

interface ClockParts {
  readonly db: Db
  /** The stored times that are moved with the clock (moved-times.ts). */
  readonly movedTimes: readonly MovedTimes[]
  readonly log: Log
  readonly conditions: Conditions
  /** The wall clock: that of the machine, or `shared`. */
  readonly now: () => number
  readonly readUptime: () => number
  /** Undefined: the wall clock is that of the machine. */
  readonly shared?: SharedClock | undefined
}

/** Corrections in small steps (NTP) go unnoticed. */
export const toleratedJumpMs = 5_000
const toleratedLagMs = 60_000
const reportedForMs = 3_600_000
const mostTold = 4
/** How much faster than time the steady clock is while it catches up. */
const catchUpShare = 0.1
/** A wall clock that stands behind and goes evenly for so long was put right: the steady clock was wrong. */
const believedAfterMs = 86_400_000
/** 2025-01-01. A machine without a battery begins with a time before any server of this kind ran; it is set soon. */
const earliestMs = 1_735_689_600_000

export async function openClock(parts: ClockParts): Promise<Clock> {
  const { db, movedTimes, log, conditions, now, readUptime, shared } = parts
  const whose = shared ? 'the database' : 'this machine'
  const mendClock = writeMend(shared !== undefined)
  const stored = await findStoredClock(db)
  let steady = stored && (shared ? continueSteady(stored, now()) : stored.steadyAt)
  let readAt = readUptime()
  /** Both clocks when they were last compared. */
  let compared = { uptime: readAt, wall: now() }
  let storedAt = Number.NEGATIVE_INFINITY
  let reportedUntil = Number.NEGATIVE_INFINITY
  let behindSince: number | undefined
  let lagTold: string | undefined
  let isFirstLook = true
  /** The jumps that are reported now, the newest first. */
  const recent: ClockJump[] = []
  /** Told, and not written down yet: a disk that fails now and then must not make them forgotten. */
  const unstored: FoundJump[] = []
  /** The correction made while the server was stopped, until it is stored. */
  let behindBefore: BehindTime | undefined

  function readSteadyClock(wall: number): number | undefined {
    const uptime = readUptime()
    const passed = Math.max(0, uptime - readAt)
    readAt = uptime
    if (steady !== undefined) {
      steady += passed
      if (wall > steady) steady = Math.min(wall, steady + passed * catchUpShare)
    } else if (wall >= earliestMs) steady = wall
    return steady
  }

  function findJump(wall: number, uptime: number): number {
    // The length of a stop is unknown: only a clock before its last stored time was surely set.
    if (isFirstLook) return Math.min(0, wall - (stored?.wallAt ?? wall))
    return wall - compared.wall - (uptime - compared.uptime)
  }

  /**
   * Reports the newest jump with its size, and the earlier ones of the same hour. Each jump may correct the one before.
   */
  function tellJump(jump: ClockJump, at: number, details: LogFields = {}): void {
    recent.unshift(jump)
    recent.splice(mostTold)
    const [newest, ...others] = recent.map(({ sizeMs }) => `${sizeMs < 0 ? 'back' : 'ahead'} by ${formatSpan(sizeMs)}`)
    const before = others.length > 0 ? ` (before that ${others.join(', ')})` : ''
    // Ended first, so that a second jump is reported with its own size.
    conditions.end('clock-jumped')
    conditions.begin(
      {
        name: 'clock-jumped',
        level: 'warning',
        says: `the clock of ${whose} was set ${newest}${before}`,
        mend: mendClock,
        isPast: true,
        details: { sizeMs: Math.round(jump.sizeMs), ...details },
      },
      at,
    )
  }

  /**
   * The jumps of the last hour by the present clock. Each was stored by the clock of its time, which later jumps have
   * moved.
   */
  async function listRecentJumps(wall: number, movedMs = 0): Promise<readonly ClockJump[]> {
    let moved = movedMs
    return (await listJumps(db)).filter(({ at, sizeMs }) => {
      const agoMs = wall - (at + moved)
      moved += sizeMs
      return Math.abs(agoMs) < reportedForMs
    })
  }

  /** A restart does not shorten the time for which jumps are reported. */
  async function tellEarlierJumps(wall: number, uptime: number): Promise<void> {
    const [newest, ...others] = await listRecentJumps(wall)
    if (!newest) return
    recent.push(...others)
    reportedUntil = uptime + reportedForMs - Math.max(0, wall - newest.at)
    tellJump(newest, newest.at, { at: new Date(newest.at).toISOString() })
  }

  function endJumps(): void {
    recent.length = 0
    conditions.end('clock-jumped')
  }

  function watchLag(wall: number, uptime: number): void {
    const lagMs = (steady ?? wall) - wall
    if (lagMs <= toleratedLagMs) {
      behindSince = undefined
      conditions.end('clock-behind')
      return
    }
    const says = `the clock of ${whose} stands ${formatSpan(lagMs)} behind the time that has passed`
    if (behindSince === undefined || says !== lagTold)
      conditions.begin({ name: 'clock-behind', level: 'warning', cause: 'behind', says, mend: mendClock })
    lagTold = says
    behindSince ??= uptime
  }

  async function storeJumps(): Promise<void> {
    for (let next = unstored.shift(); next; next = unstored.shift())
      try {
        await insertJump(db, next, movedTimes, readBoth())
      } catch (error) {
        unstored.unshift(next)
        throw error
      }
  }

  function readBoth(): StoredClock | undefined {
    const wallAt = now()
    const steadyAt = readSteadyClock(wallAt)
    return steadyAt === undefined ? undefined : { steadyAt, wallAt }
  }

  async function store(mayGoBack = false): Promise<void> {
    const reading = readBoth()
    if (!reading) return
    storedAt = readUptime()
    // Before anything is awaited: another call must not move the same times again.
    const behind = behindBefore
    behindBefore = undefined
    try {
      await storeClock(db, reading, movedTimes, { mayGoBack, behind })
    } catch (error) {
      behindBefore ??= behind
      throw error
    }
  }

  /** The time in which the clock was slow, until it showed `to` and was then set ahead by `sizeMs`. */
  async function findBehind(to: number, lagMs: number, sizeMs: number): Promise<BehindTime | undefined> {
    const behindMs = Math.min(lagMs, sizeMs)
    if (behindMs <= toleratedJumpMs) return undefined
    const setBack = [...[...unstored].reverse(), ...(await listJumps(db))].find(
      (jump) => jump.sizeMs < 0 && jump.at <= to,
    )
    return setBack && { from: setBack.at, to, behindMs }
  }

  return {
    readUptime,
    readSure() {
      const wall = now()
      return Math.floor(Math.min(readSteadyClock(wall) ?? wall, wall))
    },
    readLatest() {
      const wall = now()
      return Math.floor(Math.max(readSteadyClock(wall) ?? wall, wall))
    },
    readSteadyClock() {
      const wall = now()
      return Math.floor(readSteadyClock(wall) ?? wall)
    },
    store: () => store(),
    async look() {
      await shared?.look()
      const wall = now()
      const uptime = readUptime()
      const unseenMs = Math.max(uptime - compared.uptime, shared?.readUnseenMs() ?? 0)
      readSteadyClock(wall)
      const sizeMs = findJump(wall, uptime)
      // Before anything is awaited: another look must not find the same jump.
      compared = { uptime, wall }
      const isFirst = isFirstLook
      isFirstLook = false
      const before = wall - sizeMs
      const behind = await findBehind(before, (steady ?? before) - before, sizeMs)
      if (isFirst && stored)
        behindBefore = await findBehind(stored.wallAt, stored.steadyAt - stored.wallAt, wall - stored.wallAt)
      if (Math.abs(sizeMs) > toleratedJumpMs) {
        behindSince = undefined
        reportedUntil = uptime + reportedForMs
        conditions.end('clock-behind')
        if (isFirst) recent.push(...(await listRecentJumps(wall, sizeMs)))
        tellJump({ at: wall, sizeMs }, wall, isFirst ? { while: 'the server was stopped' } : {})
        unstored.push({ since: wall - unseenMs, at: wall, sizeMs, latest: Math.max(steady ?? wall, wall), behind })
      } else if (isFirst) await tellEarlierJumps(wall, uptime)
      else if (uptime >= reportedUntil) endJumps()
      watchLag(wall, uptime)
      await storeJumps()
      const wasPutRight = behindSince !== undefined && uptime - behindSince >= believedAfterMs
      if (wasPutRight) {
        log.warn(`the clock of ${whose} has gone evenly for a day and is believed again`, {
          event: 'clock-trusted',
          behindMs: Math.round((steady ?? wall) - wall),
        })
        steady = wall
        watchLag(wall, uptime)
      }
      if (wasPutRight || uptime - storedAt >= storedEveryMs) await store(wasPutRight)
    },
  }
}

/** Another process stored its steady clock moments ago, and this one goes on from there: they tell ages to each other. */
function continueSteady({ steadyAt, wallAt }: StoredClock, wall: number): number {
  const passedMs = wall - wallAt
  return passedMs > 0 && passedMs <= 2 * storedEveryMs ? steadyAt + passedMs : steadyAt
}

const writeMend = (isShared: boolean): string =>
  `see whether the time is right now${isShared ? ' on the machine of the database' : ''}, and what sets it (timedatectl, chronyc tracking). Nothing is deleted early for it; signatures made by the right time are refused as long as the clock is wrong`

/** Its two largest units, rounded to the smaller one. */
export function formatSpan(ms: number): string {
  const exact = Math.abs(ms) / 1000
  const unit = exact >= 86_400 ? 3600 : exact >= 3600 ? 60 : 1
  const seconds = Math.round(exact / unit) * unit
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ')
}
