/** Access keys in the database: SQL and nothing else. Keys are there as SHA-256 only. */

import type { Db, Statement } from '../../db/db.ts'
import { compose, pick, query, type RowOf } from '../../db/query.ts'
import { type Profile, profileColumns, toProfile } from '../../profiles/store.ts'
import type { Ground } from '../../request-scope.ts'

export interface UsableKey {
  /** access_keys.id */
  readonly id: number
  readonly keyId: string
  readonly profile: Profile
  /** Words of auth/identity.ts, separated by spaces. */
  readonly scopes: string
  readonly lastUsedAt: number | null
}

const selectUsableKey = query<[string]>()`
  SELECT ${profileColumns},
    ${pick('access_keys k', { key: 'id' }, 'keyId', 'scopes', 'lastUsedAt')}
  FROM access_keys k JOIN profiles ON profiles.id = k.profile WHERE k.hash = unhex(?1) AND k.revoked_at IS NULL`

/** The key, unless it was revoked. `hash` is SHA-256 of it, 64 hexadecimal digits. */
export async function findUsableKey(db: Db, hash: string): Promise<UsableKey | undefined> {
  const row = await db.read(selectUsableKey).get(hash)
  if (!row) return undefined
  const { key, keyId, scopes, lastUsedAt, ...profile } = row
  return { id: key, keyId, scopes, lastUsedAt, profile: toProfile(profile) }
}

export async function markKeyUsed(db: Db, id: number, at: number): Promise<void> {
  await db.write([{ sql: 'UPDATE access_keys SET last_used_at = ?2 WHERE id = ?1', params: [id, at] }], 'free')
}

/** A key as its owner sees it: never the key. */

const listedColumns = pick('access_keys k', 'keyId', 'prefix', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'revokedAt')

/** `scopes` are words of auth/identity.ts, separated by spaces. */
export type ListedKey = RowOf<typeof listedColumns>

const selectKeys = query<[number]>()`SELECT ${listedColumns} FROM access_keys k WHERE k.profile = ?1 ORDER BY k.id DESC`

/** The newest first. */
export const listKeys = (db: Db, profile: number): Promise<ListedKey[]> => db.read(selectKeys).all(profile)

export interface OwnedKey extends ListedKey {
  readonly profile: Profile
}

type OwnedRow = RowOf<typeof selectOwned>

const makeOwnedKey = ({
  keyId,
  prefix,
  name,
  scopes,
  madeAt,
  lastUsedAt,
  revokedAt,
  ...profile
}: OwnedRow): OwnedKey => ({
  keyId,
  prefix,
  name,
  scopes,
  createdAt: madeAt,
  lastUsedAt,
  revokedAt,
  profile: toProfile(profile),
})

const ownedColumns = pick(
  'access_keys k',
  'keyId',
  'prefix',
  'name',
  'scopes',
  { madeAt: 'createdAt' },
  'lastUsedAt',
  'revokedAt',
)
const selectOwned = compose`
  SELECT ${profileColumns}, ${ownedColumns} FROM access_keys k JOIN profiles ON profiles.id = k.profile`

const selectKeyPage = query<[primary: string | null, before: string | null, limit: number]>()`
  ${selectOwned}
  WHERE (CAST(?1 AS TEXT) IS NULL OR profiles.account = ?1)
    AND (CAST(?2 AS TEXT) IS NULL OR k.id < (SELECT id FROM access_keys WHERE key_id = ?2))
  ORDER BY k.id DESC LIMIT ?3`

const selectOwnedKey = query<[keyId: string]>()`${selectOwned} WHERE k.key_id = ?1`

export interface KeyPage {
  /** Account of a profile; undefined for all people. */
  readonly primary: string | undefined
  /** Only keys that are older than this one. */
  readonly before: string | undefined
  readonly limit: number
}

/** The newest first: for the operator. */
export const listAllKeys = async (db: Db, { primary, before, limit }: KeyPage): Promise<OwnedKey[]> =>
  (await db.read(selectKeyPage).all(primary ?? null, before ?? null, limit)).map(makeOwnedKey)

export async function findKey(db: Db, keyId: string): Promise<OwnedKey | undefined> {
  const row = await db.read(selectOwnedKey).get(keyId)
  return row ? makeOwnedKey(row) : undefined
}

export interface NewKey {
  readonly keyId: string
  /** SHA-256 of the key, 64 hexadecimal digits. */
  readonly hash: string
  readonly prefix: string
  /** Account of the profile, which must be there. */
  readonly primary: string
  readonly name: string
  readonly scopes: string
  readonly createdAt: number
}

/** Changes no row when the profile has `most` usable keys. */
export const insertKey = (key: NewKey, most: number): Statement => ({
  sql: `INSERT INTO access_keys (key_id, hash, prefix, profile, name, scopes, created_at)
        SELECT ?1, unhex(?2), ?3, id, ?5, ?6, ?7 FROM profiles WHERE account = ?4
        AND (SELECT count(*) FROM access_keys WHERE profile = profiles.id AND revoked_at IS NULL) < ?8`,
  params: [key.keyId, key.hash, key.prefix, key.primary, key.name, key.scopes, key.createdAt, most],
  must: true,
})

/** Changes no row for a key that is unknown or revoked. */
export const revokeKey = (keyId: string, at: number): Statement => ({
  sql: 'UPDATE access_keys SET revoked_at = ?2 WHERE key_id = ?1 AND revoked_at IS NULL',
  params: [keyId, at],
  must: true,
})

/** To stand before what counts by it and then revokes it: whatever is made by it is there by then. */
export const requireUsableKey = (keyId: string): Statement => ({
  ...makeAccessKeyGround(keyId),
  mustFind: true,
  holds: 'update',
})

/** All but the `kept` keys of a profile that were revoked last. */
export const forgetOldestRevoked = (primary: string, kept: number): Statement => ({
  sql: `DELETE FROM access_keys WHERE id IN (
          SELECT id FROM access_keys WHERE profile = (SELECT id FROM profiles WHERE account = ?1) AND revoked_at IS NOT NULL
          ORDER BY revoked_at DESC, id DESC LIMIT 1000000000 OFFSET ?2)`,
  params: [primary, kept],
})

/** Comes before the rows go with the profile: revoking ends what the keys made (migrations/0010_sources.sql). */
export const revokeProfileKeys = (profile: number, at: number): Statement => ({
  sql: 'UPDATE access_keys SET revoked_at = ?2 WHERE profile = ?1 AND revoked_at IS NULL',
  params: [profile, at],
})

/** Finds a row as long as the key stands (http/grounds.ts). */
export const makeAccessKeyGround = (keyId: string): Ground => ({
  sql: 'SELECT 1 FROM access_keys WHERE key_id = ?1 AND revoked_at IS NULL',
  params: [keyId],
})
