/** Phones that lend their wallet to a computer. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'

/** A row for minutes. Codes and secrets are kept as SHA-256 alone. */
export const pairings = sqliteTable(
  'pairings',
  {
    /** Of the code that the computer shows. */
    codeHash: hash32('code_hash').primaryKey(),
    /** Of the secret of the computer. */
    computerHash: hash32('computer_hash').notNull(),
    /** Of the secret of the phone that has taken the code. */
    phoneHash: hash32('phone_hash'),
    /** A MAC of the client address that opened it. */
    client: text().notNull(),
    /** paired: the number was confirmed on both screens. */
    stage: text().$type<'open' | 'paired' | 'ended'>().notNull(),
    /** AES-256-GCM under the master key (db/seal.ts), bound to the code: what both sides told each other. */
    sealed: text().notNull(),
    /** Characters that wait for the phone. */
    waiting: integer().notNull(),
    /** Rises with each change, so that none is lost. */
    version: integer().notNull(),
    /** When the computer last asked. */
    heardAt: integer('heard_at').notNull(),
    /** When it ends by time, or has ended. */
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('pairings_by_computer').on(table.computerHash),
    uniqueIndex('pairings_by_phone').on(table.phoneHash),
    index('pairings_by_client').on(table.client),
    index('pairings_expiring').on(table.expiresAt),
    index('pairings_open').on(table.expiresAt, table.heardAt, table.waiting),
  ],
)
