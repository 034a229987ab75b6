/** How much there is, how often it happened and how long it took. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How many rows there are, kept by triggers. One row. */
export const totals = sqliteTable('totals', {
  id: integer().primaryKey(),
  accounts: integer().notNull(),
  proofs: integer().notNull(),
})

/** The number of events of a day. It holds nothing personal. */
export const dailyNumbers = sqliteTable(
  'daily_numbers',
  {
    /** A word of metrics/metrics.ts. */
    kind: text().notNull(),
    /** Days of UTC since 1970. */
    day: integer().notNull(),
    /** A verifier or a gate; empty where all are counted together. */
    subject: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.subject] })],
)

/** The same by the hour, for two days. */
export const hourlyNumbers = sqliteTable(
  'hourly_numbers',
  {
    kind: text().notNull(),
    /** Hours since 1970. */
    hour: integer().notNull(),
    subject: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.hour, table.subject] })],
)

/** How long requests took. A row for each run of the server, so that none has to read what another one counted. */
export const latencies = sqliteTable(
  'latencies',
  {
    /** Spans of ten minutes since 1970. */
    slot: integer().notNull(),
    /** A word of http/surfaces.ts. */
    surface: text().notNull(),
    run: text().notNull(),
    /** JSON: how many requests fell into each bucket of metrics/histogram.ts. */
    buckets: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.slot, table.surface, table.run] })],
)
