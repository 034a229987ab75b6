/** Everything that is done again and again while the server runs, started and stopped in one place. */
import { startJournalKeeper } from './backup/journal-keeper.ts'
import { startKeeper } from './backup/keeper.ts'
import type { Clock } from './clock.ts'
import { reviewing } from './gates/fulfill/apply-review.ts'
import { openPaymentGates } from './gates/fulfill/payment-gates.ts'
import { openDiskWatch } from './health/watch-disk.ts'
import type { RunJob } from './jobs/run-job.ts'
import type { Parts } from './parts.ts'
import { paymentMethods } from './payments/index.ts'
import { openWatch, runWatch } from './payments/watch.ts'
import { watchOwed } from './payments/watch-owed.ts'
import { openFollow, runFollow } from './proofs/follow.ts'
import type { Outbox } from './publishing/outbox.ts'
import { runOutbox } from './publishing/outbox.ts'
import { type Repeated, repeat } from './repeat.ts'
import { startSweep } from './sweep.ts'
import { startUpkeep } from './upkeep.ts'

const metricsEveryMs = 10_000
const remindingEveryMs = 10_000
/** Within which a fault has to be found, and after which a heartbeat can be due. */
const storageEveryMs = 1_000
const clockEveryMs = 2_000
const diskEveryMs = 10_000
/** The reserve is made by the second look: a disk can fill up soon after the start. */
const reserveAfterMs = 1_000

export function startRecurring(parts: Parts, clock: Clock, outbox: Outbox, runJob?: RunJob): Repeated {
  const { conditions, log, metrics, storage } = parts
  const diskWatch = openDiskWatch(parts)
  const running: readonly Repeated[] = [
    startSweep(parts),
    startUpkeep(parts),
    startKeeper(parts, runJob),
    startJournalKeeper(parts),
    runOutbox(outbox, parts),
    runFollow(openFollow(parts), parts),
    ...[
      openWatch(parts, reviewing),
      ...paymentMethods.flatMap((method) => method.openWatches?.(parts, openPaymentGates(parts, method)) ?? []),
      watchOwed(parts),
    ].map((watch) => runWatch(watch, parts)),
    repeatBriefly(metricsEveryMs, () => metrics.flush()),
    repeatBriefly(storageEveryMs, () => storage.look()),
    repeatBriefly(clockEveryMs, () => checkClock(clock, log)),
    repeatBriefly(diskEveryMs, (signal) => diskWatch.look(signal)),
    runOnce(reserveAfterMs, (signal) => diskWatch.look(signal)),
    repeatBriefly(remindingEveryMs, async () => {
      conditions.remind()
      log.tellCounts()
    }),
  ]
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}

/** For work that a stop need not wait for. */
const repeatBriefly = (everyMs: number, look: (signal: AbortSignal) => Promise<void>): Repeated =>
  repeat({ everyMs, waitMs: 0, look })

const runOnce = (afterMs: number, work: (signal: AbortSignal) => Promise<void>): Repeated => {
  const stopping = new AbortController()
  const timer = setTimeout(() => work(stopping.signal), afterMs)
  return {
    async stop() {
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

/** Compares the clocks. A clock that cannot be stored stops nothing. */
export const checkClock = (clock: Clock, log: Parts['log']): Promise<void> => clock.look().catch(logUnstored(log))

/** For the next start. */
export const storeClock = (clock: Clock, log: Parts['log']): Promise<void> => clock.store().catch(logUnstored(log))

const logUnstored =
  (log: Parts['log']) =>
  (error: unknown): void =>
    log.count({
      level: 'error',
      event: 'clock-unstored',
      message: 'the clock could not be stored',
      error,
      fields: { mend: 'look at the disk of the data folder: it is stored again within a minute' },
    })
