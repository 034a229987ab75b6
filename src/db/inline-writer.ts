/** The writer that commits on the calling thread: for databases in memory, and where a second thread does not pay. */
import { groupCommitter } from './commit-group.ts'
import { openConnection } from './connection.ts'
import { requireKeptFiles } from './kept-files.ts'
import { makeRecoveringCommitter } from './recovering.ts'
import { queueWrites, tellOnce } from './write-queue.ts'
import type { Writer, WriterOptions } from './writer.ts'

export function openInlineWriter(options: WriterOptions): Writer & { readonly db: ReturnType<typeof openConnection> } {
  const db = openConnection(options)
  const committer = requireKeptFiles(makeRecoveringCommitter(options, groupCommitter(db, options)), options.file)
  const tellCopyInDoubt = tellOnce(options.events?.copyInDoubt)
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
      options.events,
    ),
  }
}
