/** The operators of this server. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { hash32 } from './columns.ts'

/** Wallets that became operators by the one-time link. The configuration's operators are not here. */
export const operators = sqliteTable('operators', {
  /** Text of wallet/account.ts writeAccount(). */
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
  /** Null for a link from before 0043. */
  madeAt: integer('made_at'),
})
