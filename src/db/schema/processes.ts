/** Processes that share one database. One that has its database for itself writes no row here. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A row of each process that runs. It goes with an orderly stop, or once another process finds that it stands still. */
export const liveProcesses = sqliteTable('live_processes', {
  /** The run (parts.ts). */
  id: text().primaryKey(),
  /** By the clock that all go by (database-clock.ts). */
  startedAt: integer('started_at').notNull(),
  version: text().notNull(),
  /** The name of its machine. */
  host: text().notNull(),
  /** Raised by the process as long as it lives. */
  beats: integer().notNull(),
  /** Digests of its settings, by which others tell whether theirs differ (processes/settings-mark.ts). */
  settings: text(),
})

/** Work that one process does for all: processes/lease-names.ts. */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  /** live_processes.id; null once it was given back. */
  holder: text(),
  /** Rises with each new holder. */
  fence: integer().notNull(),
  /** Raised by the holder as long as it lives, and by each write of its work. */
  beats: integer().notNull(),
})
