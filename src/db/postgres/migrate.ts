/**
 * Brings a database of PostgreSQL to this build's data model: in one transaction, under a lock, so that of many
 * processes that start at once one changes it and the others find it changed.
 */
import baseline from '../../../migrations/postgres/0001_baseline.sql' with { type: 'text' }
import processes from '../../../migrations/postgres/0042_processes.sql' with { type: 'text' }
import pairings from '../../../migrations/postgres/0043_pairings.sql' with { type: 'text' }
import traces from '../../../migrations/postgres/0044_traces.sql' with { type: 'text' }
import manyOfOne from '../../../migrations/postgres/0045_many_of_one.sql' with { type: 'text' }
import settings from '../../../migrations/postgres/0046_settings.sql' with { type: 'text' }
import { MigrationError } from '../migrate.ts'
import type { Migration } from '../migrations.ts'
import { type Connection, schemaName } from './connection.ts'
import { describeError, isLost, readState } from './errors.ts'
import { findLiving } from './living.ts'

export interface PostgresMigration extends Migration {
  /**
   * Versions that do not know it may run on its result, so that servers are upgraded one after another. It adds tables,
   * columns and indexes, and changes nothing (test/db/postgres/rolling.test.ts).
   */
  readonly olderMayRun: boolean
}

/** In order. The first is the data model that SQLite has after 0041; later ones have number and name of their pair. */
export const postgresMigrations: readonly PostgresMigration[] = [
  { name: '0001_baseline', sql: baseline, olderMayRun: false },
  { name: '0042_processes', sql: processes, olderMayRun: true },
  { name: '0043_pairings', sql: pairings, olderMayRun: true },
  { name: '0044_traces', sql: traces, olderMayRun: false },
  { name: '0045_many_of_one', sql: manyOfOne, olderMayRun: true },
  { name: '0046_settings', sql: settings, olderMayRun: true },
]

/** Any number that no other program on the same database takes. */
const lockKey = 7_402_381_175
const leastVersion = 150_000

const hashSha256 = (text: string): string => Bun.SHA256.hash(text.replaceAll('\r\n', '\n'), 'hex')

export interface Migrating {
  readonly migrations?: readonly PostgresMigration[]
  /** Data is moved into the database, or was until the move was interrupted. */
  readonly isMove?: boolean
}

export interface Migrated {
  /** Names of what was applied. */
  readonly applied: readonly string[]
  /** Names of what a newer version has applied. */
  readonly newer: readonly string[]
}

/** Errors: MigrationError, LostError. */
export async function migratePostgres(
  connection: Connection,
  now: number,
  { migrations = postgresMigrations, isMove = false }: Migrating = {},
): Promise<Migrated> {
  await requireServer(connection)
  await connection.runPlain(`BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0`)
  try {
    await connection.runPlain(`SELECT pg_advisory_xact_lock(${lockKey})`)
    await requireOwnSchema(connection)
    await prepareSchema(connection)
    if (!isMove) await requireWholeMove(connection)
    const { pending, newer } = await compareMigrations(connection, migrations)
    await requireNoOlderServer(connection, pending)
    for (const { name, sql, olderMayRun } of pending) {
      await runFile(connection, name, sql)
      await connection.run(
        `INSERT INTO migrations (name, sha256, applied_at, older_may_run) VALUES (?1, ?2, ?3, ${olderMayRun})`,
        [name, hashSha256(sql), now],
      )
    }
    await connection.runPlain('COMMIT')
    return { applied: pending.map(({ name }) => name), newer }
  } catch (error) {
    if (!connection.isLost()) await connection.runPlain('ROLLBACK').catch(() => connection.lose('a change did not end'))
    throw readState(error) === insufficientPrivilege ? makeRightsError(error) : error
  }
}

async function requireServer(connection: Connection): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, current_database()::text AS database, current_user::text AS "user",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
      EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = '${schemaName}') AS "isThere"`,
  )
  const found = rows[0] as {
    number: number
    version: string
    encoding: string
    database: string
    user: string
    mayCreate: boolean
    isThere: boolean
  }
  if (found.number < leastVersion)
    throw new MigrationError(
      `the database server is PostgreSQL ${found.version}, and Proofgate needs 15 or later: upgrade it, or name another one in database.url`,
    )
  if (found.encoding !== 'UTF8')
    throw new MigrationError(
      `the database "${found.database}" has the encoding ${found.encoding}, and Proofgate needs UTF8: make one with createdb --encoding=UTF8 --template=template0`,
    )
  if (!found.isThere && !found.mayCreate)
    throw new MigrationError(
      `the user "${found.user}" may not create a schema in the database "${found.database}": CREATE SCHEMA ${schemaName} AUTHORIZATION "${found.user}" as its administrator`,
    )
}

/** A schema of the same name that another program made. Errors: MigrationError, LostError. */
async function requireOwnSchema(connection: Connection): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = to_regnamespace('${schemaName}')
       AND relkind IN ('r', 'p', 'v', 'm', 'f') AND to_regclass('${schemaName}.migrations') IS NULL ORDER BY 1 LIMIT 1`,
  )
  const [foreign] = rows as readonly { readonly name: string }[]
  if (foreign)
    throw new MigrationError(
      `the schema "${schemaName}" of the database holds "${foreign.name}", which is not of Proofgate: name another database in database.url. Nothing was changed`,
    )
}

async function prepareSchema(connection: Connection): Promise<void> {
  try {
    await connection.runPlain(
      `DO $$ BEGIN
         -- With IF NOT EXISTS it needs the right to create schemas even where it is there.
         IF to_regnamespace('${schemaName}') IS NULL THEN CREATE SCHEMA ${schemaName}; END IF;
       END $$;
       CREATE TABLE IF NOT EXISTS ${schemaName}.migrations (
         name TEXT COLLATE "C" PRIMARY KEY, sha256 TEXT NOT NULL, applied_at BIGINT NOT NULL,
         older_may_run BOOLEAN NOT NULL);
       CREATE TABLE IF NOT EXISTS ${schemaName}.write_marks (
         id UUID PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now());
       CREATE TABLE IF NOT EXISTS ${schemaName}.master_key_mark (id BIGINT PRIMARY KEY CHECK (id = 1), mark TEXT NOT NULL);
       CREATE INDEX IF NOT EXISTS write_marks_by_time ON ${schemaName}.write_marks USING brin (at)`,
    )
  } catch (error) {
    throw isLost(error) ? error : makeRightsError(error)
  }
}

/** SQLSTATE. */
const insufficientPrivilege = '42501'

const makeRightsError = (error: unknown): MigrationError =>
  new MigrationError(
    `the schema "${schemaName}" of the database cannot be used (${describeError(error)}): let the user of database.url own it (ALTER SCHEMA ${schemaName} OWNER TO …)`,
    { cause: error },
  )

/** Is there while a move into the database has not come to its end (db/move). */
export const unfinishedMove = 'unfinished_move'

async function requireWholeMove(connection: Connection): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT to_regclass('${schemaName}.${unfinishedMove}') IS NOT NULL AS unfinished`,
  )
  if ((rows[0] as { unfinished: boolean }).unfinished)
    throw new MigrationError(
      'a move of a data folder into this database did not come to its end: run "proofgate move-to" again with the same folder, and start the servers then',
    )
}

/** For those who read all of it, and so must know all of it. Errors: MigrationError, LostError. */
export async function requireMigrated(connection: Connection): Promise<void> {
  await requireWholeMove(connection)
  const { pending, newer } = await compareMigrations(connection, postgresMigrations)
  if (newer[0] !== undefined) throw makeNewerError(newer[0])
  if (pending.length > 0)
    throw new MigrationError(
      'the database was last used by an older version of Proofgate: start a server of this version on it once, and stop it',
    )
}

/** The data model of this build, in a schema that is not there yet. For the transaction of the caller. */
export async function makeModel(connection: Connection): Promise<void> {
  await prepareSchema(connection)
  for (const { name, sql } of postgresMigrations) await runFile(connection, name, sql)
}

/** Servers of the version before would read the result wrongly. Errors: MigrationError. */
async function requireNoOlderServer(connection: Connection, pending: readonly PostgresMigration[]): Promise<void> {
  const changing = pending.find(({ olderMayRun }) => !olderMayRun)
  const living = changing && (await findLiving(connection))
  if (living)
    throw new MigrationError(
      `migration "${changing.name}" changes what the version ${living.version} reads, and a server of it runs on the machine ${living.host}: stop all servers of that version, and start this one again. Nothing was changed`,
    )
}

const makeNewerError = (name: string): MigrationError =>
  new MigrationError(
    `the database was last used by a newer Proofgate (it holds migration "${name}", which this build does not know): start that version or restore a backup`,
  )

/** `newer`: applied by a newer version, which lets this one go on. */
async function compareMigrations(connection: Connection, migrations: readonly PostgresMigration[]) {
  const { rows } = await connection.runPlain(
    'SELECT name, sha256, older_may_run AS "olderMayRun" FROM migrations ORDER BY name',
  )
  const newer: string[] = []
  for (const [position, row] of rows.entries()) {
    const { name, sha256, olderMayRun } = row as { name: string; sha256: string; olderMayRun: boolean }
    const known = migrations[position]
    if (position >= migrations.length && olderMayRun) {
      newer.push(name)
      continue
    }
    if (known?.name !== name) throw makeNewerError(name)
    if (hashSha256(known.sql) !== sha256)
      throw new MigrationError(
        `migration "${name}" is not the one that was applied: the database holds it with the SHA-256 ${sha256}, this build has ${hashSha256(known.sql)}. Start the build that made the database. Nothing was changed`,
      )
  }
  return { pending: migrations.slice(rows.length), newer }
}

async function runFile(connection: Connection, name: string, sql: string): Promise<void> {
  try {
    await connection.runPlain(sql)
  } catch (error) {
    if (isLost(error)) throw error
    throw new MigrationError(
      `migration "${name}" cannot be applied to the database (${describeError(error)}): nothing was changed, and the version that ran before reads it as before`,
      { cause: error },
    )
  }
}
