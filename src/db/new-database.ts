/**
 * The database of a new folder. The build makes one with all migrations applied, because applying them takes longer than
 * everything else that a first start does. Run from its sources, the program applies them.
 */
import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openConnection } from './connection.ts'
import { nameLogFile } from './file-names.ts'
import { migrate } from './migrate.ts'
import { syncFolder } from './sync-file.ts'

/** Base64 of a zstd file (build/executable.ts). Absent where the program runs from its sources. */
declare const NEW_DATABASE: string | undefined

const packedImage = typeof NEW_DATABASE === 'undefined' ? undefined : NEW_DATABASE

/** The image of a database without rows, whose migrations were applied at no time. */
export function makeNewDatabase(): Uint8Array {
  const db = openConnection({ file: ':memory:', cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })
  try {
    migrate(db)
    return db.serialize()
  } finally {
    db.close()
  }
}

export const packNewDatabase = (): string =>
  Buffer.from(Bun.zstdCompressSync(makeNewDatabase(), { level: 19 })).toString('base64')

/** Undefined where the program runs from its sources. */
export const readNewDatabase = (packed = packedImage): Uint8Array | undefined =>
  packed === undefined ? undefined : Bun.zstdDecompressSync(Buffer.from(packed, 'base64'))

/**
 * Puts it where no database is. It needs the lock. Its name comes last, and a start that was cut off leaves a file that
 * the next one writes again. Where it cannot be written, SQLite will say why.
 */
export function placeNewDatabase(file: string, now: number, image = readNewDatabase()): void {
  // SQLite would take the log of another database for the log of this one.
  if (image === undefined || isThere(file) || isThere(nameLogFile(file))) return
  const aside = `${file}.new`
  try {
    writeCertainly(aside, stampImage(image, now))
    renameSync(aside, file)
    syncFolder(dirname(file))
  } catch {
    rmSync(aside, { force: true })
  }
}

/** Also a link that leads nowhere: the operator's disk may not be mounted yet. */
const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined

function stampImage(image: Uint8Array, now: number): Uint8Array {
  const db = Database.deserialize(image)
  try {
    db.run('UPDATE migrations SET applied_at = ?', [now])
    return db.serialize()
  } finally {
    db.close()
  }
}

function writeCertainly(file: string, content: Uint8Array): void {
  const handle = openSync(file, 'w', 0o600)
  try {
    for (let at = 0; at < content.byteLength; ) at += writeSync(handle, content, at, content.byteLength - at, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
