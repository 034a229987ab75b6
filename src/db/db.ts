/**
 * The store as features see it: `read` is a drizzle handle for queries, `write` hands statements to the one writer.
 *
 * Owns files, pragmas, migrations, the writer and the sealing of secrets. What the tables mean belongs to the features'
 * own store.ts files.
 */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { openConnection } from './connection.ts'
import { takeLock } from './lock.ts'
import { isMigrated, migrate } from './migrate.ts'
import * as schema from './schema.ts'
import { inlineWriter, StorageError, threadWriter, type Write, type WriteResult, type Writer } from './writer.ts'

export type { SqlValue, Statement, Write, WriteResult } from './writer.ts'
export { StorageError }

/**
 * Why something is written, which decides when it is refused (http/admit-writes.ts). `store`: refused when the disk or an
 * allowance has no room, and meant when nothing is said. `settle`: counted, not refused, because its effect elsewhere
 * cannot be undone. `sign-in`: goes on below the floor, and counts for the network only, so that nobody is kept from
 * revoking what fills the disk; refused at the last reserve. `mark`: takes something away and leaves a row that says so;
 * counted for the network, never refused. `free`: takes something away, or moves a mark in place.
 */
export type WritePurpose = 'store' | 'settle' | 'sign-in' | 'mark' | 'free'

export interface Db {
  /** Reads only. Sees everything that was acknowledged. */
  readonly read: ReturnType<typeof readHandle>
  /** A prepared statement for a hot read, kept for the life of the database. */
  prepare<Row, Params extends SQLQueryBindings[]>(sql: string): PreparedRead<Row, Params>
  write(statements: Write, purpose?: WritePurpose): Promise<WriteResult>
  /** After a deletion that must leave no trace: resolves when the log no longer holds what was deleted. */
  emptyLog(): Promise<void>
  /** Why nothing can be written any more, if so. Reads may go on. */
  writeFailure(): Error | undefined
  close(): Promise<void>
}

export interface PreparedRead<Row, Params extends SQLQueryBindings[]> {
  get(...params: Params): Row | null
  all(...params: Params): Row[]
  /** One row at a time, for a reader that may stop before the last one. */
  iterate(...params: Params): IterableIterator<Row>
}

const readHandle = (connection: Database) => drizzle(connection, { schema })

export interface StoreOptions {
  /** A data folder, or undefined for a store that lives in memory and dies with the process. */
  readonly folder: string | undefined
  readonly writer: 'worker' | 'inline'
  readonly cacheBytes: number
  readonly walLimitBytes: number
  /** Unix milliseconds, noted beside each migration. */
  readonly now: number
}

export const databaseFileIn = (folder: string): string => join(folder, 'proofgate.sqlite')

export async function openDb(options: StoreOptions): Promise<Db> {
  if (options.folder === undefined) return memoryDb(options)
  const file = databaseFileIn(options.folder)
  const lock = takeLock(file)
  try {
    const open = { file, cacheBytes: options.cacheBytes, walLimitBytes: options.walLimitBytes }
    const migrating = openConnection(open)
    migrate(migrating, undefined, options.now)
    migrating.close()

    const writer = options.writer === 'worker' ? threadWriter(open) : inlineWriter(open)
    const reader = openConnection({ ...open, isReader: true })
    return dbOver(reader, writer, async () => {
      reader.close()
      try {
        await writer.close()
      } finally {
        lock.release()
      }
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * For a command beside a server that may be running: no lock of the folder, writes on this thread, and the log is left to
 * the server. A database that is new or of an older build is made ready first, which needs the lock.
 */
export async function openGuestDb(options: Omit<StoreOptions, 'writer'> & { readonly folder: string }): Promise<Db> {
  const { folder, cacheBytes, walLimitBytes } = options
  const open = { file: databaseFileIn(folder), cacheBytes, walLimitBytes, isGuest: true }
  if (!isReady(open)) await (await openDb({ ...options, writer: 'inline' })).close()
  const writer = inlineWriter(open)
  const reader = openConnection({ ...open, isReader: true })
  return dbOver(reader, writer, async () => {
    reader.close()
    await writer.close()
  })
}

function isReady(open: {
  readonly file: string
  readonly cacheBytes: number
  readonly walLimitBytes: number
}): boolean {
  if (!existsSync(open.file)) return false
  const looking = openConnection({ ...open, isReader: true })
  try {
    return isMigrated(looking)
  } finally {
    looking.close()
  }
}

function memoryDb(options: StoreOptions): Db {
  const { cacheBytes, walLimitBytes, now } = options
  const writer = inlineWriter({ file: ':memory:', cacheBytes, walLimitBytes })
  migrate(writer.db, undefined, now)
  return dbOver(writer.db, writer, () => writer.close())
}

function dbOver(reader: Database, writer: Omit<Writer, 'close'>, close: () => Promise<void>): Db {
  return {
    read: readHandle(reader),
    prepare: <Row, Params extends SQLQueryBindings[]>(sql: string) => reader.query<Row, Params>(sql),
    write: (statements) => writer.write(statements),
    emptyLog: () => writer.emptyLog(),
    writeFailure: () => writer.failure(),
    close,
  }
}
