/**
 * Runs work at the times of a cron line, by the machine's clock. node-cron only computes the times. The timer of
 * the library waits as long as the clock was set back. After a jump ahead it visits every skipped time.
 */
import { createTask, type ScheduledTask } from 'node-cron'
import { toleratedJumpMs } from './clock.ts'
import type { Parts } from './parts.ts'

export interface Scheduled {
  /** Milliseconds between the next two runs. */
  readInterval(): number
  stop(): Promise<void>
}

/** Setting up takes ten milliseconds, which the first requests should not wait for. */
const startedAfterMs = 1000
/** Soon after the clock was set, the next time is computed anew. */
const longestWaitMs = 5_000

type ScheduleParts = Pick<Parts, 'now' | 'readUptime'>

export interface Work {
  /** Five fields, in UTC. */
  readonly line: string
  run(): Promise<void>
  /** Its time came while the process stood still, or while another run was under way. Unix milliseconds. */
  tellLeftOut(dueAt: number): void
}

export function scheduleWork({ now, readUptime }: ScheduleParts, { line, run, tellLeftOut }: Work): Scheduled {
  let running: Promise<void> | undefined
  let isStopped = false
  let timer = setTimeout(start, startedAfterMs)
  // Made once and never started: the library keeps a list of all that were made.
  let task: ScheduledTask | undefined
  const listNextRuns = (): readonly [number, number] => {
    task ??= createTask(line, () => {}, { timezone: 'UTC' })
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
      if (isDue && (running || (at >= afterNext && !isSet))) tellLeftOut(at >= afterNext ? afterNext : next)
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
