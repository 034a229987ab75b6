/** Grants in the database: SQL and nothing else. A family is all tokens that descend from one authorization code. */

import { familyLeftSomething } from '../auth/ending-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import { type Profile, profileColumns, toProfile } from '../profiles/store.ts'
import type { Ground } from '../request-scope.ts'
import type { Lineage } from './lineage.ts'

export interface NewFamily {
  /** The name of the family in its tokens (lineage.ts). */
  readonly handle: string
  readonly profile: number
  readonly client: string
  /** Text of wallet/account.ts writeAccount(). */
  readonly account: string
  readonly linkProof: number | null
  /** As on the wire. */
  readonly scope: string
  readonly resource: string
  readonly signedInAt: number
  readonly createdAt: number
  /** However often it is refreshed. */
  readonly expiresAt: number
  /** redirect-uri.ts readPlace(). */
  readonly redirectHost: string
  /** When its first tokens end. */
  readonly refreshEndsAt: number
  readonly accessEndsAt: number
}

/** A grant, whatever became of it. */
export type Family = RowOf<typeof selectFamily>

const selectFamily = query<[string]>()`
  SELECT ${pick('oauth_families f', 'id', 'handle', 'profile', 'client', 'account', 'linkProof', 'scope')},
    ${pick('oauth_families f', 'resource', 'signedInAt', 'createdAt', 'expiresAt', 'generation')},
    ${pick('oauth_families f', 'refreshedAt', 'refreshedBy', 'refreshEndsAt', 'accessEndsAt')},
    ${pick('oauth_families f', 'revokedAt')},
    ${pick('profiles p', 'subject', 'did', { primaryAccount: 'account' })}
  FROM oauth_families f JOIN profiles p ON p.id = f.profile WHERE f.handle = ?1`

export const findFamily = async (db: Db, handle: string): Promise<Family | undefined> =>
  (await db.read(selectFamily).get(handle)) ?? undefined

/** The rights of an access token. */
export interface LiveAccess {
  readonly profile: Profile
  /** The account that signed in. */
  readonly account: string
  /** proofs.id of the link by which the person signed in; null for the primary account. */
  readonly linkProof: number | null
}

const selectLiveAccess = query<[string, number]>()`
  SELECT ${profileColumns},
    ${pick('oauth_families f', { grantedBy: 'account' }, 'linkProof')}
  FROM oauth_families f JOIN profiles ON profiles.id = f.profile
  WHERE f.handle = ?1 AND f.generation >= ?2 AND f.revoked_at IS NULL`

/** The owner of an access token: its grant must stand, and its generation must have been issued. */
export async function findLiveAccess(db: Db, { handle, generation }: Lineage): Promise<LiveAccess | undefined> {
  const row = await db.read(selectLiveAccess).get(handle, generation)
  if (!row) return undefined
  const { linkProof, grantedBy, ...profile } = row
  return { profile: toProfile(profile), account: grantedBy, linkProof }
}

export interface Refreshed {
  readonly id: number
  /** The generation of the used refresh token. */
  readonly generation: number
  readonly now: number
  /** By the steady clock. */
  readonly refreshedAt: number
  readonly run: string
  readonly refreshEndsAt: number
  readonly accessEndsAt: number
}

/** The next generation: refused when this one was used before, or is over, or the grant is. */
export const raiseGeneration = ({
  id,
  generation,
  now,
  refreshedAt,
  run,
  refreshEndsAt,
  accessEndsAt,
}: Refreshed): Statement => ({
  sql: `UPDATE oauth_families
        SET generation = generation + 1, refreshed_at = ?7, refreshed_by = ?4, refresh_ends_at = ?5, access_ends_at = ?6
        WHERE id = ?1 AND generation = ?2 AND revoked_at IS NULL AND expires_at > ?3 AND refresh_ends_at > ?3`,
  params: [id, generation, now, run, refreshEndsAt, accessEndsAt, refreshedAt],
  must: true,
})

/** Why a family ended. */
export type RevocationReason =
  | 'code_reused'
  | 'refresh_reused'
  | 'revoked_by_client'
  | 'revoked_by_person'
  | 'revoked_by_operator'
  | 'client_removed'
  | 'profile_deleted'
  | 'restored'

/** Changes no row when the profile was deleted in the meantime. */
export const insertFamily = (family: NewFamily): Statement => ({
  sql: `INSERT INTO oauth_families (handle, profile, client, account, link_proof, scope, resource, signed_in_at, created_at,
          expires_at, generation, refresh_ends_at, access_ends_at, redirect_host)
        SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12, ?13 FROM profiles WHERE id = ?2`,
  params: [
    family.handle,
    family.profile,
    family.client,
    family.account,
    family.linkProof,
    family.scope,
    family.resource,
    family.signedInAt,
    family.createdAt,
    family.expiresAt,
    family.refreshEndsAt,
    family.accessEndsAt,
    family.redirectHost,
  ],
  must: true,
})

/** Changes a row when the family was alive. Its tokens are dead with it. */
export const revokeFamily = (family: number, reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE id = ?1 AND revoked_at IS NULL',
  params: [family, at, reason],
  must: true,
})

/** The reason that signing out writes, which ends tokens and nothing that they made (migrations/0010_sources.sql). */
export const signedOutReason = 'signed out everywhere'

const standsOrSignedOut = `(revoked_at IS NULL OR reason = '${signedOutReason}')`

/** Revokes the families of a person and a client that stand, or that were only signed out. */
export const revokeClientFamilies = (
  profile: number,
  client: string,
  reason: RevocationReason,
  at: number,
): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?3, reason = ?4
        WHERE profile = ?1 AND client = ?2 AND ${standsOrSignedOut}`,
  params: [profile, client, at, reason],
})

/** Codes that would still become a grant. */
export const dropClientCodes = (profile: number, client: string): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND client = ?2 AND consumed_at IS NULL',
  params: [profile, client],
})

/** Revokes the families of a client, for all persons. */
export const revokeFamiliesOfClient = (client: string, reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE client = ?1 AND revoked_at IS NULL',
  params: [client, at, reason],
})

/** Revokes families that were only signed out: of one client, or of all clients for null. */
export const revokeSignedOut = (client: string | null, reason: RevocationReason, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?2, reason = ?3
        WHERE (CAST(?1 AS TEXT) IS NULL OR client = ?1) AND reason = '${signedOutReason}'`,
  params: [client, at, reason],
})

export const revokeAllFamilies = (reason: RevocationReason, at: number): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?1, reason = ?2 WHERE revoked_at IS NULL',
  params: [at, reason],
})

/** The resource of all grants, after the address of the MCP endpoint changed. */
export const nameResource = (resource: string): Statement => ({
  sql: 'UPDATE oauth_families SET resource = ?1 WHERE resource <> ?1',
  params: [resource],
})

export const dropCodes = (): Statement => ({ sql: 'DELETE FROM oauth_codes WHERE consumed_at IS NULL', params: [] })

/**
 * Deletes families whose last token ended before a time, with their dependent rows, at most `batch`. A grant is kept
 * while something that it made stands, so that the person can still end both. Returns the number.
 */
export const deleteOldFamilies = (db: Db, before: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM oauth_families WHERE id IN (
       SELECT f.id FROM oauth_families f WHERE f.expires_at <= ?1 AND NOT ${familyLeftSomething} LIMIT ?2)
     AND expires_at <= ?1`,
    [before, batch],
  )

/** Ends the grants of a deleted profile. Signed-out ones are included, so that the things they made end too. */
export const endProfileGrants = (profile: number, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?2, reason = 'profile_deleted'
        WHERE profile = ?1 AND (revoked_at IS NULL OR reason = 'signed out everywhere')`,
  params: [profile, at],
})

export const revokeProfileGrants = (profile: number, at: number, reason: string): Statement => ({
  sql: 'UPDATE oauth_families SET revoked_at = ?2, reason = ?3 WHERE profile = ?1 AND revoked_at IS NULL',
  params: [profile, at, reason],
})

/** Revokes what a linked wallet allowed to clients while it was signed in by this link. */
export const revokeGrantsByLink = (profile: number, linkProof: number, at: number): Statement => ({
  sql: `UPDATE oauth_families SET revoked_at = ?3, reason = 'wallet unlinked'
        WHERE profile = ?1 AND link_proof = ?2 AND revoked_at IS NULL`,
  params: [profile, linkProof, at],
})

/** Finds a row as long as the grant stands: asked again where something is stored by it. `handle`: oauth_families.handle. */
export const makeGrantGround = (handle: string): Ground => ({
  sql: 'SELECT 1 FROM oauth_families WHERE handle = ?1 AND revoked_at IS NULL',
  params: [handle],
})
