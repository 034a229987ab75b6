/** What the server of the database shows of its logs, its WAL archive and its standbys. Some of it needs rights. */
import { type Connection, schemaName } from '../db/postgres/connection.ts'
import type { Found } from './found.ts'

const setting = 'database.url'
const oneMiB = 1_048_576

/** Of the server that takes writes. */
export async function examineDatabaseCare(connection: Connection): Promise<readonly Found[]> {
  return [
    ...(await examineLogs(connection)),
    ...(await examineArchive(connection)),
    ...(await examineSlots(connection)),
    ...(await examineOwner(connection)),
  ]
}

interface LogSettings {
  readonly user: string
  readonly statements: string
  readonly slow: string
  readonly sampled: string
  readonly transactions: string
  readonly length: string
  /** Null where auto_explain is not loaded. */
  readonly explained: string | null
  readonly explainedLength: string | null
}

/** Every value is sent as a parameter, so that the logs have none where parameters are left out. */
async function examineLogs(connection: Connection): Promise<readonly Found[]> {
  const { rows } = await connection.runPlain(
    `SELECT quote_ident(current_user) AS user, current_setting('log_statement') AS statements,
       current_setting('log_min_duration_statement') AS slow, current_setting('log_min_duration_sample') AS sampled,
       current_setting('log_transaction_sample_rate') AS transactions,
       current_setting('log_parameter_max_length') AS length,
       current_setting('auto_explain.log_min_duration', true) AS explained,
       current_setting('auto_explain.log_parameter_max_length', true) AS "explainedLength"`,
  )
  const found = rows[0] as LogSettings
  const { user, statements, slow, sampled, transactions, length, explained, explainedLength } = found
  const reasons = [
    ...(/^(mod|all)$/.test(statements) ? [`log_statement = ${statements}`] : []),
    ...(slow === '-1' ? [] : [`log_min_duration_statement = ${slow}`]),
    ...(sampled === '-1' ? [] : [`log_min_duration_sample = ${sampled}`]),
    ...(Number(transactions) > 0 ? [`log_transaction_sample_rate = ${transactions}`] : []),
  ]
  const isExplained = explained !== null && explained !== '-1' && explainedLength !== null && explainedLength !== '0'
  return [
    ...(reasons.length > 0 && length !== '0'
      ? [
          warn(
            `PostgreSQL writes what is stored into its log (${reasons.join(', ')}), where no erasure reaches it`,
            `leave the values out, as an administrator: ALTER ROLE ${user} SET log_parameter_max_length = 0`,
          ),
        ]
      : []),
    ...(isExplained
      ? [
          warn(
            `auto_explain writes what is stored into the log (auto_explain.log_min_duration = ${explained}), where no erasure reaches it`,
            `leave the values out, as an administrator: ALTER ROLE ${user} SET auto_explain.log_parameter_max_length = 0`,
          ),
        ]
      : []),
  ]
}

interface Archive {
  readonly mode: string
  readonly archived: string | null
  readonly failed: string | null
  readonly fails: boolean
}

async function examineArchive(connection: Connection): Promise<readonly Found[]> {
  const { rows } = await connection.runPlain(
    `SELECT current_setting('archive_mode') AS mode, last_archived_time::text AS archived,
       last_failed_time::text AS failed,
       coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL) AS fails FROM pg_stat_archiver`,
  )
  const { mode, archived, failed, fails } = rows[0] as Archive
  if (mode === 'off')
    return [
      {
        setting,
        level: 'ok',
        says: 'its server archives no WAL that is seen here: where nothing else does, only dumps restore it',
      },
    ]
  if (fails)
    return [
      warn(
        `the server of the database could not archive its WAL: it failed at ${failed}, and ${archived === null ? 'never succeeded' : `succeeded last at ${archived}`}`,
        'see the log of PostgreSQL for archive_command. Until it works no later moment can be restored, and the WAL fills the disk',
      ),
    ]
  return [
    {
      setting,
      level: 'ok',
      says: archived === null ? 'its server archives its WAL, and has not yet' : `its WAL was archived at ${archived}`,
    },
  ]
}

interface Slot {
  readonly name: string
  readonly bytes: string
}

/** A standby that is gone for good: its slot keeps the WAL, and with it what was erased. */
async function examineSlots(connection: Connection): Promise<readonly Found[]> {
  const { rows } = await connection.runPlain(
    `SELECT slot_name::text AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint::text AS bytes
     FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY slot_name`,
  )
  return (rows as readonly Slot[]).map(({ name, bytes }) =>
    warn(
      `the replication slot "${name}" is not in use, and keeps ${Math.ceil(Number(bytes) / oneMiB)} MiB of WAL, with what was erased in it`,
      `start its standby, or drop the slot: SELECT pg_drop_replication_slot('${name}')`,
    ),
  )
}

/** Only the owner of a table may vacuum it. */
async function examineOwner(connection: Connection): Promise<readonly Found[]> {
  const { rows } = await connection.runPlain(
    `SELECT c.relname AS table, pg_get_userbyid(c.relowner) AS owner FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${schemaName}' AND c.relkind = 'r' AND NOT pg_has_role(c.relowner, 'USAGE') ORDER BY c.relname`,
  )
  const [first] = rows as readonly { readonly table: string; readonly owner: string }[]
  if (!first) return []
  return [
    warn(
      `the user of the database does not own ${rows.length === 1 ? `the table ${first.table}` : `${rows.length} of its tables`}, and cannot vacuum what was erased`,
      `as an administrator, in this database: REASSIGN OWNED BY "${first.owner}" TO the user of database.url`,
    ),
  ]
}

const warn = (says: string, mend: string): Found => ({ setting, level: 'warn', says, mend })
