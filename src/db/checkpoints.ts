/**
 * The times at which the log is copied into the database and emptied. A checkpoint never waits for a reader, such as a
 * shell or a backup: every write would wait too. Pages that a reader holds are tried again later (upkeep.ts).
 */
import type { Database } from 'bun:sqlite'
import { type LogFeed, noLogFeed } from './log-feed.ts'
import { leavesCopyInDoubt } from './sqlite-errors.ts'

export interface Checkpoints {
  /** After a commit, and now and then: what other processes write is seen no sooner. */
  look(): void
  /** Before the end of a run whose log the next one goes on with. */
  finish(): void
  /** Copies the log into the database when it has grown past its limit, or when there is time for it. */
  checkpoint(isIdle: boolean): void
  /**
   * Empties the log, so that it holds no deleted data any more. False: a reader or the disk prevents it, so the data
   * may still be there.
   */
  emptyLog(): boolean
  /**
   * The checkpoint error after which pages may be missing on disk, though SQLite counts them as copied
   * (sqlite-errors.ts). From then on there is no checkpoint. The log keeps everything, and the next start copies all of
   * it again.
   */
  copyInDoubt(): string | undefined
}

/** Pages in the log, and the number that the database has already. `busy`: a reader or writer prevented more. */
interface WalState {
  readonly busy?: number
  readonly log?: number
  readonly checkpointed?: number
}

/** Below this many pages in the log there is nothing worth copying, even when idle. */
const idleCheckpointPages = 1_000

/** Of the limit: a log past it was copied and not begun anew, because of a reader at that moment. It is tried again soon. */
const againPart = 1 / 8

/** The time that openConnection waits for other connections, in milliseconds. */
const usualBusyTimeoutMs = 5_000

interface CheckpointOptions {
  readonly walLimitBytes: number
  readonly feed?: LogFeed | undefined
  /** The copyInDoubt() of the previous connection. */
  readonly doubt?: string | undefined
}

export function openCheckpoints(db: Database, options: CheckpointOptions): Checkpoints {
  const { walLimitBytes, feed = noLogFeed } = options
  let { doubt } = options
  const pageBytes = db.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 4_096
  const walLimitPages = Math.max(idleCheckpointPages, Math.floor(walLimitBytes / pageBytes))
  /** Pages that waited when a copy got nowhere, because a reader needs the log: tried again when there are more. */
  let stuckAt = 0

  function ask(mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): WalState {
    if (doubt !== undefined) throw new Error(`the log is not copied until the next start (${doubt})`)
    try {
      return db.query<WalState, []>(`PRAGMA wal_checkpoint(${mode})`).get() as WalState
    } catch (error) {
      if (leavesCopyInDoubt(error)) doubt = error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  const countFrames = (): number => db.query<WalState, []>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0

  const countWaiting = ({ log = 0, checkpointed = 0 }: WalState): number => log - checkpointed

  return {
    look() {
      try {
        if (feed !== noLogFeed) feed.look(countFrames())
      } catch {
        // What was committed stays committed. The next look sees it.
      }
    },
    finish() {
      try {
        feed.handOverRest(countFrames())
        // It is not begun anew by this: the next run finds all of it in its place.
        ask('PASSIVE')
      } catch {
        // For example, on a full disk. The next start goes on with the log.
      }
    },
    checkpoint(isIdle) {
      // Automatic checkpoints would run inside a commit, every few groups. This one waits for a quiet moment, or for a
      // log so long that it must be copied now. Copied whole, it is begun anew by the next write that no reader is beside.
      try {
        const found = ask('NOOP')
        const waiting = countWaiting(found)
        if (waiting < stuckAt) stuckAt = 0
        const { log = 0 } = found
        const mayCopySoon = isIdle && feed.isShipped(log)
        const limit = log > walLimitPages ? walLimitPages * againPart : walLimitPages
        if (waiting - stuckAt <= (mayCopySoon ? idleCheckpointPages : limit)) return
        if (!feed.handOverRest(log)) return
        const copied = ask('PASSIVE')
        const left = countWaiting(copied)
        stuckAt = left > 0 ? left : 0
        if (left === 0) feed.noteCopied(copied.log ?? 0)
      } catch {
        // For example, on a full disk. The log keeps the commits, and the next checkpoint tries again. Thrown from
        // here, the error would end the writer.
      }
    },
    emptyLog() {
      // The writer's own writes do wait for a command that writes beside it.
      db.run('PRAGMA busy_timeout = 0')
      try {
        const found = ask('NOOP').log ?? 0
        const version = readDataVersion(db)
        feed.handOverRest(found, true)
        const isEmpty = ask('TRUNCATE').busy === 0
        if (readDataVersion(db) !== version) feed.noteUnseen()
        else if (isEmpty) feed.noteCopied(found)
        return isEmpty
      } catch {
        // For example, on a full disk. Commits stay committed.
        return false
      } finally {
        db.run(`PRAGMA busy_timeout = ${usualBusyTimeoutMs}`)
      }
    },
    copyInDoubt: () => doubt,
  }
}

/** Another one after each commit of another connection. */
const readDataVersion = (db: Database): number =>
  db.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0

/** For a guest beside a server that may have the file open: the server makes every checkpoint. */
export const noCheckpoints: Checkpoints = {
  look: () => {},
  finish: () => {},
  checkpoint: () => {},
  emptyLog: () => false,
  copyInDoubt: () => undefined,
}
