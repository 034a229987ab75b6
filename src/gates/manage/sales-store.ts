/**
 * Lists of what was handed out and paid: SQL and nothing else. A page costs the rows it has, whatever was handed out
 * before; totals are kept with the gates (fulfillment-store.ts, payments/store.ts).
 */

import type { Db } from '../../db/db.ts'
import { standsFulfillment } from '../../db/erasing.ts'
import { findIdRange, type IdRange, type TimeSpan, writeIdSearch } from '../../db/id-range-store.ts'
import { compose, label, labelLike, pick, pickHash, pickOptional, query, type RowOf } from '../../db/query.ts'
import { flatMapInOrder } from '../../in-order.ts'
import { findExcess } from '../../payments/overpaid.ts'
import { type Account, parseAccount } from '../../wallet/account.ts'
import { shownState } from '../fulfill/store.ts'

export interface Sale {
  /** fulfillments.id: the order of the lists. */
  readonly id: number
  readonly gate: number
  readonly gateId: string
  /** In the version that was fulfilled. */
  readonly gateName: string
  readonly qHash: string
  readonly buyer: Account
  readonly version: number
  readonly receiptId: string
  readonly state: 'granted' | 'suspended'
  /** Unix milliseconds. */
  readonly fulfilledAt: number
  readonly updatedAt: number
  readonly usdMicros: number | null
  readonly payment: SalePayment | null
}

export interface SalePayment {
  readonly method: string
  readonly identity: string
  /** In base units of the token, or cents. */
  readonly amount: string | null
  readonly payer: string | null
  readonly state: 'claimed' | 'final' | 'reversed'
  readonly paidAt: number | null
  /** How much of it was given back. Null: nothing. */
  readonly refunded: string | null
  readonly isDisputed: boolean
  /** Above the price, in the unit of the amount. */
  readonly overpaid: string | undefined
}

const columns = compose`
  ${pick('fulfillments f', 'id', 'gate', { buyer: 'wallet' }, 'version', 'receiptId')},
  ${pick('fulfillments f', { fulfilledAt: 'createdAt' }, 'updatedAt')},
  ${pick('fulfillments f', 'usdMicros')}, ${pickHash('fulfillments f', 'qHash')}, ${pick('gates g', 'gateId')},
  coalesce(s.name, g.gate_id) AS ${label('gateName', 'text')}, ${shownState} AS ${labelLike('fulfillments', 'state')},
  ${pickOptional('payments p', 'method', 'identity', 'amount', 'payer', { paymentState: 'state' }, 'paidAt')},
  ${pickOptional('payments p', 'refunded')},
  CASE WHEN p.suspended_for = 'disputed' THEN 1 ELSE 0 END AS ${label('isDisputed', 'number')},
  json_extract(p.details, '$.due') AS ${label('due', 'text or null')},
  json_extract(p.details, '$.quoteId') AS ${label('quoteId', 'text or null')}`

type RawSale = RowOf<typeof columns>

const lists = {
  ofGate: ['fulfillments_by_gate', `f.gate = ?1 AND ${standsFulfillment('f')}`],
  ofWallet: ['fulfillments_of_wallet', `f.wallet = ?1 AND ${standsFulfillment('f')}`],
  paidBy: ['fulfillments_paid_by', `f.wallet = ?1 AND f.payment IS NOT NULL AND ${standsFulfillment('f')}`],
  paidTo: ['fulfillments_paid_to', `f.owner = ?1 AND f.payment IS NOT NULL AND ${standsFulfillment('f')}`],
} as const
export type SaleList = keyof typeof lists

const selectSales = ([index, condition]: (typeof lists)[SaleList]) => query<
  [key: string | number, before: number, limit: number, first: number, from: number, until: number]
>()`
  SELECT ${columns} FROM fulfillments f INDEXED BY ${index}
  CROSS JOIN gates g ON g.id = f.gate LEFT JOIN payments p ON p.id = f.payment
  LEFT JOIN gate_summaries s ON s.gate = f.gate AND s.version = f.version
  WHERE ${condition} AND f.id < ?2 AND f.id >= ?4 AND f.created_at >= ?5 AND f.created_at < ?6 ORDER BY f.id DESC LIMIT ?3`

const statements = {
  ofGate: selectSales(lists.ofGate),
  ofWallet: selectSales(lists.ofWallet),
  paidBy: selectSales(lists.paidBy),
  paidTo: selectSales(lists.paidTo),
}

const searchIds = writeIdSearch({
  newest: 'SELECT max(id) FROM fulfillments',
  timeAt: 'SELECT created_at FROM fulfillments WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1',
})

/** Ids that hold every sale of the span, and a few besides: compare the times of the rows as well. */
export async function findSaleIds(db: Db, span: TimeSpan): Promise<IdRange> {
  return (await findIdRange(db, searchIds, span)) ?? { first: 0, end: Number.MAX_SAFE_INTEGER }
}

export interface SalePage {
  readonly sales: readonly Sale[]
  /** The position the next page begins before; undefined at the end. */
  readonly continuesBefore: number | undefined
}

/** The newest first, of all these gates or wallets together, which are few. */
export async function listSales(
  db: Db,
  list: SaleList,
  keys: readonly (string | number)[],
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
    span = {},
  }: { readonly before?: number | undefined; readonly limit: number; readonly span?: TimeSpan },
): Promise<SalePage> {
  const { first, end } = await findSaleIds(db, span)
  const { from = 0, before: until = Number.MAX_SAFE_INTEGER } = span
  const found = await flatMapInOrder(keys, (key) =>
    db.read(statements[list]).all(key, Math.min(before, end), limit + 1, first, from, until),
  )
  const newest = found.sort((one, other) => other.id - one.id).slice(0, limit)
  return {
    sales: newest.map(makeSale),
    continuesBefore: found.length > limit ? newest.at(-1)?.id : undefined,
  }
}

function makeSale(raw: RawSale): Sale {
  const { buyer, method, identity, amount, payer, paymentState: state, paidAt, refunded, isDisputed, ...more } = raw
  const { due, quoteId, ...sale } = more
  const overpaid = findExcess(amount, { due, ...(quoteId === null ? {} : { quoteId }) })
  const payment =
    method === null || identity === null || state === null
      ? null
      : { method, identity, amount, payer, state, paidAt, refunded, isDisputed: isDisputed === 1, overpaid }
  return { ...sale, buyer: parseAccount(buyer), payment }
}

/** A sale with what a receipt says of its payment. */
export interface ReceiptSale extends Sale {
  /** The seller, as stored: the owner of the gate at that time. */
  readonly seller: string
  /** The transaction of a payment on a chain, and its terms. Members are null for other payments. */
  readonly transfer: {
    /** CAIP-2. */
    readonly chain: string | null
    readonly transactionHash: string | null
    readonly token: string | null
    readonly recipient: string | null
  }
}

const selectByReceiptNumber = query<[number: string]>()`
  SELECT ${columns}, coalesce(f.owner, g.owner) AS ${label('seller', 'text')},
    json_extract(p.details, '$.chain') AS ${label('chain', 'text or null')},
    json_extract(p.details, '$.transactionHash') AS ${label('transactionHash', 'text or null')},
    json_extract(p.details, '$.token') AS ${label('token', 'text or null')},
    json_extract(p.details, '$.recipient') AS ${label('recipient', 'text or null')}
  FROM fulfillments f
  CROSS JOIN gates g ON g.id = f.gate LEFT JOIN payments p ON p.id = f.payment
  LEFT JOIN gate_summaries s ON s.gate = f.gate AND s.version = f.version
  WHERE f.receipt_id >= ?1 AND f.receipt_id < ?1 || '~' AND ${standsFulfillment('f')} LIMIT 2`

/** The sales whose receipt id begins with this number: one, unless chance made two alike. */
export const listByReceiptNumber = async (db: Db, number: string): Promise<readonly ReceiptSale[]> =>
  (await db.read(selectByReceiptNumber).all(number)).map(
    ({ seller, chain, transactionHash, token, recipient, ...sale }) => ({
      ...makeSale(sale),
      seller,
      transfer: { chain, transactionHash, token, recipient },
    }),
  )

export type SalesTotal = RowOf<typeof selectTotal>

const selectTotal = query<[string]>()`
  SELECT coalesce(sum(fulfilled_count), 0) AS ${label('fulfilled', 'number')},
    coalesce(sum(paid_count), 0) AS ${label('paid', 'number')},
    coalesce(sum(paid_usd_micros), 0) AS ${label('usdMicros', 'number')}
  FROM gates INDEXED BY gates_by_owner WHERE owner = ?1`

/** Over all gates of an owner, deleted ones too; what was taken back does not count. */
export const readTotal = async (db: Db, owner: string): Promise<SalesTotal> =>
  (await db.read(selectTotal).get(owner)) ?? { fulfilled: 0, paid: 0, usdMicros: 0 }
