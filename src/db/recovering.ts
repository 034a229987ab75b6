/**
 * Commits, and recovers after an uncertain commit. The recovery opens a new connection, rewrites and syncs the log, and
 * commits on top.
 */
import { type GroupCommitter, type GroupOptions, groupCommitter } from './commit-group.ts'
import { type OpenOptions, openConnection } from './connection.ts'
import { rewriteLog } from './rewrite-log.ts'

export interface RecoveringCommitter extends Omit<GroupCommitter, 'abandon'> {
  /**
   * Settles the uncertainty: afterwards a write of the failed group is stored for good or gone for good. It throws as
   * long as the disk fails; until then no other commit is allowed.
   *
   * Readers see none of it in the meantime. All connections to the file share the log's index, which names only synced
   * pages.
   */
  recover(): void
}

export function makeRecoveringCommitter(
  options: OpenOptions & GroupOptions,
  first: GroupCommitter = groupCommitter(openConnection(options), options),
): RecoveringCommitter {
  let current: GroupCommitter | undefined = first
  let doubt: string | undefined

  function drop(): void {
    const dropped = current
    current = undefined
    doubt = dropped?.copyInDoubt() ?? doubt
    dropped?.abandon()
  }

  return {
    commit(writes) {
      if (!current) throw new Error('a commit before the recovery')
      return current.commit(writes)
    },
    lastCommitMs: () => current?.lastCommitMs(),
    look: () => current?.look(),
    finish: () => current?.finish(),
    checkpoint: (isIdle) => current?.checkpoint(isIdle),
    emptyLog: () => current?.emptyLog() ?? false,
    copyInDoubt: () => current?.copyInDoubt() ?? doubt,
    close: () => current?.close(),

    recover() {
      // A store in memory has no log, and nothing of it outlives the process.
      if (options.file === ':memory:') return
      drop()
      const db = openConnection(options)
      current = groupCommitter(db, options, doubt)
      try {
        rewriteLog(db, options.file)
        // When the log's index cannot grow on a full disk, this makes space. It copies only pages that the index names.
        current.checkpoint(true)
        // Its page takes the place of the first one that the failed commit left in the log. The others count no more,
        // because each page vouches for all before it.
        const { user_version: same } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
        const [outcome] = current.commit([[{ sql: `PRAGMA user_version = ${same}`, params: [] }]])
        if (!outcome || 'error' in outcome) throw new Error(outcome?.error)
      } catch (error) {
        drop()
        throw error
      }
    },
  }
}
