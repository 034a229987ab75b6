/**
 * The single writer. Callers pass a write and get an answer only after its commit is on disk. So an acknowledged write
 * survives a power cut. Writes that arrive during a commit share the next one.
 *
 * It commits on the calling thread (inline-writer.ts) or on one of its own (threaded-writer.ts), behind the same queue
 * (write-queue.ts).
 */
import type { Distribution } from '../distribution.ts'
import type { Write, Written } from './commit-group.ts'
import type { OpenOptions } from './connection.ts'
import type { LogNews, Taken } from './log-feed.ts'

export interface Writer {
  write(statements: Write): Promise<WriteResult>
  /** Whether the log is empty now: then what was deleted before the call stands in it no more. Does not wait for readers. */
  emptyLog(): Promise<boolean>
  /** Why nothing can be written any more, if so. */
  failure(): Error | undefined
  state(): WriterState
  readonly figures: WriterFigures
  /** What the copier of the log has read already. Undefined: only look whether there is something new. */
  noteTaken(taken: Taken | undefined): void
  /** Resolves when everything handed in so far is on disk and the file is closed. */
  close(): Promise<void>
}

/** The writer's lasting conditions, for its watcher. */
export interface WriterEvents {
  /**
   * It is unknown which writes of a group are stored. Until `settled` no other write runs. Repeated at each failed try.
   */
  uncertain?(error: StorageError): void
  settled?(): void
  /** The database file could not be synced: from now on the log keeps everything, until the next start. */
  copyInDoubt?(reason: string): void
  /** Only with keepsLog: what was committed in the log, in its order, and before its callers have their answers. */
  log?(news: LogNews): void
  /** The thread owes an answer for so long that it will not come. Every write that waited was failed. */
  hangs?(seconds: number): void
}

export interface WriterOptions extends OpenOptions {
  readonly events?: WriterEvents | undefined
  /** Only a thread can be waited for: on its own thread, a disk that hangs stops everything. */
  readonly timeoutSeconds?: number | undefined
}

/** How writing goes: times as performance.now() tells them, because the other clock may jump. */
export interface WriterState {
  /** The newest group that came to an end. Undefined before the first. */
  readonly last: LastCommit | undefined
  /** Since when the oldest write waits that has no answer yet. */
  readonly waitingSince: number | undefined
  /** When one was last stored, where writes go on beside one that waits. */
  readonly storedAt?: number | undefined
  /** An open commit may still be stored: a missing row is not certainly missing. */
  readonly isUncertain: boolean
}

/** What the writer has done since the start, for the page of metrics. */
export interface WriterFigures {
  /** Writes of each group. */
  readonly sizes: Distribution
  /** From the hand-over of a group to its answer. */
  readonly seconds: Distribution
  /** COMMIT alone: writing the log and its fsync. */
  readonly commitSeconds: Distribution
  countFailed(): number
  countWaiting(): number
}

export interface LastCommit {
  readonly endedAt: number
  /** Why its writes failed. Undefined: it is on disk. */
  readonly error: StorageError | undefined
}

/** Rows changed per statement, or the index of the `must` statement that changed none. */
export type WriteResult = Written | { readonly refusedAt: number }

/**
 * The write could not be made (disk full, I/O error). It is not stored, unless that is uncertain (sqlite-errors.ts).
 */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  constructor(
    message: string,
    /** The commit may have reached the disk, or not. Asked again, nothing happens twice. */
    readonly isUncertain = false,
    /** SQLITE_FULL: the disk had no room. */
    readonly isDiskFull = false,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** No server of the database answers or takes writes. What was asked did not happen, unless that is uncertain. */
export class UnreachableError extends StorageError {}

/** Not even tried, because it is not known yet what an earlier commit left. The same request may have been in that one. */
export class UntriedError extends StorageError {}
