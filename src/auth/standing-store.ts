/**
 * Queries that find a row as long as something gives a person the right to act: SQL and nothing else. They are asked
 * again in the transaction that stores what the person makes (http/grounds.ts).
 */
import type { Ground } from '../request-scope.ts'

/** `hash`: SHA-256 of the session id, 64 hexadecimal digits. */
export const makeSessionGround = (hash: string): Ground => ({
  sql: 'SELECT 1 FROM sessions WHERE hash = unhex(?1)',
  params: [hash],
})

export const makeAccessKeyGround = (keyId: string): Ground => ({
  sql: 'SELECT 1 FROM access_keys WHERE key_id = ?1 AND revoked_at IS NULL',
  params: [keyId],
})
