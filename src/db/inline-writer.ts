/** The writer that commits on the calling thread: for databases in memory, and where a second thread does not pay. */
import { groupCommitter } from './commit-group.ts'
import { openConnection } from './connection.ts'
import { requireKeptFiles } from './kept-files.ts'
import { openLogFeed } from './log-feed.ts'
import { makeRecoveringCommitter } from './recovering.ts'
import { queueWrites, tellOnce } from './write-queue.ts'
import type { Writer, WriterOptions } from './writer.ts'

export function openInlineWriter(options: WriterOptions): Writer & { readonly db: ReturnType<typeof openConnection> } {
  const db = openConnection(options)
  const { file, keepsLog, walLimitBytes, events } = options
  const feed = keepsLog ? openLogFeed(file, walLimitBytes, (news) => events?.log?.(news)) : undefined
  const withFeed = { ...options, feed }
  const committer = requireKeptFiles(makeRecoveringCommitter(withFeed, groupCommitter(db, withFeed)), file)
  const tellCopyInDoubt = tellOnce(events?.copyInDoubt)
  return {
    db,
    ...queueWrites(
      async (writes) => committer.commit(writes),
      {
        closeFile: async () => committer.close(),
        emptyLog: async () => {
          const isEmpty = committer.emptyLog()
          tellCopyInDoubt(committer.copyInDoubt())
          return isEmpty
        },
        recover: async () => committer.recover(),
        lastCommitMs: committer.lastCommitMs,
        afterCommit: (isIdle) => {
          committer.checkpoint(isIdle)
          tellCopyInDoubt(committer.copyInDoubt())
        },
      },
      events,
    ),
    noteTaken(taken) {
      if (taken) feed?.noteTaken(taken)
      committer.look()
      if (taken?.isShipped) committer.checkpoint(true)
    },
  }
}
