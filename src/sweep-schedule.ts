/**
 * Runs the sweep at the times of a cron line, by the machine's clock. node-cron only computes the times. The timer of
 * the library waits as long as the clock was set back. After a jump ahead it visits every skipped time.
 */
import { createTask, type ScheduledTask } from 'node-cron'
import { toleratedJumpMs } from './clock.ts'
import type { Parts } from './parts.ts'

export interface SweepSchedule {
  /** Milliseconds between the next two runs. */
  readInterval(): number
  stop(): Promise<void>
}

/** Setting up takes ten milliseconds, which the first requests should not wait for. */
const startedAfterMs = 1000
/** Soon after the clock was set, the next time is computed anew. */
const longestWaitMs = 5_000

type ScheduleParts = Pick<Parts, 'config' | 'log' | 'now' | 'readUptime'>

export function scheduleSweep(
  { config, log, now, readUptime }: ScheduleParts,
  run: () => Promise<void>,
): SweepSchedule {
  let running: Promise<void> | undefined
  let isStopped = false
  let timer = setTimeout(start, startedAfterMs)
  // Made once and never started: the library keeps a list of all that were made.
  let task: ScheduledTask | undefined
  const listNextRuns = (): readonly [number, number] => {
    task ??= createTask(config.sweep.schedule, () => {}, { timezone: 'UTC' })
    const [first, second] = task.getNextRuns(2)
    return [first!.getTime(), second!.getTime()]
  }

  function start(): void {
    let [next, afterNext] = listNextRuns()
    let offset = now() - readUptime()
    const wait = (): void => {
      const leftMs = next - now()
      // Never negative, which would loop forever when a test has its own clock.
      timer = setTimeout(look, leftMs > 0 ? Math.min(longestWaitMs, leftMs) : longestWaitMs)
    }
    const look = (): void => {
      const at = now()
      const isSet = Math.abs(at - readUptime() - offset) > toleratedJumpMs
      offset = at - readUptime()
      const isDue = at >= next
      if (isDue && (running || (at >= afterNext && !isSet))) tellLeftOut(log, at >= afterNext ? afterNext : next)
      if (isDue) begin()
      if (isDue || isSet) [next, afterNext] = listNextRuns()
      wait()
    }
    wait()
  }

  function begin(): void {
    if (isStopped) return
    running ??= run().finally(() => {
      running = undefined
    })
  }

  return {
    readInterval() {
      const [first, second] = listNextRuns()
      return second - first
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await task?.destroy()
      await running
    },
  }
}

const tellLeftOut = (log: Parts['log'], dueAt: number): void =>
  log.count({
    level: 'warn',
    event: 'sweep-skipped',
    message: 'a sweep was left out: its time came while the process stood still, or while another was under way',
    fields: {
      dueAt: new Date(dueAt).toISOString(),
      mend: 'the next one does its work too; if this stays, see what keeps the processor or the disk busy',
    },
  })
