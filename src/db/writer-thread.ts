/** The writer's thread: one question at a time, one answer each. */
import { type GroupCommitter, groupCommitter } from './commit-group.ts'
import { openConnection } from './connection.ts'
import type { ThreadAnswer, ThreadQuestion } from './writer.ts'

declare const self: Worker

let committer: GroupCommitter | undefined

self.onmessage = ({ data }: MessageEvent<ThreadQuestion>) => {
  try {
    self.postMessage(answerTo(data))
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) } satisfies ThreadAnswer)
  }
  // After the answer, so that nobody waits for it; the next question waits in the mailbox if there is one.
  if ('commit' in data) setImmediate(() => committer?.checkpoint(data.commit.length < 4))
}

function answerTo(question: ThreadQuestion): ThreadAnswer {
  if ('open' in question) {
    committer = groupCommitter(openConnection(question.open), question.open.walLimitBytes)
    return { done: true }
  }
  if ('commit' in question) return { outcomes: committer?.commit(question.commit) ?? [] }
  committer?.close()
  committer = undefined
  return { done: true }
}
