/**
 * Dumps of a database by pg_dump, and back by pg_restore. Beside each dump is a file that says what every table holds in
 * it, read in the snapshot of the dump.
 */
import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { DatabaseUrl } from '../../config/database-url.ts'
import { migrate } from '../migrate.ts'
import { type Digest, digestServerTable } from '../move/digest.ts'
import { usePrimary } from '../move/open-primary.ts'
import { listShapes, type TableShape } from '../move/shape.ts'
import { type Connection, type Server, schemaName } from '../postgres/connection.ts'
import { requireMigrated } from '../postgres/migrate.ts'
import { DumpError } from './dump-error.ts'

const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const DumpManifest = Type.Object({
  format: Type.Literal(1),
  createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  /** Of the Proofgate that made it. */
  version: Type.String({ maxLength: 100 }),
  /** The newest row of the journal of what was taken away. */
  journalUpTo: Whole,
  tables: Type.Record(
    Type.String({ maxLength: 200 }),
    Type.Object({ rows: Whole, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
})
export type DumpManifest = Static<typeof DumpManifest>

export const nameManifest = (dumpFile: string): string => `${dumpFile}.json`

/** Of processes that have ended by then, and marks of writes under way. */
const withoutRows = ['write_marks', 'live_processes', 'leases']

interface ProgramEnvironment {
  readonly PATH?: string | undefined
  readonly HOME?: string | undefined
}

interface DumpOptions {
  readonly url: DatabaseUrl
  /** Of the dump. Nothing is left of one that fails. */
  readonly file: string
  readonly now: () => number
  readonly version: string
  /** Where pg_dump is looked for, and what it reads of the user (.pgpass). */
  readonly env: ProgramEnvironment
}

/** Errors: DumpError, MoveError, MigrationError, UnreachableError, those of the file system. */
export const makeDump = ({ url, file, now, version, env }: DumpOptions): Promise<DumpManifest> =>
  usePrimary(url, async (connection) => {
    await requireMigrated(connection)
    await connection.runPlain('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await connection.runPlain(
      `SELECT pg_export_snapshot() AS snapshot, coalesce(max(id), 0)::text AS newest FROM taken_away`,
    )
    const { snapshot, newest } = rows[0] as { snapshot: string; newest: string }
    const createdAt = new Date(now()).toISOString()
    const part = `${file}.part`
    try {
      const options = ['--format=custom', `--schema=${schemaName}`, '--no-owner', '--no-privileges']
      const dumping = runProgram('pg_dump', env, { url, server: connection.server }, [
        ...options,
        ...withoutRows.map((table) => `--exclude-table-data=${schemaName}.${table}`),
        `--snapshot=${snapshot}`,
        `--file=${part}`,
      ])
      const [tables] = await Promise.all([digestTables(connection), dumping])
      const manifest: DumpManifest = { format: 1, createdAt, version, journalUpTo: Number(newest), tables }
      chmodSync(part, 0o600)
      writeFileSync(nameManifest(file), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
      renameSync(part, file)
      return manifest
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
  })

export async function digestTables(connection: Connection): Promise<Record<string, Digest>> {
  const digests: Record<string, Digest> = {}
  for (const shape of readShapes()) digests[shape.name] = await digestServerTable(connection, shape)
  return digests
}

/** Of this build, as SQLite describes them. */
function readShapes(): readonly TableShape[] {
  const fresh = new Database(':memory:')
  try {
    migrate(fresh)
    return listShapes(fresh)
  } finally {
    fresh.close()
  }
}

/** Undefined where no manifest is beside the dump. Errors: DumpError. */
export function readManifest(dumpFile: string): DumpManifest | undefined {
  const file = nameManifest(dumpFile)
  if (!existsSync(file)) return undefined
  try {
    return Value.Parse(DumpManifest, JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new DumpError(`${file} was changed or cut off, or is another file: use another dump`)
  }
}

interface RestoreOptions {
  readonly url: DatabaseUrl
  /** Of the database that takes writes. */
  readonly server: Server
  readonly file: string
  readonly env: ProgramEnvironment
}

/** Into a database without our schema. Errors: DumpError with the words of pg_restore. */
export const restoreDump = ({ url, server, file, env }: RestoreOptions): Promise<void> =>
  runProgram('pg_restore', env, { url, server }, [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    '--no-privileges',
    `--dbname=${url.database}`,
    file,
  ])

/** Certificates of the system: libpq takes none by itself. */
const systemRoots = '/etc/ssl/certs/ca-certificates.crt'
const longestTail = 1_000

async function runProgram(
  name: 'pg_dump' | 'pg_restore',
  { PATH, HOME }: ProgramEnvironment,
  { url, server }: { readonly url: DatabaseUrl; readonly server: Server },
  args: readonly string[],
): Promise<void> {
  const program = Bun.which(name, { PATH: PATH ?? '' })
  if (program === null)
    throw new DumpError(
      `${name} is missing: install the client programs of PostgreSQL, of the version of the server or newer (apt-get install postgresql-client)`,
      true,
    )
  const child = Bun.spawn([program, ...args], {
    env: {
      PATH,
      HOME,
      PGHOST: server.host,
      PGPORT: String(server.port),
      PGUSER: url.user,
      PGDATABASE: url.database,
      PGPASSWORD: url.password,
      PGSSLMODE: url.tls,
      PGSSLROOTCERT: url.rootFile ?? (existsSync(systemRoots) ? systemRoots : undefined),
      PGCONNECT_TIMEOUT: '10',
      PGTZ: 'UTC',
      LC_ALL: 'C',
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new DumpError(`${name} failed: ${said.trim().slice(0, longestTail)}`)
}
