/**
 * Brings a database to this build's data model: forward only, each file remembered by its SHA-256.
 *
 * Not drizzle's own migrate(): it compares only the newest time stamp, and with foreign keys on, a table rebuild deletes
 * child rows through ON DELETE CASCADE (drizzle-team/drizzle-orm#5782).
 */
import type { Database } from 'bun:sqlite'
import { migrations as allMigrations, type Migration } from './migrations.ts'

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const sha256 = (text: string): string => Bun.SHA256.hash(text.replaceAll('\r\n', '\n'), 'hex')

/** Returns the names it applied. All or nothing: one transaction for all pending files. */
export function migrate(db: Database, migrations: readonly Migration[] = allMigrations, now = 0): string[] {
  const foreignKeys = db.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').get()?.foreign_keys
  // A no-op inside a transaction, so it must come first: a rebuilt table must not cascade into its children.
  db.run('PRAGMA foreign_keys = OFF')
  db.run('BEGIN IMMEDIATE')
  try {
    db.run(
      'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
    )
    const pending = pendingAfter(db, migrations)
    for (const { name, sql } of pending) {
      db.run(sql)
      db.run('INSERT INTO migrations (name, sha256, applied_at) VALUES (?, ?, ?)', [name, sha256(sql), now])
    }
    const broken = db.query('PRAGMA foreign_key_check').all()
    if (broken.length > 0) throw new MigrationError(`the migration leaves ${broken.length} rows without their parent`)
    db.run('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  } finally {
    if (foreignKeys === 1) db.run('PRAGMA foreign_keys = ON')
  }
}

/** Whether there is nothing left to apply. Throws MigrationError for a database that a newer build used. */
export function isMigrated(db: Database, migrations: readonly Migration[] = allMigrations): boolean {
  const isNew = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() === null
  return !isNew && pendingAfter(db, migrations).length === 0
}

function pendingAfter(db: Database, migrations: readonly Migration[]): readonly Migration[] {
  const applied = db
    .query<{ name: string; sha256: string }, []>('SELECT name, sha256 FROM migrations ORDER BY name')
    .all()
  applied.forEach(({ name, sha256: seen }, position) => {
    const known = migrations[position]
    if (known?.name !== name)
      throw new MigrationError(
        `the database was last used by a newer Proofgate (it holds migration "${name}", which this build does not know): start that version or restore a backup`,
      )
    if (sha256(known.sql) !== seen)
      throw new MigrationError(
        `migration "${name}" is not the one that was applied: this build was changed after release`,
      )
  })
  return migrations.slice(applied.length)
}
