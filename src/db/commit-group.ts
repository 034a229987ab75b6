/**
 * Puts the writes of one short moment into one transaction, so that they share one fsync. Runs in the writer thread, or
 * inline where a test or a command keeps its database in memory.
 */
import { constants, type Database, type Statement as Prepared } from 'bun:sqlite'

export type SqlValue = string | number | null

export interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
  /** Refuses the whole write when this statement changes no row. */
  readonly must?: boolean
  /** A query. Refuses the whole write when it finds no row. */
  readonly mustFind?: boolean
}

/** One state change: its statements happen together or not at all. */
export type Write = readonly Statement[]

/**
 * `changes` holds the number of rows each statement wrote. `refusedAt` is the statement that had to change a row and
 * did not: then nothing of this write happened.
 */
export type WriteOutcome =
  | { readonly changes: readonly number[] }
  | { readonly refusedAt: number }
  | { readonly error: string; readonly isDiskFull: boolean }

/** Pages in the log, and how many of them are in the database already. */
interface WalState {
  readonly log?: number
  readonly checkpointed?: number
}

export interface GroupCommitter {
  commit(writes: readonly Write[]): WriteOutcome[]
  /** Copies the log into the database when it has grown past its limit, or when there is time for it. */
  checkpoint(isIdle: boolean): void
  /** Empties the log, so that nothing of what was deleted stands in it any more. */
  emptyLog(): void
  close(): void
}

const failed = (error: unknown) => ({
  error: error instanceof Error ? error.message : String(error),
  isDiskFull: error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL',
})

/** Below this many pages in the log there is nothing worth copying, even when idle. */
const idleCheckpointPages = 1_000

/** A guest writes beside a server that may have the file open, and leaves every checkpoint to it. */
export function groupCommitter(db: Database, walLimitBytes: number, isGuest = false): GroupCommitter {
  const pageBytes = db.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 4_096
  const walLimitPages = Math.max(idleCheckpointPages, Math.floor(walLimitBytes / pageBytes))

  const prepared = new Map<string, Prepared<unknown, SqlValue[]>>()
  const statement = (sql: string): Prepared<unknown, SqlValue[]> => {
    const known = prepared.get(sql)
    if (known) return known
    const made = db.prepare<unknown, SqlValue[]>(sql)
    prepared.set(sql, made)
    return made
  }

  function runWrite(write: Write): WriteOutcome {
    // A single statement is atomic by itself, and one that changes no row has nothing to undo. More than one need a
    // savepoint, so that a failure takes only its own write with it.
    const needsSavepoint = write.length > 1
    if (needsSavepoint) statement('SAVEPOINT one_write').run()
    try {
      const changes: number[] = []
      for (const { sql, params, must, mustFind } of write) {
        const changed = mustFind ? countFound(sql, params) : statement(sql).run(...params).changes
        if ((must || mustFind) && changed === 0) {
          if (needsSavepoint) undoWrite()
          return { refusedAt: changes.length }
        }
        changes.push(changed)
      }
      if (needsSavepoint) statement('RELEASE one_write').run()
      return { changes }
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction: then there is no savepoint left to return to.
      if (!db.inTransaction) throw error
      if (needsSavepoint) undoWrite()
      return failed(error)
    }
  }

  const countFound = (sql: string, params: readonly SqlValue[]): number =>
    statement(sql).get(...params) === null ? 0 : 1

  function undoWrite(): void {
    statement('ROLLBACK TO one_write').run()
    statement('RELEASE one_write').run()
  }

  return {
    commit(writes) {
      try {
        statement('BEGIN IMMEDIATE').run()
        const outcomes = writes.map(runWrite)
        statement('COMMIT').run()
        return outcomes
      } catch (error) {
        if (db.inTransaction) db.run('ROLLBACK')
        return writes.map(() => failed(error))
      }
    },

    checkpoint(isIdle) {
      if (isGuest) return
      // Automatic checkpoints would run inside a commit, every few groups. This one waits for a quiet moment, or for a
      // log so long that it must be copied now.
      try {
        const { log = 0, checkpointed = 0 } = statement('PRAGMA wal_checkpoint(NOOP)').get() as WalState
        const waiting = log - checkpointed
        if (waiting > 2 * walLimitPages) db.run('PRAGMA wal_checkpoint(RESTART)')
        else if (waiting > (isIdle ? idleCheckpointPages : walLimitPages)) db.run('PRAGMA wal_checkpoint(PASSIVE)')
      } catch {
        // On a full disk, for one. The log keeps what was committed, and the next checkpoint tries again; thrown from
        // here, the error would end the writer.
      }
    },

    emptyLog() {
      if (!isGuest) db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    },

    close() {
      for (const each of prepared.values()) each.finalize()
      // SQLite itself copies the log when the last connection closes.
      if (isGuest) return db.close()
      try {
        db.run('PRAGMA wal_checkpoint(TRUNCATE)')
        db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 0)
      } catch {
        // On a full disk the log stays beside the database, and the next start goes on with it.
      } finally {
        db.close()
      }
    },
  }
}
