/**
 * Commits, and finds its way back after a commit whose fate is uncertain: on a new connection, with a log that was written
 * and synced again, and with a commit of its own on top.
 */
import { type GroupCommitter, groupCommitter } from './commit-group.ts'
import { type OpenOptions, openConnection } from './connection.ts'
import { rewriteLog } from './rewrite-log.ts'

export interface RecoveringCommitter extends Omit<GroupCommitter, 'abandon'> {
  /**
   * Settles what was uncertain: afterwards a write of the group that failed is stored for good or gone for good. Throws as
   * long as the disk does not take it; then nothing else may be committed.
   *
   * Who reads meanwhile sees none of it: the index of the log, which all connections to the file share, names only what
   * was synced.
   */
  recover(): void
}

export function makeRecoveringCommitter(
  options: OpenOptions,
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
        // Where the index of the log cannot grow on a full disk, this makes room. It copies only what the index names.
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
