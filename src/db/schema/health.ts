/** Whether a write still reaches the disk. */
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/** One row, moved in place when nothing else was committed for a while. */
export const heartbeat = sqliteTable('heartbeat', {
  id: integer().primaryKey(),
  /** 0 before the first. */
  beatenAt: integer('beaten_at').notNull(),
})
