/**
 * The whole data model on one page. migrations/ holds the SQL that makes it; a test compares the two.
 *
 * Times are Unix milliseconds. Hashes are BLOBs that go in through unhex(?) and out through hex(), because blob
 * parameters do not survive replication. Amounts and other integers past 2^53 are TEXT.
 */
import { sql } from 'drizzle-orm'
import { check, customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** A BLOB that statements write with unhex(?) and read with hex(). */
const hash32 = customType<{ data: Uint8Array }>({ dataType: () => 'blob' })

/**
 * An account that has signed at least one stored proof: a key, or a contract wallet on one chain. Counters are kept by triggers, so that totals cost nothing.
 */
export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey(),
  /**
   * The bare address of a key (EVM in lower case, other namespaces verbatim), CAIP-10 of a contract wallet. Of proofs that
   * may be of either, unknown:<address>:<CAIP-2>; erased:<handle> while they are being erased.
   */
  address: text().notNull().unique(),
  /** Proofs that are neither revoked nor superseded. */
  currentCount: integer('current_count').notNull().default(0),
  /** Those among them that are listed publicly. */
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
    /** The first 52 bits of a hash over signer, verifiers and what they were about: equal for runs of one claim. */
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
     * proofs/finality.ts: 0 a block is followed, 1 all are final, 2 a block was replaced and the claim did not hold again.
     * Null for proofs of no block, and for those of before 0016.
     */
    finality: integer().$type<0 | 1 | 2>(),
  },
  (table) => [
    check('q_hash_length', sql`length(${table.qHash}) = 32`),
    index('proofs_by_q52').on(table.q52),
    index('proofs_by_scope').on(table.scope52, table.superseded),
    index('proofs_by_account').on(table.accountId),
    index('proofs_listed').on(table.accountId),
    index('proofs_scope_listed').on(table.scope52),
    index('proofs_shown').on(table.accountId, table.visibility),
    index('proofs_expiring').on(table.expiresAt),
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
    /** Of the newest reading. */
    blockNumber: integer('block_number').notNull(),
    blockHash: hash32('block_hash').notNull(),
    /** holds: it did at that block. missing: it did not. final: it did, and the block stays. */
    state: text().notNull(),
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

/**
 * By what right a delegation or an agent came to be. Proofs of before 0010 have no row: their source is unknown. Triggers
 * revoke the proof when its source ends.
 */
export const proofSources = sqliteTable(
  'proof_sources',
  {
    proofId: integer('proof_id')
      .primaryKey()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** agent-delegation or agent-identity. */
    verifier: text().notNull(),
    /** A word of http/identity.ts sourceKinds. */
    kind: text().notNull(),
    /** access_keys.key_id, oauth_families.handle or link:<link_proof>; empty for what the primary wallet did itself. */
    sourceId: text('source_id').notNull(),
    /** proofs.id of the wallet-link by which the maker was the person. */
    linkProof: integer('link_proof'),
    /** Set when the source was revoked, which revokes the proof. */
    endedAt: integer('ended_at'),
    /** access_key_revoked, oauth_grant_revoked or wallet_unlinked. */
    endReason: text('end_reason'),
  },
  (table) => [index('proof_sources_by_source').on(table.sourceId), index('proof_sources_by_link').on(table.linkProof)],
)

/** Wallets that a proof's owner lets read a private proof: a row for each source. */
/** Short forms of large records, for lists: proofs/record-summary.ts. */
export const recordSummaries = sqliteTable('record_summaries', {
  proofId: integer('proof_id')
    .primaryKey()
    .references(() => proofs.id, { onDelete: 'cascade' }),
  /** JSON of a ProofRecord with `isShortened`. */
  summary: text().notNull(),
})

/** Wallets that a proof's owner lets read a private proof. */
export const accessGrants = sqliteTable(
  'access_grants',
  {
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** As accounts.address. Of before contracts could be named: the key of the address. */
    viewer: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: until revoked with the proof. */
    expiresAt: integer('expires_at'),
    /** As in proof_sources; unknown for grants of before 0010. */
    sourceKind: text('source_kind').notNull(),
    sourceId: text('source_id').notNull(),
    linkProof: integer('link_proof'),
  },
  (table) => [
    primaryKey({ columns: [table.proofId, table.viewer, table.sourceId] }),
    index('access_grants_expiring').on(table.expiresAt),
    index('access_grants_by_source').on(table.sourceId),
    index('access_grants_by_link').on(table.linkProof),
    index('access_grants_by_viewer').on(table.viewer),
  ],
)

/**
 * Names that only one account may hold at a time, such as `pseudonym:svc/alice`: a row for each of its proofs that holds
 * the name, so that it is free when the last of them goes.
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
    action: text().notNull(),
    /** waiting, sent, mined, confirmed or failed: publishing/publication.ts says what each means. */
    state: text().notNull(),
    askedAt: integer('asked_at').notNull(),
    /** The sender, in lower case. */
    account: text(),
    nonce: integer(),
    /** The newest signed transaction, as it is sent: stored before it leaves. */
    signed: text(),
    signedAt: integer('signed_at'),
    /** Hashes of every version of the transaction, separated by a space; the last is the newest, or the one mined. */
    txHashes: text('tx_hashes'),
    /** Where the transaction was mined. */
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

/** What a gate check looks up without reading a proof: see proofs/facts.ts. */
export const proofFacts = sqliteTable(
  'proof_facts',
  {
    accountId: integer('account_id').notNull(),
    /** The first 52 bits of a hash of verifier, field and value. */
    fact52: integer().notNull(),
    proofId: integer('proof_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.fact52, table.proofId] })],
)

/** Proofs that were there before proof_facts, and how many of them have their facts by now. One row. */
export const proofFactsProgress = sqliteTable('proof_facts_progress', {
  id: integer().primaryKey(),
  doneUpTo: integer('done_up_to').notNull(),
  lastId: integer('last_id').notNull(),
})

export const gates = sqliteTable(
  'gates',
  {
    id: integer().primaryKey(),
    /** As its owner wrote it: case counts. */
    gateId: text('gate_id').notNull().unique(),
    /** Wallet address, EVM in lower case. */
    owner: text().notNull(),
    /** draft, active, paused, deleted. A deleted gate keeps its id, its versions and what was paid at it. */
    status: text().notNull(),
    /** 1 for public gates with a listing. */
    isListed: integer('is_listed').notNull().default(0),
    /** The newest version, which is the one that applies. */
    version: integer().notNull(),
    /** Fulfilments that were granted and not suspended, against `supply`. */
    fulfilledCount: integer('fulfilled_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /**
     * Of the fulfilments in fulfilledCount those that were paid for, and what the seller has of it in millionths of a US
     * dollar: less what was refunded, also of fulfilments that a refund of a part took back. Disputes count when lost.
     */
    paidCount: integer('paid_count').notNull().default(0),
    paidUsdMicros: integer('paid_usd_micros').notNull().default(0),
  },
  (table) => [index('gates_by_owner').on(table.owner), index('gates_listed').on(table.id)],
)

/** Never changed. Old ones that nobody needs go when a gate has too many bytes of them (gates/kept-versions.ts). */
export const gateVersions = sqliteTable(
  'gate_versions',
  {
    gate: integer()
      .notNull()
      .references(() => gates.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    /** JSON of gates/gate.ts, without reward values. */
    definition: text().notNull(),
    /** Reward values: AES-256-GCM under the master key (db/seal.ts), bound to gate and version. */
    rewards: text(),
    /** Who made it: a wallet, or `operator` for the command line. */
    author: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.gate, table.version] })],
)

/** What lists say of a version, so that they do not read whole definitions. Written and deleted with the version. */
export const gateSummaries = sqliteTable(
  'gate_summaries',
  {
    gate: integer()
      .notNull()
      .references(() => gates.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    /** Of the definition in UTF-8, and of the sealed reward values with it. */
    definitionBytes: integer('definition_bytes').notNull(),
    bytes: integer().notNull(),
    name: text().notNull(),
    /** JSON (gates/summary.ts). Null: the definition is short, is not the newest, or is older than this table. */
    summary: text(),
  },
  (table) => [primaryKey({ columns: [table.gate, table.version] })],
)

/** A payment that was claimed for a fulfilment, once and for ever. Kept when the buyer erases everything. */
export const payments = sqliteTable(
  'payments',
  {
    id: integer().primaryKey(),
    /** Names the payment, whatever is said of it: `tx:eip155:8453:0x…:<log>`, `card:pi_…`. */
    identity: text().notNull().unique(),
    /** stablecoin, card, x402. */
    method: text().notNull(),
    /** gates.id; gates are never deleted. */
    gate: integer().notNull(),
    qHash: hash32('q_hash').notNull(),
    /** claimed, final, reversed. A disputed payment keeps its state and its place: suspended_for. */
    state: text().notNull(),
    payer: text(),
    /** Base units of the token, or cents. */
    amount: text(),
    /** JSON for a later look at the payment. */
    details: text(),
    paidAt: integer('paid_at'),
    claimedAt: integer('claimed_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** When to look at it again; null once it is final or reversed. */
    watchAt: integer('watch_at'),
    /** What was given back of it so far, in the unit of `amount`; null: nothing. */
    refunded: text(),
    /** Why it is taken back for now, though its place is kept: disputed. Null where it is not. */
    suspendedFor: text('suspended_for'),
  },
  (table) => [index('payments_watched').on(table.watchAt)],
)

/** What was handed out: once for each gate and proof. */
export const fulfillments = sqliteTable(
  'fulfillments',
  {
    id: integer().primaryKey(),
    gate: integer()
      .notNull()
      .references(() => gates.id),
    qHash: hash32('q_hash').notNull(),
    wallet: text().notNull(),
    /** The version of the gate whose reward was given. */
    version: integer().notNull(),
    /** Random: who knows it may see the receipt. */
    receiptId: text('receipt_id').notNull().unique(),
    payment: integer().references(() => payments.id),
    /** granted, or suspended when the payment was taken back. */
    state: text().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** gates.owner, which never changes. */
    owner: text(),
    /** The price at that time, in millionths of a US dollar; null where nothing was paid. */
    usdMicros: integer('usd_micros'),
  },
  (table) => [
    uniqueIndex('fulfillments_once').on(table.gate, table.qHash),
    index('fulfillments_by_wallet').on(table.wallet, table.gate),
    index('fulfillments_by_payment').on(table.payment),
    index('fulfillments_by_gate').on(table.gate),
    index('fulfillments_by_version').on(table.gate, table.version),
    index('fulfillments_of_wallet').on(table.wallet),
    index('fulfillments_paid_by').on(table.wallet),
    index('fulfillments_paid_to').on(table.owner),
  ],
)

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
    /** Of the buyer; null when they have erased everything. Null in this and the next two for checkouts of before 0014. */
    wallet: text(),
    /** Whose price it asks for, and whose reward it buys. */
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
    wallet: text().notNull(),
    qHash: hash32('q_hash').notNull(),
    /** Whose price is paid, and whose reward is given. */
    version: integer().notNull(),
    /** card, stablecoin or x402. */
    method: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gate, table.wallet] }),
    index('reservations_held').on(table.gate, table.expiresAt),
    index('reservations_by_pair').on(table.gate, table.qHash),
    index('reservations_expiring').on(table.expiresAt),
    index('reservations_by_wallet').on(table.wallet),
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
    wallet: text().notNull(),
    version: integer().notNull(),
    usdMicros: integer('usd_micros').notNull(),
    /** JSON: what the look at the chain needs. */
    details: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When it can no longer move money. */
    endsAt: integer('ends_at').notNull(),
    watchAt: integer('watch_at').notNull(),
    /** When the facilitator said that it does not settle it; null while nothing is said. The place is given back then. */
    refusedAt: integer('refused_at'),
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
    wallet: text().notNull(),
    version: integer().notNull(),
    usdMicros: integer('usd_micros').notNull(),
    /** EVM address in lower case. */
    recipient: text().notNull(),
    /** Millionths of a dollar above the price, by which this transfer is told from others. */
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
    wallet: text(),
    payer: text(),
    /** As the method counts: base units, cents. */
    amount: text(),
    usdMicros: integer('usd_micros'),
    /**
     * JSON, as in payments. Where the seller has given it back: `returnedAt`, in Unix milliseconds, and `returnedBy`, the
     * transaction that did, where the seller named it.
     */
    details: text(),
    /** Hex in lower case, where a transaction paid: by which its payer names it where it is used after all. */
    transactionHash: text('transaction_hash'),
    /** The code of the refusal, such as GATE_SOLD_OUT. */
    reason: text().notNull(),
    /**
     * owed by the seller, refunding by this server, refunded by this server or the seller, or used for a gate of the
     * seller after all.
     */
    state: text().notNull(),
    paidAt: integer('paid_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** When the refund is tried or looked at next; null when there is none, or nothing is left to do. */
    nextAt: integer('next_at'),
  },
  (table) => [
    index('unmatched_by_owner').on(table.owner),
    index('unmatched_by_wallet').on(table.wallet),
    index('unmatched_by_transaction').on(table.transactionHash),
    index('unmatched_due').on(table.nextAt),
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
    /** CAIP-2: where `wallet` made the link. It matters for contracts, which are somebody on one chain only. */
    chain: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.wallet, table.other, table.proofId, table.chain] }),
    index('wallet_links_by_proof').on(table.proofId),
  ],
)

/** A person, known by the account that signed in first. */
export const profiles = sqliteTable('profiles', {
  id: integer().primaryKey(),
  /** `sub` of tokens: random, so that it tells nothing of the wallet. */
  subject: text().notNull().unique(),
  /** The primary account: an address as it is stored everywhere, of a contract wallet its CAIP-10 id. */
  account: text().notNull().unique(),
  did: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** Signed-in browsers. The id itself is in a cookie and nowhere else. */
export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the session id. */
    hash: hash32('hash').primaryKey(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The account that signed in: the primary one, or one that is linked to it. */
    account: text().notNull(),
    /** proofs.id of the wallet-link by which that account is this person's; null for the primary one. */
    linkProof: integer('link_proof'),
    /** What the browser says it is, cut short: so that a person knows its sessions apart. */
    agent: text(),
    createdAt: integer('created_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('sessions_by_profile').on(table.profile), index('sessions_expiring').on(table.expiresAt)],
)

/** Credentials for servers and automation. The key is shown once. */
export const accessKeys = sqliteTable(
  'access_keys',
  {
    id: integer().primaryKey(),
    /** What the key is called in lists and when it is revoked. */
    keyId: text('key_id').notNull().unique(),
    /** SHA-256 of the key. */
    hash: hash32('hash').notNull().unique(),
    /** Its first characters. */
    prefix: text().notNull(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Words of http/identity.ts, separated by spaces. */
    scopes: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** To the minute. */
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('access_keys_by_profile').on(table.profile)],
)

/** OAuth clients that registered themselves, or that were read from their metadata document. */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    /** client_id. */
    id: text().primaryKey(),
    /** dcr (RFC 7591) or cimd. */
    kind: text().notNull(),
    /** As the client calls itself: nobody checked it. */
    name: text(),
    /** JSON array. */
    redirectUris: text('redirect_uris').notNull(),
    /** SHA-256 of what was registered: the same registration again is the same client. */
    metadataHash: hash32('metadata_hash'),
    createdAt: integer('created_at').notNull(),
    /** When a person last allowed it something. */
    usedAt: integer('used_at'),
    expiresAt: integer('expires_at').notNull(),
    /**
     * The network it registered from (request-scope.ts), until a person allowed it something. Null for older rows
     * and for clients of documents.
     */
    network: text(),
  },
  (table) => [
    uniqueIndex('oauth_clients_by_metadata').on(table.metadataHash),
    index('oauth_clients_expiring').on(table.expiresAt),
    index('oauth_clients_unused').on(table.network, table.createdAt, table.id, table.usedAt),
  ],
)

/** Authorization requests that wait for the person's answer. */
export const oauthRequests = sqliteTable(
  'oauth_requests',
  {
    /** SHA-256 of the handle in the page. */
    hash: hash32('hash').primaryKey(),
    /** Only this session may answer. */
    sessionHash: hash32('session_hash')
      .notNull()
      .references(() => sessions.hash, { onDelete: 'cascade' }),
    /** JSON of the checked request. */
    params: text().notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** client_id: the client stays registered while the person decides. Null for requests of before 0011. */
    client: text(),
  },
  (table) => [
    index('oauth_requests_by_client').on(table.client, table.expiresAt),
    index('oauth_requests_by_session').on(table.sessionHash),
    index('oauth_requests_expiring').on(table.expiresAt),
  ],
)

/** What a person allowed a client, so as not to be asked again. */
export const oauthConsents = sqliteTable(
  'oauth_consents',
  {
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    client: text().notNull(),
    redirectHost: text('redirect_host').notNull(),
    scope: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** proofs.id of the link of the session that allowed it; null for the primary wallet. */
    linkProof: integer('link_proof'),
  },
  (table) => [
    primaryKey({ columns: [table.profile, table.client, table.redirectHost] }),
    index('oauth_consents_by_link').on(table.linkProof),
  ],
)

/**
 * Grants: all tokens that descend from one authorization code. Of the tokens themselves nothing is kept: they say which
 * generation they are (oauth/descent.ts), and which one is good is said here.
 */
export const oauthFamilies = sqliteTable(
  'oauth_families',
  {
    id: integer().primaryKey(),
    /** What its tokens call it. */
    handle: text().notNull().unique(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    client: text().notNull(),
    /** As in sessions. */
    account: text().notNull(),
    linkProof: integer('link_proof'),
    scope: text().notNull(),
    resource: text().notNull(),
    signedInAt: integer('signed_in_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** However often it is refreshed. */
    expiresAt: integer('expires_at').notNull(),
    /** Of the refresh token that is good now. Raised by each use of one. */
    generation: integer().notNull(),
    refreshedAt: integer('refreshed_at'),
    /** The run of the server that refreshed it: one that ended may have failed to answer. */
    refreshedBy: text('refreshed_by'),
    /** When the refresh token that is good now ends, unused. */
    refreshEndsAt: integer('refresh_ends_at').notNull(),
    /** When the newest access token ends. */
    accessEndsAt: integer('access_ends_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** Why it was revoked. */
    reason: text(),
  },
  (table) => [
    index('oauth_families_by_profile').on(table.profile, table.client),
    index('oauth_families_expiring').on(table.expiresAt),
  ],
)

export const oauthCodes = sqliteTable(
  'oauth_codes',
  {
    /** SHA-256 of the authorization code. */
    hash: hash32('hash').primaryKey(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    client: text().notNull(),
    account: text().notNull(),
    linkProof: integer('link_proof'),
    redirectUri: text('redirect_uri').notNull(),
    /** code_challenge, S256. */
    challenge: text().notNull(),
    scope: text().notNull(),
    resource: text().notNull(),
    signedInAt: integer('signed_in_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    consumedAt: integer('consumed_at'),
    /** What it became, once it was redeemed: revoked when the code comes again. */
    family: integer().references(() => oauthFamilies.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('oauth_codes_by_profile').on(table.profile),
    index('oauth_codes_by_family').on(table.family),
    index('oauth_codes_expiring').on(table.expiresAt),
  ],
)

/** Keys that sign access tokens. */
export const oauthKeys = sqliteTable('oauth_keys', {
  /** RFC 7638 thumbprint. */
  kid: text().primaryKey(),
  alg: text().notNull(),
  /** The private JWK: AES-256-GCM under the master key (db/seal.ts), bound to the kid. */
  sealed: text().notNull(),
  publicJwk: text('public_jwk').notNull(),
  createdAt: integer('created_at').notNull(),
  /** Published at once, used from then on. */
  notBefore: integer('not_before').notNull(),
  /** Signs nothing from then on; published for as long as its tokens live. */
  retiredAt: integer('retired_at'),
})

/** Secrets of people, for their agents. */
export const secrets = sqliteTable(
  'secrets',
  {
    id: integer().primaryKey(),
    /** Random: its id in the vault. */
    qHash: hash32('q_hash').notNull().unique(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** In whose vault it stands: the text of an account (wallet/account.ts). */
    wallet: text().notNull(),
    alias: text().notNull(),
    /** single or bundle. */
    type: text().notNull(),
    /** AES-256-GCM under the master key (db/seal.ts), bound to the qHash; gone once it is revoked. */
    sealed: text(),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (table) => [
    index('secrets_by_profile').on(table.profile, table.id),
    uniqueIndex('secrets_by_alias').on(table.profile, table.alias),
  ],
)

/** What happened to sign-ins, keys, grants and clients. Holds no credential. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    /** A word of sessions/audit.ts. */
    event: text().notNull(),
    /** profiles.id, which may be gone. */
    profile: integer(),
    /** JSON. */
    details: text().notNull(),
  },
  (table) => [
    index('audit_events_by_profile').on(table.profile, table.id),
    index('audit_events_by_time').on(table.at),
    index('audit_events_by_event').on(table.event, table.id),
  ],
)

/** Sign-ins at other providers, from the start to the exchange. They live for minutes. */
export const socialSignIns = sqliteTable(
  'social_sign_ins',
  {
    /** SHA-256 of `state`. */
    hash: hash32('hash').primaryKey(),
    /**
     * started: the person is at the provider. returned: came back, and the provider is being asked; what was sealed for
     * that is gone. signed-in: the result waits. failed, exchanged: over.
     */
    stage: text().notNull(),
    /** AES-256-GCM under the master key (db/seal.ts), bound to hash and stage: what the next step needs. */
    sealed: text(),
    /** Why it failed: a word of social/sign-in.ts. */
    failure: text(),
    expiresAt: integer('expires_at').notNull(),
    /** The network it was started from (request-scope.ts). Null for sign-ins of before 0011. */
    network: text(),
  },
  (table) => [
    index('social_sign_ins_expiring').on(table.expiresAt),
    index('social_sign_ins_started').on(table.network, table.expiresAt, table.hash),
  ],
)

/** Wallets that became operators by the one-time link. Those of the configuration are not here. */
export const operators = sqliteTable('operators', {
  /** Text of sessions/profile-store.ts accountText(). */
  account: text().primaryKey(),
  createdAt: integer('created_at').notNull(),
})

/** The one-time link that is good now, if there is one. One row: a new link takes the place of the one before. */
export const operatorLink = sqliteTable('operator_link', {
  id: integer().primaryKey(),
  /** SHA-256 of its token. */
  hash: hash32('hash').notNull(),
  /** Null for the link of a start, which is good until the next one. */
  expiresAt: integer('expires_at'),
})

/** How many rows there are, kept by triggers. One row. */
export const totals = sqliteTable('totals', {
  id: integer().primaryKey(),
  accounts: integer().notNull(),
  proofs: integer().notNull(),
})

/** What happened how often on a day. Holds nothing personal. */
export const dailyNumbers = sqliteTable(
  'daily_numbers',
  {
    /** A word of numbers/numbers.ts. */
    kind: text().notNull(),
    /** Days of UTC since 1970. */
    day: integer().notNull(),
    /** A verifier or a gate; empty where all are counted together. */
    subject: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.subject] })],
)

/** How long requests took. A row for each run of the server, so that none has to read what another one counted. */
export const latencies = sqliteTable(
  'latencies',
  {
    /** Spans of ten minutes since 1970. */
    slot: integer().notNull(),
    /** A word of numbers/surface.ts. */
    surface: text().notNull(),
    run: text().notNull(),
    /** JSON: how many requests fell into each bucket of numbers/histogram.ts. */
    buckets: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.slot, table.surface, table.run] })],
)
