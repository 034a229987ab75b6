/** The rows that keep a signed text from acting again: it is spent, or its proof was erased. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'

/**
 * Signed texts and nonces that may act only once. They are kept until a day after they are too old to be accepted
 * anyway.
 */
export const spentSignatures = sqliteTable(
  'spent_signatures',
  {
    digest: hash32('digest').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
    /** The proof that a signed claim made; null for everything else. The proof may be erased: then the mark stays. */
    qHash: hash32('q_hash'),
  },
  (table) => [index('spent_signatures_expiring').on(table.expiresAt)],
)

/**
 * The expiry hours of forgotten texts. A clock that is set back far enough makes such a text fresh again. Its use is
 * then unknown, so it is refused.
 */
export const forgottenHours = sqliteTable('forgotten_hours', {
  /** Unix milliseconds of the expiry / 86,400,000, rounded down. */
  day: integer().primaryKey(),
  /** One bit for each hour of that day in UTC: the lowest is midnight's. */
  hours: integer().notNull(),
})

/** Erasures that have begun and are not finished (erasure/store.ts). They go on after a crash. */
export const erasures = sqliteTable(
  'erasures',
  {
    /** Random. */
    handle: text().primaryKey(),
    /** accounts.id: the account that lost its name. */
    accountId: integer('account_id').notNull(),
    /** accounts.address as it was. */
    wallet: text().notNull(),
    /** Null since 0015, which gave contract wallets accounts of their own. */
    contractOn: text('contract_on'),
    /** The highest ids of proofs and fulfillments at the beginning: later rows stay. */
    proofsUpTo: integer('proofs_up_to').notNull(),
    fulfillmentsUpTo: integer('fulfillments_up_to').notNull(),
    erasedAt: integer('erased_at').notNull(),
    /** As erased_proofs needs them: what was signed before is refused anyway, and when an id is forgotten. */
    acceptedSince: integer('accepted_since').notNull(),
    forgetAt: integer('forget_at').notNull(),
    /** erasure_receipts.handle. Null for erasures from before 0022. */
    receipt: text(),
    /** live_processes.id of the process that deletes the rows. Null where no other process can come to it. */
    erasedBy: text('erased_by'),
  },
  (table) => [
    index('erasures_by_account').on(table.accountId),
    index('erasures_by_wallet').on(table.wallet),
    index('erasures_by_receipt').on(table.receipt),
  ],
)

/** Tells a person the progress of an erasure, without naming the person. The sweep deletes it days after the end. */
export const erasureReceipts = sqliteTable(
  'erasure_receipts',
  {
    /** Random: knowing it gives the right to ask. */
    handle: text().primaryKey(),
    /**
     * spent_signatures.digest of the request, so that a repeated request gets the same answer. Null for an unsigned
     * one.
     */
    asked: hash32('asked'),
    /** Proofs at the beginning. */
    total: integer().notNull(),
    begunAt: integer('begun_at').notNull(),
    /** When the last row was deleted. */
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('erasure_receipts_by_request').on(table.asked).where(sql`asked IS NOT NULL`),
    index('erasure_receipts_ended').on(table.endedAt).where(sql`ended_at IS NOT NULL`),
  ],
)

/** A deletion for good, until nothing of it is left in the log or in dead rows (db/traces.ts). */
export const traces = sqliteTable(
  'traces',
  {
    /** Random. */
    id: text().primaryKey(),
    notedAt: integer('noted_at').notNull(),
    /** erasure_receipts.handle of an erasure that has ended. */
    receipt: text(),
  },
  (table) => [
    index('traces_by_receipt').on(table.receipt).where(sql`receipt IS NOT NULL`),
    index('traces_by_time').on(table.notedAt),
  ],
)

/** Ids erased by their owner, remembered until a day after the signed request is too old to bring them back. */
export const erasedProofs = sqliteTable('erased_proofs', {
  q52: integer().primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})
