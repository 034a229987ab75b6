/** Credentials that end with a restore: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

/** People sign in again: which sessions were ended since the restored state is not known. */
export const endAllSessions = (): Statement => ({ sql: 'DELETE FROM sessions', params: [] })

export const revokeKeyAgain = (keyId: string, revokedAt: number): Statement => ({
  sql: 'UPDATE access_keys SET revoked_at = ?2 WHERE key_id = ?1 AND revoked_at IS NULL',
  params: [keyId, revokedAt],
})

export const revokeAllKeys = (at: number): Statement => ({
  sql: 'UPDATE access_keys SET revoked_at = ?1 WHERE revoked_at IS NULL',
  params: [at],
})
