/** People, and how they sign in. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'

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

/** The names that a person gives to wallets. Nobody else sees them. */
export const walletLabels = sqliteTable(
  'wallet_labels',
  {
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The named wallet: the address of a key, the CAIP-10 id of a contract wallet or of a name. */
    account: text().notNull(),
    /** profiles.account, which never changes: erasing that account erases the names that it gave. */
    wallet: text().notNull(),
    label: text().notNull(),
    /** Of the newest change. */
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.profile, table.account] }),
    index('wallet_labels_by_wallet').on(table.wallet),
  ],
)

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
    /** The truncated user agent of the browser, so that a person can tell sessions apart. */
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
    /** The key's name in lists and for revocation. */
    keyId: text('key_id').notNull().unique(),
    /** SHA-256 of the key. */
    hash: hash32('hash').notNull().unique(),
    /** Its first characters. */
    prefix: text().notNull(),
    profile: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Words of auth/identity.ts, separated by spaces. */
    scopes: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** To the minute. */
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('access_keys_by_profile').on(table.profile)],
)

/** Sign-ins at other providers, from the start to the exchange. They live for minutes. */
export const socialSignIns = sqliteTable(
  'social_sign_ins',
  {
    /** SHA-256 of `state`. */
    hash: hash32('hash').primaryKey(),
    /**
     * started: the person is at the provider. returned: the person came back, and the provider is being asked; its
     * sealed data is gone. signed-in: the result waits. failed, exchanged: over.
     */
    stage: text().$type<'started' | 'returned' | 'signed-in' | 'failed' | 'exchanged'>().notNull(),
    /** AES-256-GCM under the master key (db/seal.ts), bound to hash and stage: what the next step needs. */
    sealed: text(),
    /** Why it failed: a word of social/sign-in.ts. */
    failure: text(),
    expiresAt: integer('expires_at').notNull(),
    /** The network it was started from (request-scope.ts). Null for sign-ins from before 0011. */
    network: text(),
  },
  (table) => [
    index('social_sign_ins_expiring').on(table.expiresAt),
    index('social_sign_ins_started').on(table.network, table.expiresAt, table.hash),
  ],
)
