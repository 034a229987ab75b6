/** What signing out everywhere, and unlinking a wallet, take back: SQL and nothing else. */
import type { Statement } from '../../db/db.ts'

/** Before its rows go with the profile, so that what they made ends (migrations/0010_sources.sql). */
export const revokeProfileKeys = (profile: number, at: number): Statement => ({
  sql: 'UPDATE access_keys SET revoked_at = ?2 WHERE profile = ?1 AND revoked_at IS NULL',
  params: [profile, at],
})

/** The same for grants, those that were only signed out among them. */
export const endProfileGrants = (profile: number, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?2, reason = 'profile_deleted'
        WHERE profile = ?1 AND (revoked_at IS NULL OR reason = 'signed out everywhere')`,
  params: [profile, at],
})

export const revokeProfileGrants = (profile: number, at: number, reason: string): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE profile = ?1 AND revoked_at IS NULL',
  params: [profile, at, reason],
})

/** A code that was given out would become a new grant. */
export const dropOpenCodes = (profile: number): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND consumed_at IS NULL',
  params: [profile],
})

/** The sessions that a linked wallet opened by this link. */
export const dropSessionsByLink = (profile: number, linkProof: number): Statement => ({
  sql: 'DELETE FROM sessions WHERE profile = ?1 AND link_proof = ?2',
  params: [profile, linkProof],
})

/** What a linked wallet allowed to clients while it was signed in by this link. */
export const revokeGrantsByLink = (profile: number, linkProof: number, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?3, reason = 'wallet unlinked'
        WHERE profile = ?1 AND link_proof = ?2 AND revoked_at IS NULL`,
  params: [profile, linkProof, at],
})

export const dropCodesByLink = (profile: number, linkProof: number): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND link_proof = ?2 AND consumed_at IS NULL',
  params: [profile, linkProof],
})

/** They hold no content any more. */
export const dropRevokedSecrets = (profile: number, rows: number): Statement => ({
  sql: `DELETE FROM secrets WHERE id IN
          (SELECT id FROM secrets WHERE profile = ?1 AND revoked_at IS NOT NULL ORDER BY id LIMIT ?2)`,
  params: [profile, rows],
})
