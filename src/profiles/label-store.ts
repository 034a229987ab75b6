/** The names that people give to wallets, in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { type ErasureStage, isFound, selectEarlier, standsLabel } from '../db/erasing.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { noteTrace } from '../db/traces.ts'
import { nameTurn } from '../db/turns.ts'
import type { AccountText } from '../wallet/account.ts'

/** Of one person. */
export const mostLabels = 500

export interface NewLabel {
  /** profiles.id */
  readonly profile: number
  readonly account: AccountText
  /** The primary account of the profile. */
  readonly wallet: AccountText
  readonly label: string
  readonly createdAt: number
}

/** A new name takes the place of the former one. Changes no row when the person has the maximum. */
const upsert = `
  INSERT INTO wallet_labels (profile, account, wallet, label, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5
  WHERE (SELECT count(*) FROM wallet_labels WHERE profile = ?1 AND account <> ?2) < ?6
  ON CONFLICT (profile, account) DO UPDATE SET label = excluded.label, created_at = excluded.created_at`

/** `first` guards the write. */
export async function writeLabel(
  db: Db,
  { profile, account, wallet, label, createdAt }: NewLabel,
  first: Statement,
): Promise<'stored' | 'full' | 'gone'> {
  const result = await db.write([
    first,
    {
      sql: upsert,
      params: [profile, account, wallet, label, createdAt, mostLabels],
      must: true,
      turns: [nameTurn('account', wallet)],
    },
    noteTrace(createdAt),
  ])
  if ('changes' in result) return 'stored'
  return result.refusedAt === 0 ? 'gone' : 'full'
}

const selectLabels = query<[profile: number, limit: number]>()`
  SELECT ${pick('wallet_labels l', 'account', 'label', 'createdAt')}
  FROM wallet_labels l WHERE l.profile = ?1 AND ${standsLabel('l')} ORDER BY l.account LIMIT ?2`

export type LabelRow = RowOf<typeof selectLabels>

export const listLabels = (db: Db, profile: number): Promise<LabelRow[]> =>
  db.read(selectLabels).all(profile, mostLabels)

const selectLabel = query<[profile: number, account: string]>()`
  SELECT 1 AS ${label('found', 'number')} FROM wallet_labels WHERE profile = ?1 AND account = ?2`

/** False where there is none. */
export async function deleteLabel(db: Db, profile: number, account: string, at: number): Promise<boolean> {
  if (!(await db.read(selectLabel).get(profile, account))) return false
  const result = await db.write(
    [
      {
        sql: 'DELETE FROM wallet_labels WHERE profile = ?1 AND account = ?2',
        params: [profile, account],
        must: true,
      },
      noteTrace(at),
    ],
    'free',
  )
  return 'changes' in result
}

const selectOfWallet = (erasure: Parameters<ErasureStage['slice']>[0]) =>
  selectEarlier(erasure, 'SELECT profile, account FROM wallet_labels')

/** A person who erases everything takes these names back. Names that others gave to the wallet are theirs, and stay. */
export const erasureOfLabels: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectOfWallet(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectOfWallet(erasure)
    return [
      { sql: `DELETE FROM wallet_labels WHERE (profile, account) IN (${sql} LIMIT ?)`, params: [...params, rows] },
    ]
  },
}
