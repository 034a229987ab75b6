/** Whether the run before is over, and left its files as they are. Asked before anything of the folder is opened. */
import { readdirSync, statSync } from 'node:fs'
import { databaseFileIn } from './db/db.ts'
import { DataFolderError } from './db/folder-state.ts'
import { identifyFile, nameLogFile } from './db/kept-files.ts'
import { LockedError, takeLock } from './db/lock.ts'
import { findUncleanEnd, type LastRun, readBootId } from './running-mark.ts'

/** The mark is touched every 10 seconds. */
const unsureMs = 60_000

/**
 * Throws LockedError where the process of the last run still has the database open, and DataFolderError where its log
 * belongs to another database than the one beside it: SQLite would write the old pages over it without a word.
 */
export function requireLastRunOver(folder: string): void {
  const last = findUncleanEnd(folder)
  if (!last) return
  const file = databaseFileIn(folder)
  if (findHolder(last, file) === 'holds') {
    // One that is held says more, and is what is mostly met.
    takeLock(file).release()
    throw new LockedError(
      `process ${last.pid} still runs on this data folder, though its lock was removed: stop it first`,
    )
  }
  requireOwnLog(file, last.seenAt)
}

function requireOwnLog(file: string, seenAt: number): void {
  const log = statSync(nameLogFile(file), { throwIfNoEntry: false })
  const database = statSync(file, { throwIfNoEntry: false })
  if (!log || log.size === 0 || !database || !wasPutBack(database, log, seenAt)) return
  throw new DataFolderError(
    `${file} was changed after the last run ended, and the log of that run still lies beside it`,
    `if you restored a backup, move ${nameLogFile(file)} and ${file}-shm away; if not, remove running.json and start again`,
  )
}

/** In Unix milliseconds: when the content was changed, and when anything of the file was. */
export type FileTimes = Readonly<Record<'mtimeMs' | 'ctimeMs', number>>

/** A restored file may have its old mtime (cp -a, tar, rsync); nobody can choose its ctime. */
const readNewest = ({ mtimeMs, ctimeMs }: FileTimes): number => Math.max(mtimeMs, ctimeMs)

/** Whether the database was changed later than its log and the last sign of the run: a copy of the whole folder changes both. */
export const wasPutBack = (database: FileTimes, log: FileTimes, seenAt: number): boolean =>
  readNewest(database) > Math.max(seenAt, readNewest(log)) + unsureMs

/** 'alive': a process of this number runs, and nobody can see what it has open. */
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
