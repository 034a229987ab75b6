/** By what right a proof was made, and who may read it. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'
import { profiles } from './people.ts'
import { proofs } from './proofs.ts'

/**
 * The right by which a delegation or an agent was made. Proofs from before 0010 have no row: their source is unknown.
 * Triggers revoke the proof when its source ends.
 */
export const proofSources = sqliteTable(
  'proof_sources',
  {
    proofId: integer('proof_id')
      .primaryKey()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** agent-delegation or agent-identity. */
    verifier: text().notNull(),
    /** A word of auth/identity.ts sourceKinds. */
    kind: text().$type<'signature' | 'session' | 'linked-session' | 'access-key' | 'oauth-grant'>().notNull(),
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

/** Links that open a private proof for everybody who has them. */
export const shareLinks = sqliteTable(
  'share_links',
  {
    /** SHA-256 of the token. */
    digest: hash32('digest').primaryKey(),
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** What its owner calls it. */
    label: text(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** How often its page was opened. */
    openedCount: integer('opened_count').notNull().default(0),
    lastOpenedAt: integer('last_opened_at'),
    /** The person who made it. Null for those of people who had left before they were noted. */
    profile: integer().references(() => profiles.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('share_links_by_proof').on(table.proofId),
    index('share_links_expiring').on(table.expiresAt),
    index('share_links_by_profile').on(table.profile),
  ],
)

/** Wallets that a proof's owner lets read a private proof: a row for each source. */
export const accessGrants = sqliteTable(
  'access_grants',
  {
    proofId: integer('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    /** As accounts.address. In rows from before contracts could be named, the key of the address. */
    viewer: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: until revoked with the proof. */
    expiresAt: integer('expires_at'),
    /** As in proof_sources; unknown for grants from before 0010. */
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
