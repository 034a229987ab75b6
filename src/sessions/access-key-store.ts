/** Access keys in the database: SQL and nothing else. Keys are there as SHA-256 only. */
import type { Db } from '../db/db.ts'
import type { Profile } from '../http/identity.ts'
import { type ProfileRow, profileColumns, profileOf } from './profile-store.ts'

export interface UsableKey {
  /** access_keys.id */
  readonly id: number
  readonly keyId: string
  readonly profile: Profile
  /** Words of http/identity.ts, separated by spaces. */
  readonly scopes: string
  readonly lastUsedAt: number | null
}

interface KeyRow extends ProfileRow {
  readonly key: number
  readonly keyId: string
  readonly scopes: string
  readonly lastUsedAt: number | null
}

/** The key, unless it was revoked. `hash` is SHA-256 of it, 64 hexadecimal digits. */
export function findUsableKey(db: Db, hash: string): UsableKey | undefined {
  const row = db
    .prepare<KeyRow, [string]>(
      `SELECT ${profileColumns}, k.id AS key, k.key_id AS keyId, k.scopes, k.last_used_at AS lastUsedAt
       FROM access_keys k JOIN profiles ON profiles.id = k.profile WHERE k.hash = unhex(?1) AND k.revoked_at IS NULL`,
    )
    .get(hash)
  if (!row) return undefined
  const { key, keyId, scopes, lastUsedAt, ...profile } = row
  return { id: key, keyId, scopes, lastUsedAt, profile: profileOf(profile) }
}

export async function markKeyUsed(db: Db, id: number, at: number): Promise<void> {
  await db.write([{ sql: 'UPDATE access_keys SET last_used_at = ?2 WHERE id = ?1', params: [id, at] }])
}
