/** Rewrites the database without its free pages, while no other process has it open. */
import type { Database } from 'bun:sqlite'
import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openConnection } from './connection.ts'
import { nameLogFile } from './file-names.ts'
import { makeEmptyLike } from './file-owner.ts'
import { takeLock } from './lock.ts'
import { isMigrated } from './migrate.ts'
import { findFaultKind } from './sqlite-errors.ts'
import { syncFile, syncFolder } from './sync-file.ts'

export class CompactError extends Error {
  override readonly name = 'CompactError'
}

export interface Compacted {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

const oneMiB = 1_048_576
/** For the directory, the journal and what the estimate leaves out. */
const spareBytes = 16 * oneMiB

/**
 * The copy stays beside the database until it is complete and on disk, and then replaces it in one step. An earlier end
 * leaves the old file unchanged. `tell` receives the needed space before any write. Errors: LockedError, CompactError,
 * DataFolderError, MigrationError, SQLiteError.
 */
export function compact(file: string, tell: (neededBytes: number, freeBytes: number) => void): Compacted {
  const sizeBefore = statSync(file).size
  try {
    return writeAnew(file, tell)
  } catch (error) {
    throw makeWithoutRoomError(error, dirname(file), estimateCopy(sizeBefore)) ?? error
  }
}

/** A full disk keeps even the files from being made that belong to opening the database. */
function makeWithoutRoomError(error: unknown, folder: string, needed: number): CompactError | undefined {
  const isFull = error instanceof Error && 'code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code))
  if (!isFull && !/^(full|disk)$/.test(findFaultKind(error))) return undefined
  const free = readFree(folder)
  return free < needed ? makeTooLittleRoomError(folder, free, needed) : undefined
}

function writeAnew(file: string, tell: (neededBytes: number, freeBytes: number) => void): Compacted {
  const lock = takeLock(file)
  const copy = `${file}.compact`
  try {
    // Files of an aborted run.
    for (const left of [copy, `${copy}-journal`]) rmSync(left, { force: true })
    // Before the database is opened, so that a refusal leaves it as it was.
    makeCopyFile(file, copy)
    const db = openConnection({ file, cacheBytes: 16 * oneMiB, walLimitBytes: oneMiB })
    try {
      // Throws for a database of a newer build, which this one could not read afterwards.
      isMigrated(db)
      takeWhole(db)
      const bytesBefore = statSync(file).size
      requireRoom(db, dirname(file), tell)
      // Files of older builds have another mode, and the copy takes it on from this connection (connection.ts).
      db.run('PRAGMA auto_vacuum = INCREMENTAL')
      // SQLite writes into a file that is there, if it is empty.
      db.run('VACUUM INTO ?', [copy])
      requireSound(copy)
      putInPlace(copy, file)
      return { bytesBefore, bytesAfter: statSync(file).size }
    } finally {
      db.close()
    }
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  } finally {
    lock.release()
  }
}

/** Errors: CompactError where this user may not give files to the owner of the database. */
function makeCopyFile(file: string, copy: string): void {
  try {
    makeEmptyLike(file, copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    const { uid, gid } = statSync(file)
    throw new CompactError(
      `this user may not give a new file to the owner of ${file} (user ${uid}, group ${gid}): run this as that user, or as root. Nothing was changed`,
    )
  }
}

/** Only an exclusive owner of the file may leave the mode with a log. From then on no other process gets in. */
function takeWhole(db: Database): void {
  const inUse = new CompactError(
    'another program has the database open, such as a shell or a backup: end it (fuser -v on the files of the data folder names it), and run this again',
  )
  db.run('PRAGMA busy_timeout = 1000')
  try {
    const { journal_mode: mode } = db.query<{ journal_mode: string }, []>('PRAGMA journal_mode = DELETE').get() ?? {
      journal_mode: '',
    }
    if (mode !== 'delete') throw inUse
    db.run('PRAGMA locking_mode = EXCLUSIVE')
    db.run('BEGIN EXCLUSIVE')
    db.run('COMMIT')
  } catch (error) {
    throw /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: string }).code)) ? inUse : error
  }
}

/** Errors: CompactError. */
function requireRoom(db: Database, folder: string, tell: (neededBytes: number, freeBytes: number) => void): void {
  const { bytes } = db
    .query<{ bytes: number }, []>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
    )
    .get() ?? { bytes: 0 }
  const needed = estimateCopy(bytes)
  const free = readFree(folder)
  tell(needed, free)
  if (free < needed) throw makeTooLittleRoomError(folder, free, needed)
}

const estimateCopy = (bytes: number): number => Math.ceil(bytes * 1.05) + spareBytes

function readFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const makeTooLittleRoomError = (folder: string, free: number, needed: number): CompactError =>
  new CompactError(
    `the disk of the data folder ${folder} has ${Math.floor(free / oneMiB)} MiB free, and the copy needs ${Math.ceil(needed / oneMiB)} MiB: free some space there, or move the folder to a larger disk. Nothing was changed`,
  )

/** Errors: CompactError. */
function requireSound(copy: string): void {
  const db = openConnection({ file: copy, cacheBytes: 16 * oneMiB, walLimitBytes: oneMiB })
  let found: unknown
  try {
    found = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check
  } finally {
    db.close()
  }
  if (found !== 'ok' || existsSync(nameLogFile(copy)))
    throw new CompactError(`the copy is not sound (${String(found)}): restore a backup. The old file was not changed`)
}

function putInPlace(copy: string, file: string): void {
  syncFile(copy)
  renameSync(copy, file)
  // The name is on disk too before this says that it is done.
  syncFolder(dirname(file))
}
