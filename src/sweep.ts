/**
 * The cron tick: deletes or marks what has expired. Expiry holds without it, because every read checks it; the sweep
 * keeps the database small. Bounded per slice and per run, and harmless to run twice.
 */
import { type ScheduledTask, schedule } from 'node-cron'
import { deleteOldReservations } from './gates/reservation-store.ts'
import { deleteOldUnpaid } from './gates/unpaid-place-store.ts'
import { sweepNumbers } from './numbers/sweep.ts'
import { type OAuthSweep, sweepOAuth } from './oauth/sweep.ts'
import type { Parts } from './parts.ts'
import { deleteOldCheckouts } from './payments/checkout-store.ts'
import { deleteOldOffered } from './payments/offered-store.ts'
import { quoteStandsMs } from './payments/quote-shares.ts'
import { deleteOldQuotes } from './payments/quote-store.ts'
import { deleteOldSettlements } from './payments/settlement-store.ts'
import { resumeErasures } from './proofs/erase-slices.ts'
import { deleteExpiredRows, markExpired } from './proofs/expiry-store.ts'
import { deleteOldAudit } from './sessions/audit.ts'
import { deleteOldSessions } from './sessions/session-store.ts'
import { deleteOldSignIns } from './social/sign-in-store.ts'

export interface Sweep {
  stop(): Promise<void>
}

/** Setting up takes ten milliseconds, which the first requests should not wait for. */
const scheduledAfterMs = 1000
const oneHourMs = 3_600_000
const oneDayMs = 86_400_000
/** How long a transfer that waits for its chain is not too old for it. */
const offeredDays = 30

export function startSweep(parts: Parts): Sweep {
  const { config, log } = parts
  let running: Promise<unknown> = Promise.resolve()
  let task: ScheduledTask | undefined
  const scheduled = setTimeout(() => {
    task = schedule(
      config.sweep.schedule,
      () => {
        running = sweepOnce(parts).catch((error) => log.error('the sweep failed', { error: String(error) }))
        return running
      },
      { timezone: 'UTC', noOverlap: true },
    )
  }, scheduledAfterMs)
  return {
    async stop() {
      clearTimeout(scheduled)
      await task?.destroy()
      await running
    },
  }
}

export interface SweepResult extends OAuthSweep {
  readonly erased: number
  readonly expired: number
  readonly deleted: number
  readonly checkouts: number
  readonly reservations: number
  readonly unpaidPlaces: number
  readonly settlements: number
  readonly offered: number
  readonly quotes: number
  readonly sessions: number
  readonly socialSignIns: number
  readonly audit: number
  readonly numbers: number
  readonly buckets: number
}

/** Slices of one run: with the default batch it deletes 200,000 rows of a kind, which is more than limits let in. */
const mostSlices = 200

/** Slice by slice until nothing is due, so that a flood is caught up with while other writes go in between. */
export async function sweepOnce(parts: Parts): Promise<SweepResult> {
  const erased = await resumeErasures(parts)
  let counts = await sweepSlice(parts)
  let total = counts
  for (let slices = 1; slices < mostSlices && hasMore(counts, parts.config.sweep.batch); slices++) {
    await Bun.sleep(1)
    counts = await sweepSlice(parts)
    total = addCounts(total, counts)
  }
  const result = { ...total, erased, buckets: parts.limiter.sweep(parts.now()) }
  parts.log.debug('swept', result)
  return result
}

type SliceCounts = Omit<SweepResult, 'erased' | 'buckets'>

/** A kind may count several tables: one that was cut off at its batch makes the sum as large. */
const hasMore = (counts: SliceCounts, batch: number): boolean => Object.values(counts).some((count) => count >= batch)

const addCounts = (one: SliceCounts, other: SliceCounts): SliceCounts =>
  Object.fromEntries(
    (Object.keys(one) as (keyof SliceCounts)[]).map((kind) => [kind, one[kind] + other[kind]]),
  ) as unknown as SliceCounts

/** At most a batch of each kind. */
async function sweepSlice(parts: Parts): Promise<SliceCounts> {
  const { db, now, config } = parts
  const at = now()
  const { batch } = config.sweep
  return {
    expired: await markExpired(db, at, batch),
    deleted: await deleteExpiredRows(db, at, batch),
    // What was paid in the last minute of a session counts for so long.
    checkouts: await deleteOldCheckouts(db, at - config.payments.quoteMinutes * 60_000, batch),
    reservations: await deleteOldReservations(db, at, batch),
    unpaidPlaces: await deleteOldUnpaid(db, at, batch),
    // The watch forgets them before, unless their chain cannot be asked.
    settlements: await deleteOldSettlements(db, at - 2 * config.payments.watchHours * oneHourMs, batch),
    // Whoever comes later finds that their payment is written down.
    offered: await deleteOldOffered(db, at - offeredDays * oneDayMs, batch),
    // The amount of a quote is nobody else's for as long as a transfer of it counts.
    quotes: await deleteOldQuotes(db, at - quoteStandsMs(config), batch),
    sessions: await deleteOldSessions(db, at, batch),
    socialSignIns: await deleteOldSignIns(db, at, batch),
    ...(await sweepOAuth(parts)),
    audit: await deleteOldAudit(db, at - config.auth.auditDays * oneDayMs, batch),
    numbers: await sweepNumbers(parts, batch),
  }
}
