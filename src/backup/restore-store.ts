/** The note that a database was restored, and what ends with a restore: SQL and nothing else. */
import { endAllSessions, revokeAllKeys } from '../auth/restoring-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { endAllGrants, endCodes } from '../oauth/restoring-store.ts'
import { dropLinks } from '../operator/restoring-store.ts'

export interface NewRestore {
  readonly backupId: string
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

/**
 * Sessions and codes always end. Where the journal is gone, so does every credential: one of them may have been ended
 * after the backup.
 */
export async function noteRestore(db: Db, restore: NewRestore): Promise<void> {
  await db.write(
    [
      insertRestore(restore),
      endAllSessions(),
      ...endCodes(),
      dropLinks(),
      ...(restore.journal === 'gone' ? [revokeAllKeys(restore.restoredAt), ...endAllGrants(restore.restoredAt)] : []),
    ],
    'free',
  )
}
