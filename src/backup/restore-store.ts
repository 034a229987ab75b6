/** The note that a database was restored, and what ends with a restore: SQL and nothing else. */
import { endAllSessions, revokeAllKeys } from '../auth/restoring-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { type JournalRow, keepEntry, noteRestored } from '../journal/store.ts'
import { endAllGrants, endCodes, endRefreshTokens } from '../oauth/restoring-store.ts'
import { dropLinks } from '../operator/restoring-store.ts'

export interface NewRestore {
  readonly backupId: string
  /** taken_away.id: the last that the journal knew of the time that was lost. */
  readonly newestEntry: number
  /** Unix milliseconds, all three. */
  readonly restoredAt: number
  readonly backupAt: number
  readonly knownUntil: number
  readonly journal: 'replayed' | 'gone'
}

const insertRestore = ({ restoredAt, backupId, backupAt, journal, knownUntil }: NewRestore): Statement => ({
  sql: `INSERT INTO restores (restored_at, backup_id, backup_at, journal, known_until) VALUES (?1, ?2, ?3, ?4, ?5)`,
  params: [restoredAt, backupId, backupAt, journal, knownUntil],
})

/** More than a server takes away in the hours of which nothing is known. */
const skippedIds = 1_000_000_000

/** Ids of the time that was lost are not given again: journals that are kept elsewhere have them. */
const skipEntries = ({ restoredAt, backupId, newestEntry }: NewRestore): Statement =>
  noteRestored(backupId, restoredAt, newestEntry + skippedIds)

/**
 * Sessions, codes and refresh tokens always end. Where the journal is gone, so does every credential: one of them may have been ended
 * after the backup.
 */
export async function noteRestore(db: Db, restore: NewRestore): Promise<void> {
  await db.write(
    [
      insertRestore(restore),
      skipEntries(restore),
      endAllSessions(),
      ...endCodes(),
      endRefreshTokens(restore.restoredAt),
      dropLinks(),
      ...(restore.journal === 'gone' ? [revokeAllKeys(restore.restoredAt), ...endAllGrants(restore.restoredAt)] : []),
    ],
    'free',
  )
}

/** Rows of one write: a few milliseconds. */
const sliceRows = 200

/** Behind the note of the restore, so that every older backup counts them as later than itself. */
export async function keepEntries(db: Db, rows: readonly JournalRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += sliceRows)
    await db.write(rows.slice(at, at + sliceRows).map(keepEntry), 'free')
}
