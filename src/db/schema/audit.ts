/** The log of what was done. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The events of sign-ins, keys, grants and clients. It holds no credential. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    /** A word of audit/log-store.ts. */
    event: text().notNull(),
    /** profiles.id, which may be gone. */
    profile: integer(),
    /** JSON. */
    details: text().notNull(),
  },
  (table) => [
    index('audit_events_by_profile').on(table.profile, table.id),
    index('audit_events_by_time').on(table.at),
    index('audit_events_by_event').on(table.event, table.id),
  ],
)
