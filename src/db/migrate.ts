/**
 * Brings a database to this build's data model: forward only, each file remembered by its SHA-256.
 *
 * We do not use drizzle's own migrate(), which compares only the newest time stamp. With foreign keys on, its table
 * rebuild deletes child rows through ON DELETE CASCADE (drizzle-team/drizzle-orm#5782).
 */
import type { Database } from 'bun:sqlite'
import { type FormerMigration, formerMigrations, formerNames } from './former-migrations.ts'
import { migrations as allMigrations, type Migration } from './migrations.ts'
import { findFaultKind } from './sqlite-errors.ts'

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const hashSha256 = (text: string): string => Bun.SHA256.hash(text.replaceAll('\r\n', '\n'), 'hex')

/**
 * Returns the names it applied. All or nothing: one transaction for all pending files. `tell` receives each name when its
 * file has run. Errors: MigrationError, SQLiteError for faults of the disk.
 */
export function migrate(
  db: Database,
  migrations: readonly Migration[] = allMigrations,
  now = 0,
  tell: (name: string) => void = () => {},
): string[] {
  const foreignKeys = db.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').get()?.foreign_keys
  // A no-op inside a transaction, so it must come first: a rebuilt table must not cascade into its children.
  db.run('PRAGMA foreign_keys = OFF')
  db.run('BEGIN IMMEDIATE')
  try {
    db.run(
      'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
    )
    const { renamed, former, pending } = readStanding(db, migrations)
    for (const [was, is] of renamed) db.run('UPDATE migrations SET name = ? WHERE name = ?', [is, was])
    for (const { name, sql, becomes } of former) {
      runFile(db, name, sql)
      db.run('UPDATE migrations SET sha256 = ? WHERE name = ?', [becomes, name])
    }
    for (const { name, sql } of pending) {
      runFile(db, name, sql)
      db.run('INSERT INTO migrations (name, sha256, applied_at) VALUES (?, ?, ?)', [name, hashSha256(sql), now])
      tell(name)
    }
    // Reads every row: not at a start that changes nothing.
    const isChanged = former.length + pending.length > 0
    const broken = isChanged ? db.query('PRAGMA foreign_key_check').all() : []
    if (broken.length > 0)
      throw new MigrationError(
        `the migrations would leave ${broken.length} rows of ${db.filename} without their parent: ${afterFailure}`,
      )
    db.run('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  } finally {
    if (foreignKeys === 1) db.run('PRAGMA foreign_keys = ON')
  }
}

const afterFailure =
  'nothing was changed, and the version that ran before reads it as before. Go back to that version (an executable that self-update replaced: "proofgate self-update --rollback"), and report this sentence'

/** Faults of the disk keep their errors, which have sentences of their own. */
function runFile(db: Database, name: string, sql: string): void {
  try {
    db.run(sql)
  } catch (error) {
    if (findFaultKind(error) !== 'other' || !(error instanceof Error)) throw error
    throw new MigrationError(
      `migration "${name}" cannot be applied to ${db.filename} (${error.message}): ${afterFailure}`,
      { cause: error },
    )
  }
}

/** Whether there is nothing left to apply. Throws MigrationError for a database that a newer build used. */
export function isMigrated(db: Database, migrations: readonly Migration[] = allMigrations): boolean {
  if (isUnused(db)) return false
  const { renamed, former, pending } = readStanding(db, migrations)
  return renamed.length + former.length + pending.length === 0
}

export interface Plan {
  readonly pending: readonly string[]
  /** Migrations of which the database holds an earlier form. */
  readonly former: readonly string[]
}

/** The work of the next start. Throws MigrationError for a database that a newer build used. */
export function planMigrations(db: Database, migrations: readonly Migration[] = allMigrations): Plan {
  if (isUnused(db)) return { pending: migrations.map(({ name }) => name), former: [] }
  const { renamed, former, pending } = readStanding(db, migrations)
  return {
    pending: pending.map(({ name }) => name),
    former: [...new Set([...renamed.map(([, is]) => is), ...former.map(({ name }) => name)])].sort(),
  }
}

const isUnused = (db: Database): boolean =>
  db.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() === null

/** The names of what was applied, in order. None for a database without our tables. */
export function listApplied(db: Database): readonly string[] {
  if (isUnused(db)) return []
  return db
    .query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name')
    .all()
    .map(({ name }) => formerNames[name] ?? name)
}
/** Whether this build can go on from it. */
export const isKnownMigration = (name: string): boolean =>
  allMigrations.some((one) => one.name === (formerNames[name] ?? name))

/** The steps that bring this database to this build's form, in order. */
interface Standing {
  /** Applied under a number that the file no longer has. */
  readonly renamed: readonly (readonly [was: string, is: string])[]
  /** Applied in an earlier form, and the hash of the form of today. */
  readonly former: readonly (FormerMigration & { readonly becomes: string })[]
  readonly pending: readonly Migration[]
}

function readStanding(db: Database, migrations: readonly Migration[]): Standing {
  const rows = db.query<{ name: string; sha256: string }, []>('SELECT name, sha256 FROM migrations').all()
  const isKnown = new Set(migrations.map(({ name }) => name))
  const applied = rows
    .map(({ name, sha256 }) => ({ was: name, name: isKnown.has(name) ? name : (formerNames[name] ?? name), sha256 }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const former = applied.flatMap(({ name, sha256: seen }, position) => {
    const known = migrations[position]
    if (known?.name !== name)
      throw new MigrationError(
        `the database was last used by a newer Proofgate (it holds migration "${name}", which this build does not know): start that version or restore a backup`,
      )
    const becomes = hashSha256(known.sql)
    if (seen === becomes) return []
    const change = formerMigrations.find((one) => one.name === name && one.sha256 === seen)
    if (!change) throw new MigrationError(explainUnknown(db.filename, name, seen, becomes))
    return [{ ...change, becomes }]
  })
  const renamed = applied.filter(({ was, name }) => was !== name).map(({ was, name }) => [was, name] as const)
  return { renamed, former, pending: migrations.slice(applied.length) }
}

const explainUnknown = (file: string, name: string, seen: string, known: string): string =>
  `migration "${name}" is not the one that was applied to ${file}: the database holds it with the SHA-256 ${seen}, this build has ${known}, and knows no way from one to the other. Start the build that made the database, or restore a backup that this one can read. If neither is at hand, report both hashes: nothing was changed`

/** Those that a database has, in their order. Errors: SQLiteError. */
export const listAppliedHashes = (db: Database) =>
  db
    .query<{ name: string; sha256: string; appliedAt: number }, []>(
      'SELECT name, sha256, applied_at AS appliedAt FROM migrations ORDER BY name',
    )
    .all()
