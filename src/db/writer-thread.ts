/** The writer's thread: one question at a time, one answer each. */
import { type GroupCommitter, groupCommitter } from './commit-group.ts'
import { openConnection } from './connection.ts'
import type { ThreadAnswer, ThreadQuestion, Write } from './writer.ts'

declare const self: Worker

let committer: GroupCommitter | undefined
/** A small group means that nobody is waiting behind it. */
let lastGroupSize = 0

self.onmessage = ({ data }: MessageEvent<ThreadQuestion>) => {
  try {
    self.postMessage(answerTo(data))
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer)
  }
  // After the answer, so that nobody waits for it; the next question waits in the mailbox if there is one.
  if ('commit' in data) setImmediate(() => committer?.checkpoint(lastGroupSize < 4))
}

function answerTo(question: ThreadQuestion): ThreadAnswer {
  if ('open' in question) {
    committer = groupCommitter(openConnection(question.open), question.open.walLimitBytes)
    return { done: true }
  }
  if ('commit' in question) {
    const writes: Write[] = JSON.parse(question.commit)
    lastGroupSize = writes.length
    return { outcomes: JSON.stringify(committer?.commit(writes) ?? []) }
  }
  if ('emptyLog' in question) {
    committer?.emptyLog()
    return { done: true }
  }
  committer?.close()
  committer = undefined
  return { done: true }
}
