/** Backup, drill and restore of a PostgreSQL, by dumps of pg_dump. The entries are backup.ts, drill.ts and restore.ts. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { noteRestore } from '../backup/restore-store.ts'
import { storeRules } from '../backup/store-rules.ts'
import { type DatabaseUrl, readDatabaseUrl } from '../config/database-url.ts'
import type { Config } from '../config/schema.ts'
import { makeDump, nameManifest, readManifest, restoreDump } from '../db/care/dump.ts'
import { DumpError } from '../db/care/dump-error.ts'
import { dropSchema, type Examined, examineRestored, hasSchema, readLastWrite } from '../db/care/examine-restored.ts'
import { MoveError } from '../db/move/move-error.ts'
import { requireNoProcess } from '../db/move/no-process.ts'
import { usePrimary } from '../db/move/open-primary.ts'
import { describeError } from '../db/postgres/errors.ts'
import { type JobName, noteJobRun } from '../jobs/store.ts'
import { version } from '../version.ts'
import { exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { wrapText } from './wrap.ts'

export interface DatabaseJob {
  readonly config: Config
  /** The place of the command line. */
  readonly named: string | undefined
  readonly isJson: boolean
  readonly terminal: Terminal
}

/** Errors: UsageError, UnavailableError, MigrationError, UnreachableError, those of the file system. */
export function backUpDatabase({ config, named, isJson, terminal }: DatabaseJob): Promise<number> {
  if (named === undefined) throw new UsageError('name the folder or the file (….dump) for the dump of the database')
  const file = chooseNewFile(resolve(terminal.cwd, named), terminal.now())
  return noteOutcome('backup', { config, terminal }, async () => {
    const { now } = terminal
    const manifest = await makeDump({ url: readUrl(config), file, now, version, env: terminal.env })
    const proofs = manifest.tables.proofs?.rows ?? 0
    const lines = [
      `The dump ${file} is of ${manifest.createdAt}, with ${proofs} proofs. ${basename(nameManifest(file))} beside it says what each table holds: keep both together.`,
      'Nobody seals it: whoever reads it reads what the database holds in the clear. It does not hold the master key: keep that elsewhere.',
    ]
    if (isJson) terminal.out(`${JSON.stringify({ file, ...manifest })}\n`)
    else for (const line of lines) terminal.out(`${wrapText(line, terminal)}\n`)
    return { code: exitCodes.done, says: `${basename(file)}, ${proofs} proofs` }
  })
}

/**
 * With a dump: restores it into database.trial_url, and takes it away again. Without: examines what stands there. Errors:
 * as backUpDatabase.
 */
export function drillDatabase({ config, named, isJson, terminal }: DatabaseJob): Promise<number> {
  const { trialUrl } = config.database
  if (trialUrl === undefined)
    throw new UsageError('set database.trial_url to an empty database of its own: the dump is tried there')
  if (trialUrl === config.database.url)
    throw new UsageError('database.trial_url is database.url: name another database')
  const file = named === undefined ? undefined : findDump(resolve(terminal.cwd, named))
  return noteOutcome('drill', { config, terminal }, async () => {
    const url = readDatabaseUrl(trialUrl)
    const { counts, faults } = await usePrimary(url, async (connection) => {
      if (file === undefined) return examineRestored(connection, readExpected(config, undefined))
      await requireEmpty(connection, 'database.trial_url')
      try {
        return await putBack({ connection, url, file, config, terminal })
      } finally {
        await dropSchema(connection)
      }
    })
    const isGood = faults.length === 0
    const what = file === undefined ? 'what was restored into database.trial_url' : basename(file)
    const says = isGood
      ? `${what} can be used, with ${counts.proofs ?? 0} proofs`
      : `${what} cannot be used: ${faults.join('; ')}`
    if (isJson) terminal.out(`${JSON.stringify({ ok: isGood, dump: file ?? null, counts, faults })}\n`)
    else terminal.out(`${wrapText(`${says}.`, terminal)}\n`)
    return { code: isGood ? exitCodes.done : exitCodes.negative, says }
  })
}

/** The place that means the database itself, into which a backup was restored by other means. */
const inPlace = 'database'

/** Errors: as backUpDatabase. */
export async function restoreDatabase({ config, named, isJson, terminal }: DatabaseJob): Promise<number> {
  if (named === undefined)
    throw new UsageError(
      `name the dump or its folder, or "${inPlace}" where PostgreSQL restored the database itself (from a base backup and WAL)`,
    )
  const file = named === inPlace ? undefined : findDump(resolve(terminal.cwd, named))
  const url = readUrl(config)
  const { backupAt, counts } = await told(() =>
    usePrimary(url, async (connection) => {
      if (file !== undefined) {
        await requireEmpty(connection, 'database.url')
        const { counts, faults } = await putBack({ connection, url, file, config, terminal })
        if (faults.length > 0) {
          await dropSchema(connection)
          throw new DumpError(
            `${basename(file)} cannot be used: ${faults.slice(0, 3).join('; ')}. The database is empty again. Use another dump`,
          )
        }
        const createdAt = readManifest(file)?.createdAt
        return { counts, backupAt: createdAt === undefined ? await readLastWrite(connection) : Date.parse(createdAt) }
      }
      if (!(await hasSchema(connection))) throw new DumpError('the database of database.url holds no data of a server')
      await requireNoProcess(connection)
      const { counts, faults } = await examineRestored(connection, readExpected(config, undefined))
      if (faults.length > 0) throw new DumpError(`the database is not sound: ${faults.slice(0, 3).join('; ')}`)
      return { counts, backupAt: await readLastWrite(connection) }
    }),
  )
  const restoredAt = terminal.now()
  await useDataFolder(config, terminal, ({ db }) =>
    noteRestore(db, {
      backupId: randomBytes(16).toString('hex'),
      newestEntry: 0,
      restoredAt,
      backupAt,
      knownUntil: backupAt,
      journal: 'gone',
    }),
  )
  const moment = new Date(backupAt).toISOString()
  const lines = [
    `The database holds the state of ${moment} again, with ${counts.proofs ?? 0} proofs.`,
    `Nothing tells what was taken away after it. So all sessions, access keys and allowed apps have ended, and payments of the time between buy nothing: they are listed as unmatched.`,
    'Proofs that were revoked, accounts that were erased, guests and operators that were removed after it are here again: tell the people concerned.',
    'Texts that were signed before this moment are refused: people sign again. Start the servers now.',
  ]
  if (isJson) terminal.out(`${JSON.stringify({ at: moment, counts })}\n`)
  else for (const line of lines) terminal.out(`${wrapText(line, terminal)}\n`)
  return exitCodes.done
}

interface PutBack {
  readonly connection: Parameters<typeof examineRestored>[0]
  readonly url: DatabaseUrl
  readonly file: string
  readonly config: Config
  readonly terminal: Terminal
}

async function putBack({ connection, url, file, config, terminal }: PutBack): Promise<Examined> {
  const manifest = readManifest(file)
  try {
    await restoreDump({ url, server: connection.server, file, env: terminal.env })
  } catch (error) {
    if (error instanceof DumpError && !error.isMissingProgram) return { counts: {}, faults: [error.message] }
    throw error
  }
  return examineRestored(connection, readExpected(config, manifest))
}

const readExpected = ({ masterKey }: Config, manifest: ReturnType<typeof readManifest>) => ({
  manifest,
  // With database.url there is always one (config/contradictions.ts).
  masterKey: Buffer.from(masterKey ?? '', 'hex'),
  rules: storeRules,
})

const readUrl = ({ database }: Config): DatabaseUrl => readDatabaseUrl(database.url ?? '')

/** Errors: DumpError. */
async function requireEmpty(connection: PutBack['connection'], setting: string): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT current_database()::text AS database, current_user::text AS "user",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`,
  )
  const { database, user, mayCreate } = rows[0] as { database: string; user: string; mayCreate: boolean }
  if (!mayCreate)
    throw new DumpError(
      `a dump is restored with its schema, and the user "${user}" of ${setting} may not make one in the database "${database}": GRANT CREATE ON DATABASE "${database}" TO "${user}" as its administrator`,
    )
  if (!(await hasSchema(connection))) return
  await requireNoProcess(connection)
  // An empty one may have been made for it.
  await connection.runPlain('DROP SCHEMA proofgate').catch((error) => {
    throw new DumpError(
      `the database of ${setting} is not empty: its schema "proofgate" holds tables (${describeError(error)}). Name another database (createdb), or take the schema away if nothing in it is needed: DROP SCHEMA proofgate CASCADE`,
    )
  })
}

const ending = '.dump'

/** Errors: UnavailableError where it is there already. */
function chooseNewFile(named: string, now: number): string {
  if (!named.endsWith(ending)) {
    mkdirSync(named, { recursive: true, mode: 0o700 })
    return chooseNewFile(
      join(named, `proofgate-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}${ending}`),
      now,
    )
  }
  if (existsSync(named)) throw new UnavailableError(`${named} is there already, and is not replaced`)
  return named
}

/** Of a folder the newest, by its name. Errors: UnavailableError. */
function findDump(named: string): string {
  const found = statSync(named, { throwIfNoEntry: false })
  if (found?.isFile()) return named
  const newest = found
    ? readdirSync(named)
        .filter((name) => name.endsWith(ending))
        .sort()
        .at(-1)
    : undefined
  if (newest === undefined) throw new UnavailableError(`there is no dump at ${named}: "proofgate backup" makes one`)
  return join(named, newest)
}

interface Outcome {
  readonly code: number
  readonly says: string
}

/** In the database of the servers, for the operator's page and /metrics. The exit code says it where that fails. */
async function noteOutcome(
  job: JobName,
  { config, terminal }: Pick<DatabaseJob, 'config' | 'terminal'>,
  work: () => Promise<Outcome>,
): Promise<number> {
  const startedAt = performance.now()
  const note = async (isGood: boolean, says: string): Promise<void> => {
    const run = { job, endedAt: terminal.now(), tookMs: performance.now() - startedAt, isGood, says }
    await useDataFolder(config, terminal, ({ db }) => db.write([noteJobRun(run)], 'free')).catch(() => {})
  }
  try {
    const { code, says } = await told(work)
    await note(code === exitCodes.done, says)
    return code
  } catch (error) {
    await note(false, (error as Error).message)
    throw error
  }
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DumpError || error instanceof MoveError ? new UnavailableError(error.message) : error
  }
}
