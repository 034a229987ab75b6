/** Grants in the database: SQL and nothing else. A family is all tokens that descend from one authorization code. */
import type { Db, Statement } from '../db/db.ts'

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
  | 'revoked_by_operator'
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

/** Those of a person and a client that stand. */
export const revokeFamiliesOf = (profile: number, client: string, reason: RevocationReason, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?3, reason = ?4
        WHERE profile = ?1 AND client = ?2 AND revoked_at IS NULL`,
  params: [profile, client, at, reason],
})

/** Codes that would still become a grant. */
export const dropCodesOf = (profile: number, client: string): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND client = ?2 AND consumed_at IS NULL',
  params: [profile, client],
})

/** Those of a client, whoever allowed them. */
export const revokeFamiliesOfClient = (client: string, reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE client = ?1 AND revoked_at IS NULL',
  params: [client, at, reason],
})

export const revokeAllFamilies = (reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?1, reason = ?2 WHERE revoked_at IS NULL',
  params: [at, reason],
})

export const dropCodes = (): Statement => ({ sql: 'DELETE FROM oauth_codes WHERE consumed_at IS NULL', params: [] })

/** Those whose last token ended before a time, with all that hangs from them, at most `batch`. Returns how many. */
export async function deleteFamiliesBefore(db: Db, before: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: 'DELETE FROM oauth_families WHERE id IN (SELECT id FROM oauth_families WHERE expires_at <= ?1 LIMIT ?2)',
      params: [before, batch],
    },
  ])
  return 'changes' in result ? (result.changes[0] ?? 0) : 0
}
