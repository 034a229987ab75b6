/** Secrets in the database: SQL and nothing else. No statement here reads a sealed text. */

import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import { noteTrace } from '../db/traces.ts'
import type { AccountText } from '../wallet/account.ts'

export type SecretRow = RowOf<typeof columns>

export interface StoredSecret extends Omit<SecretRow, 'revokedAt'> {
  readonly profile: number
  readonly sealed: string
}

/** Changes no row when the person has the maximum, or a secret of this alias. */
const insert = `
  INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at)
  SELECT unhex(?1), ?2, ?3, ?4, ?5, ?6, ?7
  WHERE (SELECT count(*) FROM secrets WHERE profile = ?2 AND revoked_at IS NULL) < ?8
    AND NOT EXISTS (SELECT 1 FROM secrets WHERE profile = ?2 AND alias = ?4 AND revoked_at IS NULL)`

/** `first` guards the write. */
export async function insertSecret(
  db: Db,
  { qHash, profile, account, alias, type, sealed, createdAt }: StoredSecret,
  most: number,
  { first, audit }: { readonly first: Statement; readonly audit: Statement },
): Promise<'stored' | 'taken' | 'full' | 'gone'> {
  const result = await db.write([
    first,
    { sql: insert, params: [qHash.slice(2), profile, account, alias, type, sealed, createdAt, most], must: true },
    audit,
  ])
  if ('changes' in result) return 'stored'
  if (result.refusedAt === 0) return 'gone'
  return (await hasAlias(db, profile, alias)) ? 'taken' : 'full'
}

const selectAlias = query<[number, string]>()`
  SELECT 1 AS ${label('one', 'number')}
  FROM secrets WHERE profile = ?1 AND alias = ?2 AND revoked_at IS NULL`

const hasAlias = async (db: Db, profile: number, alias: string): Promise<boolean> =>
  (await db.read(selectAlias).get(profile, alias)) !== null

const columns = compose`
  ${pickHash('secrets', 'qHash')},
  ${pick('secrets', { account: 'wallet' }, 'alias', 'type', 'createdAt', 'revokedAt')}`

const selectSecrets = query<[number, number, number]>()`
  SELECT ${columns} FROM secrets WHERE profile = ?1 AND revoked_at IS NULL ORDER BY id DESC LIMIT ?2 OFFSET ?3`

export const listSecrets = (
  db: Db,
  profile: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<SecretRow[]> => db.read(selectSecrets).all(profile, limit, offset)

const selectSecretsOfAccount = query<[number, string, number]>()`
  SELECT ${columns} FROM secrets WHERE profile = ?1 AND wallet = ?2 AND revoked_at IS NULL ORDER BY id DESC LIMIT ?3`

/** The secrets of one account, for its vault. */
export const listSecretsOfAccount = (
  db: Db,
  profile: number,
  account: AccountText,
  limit: number,
): Promise<SecretRow[]> => db.read(selectSecretsOfAccount).all(profile, account, limit)

const selectCountSecrets = query<[number]>()`
  SELECT count(*) AS ${label('count', 'number')}
  FROM secrets WHERE profile = ?1 AND revoked_at IS NULL`

export const countSecrets = async (db: Db, profile: number): Promise<number> =>
  (await db.read(selectCountSecrets).get(profile))?.count ?? 0

/** False when an earlier call revoked it, or the person has no such secret. */
export async function revokeSecret(
  db: Db,
  { profile, qHash, at }: { readonly profile: number; readonly qHash: string; readonly at: number },
  audit: Statement,
): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: 'UPDATE secrets SET sealed = NULL, revoked_at = ?3 WHERE q_hash = unhex(?1) AND profile = ?2 AND revoked_at IS NULL',
        params: [qHash.slice(2), profile, at],
        must: true,
      },
      audit,
      noteTrace(at),
    ],
    'free',
  )
  return 'changes' in result
}

const selectSecret = query<[string, number]>()`SELECT ${columns} FROM secrets WHERE q_hash = unhex(?1) AND profile = ?2`

/** Finds revoked ones too. */
export const findSecret = async (db: Db, profile: number, qHash: string): Promise<SecretRow | undefined> =>
  (await db.read(selectSecret).get(qHash.slice(2), profile)) ?? undefined

/** Revoked rows hold no content any more. */
export const dropRevokedSecrets = (profile: number, rows: number): Statement => ({
  sql: `DELETE FROM secrets WHERE id IN
          (SELECT id FROM secrets WHERE profile = ?1 AND revoked_at IS NOT NULL ORDER BY id LIMIT ?2)`,
  params: [profile, rows],
})
