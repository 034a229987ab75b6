/** The notes of one server run for the next about time. */
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/** One row, written every minute and at the end (src/clock.ts). */
export const clock = sqliteTable('clock', {
  id: integer().primaryKey(),
  /** The steady clock: it never goes back and never jumps ahead. */
  steadyAt: integer('steady_at').notNull(),
  /** The clock of the machine at the same moment. */
  wallAt: integer('wall_at').notNull(),
})

/** The last times that the clock of the machine was set. */
export const clockJumps = sqliteTable('clock_jumps', {
  id: integer().primaryKey(),
  /** The time of the machine's clock, after it was set. */
  at: integer().notNull(),
  /** Ahead: positive. Back: negative. Milliseconds. */
  sizeMs: integer('size_ms').notNull(),
})
