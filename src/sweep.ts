/**
 * The cron tick: deletes or marks what has expired. Expiry holds without it, because every read checks it; the sweep
 * keeps the database small. Bounded per run, and harmless to run twice.
 */
import { type ScheduledTask, schedule } from 'node-cron'
import { sweepNumbers } from './numbers/sweep.ts'
import { type OAuthSweep, sweepOAuth } from './oauth/sweep.ts'
import type { Parts } from './parts.ts'
import { deleteCheckoutsBefore } from './payments/checkout-store.ts'
import { resumeErasures } from './proofs/erase-slices.ts'
import { deleteExpiredBefore, markExpired } from './proofs/expiry-store.ts'
import { deleteAuditBefore } from './sessions/audit.ts'
import { deleteSessionsBefore } from './sessions/session-store.ts'
import { deleteSignInsBefore } from './social/sign-in-store.ts'

export interface Sweep {
  stop(): Promise<void>
}

/** Setting up takes ten milliseconds, which the first requests should not wait for. */
const scheduledAfterMs = 1000
const oneDayMs = 86_400_000

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
  readonly sessions: number
  readonly socialSignIns: number
  readonly audit: number
  readonly numbers: number
  readonly buckets: number
}

export async function sweepOnce(parts: Parts): Promise<SweepResult> {
  const { db, now, config, limiter, log } = parts
  const at = now()
  const { batch } = config.sweep
  const result = {
    erased: await resumeErasures(parts),
    expired: await markExpired(db, at, batch),
    deleted: await deleteExpiredBefore(db, at, batch),
    // What was paid in the last minute of a session counts for so long.
    checkouts: await deleteCheckoutsBefore(db, at - config.payments.quoteMinutes * 60_000, batch),
    sessions: await deleteSessionsBefore(db, at, batch),
    socialSignIns: await deleteSignInsBefore(db, at, batch),
    ...(await sweepOAuth(parts)),
    audit: await deleteAuditBefore(db, at - config.auth.auditDays * oneDayMs, batch),
    numbers: await sweepNumbers(parts, batch),
    buckets: limiter.sweep(at),
  }
  log.debug('swept', result)
  return result
}
