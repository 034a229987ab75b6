/** Money that arrived: for a fulfillment, or for nothing. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountText } from '../../wallet/account.ts'
import { hash32 } from './columns.ts'

/** A payment that was bound to a fulfillment, once and forever. Kept when the buyer erases everything. */
export const payments = sqliteTable(
  'payments',
  {
    id: integer().primaryKey(),
    /** Identifies the payment in every state: `tx:eip155:8453:0x…:<log>`, `card:pi_…`. */
    identity: text().notNull().unique(),
    /** stablecoin, card, x402. */
    method: text().notNull(),
    /** gates.id; gates are never deleted. */
    gate: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    /** claimed, final, reversed. A disputed payment, and one that may be mined again, keeps its state and its place: suspended_for. */
    state: text().$type<'claimed' | 'final' | 'reversed'>().notNull(),
    payer: text(),
    /** Base units of the token, or cents. */
    amount: text(),
    /** JSON for a later look at the payment; `takenBack` (payments/reversal-store.ts) where it was. */
    details: text(),
    paidAt: integer('paid_at'),
    claimedAt: integer('claimed_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** When to look at it again; null where nothing is left to look for. Cards that were taken back may stand again. */
    watchAt: integer('watch_at'),
    /** The amount refunded so far, in the unit of `amount`; null: none. */
    refunded: text(),
    /**
     * The reason for a temporary withdrawal that keeps the place: disputed, or reorganized while it may be mined again.
     * Null otherwise.
     */
    suspendedFor: text('suspended_for').$type<'disputed' | 'reorganized'>(),
  },
  (table) => [index('payments_watched').on(table.watchAt)],
)

/** Money that arrived and bought nothing. */
export const unmatchedPayments = sqliteTable(
  'unmatched_payments',
  {
    id: integer().primaryKey(),
    /** Named as in payments.identity. */
    identity: text().notNull().unique(),
    method: text().notNull(),
    gate: integer().notNull(),
    /** gates.owner, which never changes. */
    owner: text().notNull(),
    /** Null in this and the next where the buyer is not known, or has erased everything. */
    qHash: hash32('q_hash'),
    wallet: text().$type<AccountText>(),
    payer: text(),
    /** As the method counts: base units, cents. */
    amount: text(),
    usdMicros: integer('usd_micros'),
    /**
     * JSON, as in payments. After the seller's refund: `returnedAt`, in Unix milliseconds, and `returnedBy`, its
     * transaction if the seller named it. When the chain removed an owed transfer: `awaySince`.
     */
    details: text(),
    /** Hex in lower case, where a transaction paid: by which its payer names it where it is used after all. */
    transactionHash: text('transaction_hash'),
    /** The code of the refusal, such as GATE_SOLD_OUT. */
    reason: text().notNull(),
    /**
     * `owed` by the seller, `refunding` by this server, `refunded` by either, or `used` for another gate of the seller.
     */
    state: text().$type<'owed' | 'refunding' | 'refunded' | 'used'>().notNull(),
    paidAt: integer('paid_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** The time of the next refund attempt or payment check; null when nothing is left to do. */
    nextAt: integer('next_at'),
  },
  (table) => [
    index('unmatched_by_owner').on(table.owner),
    index('unmatched_by_wallet').on(table.wallet),
    index('unmatched_by_payer').on(table.payer).where(sql`payer IS NOT NULL`),
    index('unmatched_by_transaction').on(table.transactionHash),
    index('unmatched_due').on(table.nextAt),
  ],
)
