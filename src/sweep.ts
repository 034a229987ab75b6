/**
 * The cron tick: deletes or marks expired data, by the time that has passed for sure. Expiry works without it, because
 * every read checks it by the machine's clock; the sweep keeps the database small. It is bounded in each slice,
 * continues until nothing is due, and is harmless to run twice.
 */

import { deleteOldAudit } from './audit/log-store.ts'
import { deleteOldSessions } from './auth/sessions/store.ts'
import type { Condition } from './conditions.ts'
import { findOverdue } from './db/overdue.ts'
import { forgetSpent, keptAfterExpiryMs } from './db/spent-signature.ts'
import { deleteOldReceipts } from './erasure/receipt-store.ts'
import { resumeErasures } from './erasure/slices.ts'
import { deleteOldReservations } from './gates/fulfill/reservation-store.ts'
import { deleteOldUnpaid } from './gates/fulfill/unpaid-place-store.ts'
import { deleteOldPasses } from './gates/guests/store.ts'
import { deleteOldSiteCodes } from './handover/code-store.ts'
import { deleteOldEntries } from './journal/store.ts'
import { sweepMetrics } from './metrics/metrics.ts'
import { type OAuthSweep, sweepOAuth } from './oauth/sweep.ts'
import { deleteOldPairings } from './pairing/store.ts'
import type { Parts } from './parts.ts'
import { deleteOldCheckouts } from './payments/checkout-store.ts'
import { deleteOldOffered } from './payments/offered-transfers-store.ts'
import { quoteStandsMs } from './payments/quote-shares.ts'
import { deleteOldQuotes } from './payments/quote-store.ts'
import { deleteOldSettlements } from './payments/settlement-store.ts'
import { guardWrites } from './processes/guard.ts'
import { LeaseLostError } from './processes/processes.ts'
import { deleteExpiredRows, markExpired } from './proofs/expiry-store.ts'
import { scheduleWork } from './schedule.ts'
import { deleteOldSignIns } from './social/sign-in-store.ts'

export interface Sweep {
  stop(): Promise<void>
}

const oneHourMs = 3_600_000
const oneDayMs = 86_400_000
/** How long a transfer that waits for its chain is not too old for it. */
const offeredDays = 30
/** How long a person can ask how an erasure ended. */
const receiptDays = 7
/** A restore of the oldest backup needs the journal since. More, for backups that people keep elsewhere. */
const journalDays = ({ keepWeekly }: Parts['config']['backup']): number => Math.max(400, 7 * (keepWeekly + 1))
const lookedAtEveryMs = 60_000

export function startSweep(parts: Parts): Sweep {
  const { log } = parts
  const stopping = new AbortController()
  const scheduled = scheduleWork(parts, {
    line: parts.config.sweep.schedule,
    run: () =>
      sweepInTurn(parts, stopping.signal).catch((error) => {
        if (error instanceof LeaseLostError) return
        log.count({
          level: 'error',
          event: 'sweep-failed',
          message: 'the sweep failed: what has expired stays in the database until the next one',
          error,
          fields: { mend: 'look at the disk of the data folder' },
        })
      }),
    tellLeftOut: (dueAt) =>
      log.count({
        level: 'warn',
        event: 'sweep-skipped',
        message: 'a sweep was left out: its time came while the process stood still, or while another was under way',
        fields: {
          dueAt: new Date(dueAt).toISOString(),
          mend: 'the next one does its work too; if this stays, see what keeps the processor or the disk busy',
        },
      }),
  })
  const looking = setInterval(async () => {
    // A database that is away is told by its own condition, and the next look follows soon.
    await judgeBacklog(parts, scheduled.readInterval()).catch(() => {})
  }, lookedAtEveryMs)
  return {
    async stop() {
      clearInterval(looking)
      stopping.abort()
      await scheduled.stop()
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
  readonly passes: number
  readonly settlements: number
  readonly offered: number
  readonly quotes: number
  readonly receipts: number
  readonly sessions: number
  readonly socialSignIns: number
  readonly pairings: number
  readonly siteCodes: number
  readonly audit: number
  readonly numbers: number
  readonly journal: number
  readonly buckets: number
}

/** Between two runs, due rows are normal. Beyond that, the operator is warned. */
export async function judgeBacklog({ db, readSure, conditions }: Parts, betweenRunsMs: number): Promise<void> {
  const at = readSure()
  const lateMs = at - ((await findOverdue(db, at)) ?? at)
  if (lateMs > betweenRunsMs + oneHourMs) conditions.begin(reportSweepDelay(Math.floor(lateMs / oneHourMs)))
  else conditions.end(reportSweepDelay(0).name)
}

const reportSweepDelay = (hours: number): Condition => ({
  name: 'sweep-behind',
  level: 'warning',
  says: `what expired ${hours === 1 ? 'an hour' : `${hours} hours`} ago is not cleared away yet`,
  mend: 'see the log for "the sweep failed". Where it did not fail, more expires than is cleared away: raise sweep.batch, or let sweep.schedule run more often',
})

/** One process sweeps for all. The others only look after what is theirs. */
export async function sweepInTurn(parts: Parts, signal?: AbortSignal): Promise<void> {
  const lease = parts.processes.openLease('sweep')
  if (await lease.hold()) {
    await sweepOnce(parts, signal, guardWrites(parts.db, lease, 'sweep'))
    return
  }
  await resumeErasures(parts)
  parts.limiter.sweep()
}

/**
 * Works slice by slice until nothing is due. So it catches up with a flood while other writes go in between. The signal
 * ends it between slices. `db` writes for the sweep alone.
 */
export async function sweepOnce(parts: Parts, signal?: AbortSignal, db = parts.db): Promise<SweepResult> {
  const startedAt = performance.now()
  try {
    const result = await sweepAll(parts, signal, db)
    const rows = Object.values(result).reduce((sum: number, count: number) => sum + count, 0)
    parts.sweepRecord.noteRun({ endedAt: parts.now(), tookMs: performance.now() - startedAt, rows })
    return result
  } catch (error) {
    if (!(error instanceof LeaseLostError)) parts.sweepRecord.noteFailure()
    throw error
  }
}

async function sweepAll(parts: Parts, signal: AbortSignal | undefined, db: Parts['db']): Promise<SweepResult> {
  const erased = await resumeErasures(parts)
  const sweeping = { ...parts, db }
  let counts = await sweepSlice(sweeping)
  let total = counts
  while (hasMore(counts, parts.config.sweep.batch) && !signal?.aborted) {
    await Bun.sleep(1)
    counts = await sweepSlice(sweeping)
    total = addCounts(total, counts)
  }
  const result = { ...total, erased, buckets: parts.limiter.sweep() }
  parts.log.debug('swept', { event: 'sweep-done', ...result })
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
  const { db, readSure, config } = parts
  const at = readSure()
  const { batch } = config.sweep
  return {
    expired: await markExpired(db, at, batch),
    deleted: (await deleteExpiredRows(db, at, batch)) + (await forgetSpent(db, at - keptAfterExpiryMs, batch)),
    // A payment in the last minute of a session counts for this time.
    checkouts: await deleteOldCheckouts(db, at - config.payments.quoteMinutes * 60_000, batch),
    reservations: await deleteOldReservations(db, at, batch),
    unpaidPlaces: await deleteOldUnpaid(db, at, batch),
    passes: await deleteOldPasses(db, config.signing.hubChainId, at, batch),
    // The watch forgets them before, unless their chain cannot be asked.
    settlements: await deleteOldSettlements(db, at - 2 * config.payments.watchHours * oneHourMs, batch),
    // After this time the payment is stored already.
    offered: await deleteOldOffered(db, at - offeredDays * oneDayMs, batch),
    // No other quote gets the amount while a transfer of it counts.
    quotes: await deleteOldQuotes(db, at - quoteStandsMs(config), batch),
    receipts: await deleteOldReceipts(db, at - receiptDays * oneDayMs, batch),
    sessions: await deleteOldSessions(db, at, batch),
    socialSignIns: await deleteOldSignIns(db, at, batch),
    pairings: await deleteOldPairings(db, at, batch),
    siteCodes: await deleteOldSiteCodes(db, at, batch),
    ...(await sweepOAuth(parts)),
    audit: await deleteOldAudit(db, at - config.auth.auditDays * oneDayMs, batch),
    numbers: await sweepMetrics(parts, batch),
    journal: await deleteOldEntries(db, at - journalDays(config.backup) * oneDayMs, batch),
  }
}
