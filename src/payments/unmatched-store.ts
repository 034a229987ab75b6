/**
 * Money that arrived and bought nothing: SQL only. A payment gets one row instead of its purchase. Its state is `owed`
 * by the seller, `refunding` by this server, `refunded` by either, or `used` for another gate. An unmatched payment is
 * never bound, unless its row becomes `used` in the same batch.
 */

import { claimRow } from '../db/claim.ts'
import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { compose, label, labelLike, pick, query, type RowOf } from '../db/query.ts'
import { nameTurn } from '../db/turns.ts'
import { flatMapInOrder } from '../in-order.ts'
import { type AccountText, parseAccount } from '../wallet/account.ts'
import type { PaidVerdict } from './store.ts'

export type UnmatchedState = 'owed' | 'refunding' | 'refunded' | 'used'

export interface Unmatched {
  readonly id: number
  readonly identity: string
  readonly method: string
  /** gates.id */
  readonly gate: number
  /** The owner of the gate, who received or would have received the money. */
  readonly owner: string
  readonly qHash: string | null
  /** The buyer, if known. */
  readonly buyer: AccountText | null
  readonly payer: string | null
  /** As the method counts: base units, cents. */
  readonly amount: string | null
  readonly usdMicros: number | null
  readonly details: Readonly<Record<string, unknown>>
  /** The reason why it bought nothing: the code of the refusal, such as GATE_SOLD_OUT. */
  readonly reason: string
  readonly state: UnmatchedState
  /** Unix milliseconds. */
  readonly paidAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly nextAt: number | null
}

export interface NewUnmatched {
  readonly method: string
  readonly gate: number
  readonly owner: string
  readonly qHash: string | null
  readonly buyer: AccountText | null
  readonly usdMicros: number | null
  readonly paid: Pick<PaidVerdict, 'identity' | 'payer' | 'amount' | 'paidAt' | 'details'>
  readonly reason: string
  /** `refunding` if this server refunds the money itself. */
  readonly state: 'owed' | 'refunding'
  readonly now: number
}

/** Changes no row when the payment was bound, or has a row already. */
const insertRow = `
  INSERT INTO unmatched_payments (identity, method, gate, owner, q_hash, wallet, payer, amount, usd_micros, details,
    transaction_hash, reason, state, paid_at, created_at, updated_at, next_at)
  SELECT ?1, ?2, ?3, ?4, CASE WHEN CAST(?5 AS TEXT) IS NULL THEN NULL ELSE unhex(?5) END, ?6, ?7, ?8, ?9, ?10, ?15, ?11, ?12, ?13,
    ${writeLatestSql('?14')}, ?14,
    CASE WHEN ?12 = 'refunding' THEN ?14 WHEN CAST(?15 AS TEXT) IS NOT NULL THEN CAST(?14 AS BIGINT) + 15000 END
  WHERE NOT EXISTS (SELECT 1 FROM payments WHERE identity = ?1)
  ON CONFLICT (identity) DO NOTHING`

export const recordUnmatched = (made: NewUnmatched): Statement => ({
  sql: insertRow,
  turns: [nameTurn('payment', made.paid.identity), ...(made.buyer ? [nameTurn('account', made.buyer)] : [])],
  params: [
    made.paid.identity,
    made.method,
    made.gate,
    made.owner,
    made.qHash?.slice(2) ?? null,
    made.buyer,
    made.paid.payer,
    made.paid.amount,
    made.usdMicros,
    JSON.stringify(made.paid.details),
    made.reason,
    made.state,
    made.paid.paidAt,
    made.now,
    typeof made.paid.details.transactionHash === 'string' ? made.paid.details.transactionHash : null,
  ],
})

const columns = compose`
  ${pick('unmatched_payments', 'id', 'identity', 'method', 'gate', 'owner')},
  CASE WHEN q_hash IS NULL THEN NULL ELSE '0x' || lower(hex(q_hash)) END AS ${label('qHash', 'text or null')},
  ${pick('unmatched_payments', { buyer: 'wallet' }, 'payer', 'amount', 'usdMicros', 'details', 'reason')},
  ${pick('unmatched_payments', 'state', 'paidAt', 'createdAt', 'updatedAt', 'nextAt')}`

const selectRow = query<[string]>()`SELECT ${columns} FROM unmatched_payments WHERE identity = ?1`
const selectDue = query<[number, number]>()`
  SELECT ${columns} FROM unmatched_payments WHERE next_at IS NOT NULL AND next_at <= ?1 AND state <> 'owed' ORDER BY next_at LIMIT ?2`
/** Without details no look is possible: the buyer erased all data. */
const selectDueOwed = query<[number, number]>()`
  SELECT ${columns} FROM unmatched_payments
  WHERE next_at IS NOT NULL AND next_at <= ?1 AND state = 'owed' AND details IS NOT NULL ORDER BY next_at LIMIT ?2`

type RawUnmatched = RowOf<typeof columns>

const parseUnmatched = ({ details, ...rest }: RawUnmatched): Unmatched => ({
  ...rest,
  details: details === null ? {} : JSON.parse(details),
})

export async function findUnmatched(db: Db, identity: string): Promise<Unmatched | undefined> {
  const raw = await db.read(selectRow).get(identity)
  return raw ? parseUnmatched(raw) : undefined
}

const selectOwed = query<[string, number]>()`
  SELECT ${columns} FROM unmatched_payments WHERE transaction_hash = ?1 AND state = 'owed' LIMIT ?2`

/** The owed payments of a transaction, for all its payers. */
export const listOwedPayments = async (db: Db, transactionHash: string, limit: number): Promise<Unmatched[]> =>
  (await db.read(selectOwed).all(transactionHash, limit)).map(parseUnmatched)

const selectOfPair = query<[string, number, string]>()`
  SELECT ${columns} FROM unmatched_payments
  WHERE wallet = ?1 AND gate = ?2 AND q_hash = unhex(?3) AND state IN ('owed', 'refunding') ORDER BY id DESC LIMIT 1`

/** The last payment for this proof at this gate that is still to be settled. */
export async function findUnmatchedOfPair(
  db: Db,
  buyer: AccountText,
  gate: number,
  qHash: string,
): Promise<Unmatched | undefined> {
  const raw = await db.read(selectOfPair).get(buyer, gate, qHash.slice(2))
  return raw ? parseUnmatched(raw) : undefined
}

/** The list to read: payments of buyers, or of the seller. */
export type UnmatchedList = 'ofWallet' | 'ofOwner'

export interface ListedUnmatched extends Unmatched {
  readonly gateId: string
  /** The name in the newest version. */
  readonly gateName: string
}

/** A payer for another wallet is owed the money as well. A contract is identified by its address and chain. */
const isListed = {
  ofWallet: `(wallet = ?1 OR (payer = ?4 AND (CAST(?5 AS TEXT) IS NULL OR json_extract(details, '$.chain') = ?5)))`,
  ofOwner: 'owner = ?1 AND CAST(?4 AS TEXT) IS NULL AND CAST(?5 AS TEXT) IS NULL',
} as const satisfies Record<UnmatchedList, string>

const selectListed = (list: UnmatchedList) => query<
  [key: string, before: number, limit: number, wallet: string | null, contractOn: string | null]
>()`
  SELECT ${columns},
    (SELECT g.gate_id FROM gates g WHERE g.id = unmatched_payments.gate) AS ${labelLike('gates', 'gateId')},
    (SELECT coalesce(s.name, g.gate_id) FROM gates g
     LEFT JOIN gate_summaries s ON s.gate = g.id AND s.version = g.version
     WHERE g.id = unmatched_payments.gate) AS ${label('gateName', 'text')}
  FROM unmatched_payments WHERE ${isListed[list]} AND id < ?2 ORDER BY id DESC LIMIT ?3`

const listed = { ofWallet: selectListed('ofWallet'), ofOwner: selectListed('ofOwner') } as const

export interface UnmatchedPage {
  readonly rows: readonly ListedUnmatched[]
  /** The position the next page begins before; undefined at the end. */
  readonly continuesBefore: number | undefined
}

/** The newest first, over all these wallets or this owner; the rows are few. */
export async function listUnmatched(
  db: Db,
  list: UnmatchedList,
  keys: readonly string[],
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<UnmatchedPage> {
  const all = await flatMapInOrder(keys, (key) => {
    const { wallet = null, contractOn = null } = list === 'ofWallet' ? parseAccount(key as AccountText) : {}
    return db.read(listed[list]).all(key, before, limit + 1, wallet, contractOn)
  })
  // One of the wallets may have paid for another.
  const found = [...new Map(all.map((row) => [row.id, row])).values()]
  const rows = found
    .sort((one, other) => other.id - one.id)
    .slice(0, limit)
    .map((raw) => ({ ...parseUnmatched(raw), gateId: raw.gateId, gateName: raw.gateName }))
  return { rows, continuesBefore: found.length > limit ? rows.at(-1)?.id : undefined }
}

/** Refunds that are due for a try or a look, the longest waiting first. */
export const listDueRefunds = async (db: Db, now: number, limit: number): Promise<Unmatched[]> =>
  (await db.read(selectDue).all(now, limit)).map(parseUnmatched)

/** Takes a refund or an owed transfer for a look. Undefined when another process has it, or an event moved its look. */
export const claimUnmatched = (db: Db, row: Unmatched, until: number): Promise<Unmatched | undefined> =>
  claimRow(
    db,
    row,
    { ...row, nextAt: until },
    {
      sql: 'UPDATE unmatched_payments SET next_at = ?3 WHERE id = ?1 AND next_at IS NOT DISTINCT FROM ?2',
      params: [row.id, row.nextAt, until],
    },
  )

/** Owed transfers that are due for a look, the longest waiting first. */
export const listDueOwed = async (db: Db, now: number, limit: number): Promise<Unmatched[]> =>
  (await db.read(selectDueOwed).all(now, limit)).map(parseUnmatched)

/**
 * Records the result of a look at an owed transfer. False if it is no longer owed, was checked meanwhile, or its buyer
 * erased all data meanwhile: their details must not come back.
 */
export async function moveOwed(
  db: Db,
  { id, buyer, nextAt: before }: Pick<Unmatched, 'id' | 'buyer' | 'nextAt'>,
  { details, nextAt, now }: Pick<Unmatched, 'details' | 'nextAt'> & { readonly now: number },
): Promise<boolean> {
  const sql = `UPDATE unmatched_payments SET next_at = ?2, updated_at = ?3, details = ?4
    WHERE id = ?1 AND state = 'owed' AND next_at IS NOT DISTINCT FROM ?5 AND wallet IS NOT DISTINCT FROM ?6
      AND details IS NOT NULL`
  const params = [id, nextAt, now, JSON.stringify(details), before, buyer]
  return 'changes' in (await db.write([{ sql, params, must: true }], 'free'))
}

/**
 * Marks it as used if the bought gate belongs to the seller who owes it. Changes nothing for a payment that is not
 * unmatched. Precedes binding the payment, which refuses unmatched and unused ones.
 */
export const markUsedStatement = (identity: string, gate: number, now: number): Statement => ({
  sql: `UPDATE unmatched_payments SET state = 'used', next_at = NULL, updated_at = ?3
        WHERE identity = ?1 AND state = 'owed' AND owner = (SELECT owner FROM gates WHERE id = ?2)`,
  params: [identity, gate, now],
})

const updateReturned = `
  UPDATE unmatched_payments
  SET state = 'refunded', next_at = NULL, updated_at = ?3, details = CASE WHEN details IS NULL THEN ?4 ELSE ?5 END
  WHERE identity = ?1 AND owner = ?2 AND state = 'owed' AND wallet IS NOT DISTINCT FROM ?6`

/**
 * Marks it as refunded, on the seller's word: it cannot be used any more. False if this seller does not owe it, or the
 * buyer erased all data meanwhile. The refund's transaction names the payer, so it is not stored after that.
 */
export async function markReturned(
  db: Db,
  { identity, buyer, details }: Pick<Unmatched, 'identity' | 'buyer' | 'details'>,
  { owner, returnedBy, now }: { readonly owner: string; readonly returnedBy: string | undefined; readonly now: number },
): Promise<boolean> {
  const said = JSON.stringify({ returnedAt: now })
  const all = JSON.stringify({ ...details, returnedAt: now, ...(returnedBy === undefined ? {} : { returnedBy }) })
  const params = [identity, owner, now, said, all, buyer]
  return 'changes' in (await db.write([{ sql: updateReturned, params, must: true }], 'free'))
}

/**
 * False when another look had a different result, an event asked for another look meanwhile, or the buyer erased all
 * data. `nextAt` null: no step is left.
 */
export async function moveRefund(
  db: Db,
  before: Pick<Unmatched, 'id' | 'state' | 'buyer' | 'nextAt'>,
  {
    state,
    nextAt,
    now,
    details,
  }: {
    readonly state: 'refunding' | 'refunded' | 'owed'
    readonly nextAt: number | null
    readonly now: number
    /** Replaces the former details. */
    readonly details?: Readonly<Record<string, unknown>>
  },
): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: `UPDATE unmatched_payments
              SET state = ?2, next_at = ?3, updated_at = ?4, details = coalesce(?5, details)
              WHERE id = ?1 AND state = ?6 AND state IN ('refunding', 'refunded')
                AND next_at IS NOT DISTINCT FROM ?7 AND wallet IS NOT DISTINCT FROM ?8`,
        params: [
          before.id,
          state,
          nextAt,
          now,
          details === undefined ? null : JSON.stringify(details),
          before.state,
          before.nextAt,
          before.buyer,
        ],
        must: true,
      },
    ],
    'free',
  )
  return 'changes' in result
}

/**
 * Schedules a look at a refund of this server, even a finished one: it may fail later. False without one; a refund by
 * the seller does not count.
 */
export async function watchRefundNow(
  db: Db,
  { identity, method }: Pick<Unmatched, 'identity' | 'method'>,
  now: number,
): Promise<boolean> {
  const sql = `UPDATE unmatched_payments SET next_at = ?2 WHERE identity = ?1
    AND (state = 'refunding' OR (state = 'refunded' AND method = ?3 AND json_extract(details, '$.returnedAt') IS NULL))`
  return 'changes' in (await db.write([{ sql, params: [identity, now, method], must: true }], 'free'))
}
