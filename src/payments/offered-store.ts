/**
 * When a buyer first offered a transfer that had to wait for its chain: SQL and nothing else. Whoever was told to repeat a
 * request is not refused later because the waiting took long.
 */

import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { pick, query } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import type { AccountText } from '../wallet/account.ts'

export interface OfferedTransfer {
  /** In lower case. */
  readonly transactionHash: string
  readonly buyer: AccountText
  /** Of whose exact amount it is; undefined for a payment by hand. */
  readonly quoteId: string | undefined
  readonly now: number
}

/** The first time counts. */
export const rememberOffered = (db: Db, { transactionHash, buyer, quoteId, now }: OfferedTransfer): Promise<number> =>
  change(
    db,
    `INSERT INTO offered_transfers (transaction_hash, wallet, quote_id, first_at)
     VALUES (?1, ?2, ?3, ${writeLatestSql('?4')})
     ON CONFLICT (transaction_hash, wallet) DO NOTHING`,
    [transactionHash, buyer, quoteId ?? null, now],
  )

const selectFirst = query<[string, string]>()`
  SELECT ${pick('offered_transfers', 'firstAt')}
  FROM offered_transfers WHERE transaction_hash = ?1 AND wallet = ?2`

/** Unix milliseconds. */
export const findFirstOffered = (db: Db, transactionHash: string, buyer: AccountText): number | undefined =>
  db.prepare(selectFirst).get(transactionHash, buyer)?.firstAt

/** It has bought something: nothing is waited for any more. */
export const forgetOfferedStatement = (transactionHash: string, buyer: AccountText): Statement => ({
  sql: 'DELETE FROM offered_transfers WHERE transaction_hash = ?1 AND wallet = ?2',
  params: [transactionHash, buyer],
})

/** Forgets up to `batch` of those that were first offered before. Returns how many. */
export const deleteOldOffered = (db: Db, before: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM offered_transfers WHERE (transaction_hash, wallet) IN
       (SELECT transaction_hash, wallet FROM offered_transfers WHERE first_at <= ?1 LIMIT ?2)`,
    [before, batch],
  )
