/** Reports of a commit with an unknown outcome: settled by itself, or after an operator acted. */
import { expect, test } from 'bun:test'
import { openConditions } from '../../src/conditions.ts'
import { StorageError } from '../../src/db/db.ts'
import { tellWriterFaults } from '../../src/health/writer-faults.ts'
import { makeLog } from '../../src/log.ts'

function open() {
  const lines: string[] = []
  const log = makeLog({ level: 'info', format: 'text', now: () => 0, write: (line) => lines.push(line) })
  const conditions = openConditions({ log, now: () => 0 })
  return { lines, conditions, faults: tellWriterFaults({ conditions, log, onHang: () => {} }) }
}

test.each(['EROFS: read-only file system, write', 'attempt to write a readonly database'])(
  'a try to settle it that meets "%s" is reported once, with the remedy for a read-only disk',
  (words) => {
    const { lines, conditions, faults } = open()
    faults.uncertain?.(new StorageError('disk I/O error (SQLITE_IOERR_WRITE)', true))
    for (let turn = 0; turn < 5; turn++) faults.uncertain?.(new StorageError(words, true))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('The server tries again by itself')
    expect(lines[1]).toContain('the disk failed a commit and cannot be written to any more')
    expect(conditions.list()).toMatchObject([
      { name: 'storage-uncertain', count: 6, mend: expect.stringMatching(/fsck.*mount it for writing again.*start/) },
    ])
    faults.settled?.()
    expect(conditions.list()).toEqual([])
  },
)
