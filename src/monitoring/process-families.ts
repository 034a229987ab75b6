/** Metrics of the process, under the names that Prometheus gives them everywhere, and of the build. */
import { readdir } from 'node:fs/promises'
import { type Distribution, openDistribution } from '../distribution.ts'
import { type Family, makeValue } from '../metric-family.ts'
import { version } from '../version.ts'

/** Measures how late the event loop comes to its work: what every request waits for beside its own. */
export interface LoopWatch {
  readonly lag: Distribution
  stop(): void
}

const everyMs = 100
const lagBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

export function watchLoop(): LoopWatch {
  const lag = openDistribution(lagBounds)
  let expectedAt = performance.now() + everyMs
  const timer = setInterval(() => {
    const at = performance.now()
    lag.note(Math.max(0, at - expectedAt) / 1000)
    expectedAt = at + everyMs
  }, everyMs)
  timer.unref()
  return { lag, stop: () => clearInterval(timer) }
}

export interface ProcessParts {
  /** Unix seconds. One value, because a restart is seen by its change. */
  readonly startedAtSeconds: number
  readonly loopLag: Distribution
  readonly recovery: string
}

/** Undefined where the system has no such folder. */
const countDescriptors = (): Promise<number | undefined> =>
  readdir('/proc/self/fd').then(
    (names) => names.length,
    () => undefined,
  )

async function readDescriptorLimit(): Promise<number | undefined> {
  const limits = await Bun.file('/proc/self/limits')
    .text()
    .catch(() => '')
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1])
  return Number.isNaN(limit) ? undefined : limit
}

export const processFamilies: readonly Family<ProcessParts>[] = [
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time that the process used.',
    read() {
      const { user, system } = process.cpuUsage()
      return makeValue((user + system) / 1e6)
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of the process.',
    read: () => makeValue(process.memoryUsage.rss()),
  },
  {
    name: 'process_open_fds',
    type: 'gauge',
    help: 'Open file descriptors.',
    read: async () => makeValue(await countDescriptors()),
  },
  {
    name: 'process_max_fds',
    type: 'gauge',
    help: 'The limit of open file descriptors.',
    read: async () => makeValue(await readDescriptorLimit()),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started.',
    read: ({ startedAtSeconds }) => makeValue(startedAtSeconds),
  },
  {
    name: 'proofgate_event_loop_lag_seconds',
    type: 'histogram',
    help: 'How late a timer of 100 ms ran.',
    read: ({ loopLag }) => [{ distribution: loopLag }],
  },
  {
    name: 'proofgate_build_info',
    type: 'gauge',
    help: 'Always 1. The labels name the version and the library that recovers public keys.',
    read: ({ recovery }) => [{ labels: { version, recovery }, value: 1 }],
  },
]
