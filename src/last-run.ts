/** Whether the run before is over, and left its files as they are. Asked before anything of the folder is opened. */
import { readdirSync, statSync } from 'node:fs'
import { locateDatabaseFile } from './db/db.ts'
import { nameLogFile } from './db/file-names.ts'
import { DataFolderError } from './db/folder-state.ts'
import { identifyFile } from './db/kept-files.ts'
import { LockedError, takeLock } from './db/lock.ts'
import { findUncleanEnd, type LastRun, readBootId } from './running-mark.ts'

/** The mark is touched every 10 seconds. */
const unsureMs = 60_000

/**
 * Throws LockedError when the process of the last run still has the database open. Throws DataFolderError when the log
 * belongs to another database than the one beside it. SQLite would silently write the old pages over it.
 */
export function requireLastRunEnded(folder: string): void {
  const last = findUncleanEnd(folder)
  if (!last) return
  const file = locateDatabaseFile(folder)
  if (findHolder(last, file) === 'holds') {
    // One that is held says more, and is what is mostly met.
    takeLock(file).release()
    throw new LockedError(
      `process ${last.pid} still runs on this data folder, though its lock was removed: stop it first`,
    )
  }
  requireOwnLog(file, last)
}

/** The second half, for a look beside a server that may be running. Changes nothing. Errors: DataFolderError. */
export function requireLogOfLastRun(folder: string): void {
  const last = findUncleanEnd(folder)
  const file = locateDatabaseFile(folder)
  if (last && findHolder(last, file) !== 'holds') requireOwnLog(file, last)
}

function requireOwnLog(file: string, last: Pick<LastRun, 'databaseAt'> & { readonly seenAt: number }): void {
  const log = statSync(nameLogFile(file), { throwIfNoEntry: false })
  const database = statSync(file, { throwIfNoEntry: false })
  if (!log || log.size === 0 || !database) return
  if (!wasPutBack({ databaseAt: database.mtimeMs, logAt: log.mtimeMs }, last)) return
  throw new DataFolderError(
    `${file} is not as the last run left it, and the log of that run still lies beside it`,
    `if you restored a backup of the database alone, move ${nameLogFile(file)} and ${file}-shm away; if not, remove running.json and start again`,
  )
}

/**
 * The time of the files' last content change, in Unix milliseconds. A change of owner, rights or name does not count.
 */
interface ChangeTimes {
  readonly databaseAt: number
  readonly logAt: number
}

/** Some file systems keep times in steps of 2 seconds. */
const timeStepMs = 2_000

/**
 * Whether the database alone was replaced. It changed later than its log and the last sign of the run, or it is older
 * than the run has seen. The latter happens when a copy keeps its time (cp -a, tar, rsync).
 */
export const wasPutBack = (
  { databaseAt, logAt }: ChangeTimes,
  last: Pick<LastRun, 'databaseAt'> & { readonly seenAt: number },
): boolean => {
  // A copy of a large folder gives each file its own time, and an older folder has an older log.
  if (databaseAt > Math.max(last.seenAt, logAt) + unsureMs) return true
  const seen = (last.databaseAt ?? Number.NEGATIVE_INFINITY) - timeStepMs
  return databaseAt < seen && logAt >= seen
}

/** 'alive': a process of this number runs, and its open files cannot be seen. */
export type Holder = 'holds' | 'alive' | 'none'

/** Never throws. The number alone proves nothing: the system gives it to others, and each container counts anew. */
export function findHolder({ pid, bootId }: Pick<LastRun, 'pid' | 'bootId'>, file: string): Holder {
  if (pid === process.pid || (bootId !== undefined && bootId !== readBootId()) || !isAlive(pid)) return 'none'
  const database = identifyFile(file)
  if (database === undefined) return 'none'
  try {
    const opened = `/proc/${pid}/fd`
    return readdirSync(opened).some((name) => identifyIfThere(`${opened}/${name}`) === database) ? 'holds' : 'none'
  } catch {
    return isAlive(pid) ? 'alive' : 'none'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** It may be closed between the two looks. */
function identifyIfThere(path: string): string | undefined {
  try {
    return identifyFile(path)
  } catch {
    return undefined
  }
}
