/**
 * Checks a database into which a backup was restored: by the hashes of its dump, if there is one, against the data model of
 * this build, and by the rules of the store.
 */
import { MigrationError } from '../migrate.ts'
import type { Connection } from '../postgres/connection.ts'
import { schemaName } from '../postgres/connection.ts'
import { isSameMark, readMark } from '../postgres/key-mark.ts'
import { makeModel, requireMigrated } from '../postgres/migrate.ts'
import type { StoreRule } from '../store-rule.ts'
import { type DumpManifest, digestTables } from './dump.ts'

export interface Examined {
  /** Of each table. */
  readonly counts: Readonly<Record<string, number>>
  /** Sentences. None: it is sound. */
  readonly faults: readonly string[]
}

interface Expected {
  readonly manifest: DumpManifest | undefined
  readonly masterKey: Uint8Array
  readonly rules: readonly StoreRule[]
}

/** Changes nothing. Errors: LostError, PostgresError. */
export async function examineRestored(
  connection: Connection,
  { manifest, masterKey, rules }: Expected,
): Promise<Examined> {
  if (!(await hasSchema(connection))) return { counts: {}, faults: [`it holds no schema "${schemaName}"`] }
  try {
    await requireMigrated(connection)
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return { counts: {}, faults: [error.message] }
  }
  const model = await compareModel(connection)
  // Where tables are missing, they cannot be read.
  if (model.length > 0) return { counts: {}, faults: model }
  const tables = await digestTables(connection)
  return {
    counts: Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows])),
    faults: [
      ...compareTables(tables, manifest),
      ...(await findKeyFault(connection, masterKey)),
      ...(await findSequenceFaults(connection)),
      ...(await breakRules(connection, rules)),
    ],
  }
}

export async function hasSchema(connection: Connection): Promise<boolean> {
  const { rows } = await connection.runPlain(
    `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = '${schemaName}') AS there`,
  )
  return (rows[0] as { there: boolean }).there
}

const compareTables = (tables: DumpManifest['tables'], manifest: DumpManifest | undefined): string[] =>
  manifest === undefined
    ? []
    : [...new Set([...Object.keys(tables), ...Object.keys(manifest.tables)])].flatMap((name) => {
        const [here, told] = [tables[name], manifest.tables[name]]
        return here?.rows === told?.rows && here?.sha256 === told?.sha256
          ? []
          : [
              `table ${name} has ${here?.rows ?? 'no'} rows with the SHA-256 ${here?.sha256}, and the dump was made of ${told?.rows ?? 'no'} with ${told?.sha256}`,
            ]
      })

async function findKeyFault(connection: Connection, masterKey: Uint8Array): Promise<string[]> {
  const mark = await readMark(connection)
  const isSame = mark !== undefined && isSameMark(mark, masterKey)
  return isSame ? [] : ['the configured master key is not the one that it is used with: give that of the servers']
}

/** A restore that lost the place of a sequence would give ids twice. */
async function findSequenceFaults(connection: Connection): Promise<string[]> {
  const { rows } = await connection.runPlain(
    `SELECT c.relname AS table, pg_get_serial_sequence(format('%I.%I', '${schemaName}', c.relname), 'id') AS sequence
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id' AND a.attidentity <> ''
     WHERE c.relnamespace = '${schemaName}'::regnamespace AND c.relkind = 'r' ORDER BY c.relname`,
  )
  const faults: string[] = []
  for (const { table, sequence } of rows as readonly { readonly table: string; readonly sequence: string }[]) {
    const asked = await connection.runPlain(
      `SELECT coalesce((SELECT max(id) FROM "${table}"), 0) > (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${sequence}) AS behind`,
    )
    if ((asked.rows[0] as { behind: boolean }).behind) faults.push(`the ids of ${table} would be given twice`)
  }
  return faults
}

async function breakRules(connection: Connection, rules: readonly StoreRule[]): Promise<string[]> {
  const broken: string[] = []
  for (const { sql } of rules)
    broken.push(...(await connection.run(`${sql} LIMIT 5`)).rows.map((row) => (row as { says: string }).says))
  return broken
}

const aside = 'proofgate_restored'

/**
 * Against a schema that is made beside it, in a transaction that is rolled back: columns, conditions, references,
 * indexes, triggers and functions.
 */
async function compareModel(connection: Connection): Promise<readonly string[]> {
  const restored = await listModel(connection)
  await connection.runPlain(`BEGIN; ALTER SCHEMA ${schemaName} RENAME TO ${aside}`)
  try {
    await makeModel(connection)
    const fresh = await listModel(connection)
    const missing = [...fresh].filter((one) => !restored.has(one))
    const foreign = [...restored].filter((one) => !fresh.has(one))
    return [
      ...missing.slice(0, mostTold).map((one) => `it lacks ${one.slice(0, longest)}`),
      ...(missing.length > 0 ? [] : foreign.slice(0, mostTold).map((one) => `it has ${one.slice(0, longest)}`)),
    ]
  } finally {
    await connection.runPlain('ROLLBACK')
  }
}

const mostTold = 5
const longest = 200

/** Everything of the schema, one thing in each text. */
async function listModel(connection: Connection): Promise<ReadonlySet<string>> {
  const { rows } = await connection.runPlain(
    `SELECT format('column %s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'not null' END, pg_get_expr(adbin, adrelid)) AS thing
     FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE c.relnamespace = '${schemaName}'::regnamespace AND c.relkind = 'r' AND attnum > 0 AND NOT attisdropped
     UNION ALL
     SELECT format('condition %s of %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
     WHERE connamespace = '${schemaName}'::regnamespace
     UNION ALL
     SELECT format('index %s %s', pg_get_indexdef(indexrelid), CASE WHEN indisvalid THEN 'valid' ELSE 'invalid' END)
     FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = '${schemaName}'::regnamespace
     UNION ALL
     SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), tgenabled) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
     WHERE c.relnamespace = '${schemaName}'::regnamespace AND NOT tgisinternal
     UNION ALL
     SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc
     WHERE pronamespace = '${schemaName}'::regnamespace AND prokind = 'f'
     UNION ALL
     SELECT format('operator %s %s %s', oprname, oprleft::regtype, oprright::regtype) FROM pg_operator
     WHERE oprnamespace = '${schemaName}'::regnamespace`,
  )
  return new Set((rows as readonly { readonly thing: string }[]).map(({ thing }) => thing))
}

/** Unix milliseconds: the newest that a server is known to have written. */
export async function readLastWrite(connection: Connection): Promise<number> {
  const { rows } = await connection.runPlain(
    `SELECT greatest(
       (SELECT floor(extract(epoch FROM max(at)) * 1000)::bigint FROM write_marks),
       (SELECT max(beaten_at) FROM heartbeat), (SELECT max(wall_at) FROM clock), 0)::text AS at`,
  )
  return Number((rows[0] as { at: string }).at)
}

/** Everything of the servers. */
export async function dropSchema(connection: Connection): Promise<void> {
  await connection.runPlain(`DROP SCHEMA IF EXISTS ${schemaName} CASCADE`)
}
