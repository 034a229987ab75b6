/**
 * The one writer. Callers hand in a write and are answered only after the commit that holds it is on disk: an
 * acknowledged write survives a power cut. Writes that arrive while a commit is under way share the next one.
 */

import { isExecutable } from '../executable.ts'
import { groupCommitter, type SqlValue, type Statement, type Write, type WriteOutcome } from './commit-group.ts'
import { type OpenOptions, openConnection } from './connection.ts'

export type { SqlValue, Statement, Write }

export interface Writer {
  write(statements: Write): Promise<WriteResult>
  /** Resolves when the log is empty: what was deleted before is then overwritten everywhere in the files. */
  emptyLog(): Promise<void>
  /** Why nothing can be written any more, if so. */
  failure(): Error | undefined
  /** Resolves when everything handed in so far is on disk and the file is closed. */
  close(): Promise<void>
}

/** Rows changed per statement, or the index of the `must` statement that changed none. */
export type WriteResult = { readonly changes: readonly number[] } | { readonly refusedAt: number }

/** The write could not be made (disk full, I/O error). Nothing of it is stored, unless that is uncertain. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  constructor(
    message: string,
    /** The writer ended in the middle: the commit may have reached the disk, or not. */
    readonly isUncertain = false,
    /** SQLITE_FULL: the disk had no room. */
    readonly isDiskFull = false,
  ) {
    super(message)
  }
}

interface Waiting {
  readonly write: Write
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: Error) => void
}

/** One transaction must stay short enough that the callers in it are not kept waiting. */
const groupLimit = 512

/** Commits on the calling thread: for databases in memory, and where a second thread is not worth its start. */
export function inlineWriter(options: OpenOptions): Writer & { readonly db: ReturnType<typeof openConnection> } {
  const db = openConnection(options)
  const committer = groupCommitter(db, options.walLimitBytes, options.isGuest)
  return {
    db,
    ...queueingWriter(
      async (writes) => {
        const outcomes = committer.commit(writes)
        return outcomes
      },
      {
        closeFile: async () => committer.close(),
        emptyLog: async () => committer.emptyLog(),
        afterCommit: (isIdle) => committer.checkpoint(isIdle),
      },
    ),
  }
}

/**
 * In the executable every module lies at the root, but the thread's entry keeps its folder below src/ (build/build.ts
 * names it as an entry of its own).
 */
const threadEntry = new URL(isExecutable ? './db/writer-thread.ts' : './writer-thread.ts', import.meta.url)

/**
 * Commits on a thread of its own, which keeps fsync and checkpoints off the event loop. Does not wait for the thread to
 * start, so that the server need not either: the first commit does.
 */
export function threadWriter(options: OpenOptions): Writer {
  const worker = new Worker(threadEntry)
  let answer: ((message: ThreadAnswer) => void) | undefined
  let failed: Error | undefined
  const ask = (question: ThreadQuestion): Promise<ThreadAnswer> =>
    new Promise((resolve, reject) => {
      if (failed) return reject(failed)
      answer = (message) => ('fault' in message ? reject(new StorageError(message.fault, true)) : resolve(message))
      worker.postMessage(question)
    })
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => answer?.(data)
  const end = (reason: string): void => {
    failed ??= new StorageError(`the writer thread ended${reason}: restart Proofgate`)
    answer?.({ fault: failed.message })
  }
  worker.onerror = (event) => end(` (${event.message})`)
  // A thread that is ended from outside reports no error.
  worker.addEventListener('close', () => end(''))

  const opened = ask({ open: options }).catch((error: Error) => {
    failed ??= new StorageError(`the writer thread could not open the database (${error.message})`)
    worker.terminate()
  })
  return queueingWriter(
    async (writes) => {
      await opened
      const answered = await ask({ commit: JSON.stringify(writes) })
      if (!('outcomes' in answered)) throw new StorageError('the writer thread gave no answer')
      return JSON.parse(answered.outcomes)
    },
    {
      closeFile: async () => {
        await opened
        try {
          await ask({ close: true })
        } finally {
          worker.terminate()
        }
      },
      emptyLog: async () => {
        await opened
        await ask({ emptyLog: true })
      },
      failure: () => failed,
    },
  )
}

/**
 * Groups travel as JSON text: cloning their many small arrays and objects between threads costs more than the insert
 * itself.
 */
export type ThreadQuestion =
  | { readonly open: OpenOptions }
  /** JSON of Write[]. */
  | { readonly commit: string }
  | { readonly emptyLog: true }
  | { readonly close: true }
export type ThreadAnswer =
  | { readonly done: true }
  /** JSON of WriteOutcome[]. */
  | { readonly outcomes: string }
  | { readonly fault: string }

/** What a writer does besides committing. Never two of these at once, nor beside a commit. */
interface FileWork {
  closeFile(): Promise<void>
  emptyLog(): Promise<void>
  afterCommit?(isIdle: boolean): void
  failure?(): Error | undefined
}

function queueingWriter(
  commit: (writes: readonly Write[]) => Promise<readonly WriteOutcome[]>,
  work: FileWork,
): Writer {
  let waiting: Waiting[] = []
  let wantingEmptyLog: (() => void)[] = []
  let running: Promise<void> | undefined
  let isClosed = false

  async function drain(): Promise<void> {
    // One turn of the event loop gathers the requests that arrived together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0 || wantingEmptyLog.length > 0) {
      const group = waiting.slice(0, groupLimit)
      waiting = waiting.slice(groupLimit)
      if (group.length > 0) await commitGroup(group)
      work.afterCommit?.(waiting.length === 0)
      if (waiting.length === 0) await emptyLogNow()
    }
    running = undefined
  }

  async function emptyLogNow(): Promise<void> {
    const wanting = wantingEmptyLog
    wantingEmptyLog = []
    // What was committed stays committed: a log that could not be emptied now is emptied by a later checkpoint.
    if (wanting.length > 0) await work.emptyLog().catch(() => {})
    for (const resolve of wanting) resolve()
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ write }) => write))
      group.forEach(({ resolve, reject }, position) => {
        const outcome = outcomes[position]
        if (!outcome) reject(new StorageError('the write was not answered'))
        else if ('error' in outcome) reject(new StorageError(outcome.error, false, outcome.isDiskFull))
        else resolve(outcome)
      })
    } catch (error) {
      const refusal = error instanceof StorageError ? error : new StorageError(String(error), true)
      for (const { reject } of group) reject(refusal)
    }
  }

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageError('the service is shutting down'))
        waiting.push({ write, resolve, reject })
        running ??= drain()
      }),
    emptyLog: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve()
        wantingEmptyLog.push(resolve)
        running ??= drain()
      }),
    failure: () => work.failure?.(),
    async close() {
      isClosed = true
      await running
      await work.closeFile()
    },
  }
}
