/**
 * Searches the database for damage: slowly and regularly, and at once after a statement met some. SQLite also reports a
 * failed disk read as damage, so the statement's error is a suspicion. The check names the tables, or ends the
 * condition after a complete read without findings.
 */
import type { Condition, Conditions } from '../conditions.ts'
import { isExecutable } from '../executable.ts'
import type { Damage } from './page-check.ts'
import type { StoreRule } from './store-rule.ts'

export interface CheckQuestion {
  readonly file: string
  readonly pauseMs: number
  /**
   * When no slice finds damage, also checks the parts outside them: partial indexes, free pages. This check is one long
   * read.
   */
  readonly isThorough: boolean
  readonly rules: readonly StoreRule[]
  /** How long a rule that does not hold is given, before it is looked at again. */
  readonly confirmMs: number
}
export type CheckAnswer =
  | { readonly damage: Damage }
  /** A rule that does not hold, with a row of it. */
  | { readonly broken: string }
  | { readonly done: true }
  | { readonly failed: string }

export interface DamageWatch {
  /** A statement met damage. */
  note(): void
  /** Call it when the start is done. Until then damage is only remembered: a start that fails tells it as its error. */
  beginTelling(): void
  /** Why nothing may be written: a table is known to be damaged, or a rule does not hold. What is written now would be lost. */
  lossToPrevent(): string | undefined
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
  /** What has to hold between rows. SQLite does not know it. */
  readonly rules?: readonly StoreRule[]
  readonly confirmMs?: number
  readonly pauseMs?: number
  /** After a check that could not read everything. One that found damage is followed by another after six times as long. */
  readonly againMs?: number
}

/** So that a machine that has just started has other things to do. */
const firstCheckMs = 600_000
/** Keeps the thread at a few percent of one core. */
const usualPauseMs = 20
const usualAgainMs = 10_000
const usualConfirmMs = 5_000
const oneHourMs = 3_600_000

const threadEntry = new URL(isExecutable ? './db/check-thread.ts' : './check-thread.ts', import.meta.url)

export function watchDamage({
  file,
  conditions,
  now,
  everyHours,
  rules = [],
  confirmMs = usualConfirmMs,
  pauseMs = usualPauseMs,
  againMs = usualAgainMs,
}: WatchOptions): DamageWatch {
  /** By the newest check that found some. */
  let damaged: ReadonlySet<string> = new Set()
  /** Rules that do not hold, by the newest check that came to them. */
  let broken: readonly string[] = []
  let notes = 0
  let endedAt: number | undefined
  let running: Promise<void> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let thread: Worker | undefined
  let isStopped = false
  let isTelling = false
  let isNoted = false

  const stands = (): boolean => conditions.stood(name, 0)
  const begin = (): void => conditions.begin(damaged.size > 0 ? describeDamage(damaged) : suspicion)

  /** Whether everything was read. */
  function readAll(
    question: CheckQuestion,
    onDamage: (table: string) => void,
    onBroken: (says: string) => void,
  ): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const asked = new Worker(threadEntry)
    thread = asked
    asked.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
      if ('damage' in data) return onDamage(data.damage.table)
      if ('broken' in data) return onBroken(data.broken)
      resolve('done' in data)
      asked.terminate()
    }
    asked.onerror = () => asked.terminate()
    asked.addEventListener('close', () => resolve(false))
    asked.postMessage(question)
    return promise
  }

  async function checkOnce(checked: string): Promise<void> {
    const notesBefore = notes
    const isThorough = stands()
    const found = new Set<string>()
    const said: string[] = []
    const isWhole = await readAll(
      { file: checked, pauseMs, isThorough, rules, confirmMs },
      (table) => {
        found.add(table)
        damaged = found
        begin()
      },
      (says) => {
        said.push(says)
        broken = said
        conditions.begin(describeBroken(said))
      },
    )
    if (isStopped) return
    if (isWhole) {
      endedAt = now()
      conditions.end(unchecked.name)
    } else conditions.begin(unchecked)
    if (isWhole && said.length === 0 && found.size === 0) {
      broken = said
      conditions.end(brokenName)
    }
    if (isWhole && isThorough && found.size === 0 && notes === notesBefore) {
      damaged = found
      conditions.end(name)
    }
    if (!stands()) {
      if (broken.length > 0) checkAgain(6 * againMs)
      return
    }
    // Met while a check was under way that began without a suspicion: it may have been past the place.
    if (!isThorough && found.size === 0) return checkOnce(checked)
    checkAgain(found.size > 0 ? 6 * againMs : againMs)
  }

  function checkAgain(ms: number): void {
    again = setTimeout(check, ms)
    again.unref()
  }

  async function check(): Promise<void> {
    if (file === undefined || isStopped) return
    clearTimeout(again)
    running ??= checkOnce(file).finally(() => {
      running = undefined
    })
    return running
  }

  function note(): void {
    isNoted = true
    notes++
    if (!isTelling) return
    const isNew = !stands()
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
    lossToPrevent: () =>
      damaged.size > 0
        ? 'the database of this server is damaged, so that it only reads until it is restored'
        : broken.length > 0
          ? 'the database of this server contradicts itself, so that it only reads until the operator has seen to it'
          : undefined,
    lastWholeCheck: () => endedAt,
    note,
    beginTelling() {
      isTelling = true
      if (isNoted) note()
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      clearTimeout(again)
      thread?.terminate()
    },
  }
}

const name = 'database-damaged'

const suspicion: Condition = {
  name,
  // Told again when the first table is known, and not for each further one.
  cause: 'suspicion',
  level: 'failing',
  says: 'a read met damage of the database, or an error of the disk that looks like it: all of the database is being checked',
  mend: 'look at the log of the system (dmesg) for the disk that holds the data folder. It ends by itself when the check finds nothing; else the log names the table',
}

const describeDamage = (tables: ReadonlySet<string>): Condition => ({
  name,
  cause: 'table known',
  level: 'failing',
  says: `the database is damaged (table ${[...tables].join(', ')})`,
  mend: 'stop the server, which writes nothing any more, keep a copy of the data folder as it is, see to the disk, and restore a backup (proofgate restore). It ends by itself only when a later check finds nothing',
})

const brokenName = 'rule-broken'

const describeBroken = (said: readonly string[]): Condition => ({
  name: brokenName,
  // Told again for each further rule.
  cause: said.join('; '),
  level: 'failing',
  says: `the database contradicts itself (${said.join('; ')})`,
  mend: 'stop the server, which writes nothing any more, keep a copy of the data folder as it is, find out what wrote to the database besides this server, and restore a backup (proofgate restore). If nothing did, report this sentence. It ends by itself only when a later check finds nothing',
})

const unchecked: Condition = {
  name: 'database-unchecked',
  level: 'warning',
  says: 'the check of the whole database could not be brought to an end',
  mend: 'see the other conditions and the log of the kernel for faults of the disk; it is tried again at the next turn',
}
