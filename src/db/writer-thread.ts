/** The writer's thread: one question at a time, one answer each. */
import type { Write } from './commit-group.ts'
import { requireKeptFiles } from './kept-files.ts'
import { type LogFeed, type LogNews, openLogFeed } from './log-feed.ts'
import { makeRecoveringCommitter, type RecoveringCommitter } from './recovering.ts'
import type { Committed, ThreadAnswer, ThreadNote, ThreadQuestion } from './threaded-writer.ts'

declare const self: Worker

let feed: LogFeed | undefined
let committer: RecoveringCommitter | undefined
/** What a commit added, for its answer: another message for each commit would cost both threads as much again. */
let committed: LogNews | undefined
let isCommitting = false
/** A small group means that no write is waiting behind it. */
let lastGroupSize = 0

self.onmessage = ({ data }: MessageEvent<ThreadQuestion | ThreadNote>) => {
  if ('taken' in data) {
    if (data.taken) feed?.noteTaken(data.taken)
    committer?.look()
    if (data.taken?.isShipped) committer?.checkpoint(true)
    return
  }
  try {
    self.postMessage(answerQuestion(data))
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer)
  }
  // After the answer, so that no caller waits for it. The next question waits in the mailbox, if any.
  if ('commit' in data) setImmediate(() => committer?.checkpoint(lastGroupSize < 4))
}

function tellNews(news: LogNews): void {
  // In their order.
  const before = takeCommitted()
  if (before) postNews(before)
  if (isCommitting && news.kind === 'commits') committed = news
  else postNews(news)
}

const postNews = (news: LogNews): void =>
  self.postMessage({ news } satisfies ThreadAnswer, news.kind === 'rest' ? [news.bytes.buffer] : [])

function takeCommitted(): LogNews | undefined {
  const taken = committed
  committed = undefined
  return taken
}

function commit(writes: Write[]): Committed {
  isCommitting = true
  try {
    const outcomes = JSON.stringify(committer?.commit(writes) ?? [])
    const news = takeCommitted()
    return { outcomes, commitMs: committer?.lastCommitMs(), ...(news ? { news } : {}) }
  } finally {
    isCommitting = false
  }
}

function answerQuestion(question: ThreadQuestion): ThreadAnswer {
  if ('open' in question) {
    const { open } = question
    feed = open.keepsLog ? openLogFeed(open.file, open.walLimitBytes, tellNews) : undefined
    committer = requireKeptFiles(makeRecoveringCommitter({ ...open, feed }), open.file)
    return { done: true }
  }
  if ('commit' in question) {
    const writes: Write[] = JSON.parse(question.commit)
    lastGroupSize = writes.length
    const copyInDoubt = committer?.copyInDoubt()
    return { ...commit(writes), ...(copyInDoubt ? { copyInDoubt } : {}) }
  }
  if ('emptyLog' in question) return { isEmpty: committer?.emptyLog() ?? false, copyInDoubt: committer?.copyInDoubt() }
  if ('recover' in question) {
    committer?.recover()
    return { done: true }
  }
  committer?.close()
  committer = undefined
  return { done: true }
}
