/**
 * The time when a buyer first offered a transfer that had to wait for its chain: SQL only. A buyer who was told to
 * repeat a request must not be refused because the wait took long.
 */

import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { pick, query } from '../db/query.ts'
import { change, countRowsChanged } from '../db/rows-changed.ts'
import { nameTurn } from '../db/turns.ts'
import type { AccountText } from '../wallet/account.ts'

export interface OfferedTransfer {
  /** In lower case. */
  readonly transactionHash: string
  readonly buyer: AccountText
  /** The quote with the transfer's exact amount; undefined for a payment by hand. */
  readonly quoteId: string | undefined
  readonly now: number
}

/** Keeps the first time. */
export async function rememberOffered(
  db: Db,
  { transactionHash, buyer, quoteId, now }: OfferedTransfer,
): Promise<number> {
  const sql = `INSERT INTO offered_transfers (transaction_hash, wallet, quote_id, first_at)
    VALUES (?1, ?2, ?3, ${writeLatestSql('?4')})
    ON CONFLICT (transaction_hash, wallet) DO NOTHING`
  const params = [transactionHash, buyer, quoteId ?? null, now]
  return countRowsChanged(await db.write([{ sql, params, turns: [nameTurn('account', buyer)] }]))
}

const selectFirst = query<[string, string]>()`
  SELECT ${pick('offered_transfers', 'firstAt')}
  FROM offered_transfers WHERE transaction_hash = ?1 AND wallet = ?2`

/** Unix milliseconds. */
export const findFirstOffered = async (
  db: Db,
  transactionHash: string,
  buyer: AccountText,
): Promise<number | undefined> => (await db.read(selectFirst).get(transactionHash, buyer))?.firstAt

/** Used after a purchase, when no wait remains. */
export const forgetOfferedStatement = (transactionHash: string, buyer: AccountText): Statement => ({
  sql: 'DELETE FROM offered_transfers WHERE transaction_hash = ?1 AND wallet = ?2',
  params: [transactionHash, buyer],
})

/** Deletes up to `batch` rows that were first offered before a time. Returns how many. */
export const deleteOldOffered = (db: Db, before: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM offered_transfers WHERE (transaction_hash, wallet) IN
       (SELECT transaction_hash, wallet FROM offered_transfers WHERE first_at <= ?1 LIMIT ?2)`,
    [before, batch],
  )
