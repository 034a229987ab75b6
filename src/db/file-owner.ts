/** The owner of a data folder's files: a command that root runs must not take them from the server's user. */
import { chmodSync, chownSync, closeSync, openSync, statSync } from 'node:fs'

/** An empty file with owner, group and mode of another one. Errors: those of the file system. */
export function makeEmptyLike(model: string, file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
  const { uid, gid, mode } = statSync(model)
  const made = statSync(file)
  // Some file systems keep no owners and no modes, and refuse to be told any.
  if (made.uid !== uid || made.gid !== gid) chownSync(file, uid, gid)
  // After the owner: a change of that clears bits of the mode.
  const asModel = mode & 0o777
  if ((made.mode & 0o777) !== asModel) chmodSync(file, asModel)
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The owner for files that root makes beside the database, as for SQLite's side files. */
export function findOwner(databaseFile: string): Owner | undefined {
  if (process.geteuid?.() !== 0) return undefined
  try {
    return statSync(databaseFile)
  } catch {
    return undefined
  }
}

export function giveToOwner(databaseFile: string, file: string): void {
  const owner = findOwner(databaseFile)
  try {
    if (owner) chownSync(file, owner.uid, owner.gid)
  } catch {
    // A root that may not do this: the next start names the file that it cannot use.
  }
}

/**
 * Call it before SQLite opens the file, whose owner gets the journal too. A file that is there is not opened: closing it
 * would drop the locks of this process.
 */
export function makeForOwner(databaseFile: string, file: string): void {
  if (findOwner(databaseFile) === undefined) return
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // The file exists already, or SQLite will report why it cannot be created.
  }
  giveToOwner(databaseFile, file)
}
