/** Faults that the writer meets and that last, as conditions of the server. */
import type { Condition, Conditions } from '../conditions.ts'
import type { WriterEvents } from '../db/db.ts'
import { findFaultKind } from '../db/sqlite-errors.ts'

const uncertainName = 'storage-uncertain'
export const unsyncedName = 'storage-unsynced'

interface WriterFaults {
  readonly conditions: Conditions
  readonly log: Record<
    'debug',
    (message: string, fields: { readonly event: 'commit-uncertain'; readonly error: string }) => void
  >
  /** The writer hangs, and every write that waited was failed: the process should end. */
  onHang(): void
}

const openCommit = 'it is not known what of it is stored, and nothing else is written until that is settled'

const makeUncertain = ({ message }: Error): Condition => ({
  name: uncertainName,
  level: 'failing',
  // Each try to settle it may fail in its own words: that is one fault.
  cause: uncertainName,
  says: `the disk failed a commit (${message}): ${openCommit}`,
  mend: 'Look at the disk of the data folder. The server tries again by itself, every 30 s at the latest. A restart does no harm',
})

/** The log of the database is written again without SQLite (db/rewrite-log.ts), in the words of the system. */
const isOfReadOnlyDisk = (error: Error): boolean =>
  findFaultKind(error) === 'read-only' || error.message.includes('EROFS')

/** A file system that the system aborted cannot be remounted for writing while a process has its files open. */
const makeUncertainReadOnly = ({ message }: Error): Condition => ({
  name: uncertainName,
  level: 'failing',
  cause: 'read-only',
  says: `the disk failed a commit and cannot be written to any more (${message}): ${openCommit}`,
  mend: 'The system makes a disk read-only after an error: look at its log (dmesg). Stop the server, check the file system (fsck), mount it for writing again, and start the server. Where it becomes writable without that, the server goes on by itself, 30 s later at the latest',
})

export const tellWriterFaults = ({ conditions, log, onHang }: WriterFaults): WriterEvents => ({
  uncertain: (error) => {
    log.debug('a commit is uncertain', { event: 'commit-uncertain', error: error.message })
    conditions.begin(isOfReadOnlyDisk(error) ? makeUncertainReadOnly(error) : makeUncertain(error))
  },
  settled: () => conditions.end(uncertainName),
  copyInDoubt: (reason) =>
    conditions.begin({
      name: unsyncedName,
      level: 'warning',
      says: `the database file could not be brought to the disk (${reason}): everything stays in its log, which grows until the next start`,
      mend: 'Look at the disk of the data folder, then restart: the start writes all of it again',
    }),
  hangs: (seconds) => {
    // By the name that the watch gives to a writer that has ended: it adds no line of its own.
    conditions.begin({
      name: 'writer-ended',
      cause: 'ended',
      level: 'failing',
      says: 'the disk does not answer, so the server ends',
      mend: 'Look at the disk of the data folder, then start again. What waited was answered as uncertain',
      details: { waitedSeconds: seconds, setting: 'storage.write_timeout_seconds' },
    })
    conditions.silence()
    onHang()
  },
})
