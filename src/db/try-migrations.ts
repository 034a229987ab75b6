/**
 * Runs the pending migrations on a copy of the database, beside a server of an older version that may be running, and
 * compares the copy before and after. The database itself is only read.
 */
import type { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { closeKeepingLog, openConnection } from './connection.ts'
import { locateDatabaseFile, makeReader } from './db.ts'
import { nameLogFile } from './file-names.ts'
import { makeEmptyLike } from './file-owner.ts'
import { findLosses, type Loss } from './former-losses.ts'
import { listApplied, MigrationError, migrate, planMigrations } from './migrate.ts'
import { migrations as allMigrations, type Migration } from './migrations.ts'

/** The check itself cannot be made. The message says why. */
export class TrialError extends Error {
  override readonly name = 'TrialError'
}

export interface TrialOptions {
  readonly now: number
  readonly migrations?: readonly Migration[]
  /** Receives what is done at this moment. */
  readonly tell?: (what: TrialStep) => void
}

export type TrialStep =
  | { readonly kind: 'plan'; readonly at: string | undefined; readonly names: readonly string[] }
  | { readonly kind: 'copied'; readonly bytes: number; readonly ms: number }
  | { readonly kind: 'applied'; readonly name: string; readonly ms: number }

export interface Trial {
  /** The newest migration of the database. */
  readonly at: string | undefined
  /** The migrations that the next start applies, in order, with the time of each on the copy. */
  readonly migrations: readonly { readonly name: string; readonly ms: number }[]
  /** Migrations that the database holds in an earlier form, which the next start changes. */
  readonly former: readonly string[]
  readonly copyMs: number
  /** How much longer the next start takes. */
  readonly migrateMs: number
  readonly changes: Changes
  readonly losses: readonly Loss[]
  /** Room on the disk that the migrations need for a time. */
  readonly neededBytes: number
  readonly freeBytes: number
}

export interface Changes {
  readonly tables: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly altered: readonly string[]
  }
  /** Tables whose number of rows changes. */
  readonly rows: readonly { readonly table: string; readonly before: number; readonly after: number }[]
}

const oneMiB = 1_048_576
const cacheBytes = 16 * oneMiB
const spareBytes = 16 * oneMiB

/**
 * Undefined where nothing is pending. Errors: MigrationError where the next start would fail, TrialError, SQLiteError, those
 * of the file system.
 */
export async function tryMigrations(
  folder: string,
  { now, migrations = allMigrations, tell = () => {} }: TrialOptions,
): Promise<Trial | undefined> {
  removeCopies(folder)
  const file = locateDatabaseFile(folder)
  const source = openConnection({ file, cacheBytes, walLimitBytes: oneMiB, isReader: true })
  const copies = join(folder, `${copyPrefix}${process.pid}`)
  try {
    const { pending, former } = planMigrations(source, migrations)
    const at = listApplied(source).at(-1)
    tell({ kind: 'plan', at, names: pending })
    if (pending.length + former.length === 0) return undefined
    requireRoom(source, folder)
    giveWay()
    mkdirSync(copies, { mode: 0o700 })
    const copy = locateDatabaseFile(copies)
    const copyMs = measure(() => copyDatabase(source, file, copy))
    tell({ kind: 'copied', bytes: statSync(copy).size, ms: copyMs })
    return { at, former, copyMs, ...(await migrateCopy(copy, { now, migrations, tell })) }
  } finally {
    // The log is left to the server, which may need it after a crash.
    closeKeepingLog(source)
    rmSync(copies, { recursive: true, force: true })
  }
}

const copyPrefix = 'upgrade-check-'

/** Removes the copies of checks that were killed: they hold what was stored then. */
export function removeCopies(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^upgrade-check-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The server comes first, at the processor and, by the rules of Linux, at the disk. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Not every system has priorities.
  }
}

/** Errors: TrialError. */
function requireRoom(source: Database, folder: string): void {
  const { bytes } = source
    .query<{ bytes: number }, []>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
    )
    .get() ?? { bytes: 0 }
  // The copy, and its log: migrations may write every table anew.
  const needed = 2 * bytes + spareBytes
  const free = readFree(folder)
  if (free < needed)
    throw new TrialError(
      `the disk of the data folder ${folder} has ${Math.floor(free / oneMiB)} MiB free, and the copy needs up to ${Math.ceil(needed / oneMiB)} MiB: free some space there, or copy the folder to a larger disk while no server runs, and name it with PROOFGATE_DATA. Nothing was changed`,
    )
}

function readFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function measure(work: () => void): number {
  const startedAt = performance.now()
  work()
  return Math.ceil(performance.now() - startedAt)
}

/** One state of the database, whatever a server writes in the meantime. */
function copyDatabase(source: Database, file: string, copy: string): void {
  makeEmptyLike(file, copy)
  // It writes no byte to the database, and is refused all the same.
  source.run('PRAGMA query_only = OFF')
  source.run('VACUUM INTO ?', [copy])
}

async function migrateCopy(
  copy: string,
  { now, migrations, tell }: Required<TrialOptions>,
): Promise<Omit<Trial, 'at' | 'former' | 'copyMs'>> {
  const db = openConnection({ file: copy, cacheBytes, walLimitBytes: oneMiB })
  try {
    const losses = await findLosses(makeReader(db), now)
    const before = describeContent(db)
    const applied: { name: string; ms: number }[] = []
    const bytesBefore = statSync(copy).size
    let since = performance.now()
    const migrateMs = measure(() => {
      migrate(db, migrations, now, (name) => {
        applied.push({ name, ms: Math.ceil(performance.now() - since) })
        tell({ kind: 'applied', ...applied.at(-1)! })
        since = performance.now()
      })
    })
    const logBytes = statSync(nameLogFile(copy)).size
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    requireSound(db)
    return {
      migrations: applied,
      migrateMs,
      changes: compareContent(before, describeContent(db)),
      losses,
      neededBytes: logBytes + Math.max(0, statSync(copy).size - bytesBefore),
      freeBytes: readFree(dirname(copy)),
    }
  } finally {
    db.close()
  }
}

/** Errors: MigrationError. */
function requireSound(db: Database): void {
  const found = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()?.integrity_check
  if (found !== 'ok') throw new MigrationError(`the migrations would leave a damaged database (${found})`)
}

interface Content {
  /** The statement that makes each table. */
  readonly tables: ReadonlyMap<string, string>
  readonly counts: ReadonlyMap<string, number>
}

function describeContent(db: Database): Content {
  const tables = db
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'migrations'",
    )
    .all()
  const count = (name: string): number =>
    db.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${name}"`).get()?.count ?? 0
  return {
    tables: new Map(tables.map(({ name, sql }) => [name, sql])),
    counts: new Map(tables.map(({ name }) => [name, count(name)])),
  }
}

function compareContent(before: Content, after: Content): Changes {
  const names = [...new Set([...before.tables.keys(), ...after.tables.keys()])].sort()
  return {
    tables: {
      added: names.filter((name) => !before.tables.has(name)),
      removed: names.filter((name) => !after.tables.has(name)),
      altered: names.filter(
        (name) =>
          before.tables.has(name) && after.tables.has(name) && before.tables.get(name) !== after.tables.get(name),
      ),
    },
    rows: names.flatMap((table) => {
      const [had, has] = [before.counts.get(table) ?? 0, after.counts.get(table) ?? 0]
      return had === has ? [] : [{ table, before: had, after: has }]
    }),
  }
}
