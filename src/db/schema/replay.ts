/** What keeps a signed text from acting again: that it is spent, and that its proof was erased. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'

/** Signed texts and nonces that may act only once, remembered until they are too old to be accepted anyway. */
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

/** Erasures that have begun and are not finished (proofs/erase-store.ts). They go on after a crash. */
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
    /** Of proofs and fulfillments the highest id at the beginning: what is made afterwards stays. */
    proofsUpTo: integer('proofs_up_to').notNull(),
    fulfillmentsUpTo: integer('fulfillments_up_to').notNull(),
    erasedAt: integer('erased_at').notNull(),
    /** As erased_proofs needs them: what was signed before is refused anyway, and when an id is forgotten. */
    acceptedSince: integer('accepted_since').notNull(),
    forgetAt: integer('forget_at').notNull(),
  },
  (table) => [index('erasures_by_account').on(table.accountId), index('erasures_by_wallet').on(table.wallet)],
)

/** Ids erased by their owner, remembered until the signed request is too old to bring them back. */
export const erasedProofs = sqliteTable('erased_proofs', {
  q52: integer().primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})
