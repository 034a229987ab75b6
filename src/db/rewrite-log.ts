/**
 * Makes the log certain. Data left by a crash or a failed fsync counts only after it is written and synced again.
 *
 * After a failed fsync, the system may hold unwritten data in memory as clean. The next fsync does not report it. So a
 * log that was only read would promise data that a power cut removes.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { nameLogFile } from './file-names.ts'
import { syncFolder } from './sync-file.ts'

const chunkBytes = 1_048_576

/** `db` is open on the file, in no transaction. Throws when the disk does not take it: then nothing may be built on the log. */
export function rewriteLog(db: Database, databaseFile: string): void {
  const file = nameLogFile(databaseFile)
  if (!existsSync(file)) return
  // The lock of the writer: no other process appends to the log or restarts it then.
  db.run('BEGIN IMMEDIATE')
  try {
    rewriteInPlace(file)
    syncFolder(dirname(file))
  } finally {
    db.run('ROLLBACK')
  }
}

/** SQLite holds its locks on other files, so this handle may be closed without losing them. */
function rewriteInPlace(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let at = 0
    while (true) {
      const length = readSync(handle, chunk, 0, chunkBytes, at)
      if (length === 0) break
      for (let written = 0; written < length; )
        written += writeSync(handle, chunk, written, length - written, at + written)
      at += length
    }
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
