/** Gates, and what was handed out at them. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'
import { payments } from './payments.ts'

export const gates = sqliteTable(
  'gates',
  {
    id: integer().primaryKey(),
    /** As its owner wrote it: case counts. */
    gateId: text('gate_id').notNull().unique(),
    /** Wallet address, EVM in lower case. */
    owner: text().notNull(),
    /** draft, active, paused, deleted. A deleted gate keeps its id, its versions and what was paid at it. */
    status: text().$type<'draft' | 'active' | 'paused' | 'deleted'>().notNull(),
    /** 1 for public gates with a listing. */
    isListed: integer('is_listed').notNull().default(0),
    /** The newest version, which is the one that applies. */
    version: integer().notNull(),
    /** Fulfillments that were granted and not suspended, against `supply`. */
    fulfilledCount: integer('fulfilled_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /**
     * The paid fulfillments in fulfilledCount, and the seller's income from them in millionths of a US dollar. Refunds
     * are deducted, also those of fulfillments that a partial refund took back. Disputes count when lost.
     */
    paidCount: integer('paid_count').notNull().default(0),
    paidUsdMicros: integer('paid_usd_micros').notNull().default(0),
    /** The rows in gate_guests, kept with every write. */
    guestCount: integer('guest_count').notNull().default(0),
    /** When the owner put it out of the default list. It changes nothing else. */
    archivedAt: integer('archived_at'),
  },
  (table) => [index('gates_by_owner').on(table.owner), index('gates_listed').on(table.id)],
)

/**
 * Never changed. Unneeded old ones are removed when a gate has too many bytes of them (gates/manage/kept-versions.ts).
 */
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
    /** The author: a wallet, or `operator` for the command line. */
    author: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.gate, table.version] })],
)

/**
 * The summary of a version for lists, so that they do not read whole definitions. Written and deleted with the version.
 */
export const gateSummaries = sqliteTable(
  'gate_summaries',
  {
    gate: integer()
      .notNull()
      .references(() => gates.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    /** The size of the definition in UTF-8, and in `bytes` together with its sealed reward values. */
    definitionBytes: integer('definition_bytes').notNull(),
    bytes: integer().notNull(),
    name: text().notNull(),
    /** JSON (gates/definition/summary.ts). Null: the definition is short, is not the newest, or is older than this table. */
    summary: text(),
  },
  (table) => [primaryKey({ columns: [table.gate, table.version] })],
)

/** The wallets that a gate lets in by name (gates/guests/). They belong to the gate, not to a version. */
export const gateGuests = sqliteTable(
  'gate_guests',
  {
    gate: integer()
      .notNull()
      .references(() => gates.id, { onDelete: 'cascade' }),
    /** The address, EVM in lower case. */
    wallet: text().notNull(),
    /**
     * CAIP-2 id of the EVM chain that was named with it, or of the chain on which a name counts. Empty: none, and for a
     * name near:mainnet.
     */
    chain: text().notNull(),
    addedAt: integer('added_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.gate, table.wallet, table.chain] })],
)

/** How the checkout of a gate looks (gates/appearance/). It belongs to the gate, not to a version. */
export const gateAppearances = sqliteTable(
  'gate_appearances',
  {
    gate: integer()
      .primaryKey()
      .references(() => gates.id, { onDelete: 'cascade' }),
    /** gates.owner, which never changes. */
    wallet: text().notNull(),
    /** The name of the seller. Nobody checks it. */
    seller: text(),
    /** # and six hexadecimal digits. */
    color: text(),
    mediaType: text('media_type').$type<'image/png' | 'image/jpeg' | 'image/webp'>(),
    width: integer(),
    height: integer(),
    bytes: integer(),
    /** SHA-256 of the picture, in hexadecimal digits. */
    digest: text(),
    /** Base64. */
    picture: text(),
    /** Unix milliseconds of the newest change. */
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('gate_appearances_by_wallet').on(table.wallet)],
)

/** A listed wallet's pass, which a purchase names in place of a proof. */
export const guestPasses = sqliteTable(
  'guest_passes',
  {
    pass: hash32('pass').primaryKey(),
    gate: integer()
      .notNull()
      .references(() => gates.id, { onDelete: 'cascade' }),
    /** The account, as wallet/account.ts writes it. */
    wallet: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When the sweep looks whether the wallet is listed. Null while nobody shortened the list. */
    lookAt: integer('look_at'),
  },
  (table) => [
    index('guest_passes_looked_at').on(table.lookAt).where(sql`look_at IS NOT NULL`),
    uniqueIndex('guest_passes_by_wallet').on(table.wallet, table.gate),
    index('guest_passes_by_gate').on(table.gate),
  ],
)

/** The delivered rewards: once for each gate and proof. */
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
    state: text().$type<'granted' | 'suspended'>().notNull(),
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
