/** Codes by which the server of a site learns who came from it. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'
import { sessions } from './people.ts'

export const siteCodes = sqliteTable(
  'site_codes',
  {
    /** SHA-256 of the code. */
    hash: hash32('hash').primaryKey(),
    sessionHash: hash32('session_hash')
      .notNull()
      .references(() => sessions.hash, { onDelete: 'cascade' }),
    /** The account that the site learns, as in sessions. */
    account: text().notNull(),
    /** The origin of the site. */
    origin: text().notNull(),
    /** code_challenge, S256; null where the link had none. */
    challenge: text(),
    /** gates.gate_id of the gate that was passed; null without one. */
    gate: text(),
    /** JSON: ids of the proofs that the site learns. */
    qHashes: text('q_hashes').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('site_codes_by_session').on(table.sessionHash), index('site_codes_expiring').on(table.expiresAt)],
)
