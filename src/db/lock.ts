/** One process per data folder: a second one would write through a second queue and sweep twice. */
import { Database } from 'bun:sqlite'
import { makeForOwner } from './file-owner.ts'
import { findLockHolder } from './lock-holder.ts'

export class LockedError extends Error {
  override readonly name = 'LockedError'
}

/** A side file of the database. */
export const nameLockFile = (databaseFile: string): string => `${databaseFile}.lock`

/**
 * Takes the lock, or throws LockedError. It is a side file of its own, held as an exclusive SQLite transaction. The
 * system releases it whenever the process dies, and online backups of the database stay possible.
 */
export function takeLock(databaseFile: string): { release(): void } {
  const file = nameLockFile(databaseFile)
  makeForOwner(databaseFile, file)
  const lock = new Database(file, { create: true, readwrite: true })
  try {
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    const holder = findLockHolder(file)
    throw new LockedError(
      `another Proofgate already uses this data folder (${holder === undefined ? `${file} is held` : `process ${holder} holds ${file}`}): stop it, or give this one a folder of its own with PROOFGATE_DATA`,
    )
  }
  return { release: () => lock.close() }
}
