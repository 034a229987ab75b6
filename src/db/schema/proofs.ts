/** Proofs, the accounts that signed them, and what is kept with a proof and goes with it. */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountText } from '../../wallet/account.ts'
import { hash32 } from './columns.ts'

/**
 * An account that has signed at least one stored proof: a key, or a contract wallet on one chain. Counters are kept by triggers, so that totals cost nothing.
 */
export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey(),
  /**
   * The bare address of a key (EVM in lower case, other namespaces verbatim), or CAIP-10 of a contract wallet. For
   * proofs that may belong to either: unknown:<address>:<CAIP-2>. While they are being erased: erased:<handle>.
   */
  address: text().$type<AccountText>().notNull().unique(),
  /** Proofs that are neither revoked nor superseded. */
  currentCount: integer('current_count').notNull().default(0),
  /** The part of activeCount that is listed publicly and was not swept as expired. */
  listedCount: integer('listed_count').notNull().default(0),
  /** All proofs, history included. */
  allCount: integer('all_count').notNull().default(0),
  allListedCount: integer('all_listed_count').notNull().default(0),
})

export const proofs = sqliteTable(
  'proofs',
  {
    /** Rises with every insert: the order of lists and the position of cursors. */
    id: integer().primaryKey(),
    /** The first 52 bits of qHash: a short key for the index. */
    q52: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    /** The signer: the account that controls the proof. */
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The first 52 bits of a hash over signer, verifiers and their subjects: equal for runs of one claim. */
    scope52: integer().notNull(),
    /**
     * A word of the interface: verified, partially_verified, expired, and those of publishing/words.ts. Revocation is
     * told by revokedAt alone.
     */
    status: text().notNull(),
    /** proofs/visibility.ts: 0 private, 1 public by id, 2 public and listed. */
    visibility: integer().$type<0 | 1 | 2>().notNull(),
    /** 1 once a newer proof of the same scope exists. */
    superseded: integer().notNull().default(0),
    /** The signing context: exactly one of the two. */
    chainId: integer('chain_id'),
    chain: text(),
    /** eip191, ed25519, eip1271 or eip6492. Null: nothing was signed by a key. */
    signatureMethod: text('signature_method'),
    signedTimestamp: integer('signed_timestamp').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** Past it the proof no longer counts, whether the sweep has come by or not. */
    expiresAt: integer('expires_at'),
    /** JSON of ProofRecord (proofs/proof.ts): never read by a WHERE clause, and by lists only where it is small. */
    record: text().notNull(),
    /**
     * proofs/finality.ts. 0: a block is followed. 1: all are final. 2: a block was replaced and the claim no longer
     * held. Null for proofs without a block, and for those from before 0016.
     */
    finality: integer().$type<0 | 1 | 2>(),
    /** The app that it was made through, as the client named it. Null: none, or from before 0023. */
    appId: text('app_id'),
    /** For proofs made with a sponsor grant: the wallet that the app named as payer, in lower case. */
    sponsorWallet: text('sponsor_wallet'),
    /** For listed proofs: agentId of agent-identity. Null for all others. */
    agentId: text('agent_id'),
    /** For listed proofs: agentWallet of agent-delegation. Null for all others. */
    grantedTo: text('granted_to'),
  },
  (table) => [
    check('q_hash_length', sql`length(${table.qHash}) = 32`),
    index('proofs_by_q52').on(table.q52),
    index('proofs_by_account').on(table.accountId),
    index('proofs_listed').on(table.accountId),
    index('proofs_scope_listed').on(table.scope52),
    index('proofs_shown').on(table.accountId, table.visibility),
    index('proofs_expiring').on(table.expiresAt),
    index('proofs_by_app').on(table.accountId, table.appId),
    index('proofs_app_listed').on(table.accountId, table.appId),
    index('proofs_agents').on(table.agentId, table.accountId),
    index('proofs_granted').on(table.grantedTo, table.accountId),
  ],
)

/** Blocks that claims were read at, until they are final: proofs/follow.ts. */
export const followedBlocks = sqliteTable(
  'followed_blocks',
  {
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** Place of the claim in the rows of the record, from 0. */
    place: integer().notNull(),
    /** CAIP-2. */
    chain: text().notNull(),
    /** The block of the newest reading. */
    blockNumber: integer('block_number').notNull(),
    blockHash: hash32('block_hash').notNull(),
    /** holds: it did at that block. missing: it did not. final: it did, and the block stays. */
    state: text().$type<'holds' | 'missing' | 'final'>().notNull(),
    followedSince: integer('followed_since').notNull(),
    /** Null once it is final. */
    lookAt: integer('look_at'),
    /** When it was last read at another block than the evidence names. */
    readAgainAt: integer('read_again_at'),
  },
  (table) => [primaryKey({ columns: [table.proofId, table.place] }), index('followed_blocks_due').on(table.lookAt)],
)

/** Original content, when its owner asked to have it stored: in the clear for public proofs, else sealed. */
export const contents = sqliteTable('contents', {
  proofId: integer('proof_id')
    .primaryKey()
    .references(() => proofs.id, { onDelete: 'cascade' }),
  content: text(),
  /** AES-256-GCM under the master key (db/seal.ts), bound to the qHash. */
  sealed: text(),
})

/** Portable proofs, kept where the content is: proofs/portable.ts. */
export const envelopes = sqliteTable('envelopes', {
  proofId: integer('proof_id')
    .primaryKey()
    .references(() => proofs.id, { onDelete: 'cascade' }),
  /** AES-256-GCM under the master key (db/seal.ts), bound to the qHash. */
  sealed: text().notNull(),
})

/** Short forms of large records, for lists: proofs/record-summary.ts. */
export const recordSummaries = sqliteTable('record_summaries', {
  proofId: integer('proof_id')
    .primaryKey()
    .references(() => proofs.id, { onDelete: 'cascade' }),
  /** JSON of a ProofRecord with `isShortened`. */
  summary: text().notNull(),
})
