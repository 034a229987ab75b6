/** Access keys: credentials of servers and automation. A key is shown once; what is stored is its SHA-256. */
import { randomBytes } from 'node:crypto'
import { makeAuditStatement, makePrimaryAuditStatement } from '../../audit/log-store.ts'
import type { Statement } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { type Profile, requireProfileOf } from '../../profiles/store.ts'
import { askEndingWithKey, type EndsWith, readEnded } from '../ending-store.ts'
import { keyPrefix } from '../identify.ts'
import { type GrantScope, grantScopes } from '../identity.ts'
import { hashSha256Hex } from '../sessions/session.ts'
import { findKey, forgetOldestRevoked, insertKey, type ListedKey, requireUsableKey, revokeKey } from './store.ts'

/** Revoked keys stay in the list for a while, so that a person sees what became of them. */
const mostRevokedKept = 50
const shownCharacters = keyPrefix.length + 6

/** How scopes go over the wire: `svc:core`. */
export const writeScope = (brand: string, scope: GrantScope): string => `${brand}:${scope}`

/** Words with or without the brand; all where nothing is said. Errors: VALIDATION_ERROR. */
export function requireScopes(words: readonly string[] | undefined, brand: string): GrantScope[] {
  if (words === undefined) return [...grantScopes]
  const asked = words.map((word) => {
    const scope = grantScopes.find((known) => word === known || word === writeScope(brand, known))
    if (scope) return scope
    throw new AppError(
      'VALIDATION_ERROR',
      `scopes: "${word.slice(0, 40)}" is not a scope: use ${grantScopes.join(', ')}`,
      { path: '/scopes' },
    )
  })
  if (asked.length === 0)
    throw new AppError('VALIDATION_ERROR', 'scopes: name at least one, or leave scopes out for all of them', {
      path: '/scopes',
    })
  return grantScopes.filter((scope) => asked.includes(scope))
}

export interface MadeKey {
  /** The only time it is seen. */
  readonly key: string
  readonly listed: ListedKey
}

type KeyTools = Pick<Parts, 'db' | 'now' | 'config'>

/** `primary` is the account of the profile; `before` is written first, and may make that profile. Errors: CONFLICT. */
export async function createKey(
  { db, now, config }: KeyTools,
  { primary, name, scopes }: { primary: string; name: string; scopes: readonly GrantScope[] },
  before: readonly Statement[] = [],
): Promise<MadeKey> {
  const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`
  const most = config.auth.keysPerProfile
  const row = {
    keyId: `key_${randomBytes(8).toString('hex')}`,
    prefix: key.slice(0, shownCharacters),
    name,
    scopes: scopes.join(' '),
    createdAt: now(),
  }
  const result = await db.write([
    ...before,
    requireProfileOf(primary),
    insertKey({ ...row, primary, hash: hashSha256Hex(key) }, most),
    forgetOldestRevoked(primary, mostRevokedKept),
    makePrimaryAuditStatement('access_key_created', primary, {
      at: row.createdAt,
      keyId: row.keyId,
      scopes: row.scopes,
    }),
  ])
  if ('refusedAt' in result)
    throw new AppError(
      'CONFLICT',
      `this profile has ${most} access keys, the limit of auth.keys_per_profile: revoke one that you no longer need`,
    )
  return { key, listed: { ...row, lastUsedAt: null, revokedAt: null } }
}

export interface EndedKey {
  readonly key: ListedKey
  /** What this call ended with the key. */
  readonly ended: EndsWith
}

/** The key as it is then; undefined for one that is not known. A revoked one stays as it was. */
export async function endKey(
  { db, now }: Pick<KeyTools, 'db' | 'now'>,
  keyId: string,
  owner?: Pick<Profile, 'id'>,
): Promise<EndedKey | undefined> {
  const found = await findKey(db, keyId)
  if (!found || (owner && found.profile.id !== owner.id)) return undefined
  const at = now()
  const result = await db.write(
    [
      requireUsableKey(keyId),
      askEndingWithKey(keyId, at),
      revokeKey(keyId, at),
      makeAuditStatement('access_key_revoked', { profile: found.profile.id, at, keyId }),
    ],
    'free',
  )
  const key = await findKey(db, keyId)
  return key && { key, ended: readEnded(result) }
}
