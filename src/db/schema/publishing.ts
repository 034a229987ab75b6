/** Orders to record proofs elsewhere. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { proofs } from './proofs.ts'

/**
 * Orders to record a proof on a chain: the outbox of publishing/. One row for each proof, chain and action; it goes with
 * its proof.
 */
export const publications = sqliteTable(
  'publications',
  {
    id: integer().primaryKey(),
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** EIP-155. */
    chainId: integer('chain_id').notNull(),
    /** timestamp, or revoke. */
    action: text().$type<'timestamp' | 'revoke'>().notNull(),
    /** waiting, sent, mined, confirmed or failed: publishing/publication.ts says what each means. */
    state: text().$type<'waiting' | 'sent' | 'mined' | 'confirmed' | 'failed'>().notNull(),
    askedAt: integer('asked_at').notNull(),
    /** The sender, in lower case. */
    account: text().$type<`0x${string}`>(),
    nonce: integer(),
    /** The newest signed transaction, as it is sent: stored before it leaves. */
    signed: text().$type<`0x${string}`>(),
    signedAt: integer('signed_at'),
    /** Hashes of every version of the transaction, separated by a space; the last is the newest, or the one mined. */
    txHashes: text('tx_hashes'),
    /** The block that mined the transaction. */
    blockNumber: integer('block_number'),
    gasUsed: text('gas_used'),
    /** The time the contract holds. */
    recordedAt: integer('recorded_at'),
    /** Null while there is something left to do. */
    finishedAt: integer('finished_at'),
    /** Why it failed, as a sentence for readers of the proof. */
    reason: text(),
  },
  (table) => [
    uniqueIndex('publications_by_proof').on(table.proofId, table.chainId, table.action),
    index('publications_open').on(table.chainId, table.state),
  ],
)
