/** Data stored with a proof so that it is found without being read. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { proofs } from './proofs.ts'

/**
 * The facts by which a gate check finds a proof without reading it (proofs/facts.ts), and the runs of a claim: triggers of
 * 0041 keep these.
 */
export const proofFacts = sqliteTable(
  'proof_facts',
  {
    accountId: integer('account_id').notNull(),
    /**
     * The first 52 bits of a hash of verifier, field and value, or proofs.scope52: as it is while the run is current, and
     * below zero once it is superseded.
     */
    fact52: integer().notNull(),
    proofId: integer('proof_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.fact52, table.proofId] })],
)

/** Proofs that were made without all of their facts (0003, 0025), and how many of them have these by now. One row. */
export const proofFactsProgress = sqliteTable('proof_facts_progress', {
  id: integer().primaryKey(),
  doneUpTo: integer('done_up_to').notNull(),
  lastId: integer('last_id').notNull(),
})

/**
 * Names that only one account may hold at a time, such as `pseudonym:svc/alice`. Each of its proofs with the name has a
 * row. The name is free when the last row is deleted.
 */
export const reservedNames = sqliteTable(
  'reserved_names',
  {
    name: text().notNull(),
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** No foreign key: the proof's is enough, and this one would cost a scan whenever an account is erased. */
    accountId: integer('account_id').notNull(),
    expiresAt: integer('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.proofId] }),
    index('reserved_names_by_proof').on(table.proofId),
    index('reserved_names_expiring').on(table.expiresAt),
  ],
)

/** Both wallets of every wallet-link proof: a row for each of them. Kept by a trigger. */
export const walletLinks = sqliteTable(
  'wallet_links',
  {
    wallet: text().notNull(),
    other: text().notNull(),
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** CAIP-2: the chain on which `wallet` made the link. It matters for contracts, which exist on one chain only. */
    chain: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.wallet, table.other, table.proofId, table.chain] }),
    index('wallet_links_by_proof').on(table.proofId),
  ],
)
