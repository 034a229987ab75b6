/** What the last run of another version on this database was: kept with the jobs, as a sentence that is read again. */
import { Database } from 'bun:sqlite'
import type { Db } from '../db/db.ts'
import { type KnownJobRun, listJobRuns, noteJobRun, selectUpgrade } from './store.ts'

export interface Upgrade {
  /** Null for the first version of which it is known that it ran here. */
  readonly from: string | null
  readonly to: string
  /** How many migrations belonged to it. */
  readonly migrations: number
  /** Why it did not happen. */
  readonly fault?: string
}

export interface StartedVersion {
  readonly version: string
  readonly migrations: number
  readonly tookMs: number
  /** Unix milliseconds. */
  readonly at: number
}

const writeUpgrade = ({ from, to, migrations, fault }: Upgrade): string =>
  `${from ?? 'none'} to ${to}, ${migrations} ${migrations === 1 ? 'migration' : 'migrations'}${fault === undefined ? '' : `: ${fault}`}`

const form = /^(\S+) to (\S+), (\d+) migrations?(?:: (.*))?$/s

/** Undefined for a row that a version writes which does not exist yet. */
export function readUpgrade({ says }: Pick<KnownJobRun, 'says'>): Upgrade | undefined {
  const [, from, to, migrations, fault] = form.exec(says) ?? []
  if (from === undefined || to === undefined) return undefined
  return { from: from === 'none' ? null : from, to, migrations: Number(migrations), ...(fault ? { fault } : {}) }
}

/**
 * Notes a version that is another one than the last, also an older one, or that changed the form of the database. Never
 * throws: a full or failing disk is told by others, and the next start notes it.
 */
export async function noteStartedVersion(db: Db, started: StartedVersion): Promise<void> {
  try {
    const { upgrade: run } = await listJobRuns(db)
    const from = findCurrent(run)
    if (from === started.version && started.migrations === 0) return
    await db.write([makeNote(started, { from, to: started.version, migrations: started.migrations })], 'free')
  } catch {
    // The start goes on without the note.
  }
}

/**
 * Notes that the form of the database could not be changed. It has its old form, in which this table may be missing.
 * Never throws: the fault itself is told by others.
 */
export async function noteFailedUpgrade(
  file: string,
  { fault, ...started }: StartedVersion & { readonly fault: string },
): Promise<void> {
  try {
    const db = new Database(file, { readwrite: true, create: false })
    try {
      db.run('PRAGMA busy_timeout = 1000')
      const stored = db.query<{ says: string; isGood: number }, []>(selectUpgrade).get()
      const from = findCurrent(stored ? { says: stored.says, isGood: stored.isGood === 1 } : undefined)
      const { sql, params = [] } = makeNote(started, {
        from,
        to: started.version,
        migrations: started.migrations,
        fault,
      })
      db.run(sql, [...params])
    } finally {
      db.close()
    }
  } catch {
    // An older form, a full disk: then the log alone has it.
  }
}

const makeNote = ({ at, tookMs }: StartedVersion, upgrade: Upgrade) =>
  noteJobRun({ job: 'upgrade', endedAt: at, tookMs, isGood: upgrade.fault === undefined, says: writeUpgrade(upgrade) })

function findCurrent(run: Pick<KnownJobRun, 'says' | 'isGood'> | undefined): string | null {
  const last = run && readUpgrade(run)
  if (!last) return null
  return run.isGood ? last.to : last.from
}
