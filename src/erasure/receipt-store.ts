/** Receipts of erasures: SQL only. They name no account. */

import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { SpentSignature } from '../db/spent-signature.ts'

/**
 * `total`: proofs at the beginning. `left`: proofs not deleted yet, which no query finds. `endedAt` is null while rows
 * are left. `hasTraces`: 1 while the log, or dead rows, may hold deleted text (db/traces.ts); it is meaningful after the end.
 */
export type Receipt = RowOf<ReturnType<typeof selectReceipt>>

/** Belongs to the write that begins the erasures, after them. */
export const openReceipt = (handle: string, spent: SpentSignature | undefined, at: number): Statement => ({
  sql: `INSERT INTO erasure_receipts (handle, asked, total, begun_at)
        SELECT ?1, unhex(?2), coalesce(sum(accounts.all_count), 0), ?3
        FROM erasures JOIN accounts ON accounts.id = erasures.account_id WHERE erasures.receipt = ?1`,
  params: [handle, spent?.digest ?? null, at],
})

/**
 * Belongs to the write that ends one erasure, after its end was recorded. The last one closes the receipt.
 */
export const closeReceipt = (handle: string, at: number): Statement => ({
  sql: `UPDATE erasure_receipts SET ended_at = ${writeLatestSql('?2')}
        WHERE handle = ?1 AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM erasures WHERE receipt = ?1)`,
  params: [handle, at],
})

const selectReceipt = (condition: string) => query<[value: string]>()`
  SELECT ${pick('erasure_receipts r', 'handle', 'total', 'begunAt', 'endedAt')},
    (SELECT coalesce(sum(a.all_count), 0) FROM erasures e JOIN accounts a ON a.id = e.account_id
     WHERE e.receipt = r.handle) AS ${label('left', 'number')},
    CASE WHEN EXISTS (SELECT 1 FROM traces t WHERE t.receipt = r.handle) THEN 1 ELSE 0 END AS ${label('hasTraces', 'number')}
  FROM erasure_receipts r WHERE ${condition} LIMIT 1`

const find = async (db: Db, condition: string, value: string): Promise<Receipt | undefined> =>
  (await db.read(selectReceipt(condition)).get(value)) ?? undefined

export const findReceipt = (db: Db, handle: string): Promise<Receipt | undefined> => find(db, 'r.handle = ?1', handle)

/** Finds the receipt of the request that the signature made. */
export const findReceiptOfRequest = async (
  db: Db,
  { digest, formerDigest = digest }: SpentSignature,
): Promise<Receipt | undefined> =>
  (await find(db, selectedByRequest, digest)) ?? (await find(db, selectedByRequest, formerDigest))

const selectedByRequest = 'r.asked = unhex(?1)'

/** Finds the receipt of an unfinished erasure. `wallet`: accounts.address. */
export const findReceiptOfWallet = (db: Db, wallet: string): Promise<Receipt | undefined> =>
  find(db, 'r.handle = (SELECT receipt FROM erasures WHERE wallet = ?1 AND receipt IS NOT NULL LIMIT 1)', wallet)

/** Deletes up to `batch` receipts that ended before a time and left no trace. Returns how many. */
export const deleteOldReceipts = async (db: Db, endedBefore: number, batch: number): Promise<number> =>
  countRowsChanged(
    await db.write([
      {
        sql: `DELETE FROM erasure_receipts WHERE handle IN (
                SELECT handle FROM erasure_receipts
                WHERE ended_at <= ?1
                  AND NOT EXISTS (SELECT 1 FROM traces t WHERE t.receipt = erasure_receipts.handle) LIMIT ?2)`,
        params: [endedBefore, batch],
      },
    ]),
  )
