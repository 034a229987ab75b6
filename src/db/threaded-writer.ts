/** The writer that commits on a thread of its own: the side of the caller. The other side is writer-thread.ts. */
import { isExecutable } from '../executable.ts'
import type { OpenOptions } from './connection.ts'
import type { LogNews, Taken } from './log-feed.ts'
import { queueWrites, tellOnce } from './write-queue.ts'
import { StorageError, type Writer, type WriterOptions } from './writer.ts'

/**
 * In the executable every module is at the root, but the thread's entry keeps its folder below src/. build/build.ts
 * names it as an entry of its own.
 */
const threadEntry = new URL(isExecutable ? './db/writer-thread.ts' : './writer-thread.ts', import.meta.url)

/** Takes 5 ms, in which the caller can prepare the file. */
export const startWriterThread = (): Worker => new Worker(threadEntry)

/**
 * Commits on a thread of its own, which keeps fsync and checkpoints off the event loop. Does not wait for the thread to
 * start, so that the server need not either: the first commit does.
 */
export function openThreadWriter(
  { events, timeoutSeconds, ...options }: WriterOptions,
  worker = startWriterThread(),
): Writer {
  let answer: ((message: Exclude<ThreadAnswer, NewsAlone>) => void) | undefined
  let failed: Error | undefined
  let copiesLog = false
  let commitMs: number | undefined
  const tellCopyInDoubt = tellOnce(events?.copyInDoubt)
  const ask = (question: ThreadQuestion): Promise<Exclude<ThreadAnswer, NewsAlone>> =>
    new Promise((resolve, reject) => {
      if (failed) return reject(failed)
      answer = (message) => {
        answer = undefined
        if ('fault' in message) reject(new StorageError(message.fault, true))
        else resolve(message)
      }
      copiesLog = 'emptyLog' in question || 'close' in question
      worker.postMessage(question)
    })
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => {
    if ('news' in data && data.news) events?.log?.(data.news)
    if (!isNewsAlone(data)) answer?.(data)
  }
  const end = (reason: string): void => {
    failed ??= new StorageError(`the writer thread ended${reason}: restart Proofgate`)
    answer?.({ fault: failed.message })
  }
  worker.onerror = (event) => end(` (${event.message})`)
  // A thread that is ended from outside reports no error.
  worker.addEventListener('close', () => end(''))
  const endWatch = watchAnswers({
    timeoutSeconds,
    asked: () => answer,
    isPatient: () => copiesLog,
    giveUp: (seconds) => {
      failed ??= new StorageError(`the writer has not answered for ${seconds} s: the disk does not respond`)
      // First, so that closing the store in the meantime reports the reason of its failure.
      events?.hangs?.(seconds)
      answer?.({ fault: failed.message })
    },
  })

  const opened = ask({ open: options }).catch((error: Error) => {
    failed ??= new StorageError(`the writer thread could not open the database (${error.message})`)
    worker.terminate()
  })
  const queue = queueWrites(
    async (writes) => {
      await opened
      const answered = await ask({ commit: JSON.stringify(writes) })
      if (!('outcomes' in answered)) throw new StorageError('the writer thread gave no answer')
      tellCopyInDoubt(answered.copyInDoubt)
      commitMs = answered.commitMs
      return JSON.parse(answered.outcomes)
    },
    {
      closeFile: async () => {
        await opened
        try {
          await ask({ close: true })
        } finally {
          endWatch()
          worker.terminate()
        }
      },
      emptyLog: async () => {
        await opened
        const answered = await ask({ emptyLog: true })
        if (!('isEmpty' in answered)) return false
        // Told now: there may be no commit for a while.
        tellCopyInDoubt(answered.copyInDoubt)
        return answered.isEmpty
      },
      recover: async () => {
        await ask({ recover: true })
      },
      lastCommitMs: () => commitMs,
      failure: () => failed,
    },
    events,
  )
  return { ...queue, noteTaken: (taken) => worker.postMessage({ taken } satisfies ThreadNote) }
}

/** How many times longer the copy of a whole log may take than a commit. */
const patience = 3

/**
 * Calls `giveUp` once when one question stays open for too long. It counts only the time in which this thread ran.
 * After a stop of the whole process, the other thread gets time too.
 */
function watchAnswers({
  timeoutSeconds,
  asked,
  isPatient,
  giveUp,
}: {
  readonly timeoutSeconds: number | undefined
  readonly asked: () => unknown
  /** The whole log is copied, which takes a slow disk its time. */
  readonly isPatient: () => boolean
  readonly giveUp: (seconds: number) => void
}): () => void {
  if (timeoutSeconds === undefined) return () => {}
  const tickMs = Math.min(500, timeoutSeconds * 100)
  let seen: unknown
  let waitedMs = 0
  let tickedAt = performance.now()
  const ticking = setInterval(() => {
    const at = performance.now()
    const open = asked()
    waitedMs = open !== undefined && open === seen ? waitedMs + Math.min(at - tickedAt, 2 * tickMs) : 0
    seen = open
    tickedAt = at
    if (waitedMs < timeoutSeconds * 1_000 * (isPatient() ? patience : 1)) return
    clearInterval(ticking)
    giveUp(timeoutSeconds)
  }, tickMs)
  ticking.unref()
  return () => clearInterval(ticking)
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
  | { readonly recover: true }
  | { readonly close: true }
/** Gets no answer. The log is looked at anew. */
export interface ThreadNote {
  readonly taken: Taken | undefined
}
export type ThreadAnswer =
  /** Comes by itself. */
  | NewsAlone
  | { readonly done: true }
  | { readonly isEmpty: boolean; readonly copyInDoubt?: string | undefined }
  | (Committed & { readonly copyInDoubt?: string })
  | { readonly fault: string }

interface NewsAlone {
  readonly news: LogNews
}

export interface Committed {
  /** JSON of WriteOutcome[]. */
  readonly outcomes: string
  readonly commitMs: number | undefined
  /** What it added to the log. */
  readonly news?: LogNews
}

const isNewsAlone = (message: ThreadAnswer): message is NewsAlone => 'news' in message && !('outcomes' in message)
