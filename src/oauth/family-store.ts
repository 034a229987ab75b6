/** Grants in the database: SQL and nothing else. A family is all tokens that descend from one authorization code. */
import type { Statement } from '../db/db.ts'

export interface NewFamily {
  readonly profile: number
  readonly client: string
  /** Text of sessions/profile-store.ts accountText(). */
  readonly account: string
  readonly linkProof: number | null
  /** As on the wire. */
  readonly scope: string
  readonly resource: string
  readonly signedInAt: number
  readonly createdAt: number
  /** However often it is refreshed. */
  readonly expiresAt: number
}

/** Why a family ended. */
export type RevocationReason =
  | 'code_reused'
  | 'refresh_reused'
  | 'revoked_by_client'
  | 'revoked_by_person'
  | 'client_removed'

export const insertFamily = (family: NewFamily): Statement => ({
  sql: `INSERT INTO oauth_families (profile, client, account, link_proof, scope, resource, signed_in_at, created_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
  params: [
    family.profile,
    family.client,
    family.account,
    family.linkProof,
    family.scope,
    family.resource,
    family.signedInAt,
    family.createdAt,
    family.expiresAt,
  ],
})

/** Changes a row when the family was alive. Its tokens are dead with it. */
export const revokeFamily = (family: number, reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE id = ?1 AND revoked_at IS NULL',
  params: [family, at, reason],
  must: true,
})

/** Those of a person that stand, of one client or of all. */
export const revokeFamiliesOf = (
  profile: number,
  client: string | null,
  reason: RevocationReason,
  at: number,
): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?3, reason = ?4
        WHERE profile = ?1 AND (?2 IS NULL OR client = ?2) AND revoked_at IS NULL`,
  params: [profile, client, at, reason],
})
