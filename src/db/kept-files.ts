/**
 * Detects a file that was removed or replaced while open. It still accepts writes, which are lost when the process
 * ends. So writes to such a file are not acknowledged.
 */

import { statSync } from 'node:fs'
import { nameLogFile } from './file-names.ts'
import type { RecoveringCommitter } from './recovering.ts'

/** Identifies a file while it is open, under any name. Undefined: no such file. */
export function identifyFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Looks after each commit and before its answer: two looks at the names, which no disk is asked for. A new connection is
 * opened on the same files only: on others it would begin an empty database.
 */
export function requireKeptFiles(committer: RecoveringCommitter, file: string): RecoveringCommitter {
  if (file === ':memory:') return committer
  const database = identifyFile(file)
  let log = identifyFile(nameLogFile(file))
  function requireSame(): void {
    const logNow = identifyFile(nameLogFile(file))
    log ??= logNow
    if (database === undefined || identifyFile(file) !== database || log === undefined || logNow !== log)
      throw new Error('a file of the database was removed or replaced while it was open')
  }
  return {
    ...committer,
    commit(writes) {
      const outcomes = committer.commit(writes)
      requireSame()
      return outcomes
    },
    recover() {
      requireSame()
      committer.recover()
    },
  }
}
