/** Backups and restores: what a restore must not bring back, the restores that were made, and the jobs beside them. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The journal: what was taken away, and money that was taken. Triggers fill it (migrations/0039_restoring.sql). A thing
 * has one row, of its newest state, with a new id.
 */
export const takenAway = sqliteTable(
  'taken_away',
  {
    id: integer().primaryKey(),
    /** Unix milliseconds. The stored clock where the row tells no time of its own. */
    at: integer().notNull(),
    kind: text().notNull(),
    /** Names the thing among those of its kind. An erased account is a MAC of its name. */
    thing: text().notNull(),
    /** JSON. */
    detail: text().notNull(),
  },
  (table) => [uniqueIndex('taken_away_by_thing').on(table.kind, table.thing)],
)

/** Restores of this database, the newest last. Texts that were signed before are refused. */
export const restores = sqliteTable('restores', {
  id: integer().primaryKey(),
  restoredAt: integer('restored_at').notNull(),
  /** Of the backup (backup/format.ts). */
  backupId: text('backup_id').notNull(),
  /** The moment that was restored. */
  backupAt: integer('backup_at').notNull(),
  journal: text({ enum: ['replayed', 'gone'] }).notNull(),
  /** Until when the journal knew what happened. Without one: backup_at. */
  knownUntil: integer('known_until').notNull(),
})

/** The last run of each job that is done beside the server, backup and drill, and the last change of its version. */
export const jobRuns = sqliteTable('job_runs', {
  job: text({ enum: ['backup', 'drill', 'upgrade'] }).primaryKey(),
  endedAt: integer('ended_at').notNull(),
  tookMs: integer('took_ms').notNull(),
  isGood: integer('is_good').notNull(),
  /** What came of it, as a sentence. */
  says: text().notNull(),
  /** When it last ended well. */
  goodAt: integer('good_at'),
})
