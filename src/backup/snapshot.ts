/**
 * The state of a database at one moment, read beside a server that goes on writing.
 *
 * In WAL mode only a checkpoint writes to the database file, and it copies no page that an open read must not see. So
 * with a read open, the file and the part of the log that the read sees are together the state of its beginning: pages
 * that a checkpoint copies meanwhile stand in that part of the log too. SQLite's own recovery puts them together.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { closeKeepingLog, openConnection } from '../db/connection.ts'
import { nameLogFile } from '../db/file-names.ts'
import { findOffset, type LogHeader, readLogHeader } from '../db/log-frames.ts'

export interface Snapshot {
  readonly databaseBytes: number
  /** Bytes of the log that belong to it. 0: everything is in the database file. */
  readonly logBytes: number
  /** Sees the same state. */
  readonly db: Database
  readDatabase(pieceBytes: number): Generator<Uint8Array>
  readLog(pieceBytes: number): Generator<Uint8Array>
  close(): void
}

interface LogState {
  readonly header: LogHeader | undefined
  readonly frames: number
  readonly copied: number
}

/** The commits of a busy server are a millisecond apart, and one look takes a twentieth of it. */
const tries = 10_000
const fewTries = 100

/**
 * With some of the log in it, so that a continuous backup finds the place where it goes on. Errors: SQLiteError, those of
 * the file system.
 */
export function openSnapshotWithLog(file: string): Snapshot {
  for (let tried = 0; tried < fewTries; tried++) {
    const snapshot = openSnapshot(file)
    if (snapshot.logBytes > 0) return snapshot
    snapshot.close()
    writeToLog(file)
  }
  throw new Error('the log of the database was empty at each try')
}

/** Makes the log hold something, without a change of what the database holds. */
function writeToLog(file: string): void {
  const db = openConnection({ file, cacheBytes: 1_048_576, walLimitBytes: 0, isGuest: true })
  try {
    const { user_version: same } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
    db.run(`PRAGMA user_version = ${same}`)
  } finally {
    closeKeepingLog(db)
  }
}

/** Errors: SQLiteError, those of the file system. */
export function openSnapshot(file: string): Snapshot {
  const open = { file, cacheBytes: 4 * 1_048_576, walLimitBytes: 0, isReader: true, isGuest: true }
  const db = openConnection(open)
  const asker = openConnection(open)
  try {
    const state = pinState(db, asker, file)
    const isInFile = state.frames === state.copied
    const logBytes = isInFile ? 0 : findOffset(state.header!, state.frames)
    const handle = holdFile(file)
    const databaseBytes = fstatSync(handle).size
    return {
      databaseBytes,
      logBytes,
      db,
      readDatabase: (pieceBytes) => readPieces(handle, databaseBytes, pieceBytes),
      *readLog(pieceBytes) {
        if (logBytes === 0) return
        // SQLite holds its locks on other files, so this handle may be closed without losing them.
        const log = openSync(nameLogFile(file), 'r')
        try {
          yield* readPieces(log, logBytes, pieceBytes)
        } finally {
          closeSync(log)
        }
      },
      close() {
        closeKeepingLog(db)
        closeKeepingLog(asker)
      },
    }
  } catch (error) {
    closeKeepingLog(db)
    closeKeepingLog(asker)
    throw error
  }
}

/** Opens the read of `db`, and tells which frames of the log it sees. */
function pinState(db: Database, asker: Database, file: string): LogState {
  for (let tried = 0; tried < tries; tried++) {
    const before = readLogState(asker, file)
    db.run('BEGIN')
    db.query('SELECT count(*) FROM sqlite_schema').get()
    const after = readLogState(asker, file)
    if (isSame(before, after)) return after
    db.run('ROLLBACK')
  }
  throw new Error('no quiet moment for a backup: the log of the database never stands still')
}

const isSame = (one: LogState, other: LogState): boolean =>
  one.frames === other.frames &&
  one.header?.salt === other.header?.salt &&
  (one.copied === one.frames) === (other.copied === other.frames)

function readLogState(asker: Database, file: string): LogState {
  const { log, checkpointed } = asker
    .query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
    .get() ?? { log: 0, checkpointed: 0 }
  return { header: readLogHeader(nameLogFile(file)), frames: Math.max(0, log), copied: Math.max(0, checkpointed) }
}

function* readPieces(handle: number, bytes: number, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, bytes - at))
    for (let filled = 0; filled < piece.length; ) {
      const read = readSync(handle, piece, filled, piece.length - filled, at + filled)
      // The file was made shorter meanwhile: the pages behind do not belong to the state, and are zeros here.
      if (read === 0) break
      filled += read
    }
    yield piece
    at += piece.length
  }
}

/**
 * Never closed: closing any handle of a file drops every POSIX lock that the process has on it, those of SQLite too
 * (sqlite.org/howtocorrupt.html, section 2.2). Another process would then remove the log below this one.
 */
const heldFiles = new Map<string, number>()

function holdFile(file: string): number {
  const { dev, ino } = statSync(file, { bigint: true })
  const key = `${dev}:${ino}`
  const held = heldFiles.get(key) ?? openSync(file, 'r')
  heldFiles.set(key, held)
  return held
}

export const hasDatabase = (file: string): boolean => existsSync(file) && statSync(file).size > 0
