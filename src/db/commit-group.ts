/**
 * Puts the writes of one short moment into one transaction, so that they share one fsync. Runs in the writer thread, or
 * inline where a test or a command keeps its database in memory.
 */
import { constants, type Database, type Statement as Prepared } from 'bun:sqlite'
import { type Checkpoints, noCheckpoints, openCheckpoints } from './checkpoints.ts'
import { closeKeepingLog, type OpenOptions } from './connection.ts'
import type { LogFeed } from './log-feed.ts'
import { findFaultKind, isDiskFull, isUncertain, nameError, type Step } from './sqlite-errors.ts'

export type SqlValue = string | number | null

export interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
  /** Refuses the whole write when this statement changes no row. */
  readonly must?: boolean
  /** A query. Refuses the whole write when it finds no row. */
  readonly mustFind?: boolean
  /** A query, whose first row is in the result: as it is between the statements before and after it. */
  readonly isAsked?: boolean
  /**
   * For a query that must find a row: the row stays as it is found until the write is done. `share`: others may hold it
   * too. `key`: only its keys stay, so that this write or others may change the rest of it. Only where several processes
   * write at once; SQLite's single writer always does that.
   */
  readonly holds?: 'share' | 'update' | 'key'
  /**
   * What its write decides about, such as `gates of 0x…`. Writes with a turn in common run one after another, also where
   * several processes write at once. The single writer of SQLite always does that.
   */
  readonly turns?: readonly string[]
}

/** One state change: its statements happen together or not at all. */
export type Write = readonly Statement[]

/**
 * `changes` holds the number of rows each statement wrote. `refusedAt` is the statement that had to change a row and
 * did not: then nothing of this write happened.
 */
export type WriteOutcome = Written | { readonly refusedAt: number } | FailedOutcome

export interface Written {
  readonly changes: readonly number[]
  /** The first row of each query of the write that is asked; null where it found none. */
  readonly rows?: readonly unknown[]
}

export interface FailedOutcome {
  /** The message of SQLite, with its error code. */
  readonly error: string
  readonly isDiskFull: boolean
  /** It may be stored all the same (sqlite-errors.ts). Then it is so for the whole group. */
  readonly isUncertain: boolean
}

export interface GroupCommitter extends Checkpoints {
  commit(writes: readonly Write[]): WriteOutcome[]
  /** How long the COMMIT of the newest group took. Undefined where it failed before. */
  lastCommitMs(): number | undefined
  close(): void
  /** Releases a failed connection, without copying or emptying the log. */
  abandon(): void
}

function describeFailure(error: unknown, step: Step): FailedOutcome {
  const name = nameError(error)
  const message = error instanceof Error ? error.message : String(error)
  return {
    error: name === undefined ? message : `${message} (${name})`,
    isDiskFull: isDiskFull(error),
    isUncertain: isUncertain(error, step),
  }
}

/** What became of a write whose statements ran. */
interface Ran {
  readonly outcome: WriteOutcome
  /** It is refused or failed, and its first statements changed rows: they must be undone. */
  readonly leavesPart: boolean
}

const isPlainQuery = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

export interface GroupOptions extends Pick<OpenOptions, 'walLimitBytes' | 'isGuest' | 'keepsLog'> {
  /** Undefined: nobody copies the log. */
  readonly feed?: LogFeed | undefined
}

/** A guest writes beside a server that may have the file open, and leaves every checkpoint to it. */
export function groupCommitter(
  db: Database,
  { walLimitBytes, isGuest = false, keepsLog = false, feed }: GroupOptions,
  copyInDoubt?: string,
): GroupCommitter {
  const checkpoints = isGuest ? noCheckpoints : openCheckpoints(db, { walLimitBytes, feed, doubt: copyInDoubt })
  const prepared = new Map<string, Prepared<unknown, SqlValue[]>>()
  const prepareStatement = (sql: string): Prepared<unknown, SqlValue[]> => {
    const known = prepared.get(sql)
    if (known) return known
    const made = db.prepare<unknown, SqlValue[]>(sql)
    prepared.set(sql, made)
    return made
  }

  let commitMs: number | undefined

  /** Runs the statements of a write until one refuses or fails. */
  function runStatements(write: Write): Ran {
    const changes: number[] = []
    const rows: unknown[] = []
    let hasChanged = false
    try {
      for (const { sql, params, must, mustFind, isAsked } of write) {
        if (isAsked || mustFind) {
          const row = prepareStatement(sql).get(...params)
          if (isAsked) rows.push(row)
          else if (row === null) return { outcome: { refusedAt: changes.length }, leavesPart: hasChanged }
          // It may have been an UPDATE that returns its row.
          hasChanged ||= !isPlainQuery(sql)
          changes.push(isAsked ? 0 : 1)
          continue
        }
        const changed = prepareStatement(sql).run(...params).changes
        if (must && changed === 0) return { outcome: { refusedAt: changes.length }, leavesPart: hasChanged }
        hasChanged ||= changed > 0
        changes.push(changed)
      }
      return { outcome: rows.length > 0 ? { changes, rows } : { changes }, leavesPart: false }
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction: then there is nothing left to undo.
      // A damaged page leaves a transaction that no COMMIT gets through: rolled back before, it is a certain no.
      if (!db.inTransaction || findFaultKind(error) === 'damaged') throw error
      return { outcome: describeFailure(error, 'statement'), leavesPart: hasChanged }
    }
  }

  /**
   * Almost no write is refused half done, so a group has no savepoints: 6 us of CPU less for each write. Undefined where
   * one was, and the whole group must be rolled back.
   */
  function runTogether(writes: readonly Write[]): WriteOutcome[] | undefined {
    const outcomes: WriteOutcome[] = []
    for (const write of writes) {
      const { outcome, leavesPart } = runStatements(write)
      if (leavesPart) return undefined
      outcomes.push(outcome)
    }
    return outcomes
  }

  /** With a savepoint, so that a refusal or a failure takes only its own write with it. */
  function runApart(write: Write): WriteOutcome {
    prepareStatement('SAVEPOINT one_write').run()
    const { outcome, leavesPart } = runStatements(write)
    if (leavesPart) prepareStatement('ROLLBACK TO one_write').run()
    prepareStatement('RELEASE one_write').run()
    return outcome
  }

  function rollBack(): void {
    try {
      if (db.inTransaction) db.run('ROLLBACK')
    } catch {
      // A transaction that cannot be rolled back makes the next BEGIN fail, which is reported as not stored.
    }
  }

  const finalizeAll = (): void => {
    for (const each of prepared.values()) each.finalize()
    prepared.clear()
  }

  return {
    commit(writes) {
      let step: Step = 'begin'
      commitMs = undefined
      try {
        prepareStatement('BEGIN IMMEDIATE').run()
        step = 'statement'
        let outcomes = runTogether(writes)
        if (!outcomes) {
          step = 'begin'
          prepareStatement('ROLLBACK').run()
          prepareStatement('BEGIN IMMEDIATE').run()
          step = 'statement'
          outcomes = writes.map(runApart)
        }
        step = 'commit'
        const startedAt = performance.now()
        prepareStatement('COMMIT').run()
        commitMs = performance.now() - startedAt
        checkpoints.look()
        return outcomes
      } catch (error) {
        const outcome = describeFailure(error, step)
        rollBack()
        return writes.map(() => outcome)
      }
    },

    lastCommitMs: () => commitMs,

    ...checkpoints,

    close() {
      finalizeAll()
      // SQLite itself copies the log when the last connection closes.
      if (isGuest) return keepsLog ? closeKeepingLog(db) : db.close()
      if (checkpoints.copyInDoubt() !== undefined) {
        // The next start copies the whole log again, which mends it.
        return closeKeepingLog(db)
      }
      // The next run goes on with this log, so that its copy goes on too.
      if (feed) {
        checkpoints.finish()
        return closeKeepingLog(db)
      }
      try {
        db.run('PRAGMA wal_checkpoint(TRUNCATE)')
        db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 0)
      } catch {
        // On a full disk the log stays beside the database, and the next start goes on with it.
      } finally {
        db.close()
      }
    },

    abandon() {
      finalizeAll()
      closeKeepingLog(db)
    },
  }
}
