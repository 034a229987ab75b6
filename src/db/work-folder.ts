/**
 * Folders in which a backup or an export is unpacked. They hold a whole database, and those of a restore the key. A lock in
 * each tells whether it is in use: the system releases it with the process, so that what a killed run has left can be
 * removed.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from './db.ts'
import { followLink, listImporting, listUnfinished, restoringMark } from './folder-state.ts'
import { nameLockFile, takeLock } from './lock.ts'

export interface WorkFolder {
  readonly path: string
  /** The folder stays, as that one. */
  release(path: string): void
  remove(): void
}

const lockBase = 'in-use'
const lockName = nameLockFile(lockBase)

/** The lock and what SQLite makes beside it: no part of what the folder holds. */
export const isOfLock = (name: string): boolean => name.startsWith(lockName)

/** `path` must not be there yet. */
export function makeWorkFolder(path: string): WorkFolder {
  mkdirSync(path, { mode: 0o700 })
  const lock = takeLock(join(path, lockBase))
  return {
    path,
    release(kept) {
      lock.release()
      for (const name of readdirSync(kept).filter(isOfLock)) rmSync(join(kept, name), { force: true })
    },
    remove() {
      lock.release()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** One that cannot be looked at counts as locked. */
function isLocked(path: string): boolean {
  if (!existsSync(join(path, lockName))) return false
  try {
    takeLock(join(path, lockBase)).release()
    return false
  } catch {
    return existsSync(path)
  }
}

/** Longer than from the making of a folder to its lock. */
const unlockedForMs = 3_600_000

function isInUse(path: string, now: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  const isNew = found !== undefined && now - found.mtimeMs < unlockedForMs && !existsSync(join(path, lockName))
  return isNew || isLocked(path)
}

/** Of an export or import that passes through a tar file. */
export const nameExchangeFolder = (beginning: string): string => `${beginning}-${randomBytes(8).toString('hex')}`

const exchangeForm = /(?:^|[/\\.])(?:im|ex)port-[0-9a-f]{16}$/

const listInside = (place: string, form: RegExp): readonly string[] =>
  (existsSync(place) ? readdirSync(place) : []).filter((name) => form.test(name)).map((name) => join(place, name))

/** Those of exports and imports: in the data folder, or beside one that is not there yet. */
const listExchangeFolders = (folder: string): readonly string[] => [
  ...listImporting(folder).filter((path) => exchangeForm.test(path)),
  ...listInside(followLink(folder), exchangeForm),
]

/** Those on this data folder, in use or not. */
const listWorkFolders = (folder: string): readonly string[] => [
  ...listUnfinished(folder),
  ...listInside(followLink(folder), /^(restoring|drill)-\d/),
  ...listExchangeFolders(folder),
]

/** The folder of a restore that is under way, if there is one. */
export const findRunningRestore = (folder: string): string | undefined =>
  listWorkFolders(folder).find((path) => /restoring-[^/\\]*$/.test(path) && isLocked(path))

const trialBeginning = 'proofgate-drill-'

/** Of a trial where there is no data folder. */
export const nameTrialFolder = (place: string, ending: string): string => join(place, trialBeginning + ending)

/** Those of killed runs. None while one of them may be all that tells of a restore that was cut off. */
export function listLeftovers(folder: string, now: number): readonly string[] {
  const place = followLink(folder)
  const isCutOff = !existsSync(locateDatabaseFile(place)) || existsSync(join(place, restoringMark))
  return isCutOff ? [] : listWorkFolders(folder).filter((path) => !isInUse(path, now))
}

/** Returns what was removed. */
export const removeLeftovers = (folder: string, now: number): readonly string[] =>
  listLeftovers(folder, now).filter(removeFolder)

/** Those of exports and imports alone, which may be all that there is. */
export function removeExchangeLeftovers(folder: string, now: number): void {
  for (const path of listExchangeFolders(folder)) if (!isInUse(path, now)) removeFolder(path)
}

/** One of another user stays, and doctor goes on telling it: a backup must not fail for it. */
function removeFolder(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

/** Those of killed drills that had no data folder. Those of other users are left alone. */
export function removeTrials(place: string, now: number): void {
  for (const name of readdirSync(place).filter((one) => one.startsWith(trialBeginning))) {
    const path = join(place, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.() && !isInUse(path, now))
      removeFolder(path)
  }
}
