/**
 * Rows that were deleted stay in their table as dead rows until VACUUM removes them, which no transaction may prevent that
 * could still see them. Whether it did is read from PostgreSQL's own promise about a table: no transaction older than
 * its relfrozenxid is left in it, nor in the table behind it that holds long values.
 */
import type { Hold } from '../db.ts'
import { type Connection, schemaName } from './connection.ts'

/** The first transaction whose deletions may be missing: those of all earlier ones that were committed are seen. */
export async function readBoundary(connection: Connection): Promise<string> {
  const { rows } = await connection.runPlain('SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text AS boundary')
  return (rows[0] as { boundary: string }).boundary
}

/** Written again and again by every process, and nothing in them is of a person. */
const withoutData = ['write_marks', 'live_processes', 'leases']

export interface Behind {
  /** Quoted, with its schema. */
  readonly table: string
  /** Only the owner of a table may vacuum it. */
  readonly isOwn: boolean
}

/** The tables that may hold dead rows of before the boundary. */
export async function listBehind(connection: Connection, boundary: string): Promise<readonly Behind[]> {
  const { rows } = await connection.runPlain(
    `SELECT format('%I.%I', '${schemaName}', c.relname) AS table, pg_has_role(c.relowner, 'USAGE') AS "isOwn"
     FROM pg_class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
     WHERE c.relnamespace = '${schemaName}'::regnamespace AND c.relkind = 'r'
       AND c.relname NOT IN (${withoutData.map((name) => `'${name}'`).join(', ')})
       AND greatest(age(c.relfrozenxid), age(t.relfrozenxid)) > age('${boundary}'::xid)
     ORDER BY c.relname`,
  )
  return rows as readonly Behind[]
}

interface Holder {
  readonly kind: 'session' | 'slot' | 'standby' | 'prepared'
  readonly name: string
}

/** What is seen of others depends on the rights of the user. An autovacuum is in nobody's way. */
export async function findHolder(connection: Connection, boundary: string): Promise<Holder | undefined> {
  const { rows } = await connection.runPlain(
    `SELECT kind, name FROM (
       SELECT 'session' AS kind, format('%s %s %s', pid, usename, application_name) AS name,
         greatest(age(backend_xmin), age(backend_xid)) AS age
       FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
       UNION ALL SELECT 'standby', application_name, age(backend_xmin) FROM pg_stat_replication
       UNION ALL SELECT 'slot', slot_name::text, age(xmin) FROM pg_replication_slots
       UNION ALL SELECT 'prepared', gid, age(transaction) FROM pg_prepared_xacts WHERE database = current_database()
     ) holders
     WHERE age > age('${boundary}'::xid) ORDER BY age DESC LIMIT 1`,
  )
  return rows[0] as Holder | undefined
}

/** The names are for the log alone. */
export function describeHold(holder: Holder | undefined): Hold {
  if (!holder) return unseen
  const { kind, name } = holder
  return { ...holds[kind], holder: `${kind} ${name.trim()}` }
}

const holds: Readonly<Record<Holder['kind'], Pick<Hold, 'because' | 'mend'>>> = {
  session: {
    because: 'a transaction that began before is still open in the database',
    mend: 'end that session: the log names it, and pg_terminate_backend(pid) ends it. The server vacuums by itself then',
  },
  standby: {
    because: 'a query on a standby still reads the state of before (hot_standby_feedback)',
    mend: 'end that query on the standby, which the log names. The server vacuums by itself then',
  },
  slot: {
    because: 'a replication slot keeps the state of before',
    mend: 'start the standby of that slot, which the log names, or drop it: SELECT pg_drop_replication_slot(…). The server vacuums by itself then',
  },
  prepared: {
    because: 'a prepared transaction keeps the state of before',
    mend: 'end it: COMMIT PREPARED or ROLLBACK PREPARED, with the name that the log tells. The server vacuums by itself then',
  },
}

const unseen: Hold = {
  because: 'something keeps the state of before in the database',
  mend: 'see pg_stat_activity, pg_replication_slots and pg_prepared_xacts as an administrator. With GRANT pg_read_all_stats to the user of database.url the server tells what it is',
}

export const noRight: Hold = {
  because: 'the user of the database does not own its tables, and may not vacuum them',
  mend: 'let the user of database.url own the schema "proofgate" and everything in it (REASSIGN OWNED). The server vacuums by itself then',
}

export const locked: Hold = {
  because: 'another program holds a lock on a table',
  mend: 'end it, such as a schema change or a VACUUM that somebody began. The server vacuums by itself then',
}

export const compacting: Hold = {
  because: 'another VACUUM of the server, or "proofgate compact", is at work',
  mend: 'nothing is to do, unless it never ends: the server vacuums by itself then',
}
