/** Secrets that were revoked after the restored state: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

/** `qHash`: 64 hexadecimal digits. */
export const revokeSecretAgain = (qHash: string, revokedAt: number): Statement => ({
  sql: 'UPDATE secrets SET sealed = NULL, revoked_at = ?2 WHERE q_hash = unhex(?1) AND revoked_at IS NULL',
  params: [qHash, revokedAt],
})
