/** The secrets that people keep here for their agents. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AccountText } from '../../wallet/account.ts'
import { hash32 } from './columns.ts'
import { profiles } from './people.ts'

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
    wallet: text().$type<AccountText>().notNull(),
    alias: text().notNull(),
    /** single or bundle. */
    type: text().$type<'single' | 'bundle'>().notNull(),
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
