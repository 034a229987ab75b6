/**
 * The times at which the log is copied into the database and emptied. A checkpoint never waits for a reader, such as a
 * shell or a backup: every write would wait too. Pages that a reader holds are tried again later (upkeep.ts).
 */
import type { Database } from 'bun:sqlite'
import { leavesCopyInDoubt } from './sqlite-errors.ts'

export interface Checkpoints {
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

/** The time that openConnection waits for other connections, in milliseconds. */
const usualBusyTimeoutMs = 5_000

/** `doubt`: the copyInDoubt() of the previous connection. */
export function openCheckpoints(db: Database, walLimitBytes: number, doubt?: string): Checkpoints {
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

  const countWaiting = ({ log = 0, checkpointed = 0 }: WalState): number => log - checkpointed

  return {
    checkpoint(isIdle) {
      // Automatic checkpoints would run inside a commit, every few groups. This one waits for a quiet moment, or for a
      // log so long that it must be copied now. Copied whole, it is begun anew by the next write that no reader is beside.
      try {
        const waiting = countWaiting(ask('NOOP'))
        if (waiting < stuckAt) stuckAt = 0
        if (waiting - stuckAt <= (isIdle ? idleCheckpointPages : walLimitPages)) return
        const left = countWaiting(ask('PASSIVE'))
        stuckAt = left > 0 ? left : 0
      } catch {
        // For example, on a full disk. The log keeps the commits, and the next checkpoint tries again. Thrown from
        // here, the error would end the writer.
      }
    },
    emptyLog() {
      // The writer's own writes do wait for a command that writes beside it.
      db.run('PRAGMA busy_timeout = 0')
      try {
        return ask('TRUNCATE').busy === 0
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

/** For a guest beside a server that may have the file open: the server makes every checkpoint. */
export const noCheckpoints: Checkpoints = { checkpoint: () => {}, emptyLog: () => false, copyInDoubt: () => undefined }
