/** What signing out everywhere takes back from OAuth clients: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

export const revokeGrantsOf = (profile: number, at: number, reason: string): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE profile = ?1 AND revoked_at IS NULL',
  params: [profile, at, reason],
})

/** A code that was given out would become a new grant. */
export const dropOpenCodes = (profile: number): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND consumed_at IS NULL',
  params: [profile],
})
