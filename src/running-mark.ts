/**
 * A mark in the data folder while a server runs on it. The next start learns from it how the last run ended. A clean
 * stop removes it last of all. No state depends on it: a lost mark only leaves the end unknown.
 */
import { readFileSync, statSync } from 'node:fs'
import { chown, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locateDatabaseFile } from './db/db.ts'
import { findOwner } from './db/file-owner.ts'

export interface LastRun {
  readonly pid: number
  readonly version: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Changes with each start of the machine. Undefined where the system has none. */
  readonly bootId: string | undefined
  /** When the database file was changed, as the run saw it last, in Unix milliseconds. */
  readonly databaseAt: number | undefined
  /** The process's own note of its end, if any. */
  readonly ending: string | undefined
}

export interface RunningMark {
  /** Notes that the process still lives. */
  touch(): Promise<void>
  /** Says why the process ends. The mark then stays for the next start. */
  noteEnding(why: string): Promise<void>
  remove(): Promise<void>
}

/** The one ending that the next start tells in words of its own. */
export const endingOfSilentDisk = 'the disk did not answer, so the server ended itself'

/** How the run before ended, where it was not by a clean stop. Call it with the lock of the folder held. */
export function findUncleanEnd(folder: string): (LastRun & { readonly seenAt: number }) | undefined {
  const file = nameMarkFile(folder)
  try {
    const { pid, version, startedAt, bootId, databaseAt, ending } = JSON.parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof pid !== 'number' || typeof startedAt !== 'number') return undefined
    const readText = (value: unknown) => (typeof value === 'string' ? value : undefined)
    return {
      pid,
      version: readText(version) ?? '?',
      startedAt,
      bootId: readText(bootId),
      databaseAt: typeof databaseAt === 'number' ? databaseAt : undefined,
      ending: readText(ending),
      seenAt: statSync(file).mtimeMs,
    }
  } catch {
    // No mark, or a half-written one after a crash of the machine.
    return undefined
  }
}

/** Errors: those of the file system. */
export async function leaveMark(
  folder: string,
  run: Omit<LastRun, 'ending' | 'databaseAt'>,
  now: () => number,
): Promise<RunningMark> {
  const file = nameMarkFile(folder)
  const database = locateDatabaseFile(folder)
  const owner = findOwner(database)
  let isEndingNoted = false
  const readDatabaseTime = () =>
    stat(database).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
  let databaseAt = await readDatabaseTime()
  const write = async (mark: object): Promise<void> => {
    const aside = `${file}.${run.pid}`
    try {
      await writeFile(aside, `${JSON.stringify(mark)}\n`, { mode: 0o600 })
      if (owner) await chown(aside, owner.uid, owner.gid).catch(() => {})
      await rename(aside, file)
    } catch (error) {
      await rm(aside, { force: true }).catch(() => {})
      throw error
    }
  }
  await removeStrays(folder)
  await write({ ...run, databaseAt })
  return {
    async touch() {
      const changedAt = await readDatabaseTime()
      if (changedAt !== undefined && changedAt !== databaseAt && !isEndingNoted) {
        await write({ ...run, databaseAt: changedAt })
        databaseAt = changedAt
      }
      await utimes(file, now() / 1000, now() / 1000)
    },
    async noteEnding(why) {
      isEndingNoted = true
      await write({ ...run, databaseAt, ending: why })
    },
    async remove() {
      if (!isEndingNoted) await rm(file, { force: true })
    },
  }
}

/** Halves of marks that a kill or a full disk left. Only one process at a time has the lock of the folder. */
async function removeStrays(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^running\.json\.\d+$/.test(name)) await rm(join(folder, name), { force: true }).catch(() => {})
}

const nameMarkFile = (folder: string): string => join(folder, 'running.json')

export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
