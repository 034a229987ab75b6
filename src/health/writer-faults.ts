/** Faults that the writer meets and that last, as conditions of the server. */
import type { Conditions } from '../conditions.ts'
import type { WriterEvents } from '../db/db.ts'

const uncertainName = 'storage-uncertain'
export const unsyncedName = 'storage-unsynced'

interface WriterFaults {
  readonly conditions: Conditions
  readonly log: Record<'debug', (message: string, fields: Readonly<Record<string, string | number>>) => void>
  /** The writer hangs, and every write that waited was failed: the process should end. */
  onHang(): void
}

export const tellWriterFaults = ({ conditions, log, onHang }: WriterFaults): WriterEvents => ({
  uncertain: ({ message }) => {
    log.debug('a commit is uncertain', { error: message })
    conditions.begin({
      name: uncertainName,
      level: 'failing',
      // Each try to settle it may fail in its own words: that is one fault.
      cause: uncertainName,
      says: `the disk failed a commit (${message}): it is not known what of it is stored, and nothing else is written until that is settled`,
      mend: 'Look at the disk of the data folder. The server tries again by itself, every 30 s at the latest. A restart does no harm',
    })
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
