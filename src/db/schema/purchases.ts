/** Open purchases while a buyer pays. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AccountText } from '../../wallet/account.ts'
import { hash32 } from './columns.ts'

/** Card checkouts that were opened here. */
export const checkouts = sqliteTable(
  'checkouts',
  {
    sessionId: text('session_id').primaryKey(),
    gate: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    amountCents: integer('amount_cents').notNull(),
    currency: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /**
     * The buyer's wallet; null after they have erased everything. Null in this and the next two for checkouts from
     * before 0014.
     */
    wallet: text().$type<AccountText>(),
    /** The gate version of its price and reward. */
    version: integer(),
    /** The price, in millionths of a US dollar. */
    usdMicros: integer('usd_micros'),
    /** When to look at it; null once it is known what became of it. */
    watchAt: integer('watch_at'),
  },
  (table) => [
    index('checkouts_expiring').on(table.expiresAt),
    index('checkouts_by_pair').on(table.gate, table.qHash),
    index('checkouts_watched').on(table.watchAt),
    index('checkouts_by_wallet').on(table.wallet),
  ],
)

/** Places that are held for buyers while they pay, which count as given out until they expire. */
export const reservations = sqliteTable(
  'reservations',
  {
    gate: integer().notNull(),
    wallet: text().$type<AccountText>().notNull(),
    qHash: hash32('q_hash').notNull(),
    /** The gate version of the paid price and of the reward. */
    version: integer().notNull(),
    /** The id of a payment method. */
    method: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** The buyer's network, where the place is one that networks share (gates/fulfill/unpaid-place-store.ts). */
    network: text(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.wallet] }),
    index('reservations_held').on(table.gate, table.expiresAt),
    index('reservations_by_pair').on(table.gate, table.qHash),
    index('reservations_expiring').on(table.expiresAt),
    index('reservations_by_wallet').on(table.wallet),
  ],
)

/**
 * The last place that a wallet held at a gate with a supply, until it pays. The row outlives the place for a while, so
 * that the wallet cannot hold it again and again.
 */
export const unpaidPlaces = sqliteTable(
  'unpaid_places',
  {
    gate: integer().notNull(),
    /** The text of an account, or `network:` and the network of the buyers. */
    wallet: text().notNull(),
    /** How many were held one after another, this one included. */
    holds: integer().notNull(),
    /** When this place was held first. */
    createdAt: integer('created_at').notNull(),
    /** When its quote or its page of payment ends. */
    endsAt: integer('ends_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.wallet] }),
    index('unpaid_places_by_wallet').on(table.wallet),
    index('unpaid_places_ended').on(table.endsAt),
  ],
)

/** Signed x402 payments that were handed to a facilitator: gone once it is known what became of them. */
export const settlements = sqliteTable(
  'settlements',
  {
    /** Named as in payments.identity. */
    identity: text().primaryKey(),
    gate: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    wallet: text().$type<AccountText>().notNull(),
    version: integer().notNull(),
    usdMicros: integer('usd_micros').notNull(),
    /** JSON: what the look at the chain needs. */
    details: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When it can no longer move money. */
    endsAt: integer('ends_at').notNull(),
    watchAt: integer('watch_at').notNull(),
    /** The time when the facilitator refused to settle it; null before. The place is released then. */
    refusedAt: integer('refused_at'),
    /** live_processes.id of the process that waits for the answer of the facilitator. Null before and after. */
    handedOverBy: text('handed_over_by'),
  },
  (table) => [
    index('settlements_watched').on(table.watchAt),
    index('settlements_by_pair').on(table.gate, table.qHash),
    index('settlements_by_wallet').on(table.wallet),
  ],
)

/** Prices that were told to a buyer who pays by a transfer, each with an amount of its own. */
export const quotes = sqliteTable(
  'quotes',
  {
    /** Random. */
    quoteId: text('quote_id').primaryKey(),
    gate: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    wallet: text().$type<AccountText>().notNull(),
    version: integer().notNull(),
    usdMicros: integer('usd_micros').notNull(),
    /** EVM address in lower case. */
    recipient: text().notNull(),
    /**
     * Tells this transfer from others. Modulo 10,000: millionths of a dollar above the price. Divided by 10,000:
     * millionths of such a millionth (payments/stablecoin/quote.ts).
     */
    suffix: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('quotes_by_pair').on(table.gate, table.qHash),
    index('quotes_of_wallet').on(table.wallet),
    index('quotes_expiring').on(table.expiresAt),
    uniqueIndex('quotes_amount').on(table.recipient, table.usdMicros, table.suffix),
  ],
)

/** Offered transfers that wait for their chain: their age is judged as of the offer. */
export const offeredTransfers = sqliteTable(
  'offered_transfers',
  {
    /** In lower case. */
    transactionHash: text('transaction_hash').notNull(),
    /** The buyer who offered it. */
    wallet: text().notNull(),
    /** The quote with the exact amount, which is kept as long as this row. */
    quoteId: text('quote_id'),
    /** Unix milliseconds. */
    firstAt: integer('first_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.wallet] }),
    index('offered_transfers_by_wallet').on(table.wallet),
    index('offered_transfers_by_quote').on(table.quoteId).where(sql`quote_id IS NOT NULL`),
    index('offered_transfers_by_age').on(table.firstAt),
  ],
)
