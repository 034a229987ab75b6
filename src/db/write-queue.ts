/** The queue before the writer: groups what waits, and writes nothing else while it is uncertain what a commit left. */
import { diskSecondBounds, openDistribution, sizeBounds } from '../distribution.ts'
import type { FailedOutcome, Write, WriteOutcome } from './commit-group.ts'
import {
  type LastCommit,
  StorageError,
  UntriedError,
  type WriteResult,
  type Writer,
  type WriterEvents,
} from './writer.ts'

interface Waiting {
  readonly since: number
  readonly write: Write
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: Error) => void
}

/** One transaction must stay short enough that the callers in it are not kept waiting. */
const groupLimit = 512

/** Under constant writes, the log is emptied between two of them after this time. */
const emptyingWaitsMs = 500

/** A writer's tasks besides committing. Never two of these at once, nor beside a commit. */
export interface FileWork {
  closeFile(): Promise<void>
  emptyLog(): Promise<boolean>
  /** Settles what is uncertain, or throws. */
  recover(): Promise<void>
  afterCommit?(isIdle: boolean): void
  /** How long the COMMIT of the newest group took. Undefined where it made none. */
  lastCommitMs?(): number | undefined
  failure?(): Error | undefined
}

/** After an uncertain commit: the pause before the next try, then twice as long each time, up to the last. */
const recoverPausesMs = { first: 1_000, last: 30_000 }

export function queueWrites(
  commit: (writes: readonly Write[]) => Promise<readonly WriteOutcome[]>,
  work: FileWork,
  events: WriterEvents = {},
): Omit<Writer, 'noteTaken'> {
  let waiting: Waiting[] = []
  let wantingEmptyLog: ((isEmpty: boolean) => void)[] = []
  let wantingSince = 0
  let running: Promise<void> | undefined
  let isClosed = false
  let underWay: readonly Waiting[] = []
  let last: LastCommit | undefined
  /** Why it is not known what a group left on the disk. While it stands nothing else is written. */
  let uncertain: StorageError | undefined
  let pauseMs = recoverPausesMs.first
  let pausing: ReturnType<typeof setTimeout> | undefined
  const sizes = openDistribution(sizeBounds)
  const seconds = openDistribution(diskSecondBounds)
  const commitSeconds = openDistribution(diskSecondBounds)
  let failed = 0

  function noteGroup(size: number, startedAt: number): void {
    sizes.note(size)
    seconds.note((performance.now() - startedAt) / 1000)
    const commitMs = work.lastCommitMs?.()
    if (commitMs !== undefined) commitSeconds.note(commitMs / 1000)
    if (last?.error) failed++
  }

  async function drainQueue(): Promise<void> {
    // One turn of the event loop gathers the requests that arrived together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0 || wantingEmptyLog.length > 0 || uncertain) {
      if (uncertain && !(await recoverNow())) break
      underWay = waiting.slice(0, groupLimit)
      waiting = waiting.slice(groupLimit)
      if (underWay.length > 0) await commitGroup(underWay)
      underWay = []
      if (uncertain) continue
      work.afterCommit?.(waiting.length === 0)
      if (waiting.length === 0 || performance.now() - wantingSince > emptyingWaitsMs) await emptyLogNow()
    }
    running = undefined
  }

  /** Whether everything is certain again. If not, no caller waits for it. */
  async function recoverNow(): Promise<boolean> {
    try {
      await work.recover()
      // Settling ends with a commit of its own.
      last = { endedAt: performance.now(), error: undefined }
      uncertain = undefined
      pauseMs = recoverPausesMs.first
      events.settled?.()
      return true
    } catch (error) {
      refuseWaiting()
      if (work.failure?.() || isClosed) {
        uncertain = undefined
        return false
      }
      uncertain = error instanceof StorageError ? error : new StorageError(describeReason(error), true)
      events.uncertain?.(uncertain)
      pausing = setTimeout(() => {
        pausing = undefined
        running ??= drainQueue()
      }, pauseMs)
      pausing.unref()
      pauseMs = Math.min(pauseMs * 2, recoverPausesMs.last)
      return false
    }
  }

  function refuseWaiting(): void {
    const refused = waiting
    waiting = []
    for (const { reject } of refused) reject(makeNotTried())
    const wanting = wantingEmptyLog
    wantingEmptyLog = []
    for (const resolve of wanting) resolve(false)
  }

  const makeNotTried = (): StorageError => {
    const failure = work.failure?.()
    return failure instanceof StorageError
      ? failure
      : new UntriedError('an earlier commit is uncertain, so no write runs before its outcome is known')
  }

  async function emptyLogNow(): Promise<void> {
    const wanting = wantingEmptyLog
    wantingEmptyLog = []
    const isEmpty = wanting.length > 0 && (await work.emptyLog().catch(() => false))
    for (const resolve of wanting) resolve(isEmpty)
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    const startedAt = performance.now()
    try {
      const outcomes = await commit(group.map(({ write }) => write))
      last = { endedAt: performance.now(), error: findFault(outcomes) }
      noteGroup(group.length, startedAt)
      if (last.error?.isUncertain) suspend(last.error)
      group.forEach(({ resolve, reject }, position) => {
        const outcome = outcomes[position]
        if (!outcome) reject(new StorageError('the write was not answered', true))
        else if ('error' in outcome) reject(toStorageError(outcome))
        else resolve(outcome)
      })
    } catch (error) {
      const refusal = error instanceof StorageError ? error : new StorageError(describeReason(error), true)
      last = { endedAt: performance.now(), error: refusal }
      failed++
      // A thread that ended, or that hangs, settles nothing any more.
      if (refusal.isUncertain && !work.failure?.()) suspend(refusal)
      for (const { reject } of group) reject(refusal)
    }
  }

  function suspend(error: StorageError): void {
    uncertain = error
    events.uncertain?.(error)
  }

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageError('the service is shutting down'))
        if (pausing) return reject(makeNotTried())
        waiting.push({ since: performance.now(), write, resolve, reject })
        running ??= drainQueue()
      }),
    emptyLog: () =>
      new Promise((resolve) => {
        if (isClosed || pausing) return resolve(false)
        if (wantingEmptyLog.length === 0) wantingSince = performance.now()
        wantingEmptyLog.push(resolve)
        running ??= drainQueue()
      }),
    failure: () => work.failure?.() ?? (isClosed ? closed : undefined),
    state: () => ({
      last,
      waitingSince: (underWay[0] ?? waiting[0])?.since,
      // A writer that failed settles nothing: the next start does.
      isUncertain: uncertain !== undefined || work.failure?.() !== undefined,
    }),
    figures: {
      sizes,
      seconds,
      commitSeconds,
      countFailed: () => failed,
      countWaiting: () => underWay.length + waiting.length,
    },
    async close() {
      isClosed = true
      clearTimeout(pausing)
      await running
      await work.closeFile()
    },
  }
}

const closed = new StorageError('the database is closed')

const describeReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const toStorageError = ({ error, isUncertain, isDiskFull }: FailedOutcome): StorageError =>
  new StorageError(error, isUncertain, isDiskFull)

/** The reason why a whole group is not on disk. A single failed write among others says nothing about the disk. */
const findFault = (outcomes: readonly WriteOutcome[]): StorageError | undefined => {
  const first = outcomes[0]
  const failedAlike = first && 'error' in first && outcomes.every((one) => 'error' in one && one.error === first.error)
  return failedAlike ? toStorageError(first) : undefined
}

/** Tells the first reason that there is, and no other. */
export const tellOnce = (tell: ((reason: string) => void) | undefined): ((reason: string | undefined) => void) => {
  let isReported = false
  return (reason) => {
    if (reason === undefined || isReported) return
    isReported = true
    tell?.(reason)
  }
}
