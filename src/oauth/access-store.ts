/** Access tokens in the database: SQL and nothing else. They are there as the SHA-256 of their `jti`. */
import type { Db, Statement } from '../db/db.ts'
import type { Profile } from '../http/identity.ts'
import { type ProfileRow, profileColumns, profileOf } from '../sessions/profile-store.ts'

export interface LiveAccess {
  readonly profile: Profile
  /** The account that signed in. */
  readonly account: string
  /** proofs.id of the link by which the person signed in; null for the primary account. */
  readonly linkProof: number | null
}

interface LiveRow extends ProfileRow {
  readonly grantedBy: string
  readonly linkProof: number | null
}

/** The token of this hash, unless it is over, or it or its family was revoked. */
export function findLiveAccess(db: Db, hash: string, now: number): LiveAccess | undefined {
  const row = db
    .prepare<LiveRow, [string, number]>(
      `SELECT ${profileColumns}, f.account AS grantedBy, f.link_proof AS linkProof FROM oauth_access a
       JOIN oauth_families f ON f.id = a.family JOIN profiles ON profiles.id = f.profile
       WHERE a.hash = unhex(?1) AND a.expires_at > ?2 AND a.revoked_at IS NULL AND f.revoked_at IS NULL`,
    )
    .get(hash, now)
  if (!row) return undefined
  const { linkProof, grantedBy, ...profile } = row
  return { profile: profileOf(profile), account: grantedBy, linkProof }
}

export interface AccessFamily {
  readonly family: number
  readonly client: string
  readonly profile: number
}

/** The family of a token, however old or dead both are. */
export function findAccessFamily(db: Db, hash: string): AccessFamily | undefined {
  return (
    db
      .prepare<AccessFamily, [string]>(
        'SELECT a.family, f.client, f.profile FROM oauth_access a JOIN oauth_families f ON f.id = a.family WHERE a.hash = unhex(?1)',
      )
      .get(hash) ?? undefined
  )
}

export interface NewAccess {
  /** SHA-256 of `jti`, 64 hexadecimal digits. */
  readonly hash: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

export const insertAccess = ({ hash, expiresAt }: NewAccess, family: number): Statement => ({
  sql: 'INSERT INTO oauth_access (hash, family, expires_at) VALUES (unhex(?1), ?2, ?3)',
  params: [hash, family, expiresAt],
})

/** Those that ended before a time, at most `batch`. Returns how many. */
export async function deleteAccessBefore(db: Db, before: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: 'DELETE FROM oauth_access WHERE hash IN (SELECT hash FROM oauth_access WHERE expires_at <= ?1 LIMIT ?2)',
      params: [before, batch],
    },
  ])
  return 'changes' in result ? (result.changes[0] ?? 0) : 0
}
