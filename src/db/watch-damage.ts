/**
 * Looks for damage of the database: slowly over all of it, once in a while, and at once when a statement met some. What
 * is found stands as a condition until the next start.
 */
import type { Conditions } from '../conditions.ts'
import { isExecutable } from '../executable.ts'
import type { Damage } from './page-check.ts'

export interface CheckQuestion {
  readonly file: string
  readonly pauseMs: number
}
export type CheckAnswer = { readonly damage: Damage } | { readonly done: true } | { readonly failed: string }

export interface DamageWatch {
  /** A statement met damage. */
  note(): void
  /** Call it when the start is done. Until then damage is only remembered: a start that fails tells it as its error. */
  beginTelling(): void
  /** When the newest check that read everything ended, in Unix milliseconds. */
  lastWholeCheck(): number | undefined
  /** Reads everything now, or goes on with what is under way. */
  check(): Promise<void>
  stop(): void
}

export interface WatchOptions {
  /** Undefined for a database in memory, which has no pages to lose. */
  readonly file: string | undefined
  readonly conditions: Conditions
  readonly now: () => number
  /** 0: only when a statement met damage. */
  readonly everyHours: number
  readonly pauseMs?: number
}

/** So that a machine that has just started has other things to do. */
const firstCheckMs = 600_000
/** Keeps the thread at a few percent of one core. */
const usualPauseMs = 20
const oneHourMs = 3_600_000

const threadEntry = new URL(isExecutable ? './db/check-thread.ts' : './check-thread.ts', import.meta.url)

export function watchDamage({ file, conditions, now, everyHours, pauseMs = usualPauseMs }: WatchOptions): DamageWatch {
  const damaged = new Set<string>()
  let endedAt: number | undefined
  let running: Promise<void> | undefined
  let thread: Worker | undefined
  let isStopped = false
  let isTelling = false
  let isNoted = false

  const begin = (): void =>
    conditions.begin({
      name: 'database-damaged',
      // Told when the first table is known, and not again for each further one.
      cause: damaged.size > 0 ? 'table known' : 'table unknown',
      level: 'failing',
      says:
        damaged.size > 0
          ? `the database is damaged (table ${[...damaged].join(', ')})`
          : 'the database is damaged (in which table is not known yet)',
      mend: 'stop the server, keep a copy of the data folder as it is, see to the disk, and restore a backup',
    })

  function readAll(name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const asked = new Worker(threadEntry)
    thread = asked
    asked.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
      if ('damage' in data) {
        damaged.add(data.damage.table)
        return begin()
      }
      if ('done' in data) {
        endedAt = now()
        conditions.end('database-unchecked')
      } else beginUnchecked()
      asked.terminate()
    }
    asked.onerror = () => {
      beginUnchecked()
      asked.terminate()
    }
    asked.addEventListener('close', () => resolve())
    asked.postMessage({ file: name, pauseMs } satisfies CheckQuestion)
    return promise
  }

  const beginUnchecked = (): void =>
    conditions.begin({
      name: 'database-unchecked',
      level: 'warning',
      says: 'the check of the whole database could not be brought to an end',
      mend: 'see the other conditions and the log of the kernel for faults of the disk; it is tried again at the next turn',
    })

  const check = async (): Promise<void> => {
    if (file === undefined || isStopped) return
    running ??= readAll(file).finally(() => {
      running = undefined
    })
    return running
  }

  function note(): void {
    isNoted = true
    if (!isTelling) return
    const isNew = !conditions.list().some(({ name }) => name === 'database-damaged')
    begin()
    if (isNew) void check()
  }

  const timers =
    file === undefined || everyHours === 0
      ? []
      : [setTimeout(check, firstCheckMs), setInterval(check, everyHours * oneHourMs)]
  for (const timer of timers) timer.unref()

  return {
    check,
    lastWholeCheck: () => endedAt,
    note,
    beginTelling() {
      isTelling = true
      if (isNoted) note()
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      thread?.terminate()
    },
  }
}
