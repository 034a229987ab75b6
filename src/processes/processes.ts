/**
 * The processes that share one database: which of them live, and which one does what only one may do.
 *
 * No wall clock decides anything. A process raises a counter in the database, and others call it dead when the counter
 * stood still for long enough on their own steady clocks (timing.ts). Where the database is not shared, this process is
 * the only one, holds every lease, and stores nothing about it.
 */
import type { Statement } from '../db/db.ts'
import type { LeaseName } from './lease-names.ts'

export interface LiveProcess {
  /** parts.run of that process. */
  readonly id: string
  /** Unix milliseconds, by the clock that all go by (database-clock.ts). */
  readonly startedAt: number
  readonly version: string
  readonly host: string
  /** Of settings-mark.ts. Null for one that compares none. */
  readonly settings: string | null
}

export interface Processes {
  /** What a row says while this process is at work on it: parts.run, or null where no other process can come to it. */
  readonly mark: string | null
  /** How many live, by the last look. */
  countLive(): number
  /** The processes that are not known to have ended, this one among them. */
  listLive(): Promise<readonly LiveProcess[]>
  /**
   * Whether a run has ended. For a process that stopped without a word, the answer takes as long as its death takes to be
   * seen. `false` means that it was seen to live after the question.
   */
  hasEnded(run: string): Promise<boolean>
  openLease(name: LeaseName): Lease
}

/** The right to do the work of a name, for one process at a time. */
export interface Lease {
  /** Whether this process has it now. Takes it when it is free, was given back, or its holder is dead. */
  hold(): Promise<boolean>
  /** Whether this process may still act on it, without asking. Call it before something that no write can refuse. */
  isHeld(): boolean
  /** Rises with each holder: a new one knows nothing of what the holder before it had in memory. 0 before the first. */
  readFence(): number
  /** Every write of the work begins with it: a write of a former holder is refused whole (guard.ts). */
  guard(): readonly Statement[]
}

/** The work goes on in another process. */
export class LeaseLostError extends Error {
  constructor(name: LeaseName) {
    super(`another process does the work "${name}" now`)
    this.name = 'LeaseLostError'
  }
}
