/** Grants and consents that ended after the restored state, and those that end with a restore: SQL and nothing else. */
import type { Statement } from '../db/db.ts'
import { revokeAllFamilies } from './family-store.ts'

export const revokeGrantAgain = (handle: string, revokedAt: number, reason: string | null): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE handle = ?1 AND revoked_at IS NULL',
  params: [handle, revokedAt, reason],
})

export const dropConsentAgain = (subject: string, client: string, redirectHost: string): Statement => ({
  sql: `DELETE FROM oauth_consents
        WHERE profile = (SELECT id FROM profiles WHERE subject = ?1) AND client = ?2 AND redirect_host = ?3`,
  params: [subject, client, redirectHost],
})

/** Codes and requests under way: what they were for has passed. */
export const endCodes = (): Statement[] => [
  { sql: 'DELETE FROM oauth_codes', params: [] },
  { sql: 'DELETE FROM oauth_requests', params: [] },
]

/**
 * Which refresh tokens were used since the restored state is not known, and each is good once. The grants stand, and what
 * apps made under them.
 */
export const endRefreshTokens = (at: number): Statement => ({
  sql: 'UPDATE oauth_families SET refresh_ends_at = ?1 WHERE refresh_ends_at > ?1',
  params: [at],
})

/** Where it is not known which of them were ended: people allow their apps again. */
export const endAllGrants = (at: number): Statement[] => [
  revokeAllFamilies('restored', at),
  { sql: 'DELETE FROM oauth_consents', params: [] },
]
