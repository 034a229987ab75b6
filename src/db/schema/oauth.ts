/** Clients, and what people allow them. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'
import { profiles, sessions } from './people.ts'

/** OAuth clients that registered themselves, or that were read from their metadata document. */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    /** client_id. */
    id: text().primaryKey(),
    /** dcr (RFC 7591) or cimd. */
    kind: text().$type<'dcr' | 'cimd'>().notNull(),
    /** The client's own, unchecked name. */
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
    /** client_id: the client stays registered while the person decides. Null for requests from before 0011. */
    client: text(),
  },
  (table) => [
    index('oauth_requests_by_client').on(table.client, table.expiresAt),
    index('oauth_requests_by_session').on(table.sessionHash),
    index('oauth_requests_expiring').on(table.expiresAt),
  ],
)

/** A person's consent for a client, so that it is not requested again. */
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
 * Grants: all tokens that descend from one authorization code. The tokens themselves are not stored: they carry their
 * generation (oauth/lineage.ts), and this row names the valid one.
 */
export const oauthFamilies = sqliteTable(
  'oauth_families',
  {
    id: integer().primaryKey(),
    /** The name of the family in its tokens. */
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
    /** The generation of the valid refresh token. Each use raises it. */
    generation: integer().notNull(),
    /** By the steady clock (clock.ts). */
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
    /** oauth/redirect-uri.ts readPlace() of its redirect URI. Null for some grants from before 0029. */
    redirectHost: text('redirect_host'),
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
    /** The family of the redeemed code: revoked when the code comes again. */
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
