/**
 * The store as features see it: `prepare` makes queries, `write` passes statements to the single writer.
 *
 * This folder owns files, pragmas, migrations, the writer and the sealing of secrets. The features' own store.ts files
 * own the meaning of the tables.
 */
import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import type { SqlValue, Write } from './commit-group.ts'
import { closeKeepingLog, type OpenOptions, openConnection } from './connection.ts'
import { locateDatabaseFile } from './file-names.ts'
import { readDatabaseBytes } from './file-sizes.ts'
import { openInlineWriter } from './inline-writer.ts'
import { LockedError, takeLock } from './lock.ts'
import type { Taken } from './log-feed.ts'
import { isMigrated, migrate } from './migrate.ts'
import { placeNewDatabase, readNewDatabase } from './new-database.ts'
import { type NoticeFault, noticeFaults } from './notice-faults.ts'
import type { OldRead } from './old-reads.ts'
import { label, type Query, query } from './query.ts'
import { rewriteLog } from './rewrite-log.ts'
import { openThreadWriter, startWriterThread } from './threaded-writer.ts'
import {
  StorageError,
  UnreachableError,
  UntriedError,
  type WriteResult,
  type Writer,
  type WriterEvents,
  type WriterFigures,
  type WriterState,
} from './writer.ts'

export type { SqlValue, Statement, Write } from './commit-group.ts'
export type { WriteResult, WriterEvents, WriterFigures, WriterState } from './writer.ts'
export { locateDatabaseFile, StorageError, UnreachableError, UntriedError }

/**
 * The reason for a write, which decides when it is refused (http/admit-writes.ts). `store`: refused when the disk or an
 * allowance has no space; the default. `settle`: counted, not refused, because its effect elsewhere cannot be undone.
 * `sign-in`: continues below the floor, and counts only for the network, so that everybody can sign in and revoke. It
 * is refused at the last reserve. `mark`: removes something and leaves a row about it; counted for the network, never
 * refused. `free`: removes something, or moves a mark in place.
 */
export type WritePurpose = 'store' | 'settle' | 'sign-in' | 'mark' | 'free'

/** Why deleted rows are there still, in words for an operator. */
export interface Hold {
  readonly because: string
  readonly mend: string
  /** For the log alone. */
  readonly holder?: string
}

/** A server that follows the one that takes writes, for reads that may be old. */
export interface ReplicaFigures {
  /** Host and port. */
  readonly server: string
  /** `primary`: it takes writes, so that it is read as such. */
  readonly state: 'used' | 'behind' | 'away' | 'primary'
  /** How old its answers may be. Undefined where nothing shows that it follows. */
  readonly lagMs: number | undefined
  /** What it answered, and what it was asked in vain. */
  readonly answered: number
  readonly failed: number
}

/** Reads. It sees every acknowledged write. */
export interface Reader {
  read<Row, Params extends readonly SqlValue[]>(query: Query<Row, Params>): Reads<Row, Params>
}

/** A server that follows the one that takes writes. */
export interface Standby {
  readonly name: string
  /** How far it is behind in showing what is stored. Null where it is not known, or the rights do not show it. */
  readonly lagMs: number | null
}

export interface Db extends Reader {
  /** Whether other processes use the same database. */
  readonly isShared: boolean
  /** Whether the branches of a UNION ALL with ORDER BY are walked side by side, each as far as the LIMIT of all needs. */
  readonly mergesUnions: boolean
  /** Whether this process keeps the data in files, which need upkeep (upkeep.ts). */
  readonly hasFiles: boolean
  write(statements: Write, purpose?: WritePurpose): Promise<WriteResult>
  /** For one request, the reads of a replica that is new enough now. Undefined where none is; absent without replicas. */
  readonly chooseReplica?: (what: OldRead) => Reader | undefined
  /** Servers that follow the one that takes writes. Absent without replicas. */
  readonly listReplicas?: () => readonly ReplicaFigures[]
  /**
   * After a deletion that must leave no trace (traces.ts): whether nothing is left of what was deleted before, in the log
   * or in dead rows. Something is while the database is being read, and this does not wait for readers.
   */
  forgetDeleted(): Promise<boolean>
  /** What kept the last such call from it, and what to do about it. Undefined: nothing, or a file tells (upkeep.ts). */
  whatHoldsDeleted(): Hold | undefined
  /** Why nothing can be written any more, if so. Reads may go on. */
  writeFailure(): Error | undefined
  /** Result and age of the last commit, and whether a write waits: for health. */
  writerState(): WriterState
  readonly writerFigures: WriterFigures
  /** The size of the stored data, without the log. */
  measureBytes(): Promise<number>
  /** Unix milliseconds by the clock of a shared database. Undefined where the data is on this machine. */
  readonly readTime?: () => Promise<number>
  /** The standbys of a shared database. Undefined where the data is on this machine. */
  readonly readStandbys?: () => Promise<readonly Standby[]>
  close(): Promise<void>
}

/** The store in a data folder, or in memory. */
export interface FolderDb extends Db {
  /** Writer.noteTaken. */
  noteTaken(taken: Taken | undefined): void
}

export interface Reads<Row, Params extends readonly SqlValue[]> {
  get(...params: Params): Promise<Row | null>
  all(...params: Params): Promise<Row[]>
  /** Visits one row at a time, until the visitor returns false: for a reader that may stop before the last one. */
  scan(visit: (row: Row) => boolean, ...params: Params): Promise<void>
}

export interface StoreOptions {
  /** A data folder, or undefined for a store that lives in memory and dies with the process. */
  readonly folder: string | undefined
  readonly writer: 'worker' | 'inline'
  readonly cacheBytes: number
  readonly walLimitBytes: number
  /** Unix milliseconds, noted beside each migration. */
  readonly now: number
  /** Receives every failed read and write. */
  readonly noticeFault?: NoticeFault
  readonly events?: WriterEvents
  /** The log is copied elsewhere, and the next run goes on with it. `events.log` tells of it. */
  readonly keepsLog?: boolean
  /** After how long a thread that gives no answer counts as hanging. Undefined: never. */
  readonly writeTimeoutSeconds?: number
}

export async function openDb(options: StoreOptions): Promise<FolderDb> {
  if (options.folder === undefined) return openMemoryDb(options)
  const file = locateDatabaseFile(options.folder)
  const lock = takeLock(file)
  let thread: Worker | undefined
  try {
    const { cacheBytes, walLimitBytes, keepsLog = false } = options
    const open = { file, cacheBytes, walLimitBytes, keepsLog }
    thread = options.writer === 'worker' ? startWriterThread() : undefined
    placeNewDatabase(file, options.now)
    settleAndMigrate(open, options.now)
    const writing = { ...open, events: options.events, timeoutSeconds: options.writeTimeoutSeconds }
    const writer = thread ? openThreadWriter(writing, thread) : openInlineWriter(writing)
    const reader = openConnection({ ...open, isReader: true })
    if (options.noticeFault) noticeFaults(reader, options.noticeFault)
    return makeDb(reader, noticeFailedWrites(writer, options.noticeFault), options.folder, async () => {
      if (keepsLog) closeKeepingLog(reader)
      else reader.close()
      try {
        await writer.close()
      } finally {
        lock.release()
      }
    })
  } catch (error) {
    thread?.terminate()
    lock.release()
    throw error
  }
}

/** Makes the log of an unclean end certain before anything builds on it. It needs the lock. */
function settleAndMigrate(open: OpenOptions, now: number): void {
  const db = openConnection(open)
  try {
    settleLog(db, open.file)
    migrate(db, undefined, now)
  } catch (error) {
    closeKeepingLog(db)
    throw error
  }
  if (open.keepsLog) closeKeepingLog(db)
  else db.close()
}

function settleLog(db: Database, file: string): void {
  try {
    rewriteLog(db, file)
  } catch (error) {
    throw new StorageError(
      `the log of the database could not be written again (${error instanceof Error ? error.message : String(error)})`,
      true,
    )
  }
}

/**
 * For a command beside a server that may be running. It takes no lock of the folder, writes on this thread, and leaves
 * the log to the server. A new or older database is prepared first, which needs the lock.
 */
export async function openGuestDb(options: Omit<StoreOptions, 'writer'> & { readonly folder: string }): Promise<Db> {
  const { folder, cacheBytes, walLimitBytes, keepsLog = false } = options
  const open = { file: locateDatabaseFile(folder), cacheBytes, walLimitBytes, keepsLog, isGuest: true }
  if (!isReady(open)) await (await openDb({ ...options, writer: 'inline' })).close()
  else settleWhereAlone(open)
  const writer = openInlineWriter(open)
  const reader = openConnection({ ...open, isReader: true })
  return makeDb(reader, writer, folder, async () => {
    if (keepsLog) closeKeepingLog(reader)
    else reader.close()
    await writer.close()
  })
}

/** A server that runs has settled the log at its start. */
function settleWhereAlone(open: OpenOptions): void {
  let lock: ReturnType<typeof takeLock>
  try {
    lock = takeLock(open.file)
  } catch (error) {
    if (error instanceof LockedError) return
    throw error
  }
  const db = openConnection(open)
  try {
    settleLog(db, open.file)
  } finally {
    closeKeepingLog(db)
    lock.release()
  }
}

function isReady(open: OpenOptions): boolean {
  if (!existsSync(open.file)) return false
  const looking = openConnection({ ...open, isReader: true })
  try {
    return isMigrated(looking)
  } finally {
    if (open.keepsLog) closeKeepingLog(looking)
    else looking.close()
  }
}

/** A migrated database without rows. Copying it takes a tenth of the time of migrating, and tests open thousands. */
let emptyImage: Uint8Array | undefined

function openMemoryDb(options: StoreOptions): FolderDb {
  const { cacheBytes, walLimitBytes, now } = options
  emptyImage ??= readNewDatabase()
  const writer = openInlineWriter({ file: ':memory:', image: emptyImage, cacheBytes, walLimitBytes })
  migrate(writer.db, undefined, now)
  if (emptyImage) writer.db.run('UPDATE migrations SET applied_at = ?', [now])
  else emptyImage = writer.db.serialize()
  return makeDb(writer.db, writer, undefined, () => writer.close())
}

const noticeFailedWrites = (writer: Writer, notice: NoticeFault = () => {}): Writer => ({
  ...writer,
  write: (statements) =>
    writer.write(statements).catch((error) => {
      notice(error)
      throw error
    }),
})

export const makeReader = (database: Database): Reader => ({
  read: <Row, Params extends readonly SqlValue[]>(query: Query<Row, Params>) => {
    const statement = database.query<Row, SqlValue[]>(query)
    return {
      get: async (...params: Params) => statement.get(...params),
      all: async (...params: Params) => statement.all(...params),
      scan: async (visit: (row: Row) => boolean, ...params: Params) => {
        for (const row of statement.iterate(...params)) if (!visit(row)) break
      },
    }
  },
})

const selectPageBytes = query<[]>()`
  SELECT page_count * page_size AS ${label('bytes', 'number')}
  FROM pragma_page_count(), pragma_page_size()`

function makeDb(
  reader: Database,
  writer: Omit<Writer, 'close'>,
  folder: string | undefined,
  close: () => Promise<void>,
): FolderDb {
  const reads = makeReader(reader)
  return {
    ...reads,
    isShared: false,
    mergesUnions: true,
    hasFiles: folder !== undefined,
    write: (statements) => writer.write(statements),
    forgetDeleted: () => writer.emptyLog(),
    whatHoldsDeleted: () => undefined,
    writeFailure: () => writer.failure(),
    writerState: () => writer.state(),
    writerFigures: writer.figures,
    noteTaken: (taken) => writer.noteTaken(taken),
    measureBytes: async () =>
      (folder === undefined ? undefined : await readDatabaseBytes(folder)) ??
      (await reads.read(selectPageBytes).get())?.bytes ??
      0,
    close,
  }
}
