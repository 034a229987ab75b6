/** Opens one SQLite connection with the settings everything else relies on. */
import { constants, Database } from 'bun:sqlite'

export interface OpenOptions {
  /** A file name, or `:memory:`. */
  readonly file: string
  /** The first content of `:memory:`. */
  readonly image?: Uint8Array | undefined
  readonly cacheBytes: number
  /** The log is copied into the database when it grows past this. */
  readonly walLimitBytes: number
  readonly isReader?: boolean
  /** The log is copied elsewhere as it grows (log-feed.ts), and the next run goes on with it. */
  readonly keepsLog?: boolean
  /** For a process beside a server that may have the file open: leaves the log to the server. */
  readonly isGuest?: boolean
}

/** Address space, not memory. */
const readerMapBytes = 2 ** 31 - 65_536

export function openConnection({ file, image, cacheBytes, isReader = false }: OpenOptions): Database {
  const db = image
    ? Database.deserialize(image, { strict: true })
    : new Database(file, { create: !isReader, readwrite: true, strict: true })
  // First of all: two connections that open at once, after a crash above all, wait for each other's lock.
  db.run('PRAGMA busy_timeout = 5000')
  // The first write to a new file: its free pages can then be given back one by one (give-back.ts). On a used file it
  // would be a write at every start, before the earlier log is made certain.
  if (!isReader && isEmpty(db)) db.run('PRAGMA auto_vacuum = INCREMENTAL')
  db.run('PRAGMA journal_mode = WAL')
  // FULL: the log is on disk before a commit returns. NORMAL would lose acknowledged proofs in a power cut.
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA foreign_keys = ON')
  // Erased data is overwritten, not only unlinked. Copies between the cells of a page, left when rows moved in a page
  // rebuild, need compact.ts.
  db.run('PRAGMA secure_delete = ON')
  // Checkpoints are the writer's to time (commit-group.ts); automatic ones stall a commit for 20 to 40 ms.
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(`PRAGMA cache_size = -${Math.floor(cacheBytes / 1024)}`)
  db.run('PRAGMA temp_store = MEMORY')
  if (isReader) {
    db.run('PRAGMA query_only = ON')
    // Pages outside SQLite's own cache are read from the system's cache without a call for each. Scattered reads in a
    // large database then cost a third less.
    db.run(`PRAGMA mmap_size = ${readerMapBytes}`)
  }
  return db
}

const isEmpty = (db: Database): boolean =>
  db.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count === 0

/**
 * The last connection to close deletes the log, unless it is told not to. The log may hold the only copy of its data.
 */
export function closeKeepingLog(db: Database): void {
  try {
    db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  } catch {
    // A connection too broken to be told is too broken to delete the log.
  }
  db.close()
}
