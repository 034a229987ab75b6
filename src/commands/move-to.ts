/** `proofgate move-to`: all data from the data folder into PostgreSQL, or back into a new data folder. */
import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseUrlError, readDatabaseUrl } from '../config/database-url.ts'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile, type Reader, UnreachableError } from '../db/db.ts'
import { nameLogFile } from '../db/file-names.ts'
import { findMasterKey, hasKeyMark } from '../db/key-mark.ts'
import { LockedError, takeLock } from '../db/lock.ts'
import { hasLogWithoutIndex, lookIntoFolder } from '../db/look.ts'
import { planMigrations } from '../db/migrate.ts'
import { MoveError } from '../db/move/move-error.ts'
import type { MovedTable } from '../db/move/moved-table.ts'
import { moveToFolder } from '../db/move/to-folder.ts'
import { moveToPostgres } from '../db/move/to-postgres.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { wrapText } from './wrap.ts'

export const moveTo: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 1)
    const to = requireArgument(positionals[0], 'where the data goes: postgres://user@host/database, or sqlite:FOLDER')
    const config = await loadNamedConfig(values, terminal)
    const say = (line: string): void => {
      if (!values.json) terminal.out(`${wrapText(line, terminal)}\n`)
    }
    const startedAt = performance.now()
    try {
      const newFolder = readFolder(to, terminal)
      const tables =
        newFolder === undefined
          ? await moveFolder(config, to, terminal, say)
          : await moveDatabase(config, newFolder, terminal, say)
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const seconds = Math.round(performance.now() - startedAt) / 1000
      if (values.json) terminal.out(`${JSON.stringify({ rows, seconds, tables })}\n`)
      say(
        `${rows} rows in ${tables.length} tables were moved in ${seconds.toFixed(1)} s, and are the same on both sides.`,
      )
      for (const line of newFolder === undefined ? describeServers(config) : describeFolder(newFolder)) say(line)
      return exitCodes.done
    } catch (error) {
      if (error instanceof MoveError) throw new UnavailableError(error.message)
      if (error instanceof UnreachableError) throw error
      throw explainFolderFault(error, readFolder(to, terminal) ?? config.data) ?? error
    }
  },
}

/** Undefined for a database. Errors: UsageError. */
function readFolder(to: string, { cwd }: Pick<Terminal, 'cwd'>): string | undefined {
  if (!to.startsWith('sqlite:')) return undefined
  if (to === 'sqlite:') throw new UsageError('name the new folder behind "sqlite:"')
  return resolve(cwd, to.slice('sqlite:'.length))
}

/** Errors: UsageError. */
function readTarget(to: string, { database }: Config) {
  const text = to === 'postgres' ? database.url : to
  if (text === undefined) throw new UsageError('"postgres" alone means database.url, which is not set')
  try {
    return readDatabaseUrl(text)
  } catch (error) {
    if (error instanceof DatabaseUrlError) throw new UsageError(`the place cannot be used: ${error.message}`)
    throw error
  }
}

async function moveFolder(
  config: Config,
  to: string,
  { now }: Terminal,
  say: (line: string) => void,
): Promise<readonly MovedTable[]> {
  const url = readTarget(to, config)
  const folder = config.data
  await requireAnswer(config, { forWriting: true })
  requireDataFolder(folder)
  const lock = takeFolder(folder)
  try {
    const before = describeFiles(folder)
    requireWholeLog(folder)
    const moved = await lookIntoFolder(folder, async (reader, from) => {
      // One state of the folder for the whole move.
      from.run('BEGIN')
      requireCurrent(from, folder)
      const masterKey = await readKey(reader, config)
      say(`Reading the data folder ${folder}.`)
      return moveToPostgres({ from, to: url, masterKey, now: now(), tell: (table) => tellTable(table, say) })
    })
    if (describeFiles(folder) !== before)
      throw new MoveError(
        `the data folder ${folder} was changed while it was moved, by a command of Proofgate or another program. Empty the database (DROP SCHEMA proofgate CASCADE), and run this again`,
      )
    return moved ?? []
  } finally {
    lock.release()
  }
}

/** From the database of the configuration. */
async function moveDatabase(
  config: Config,
  folder: string,
  { now }: Terminal,
  say: (line: string) => void,
): Promise<readonly MovedTable[]> {
  const { masterKey, database } = config
  if (database.url === undefined || masterKey === undefined)
    throw new UsageError('the data comes from the database of "database.url", which is not set')
  await requireAnswer({ ...config, data: folder }, { forWriting: true })
  say('Reading the database.')
  return moveToFolder({
    from: readDatabaseUrl(database.url),
    folder,
    masterKey: Buffer.from(masterKey, 'hex'),
    now: now(),
    tell: (table) => tellTable(table, say),
  })
}

const tellTable = ({ table, rows, seconds, wasThere }: MovedTable, say: (line: string) => void): void => {
  if (rows > 0) say(`${table}: ${rows} rows, ${wasThere ? 'moved before' : `${seconds.toFixed(1)} s`}`)
}

/** Errors: UnavailableError where a server runs. */
function takeFolder(folder: string): { release(): void } {
  try {
    return takeLock(locateDatabaseFile(folder))
  } catch (error) {
    if (!(error instanceof LockedError)) throw error
    throw new UnavailableError(
      `a server runs on the data folder ${folder}: stop it, and run this again. Nothing was changed`,
    )
  }
}

/** Commands that work beside a server take no lock. */
const describeFiles = (folder: string): string => {
  const file = locateDatabaseFile(folder)
  return [file, nameLogFile(file)]
    .map((name) => statSync(name, { throwIfNoEntry: false }))
    .map((found) => `${found?.size ?? 0} ${found?.size ? found.mtimeMs : 0}`)
    .join(' ')
}

/** Errors: UnavailableError. */
function requireWholeLog(folder: string): void {
  if (hasLogWithoutIndex(locateDatabaseFile(folder)))
    throw new UnavailableError(
      `the database in ${folder} was not closed, and its log has no index: start a server on the folder once, stop it, and run this again`,
    )
}

/** Errors: UnavailableError, MigrationError for a folder of a newer version. */
function requireCurrent(from: Database, folder: string): void {
  const { pending, former } = planMigrations(from)
  if (pending.length + former.length > 0)
    throw new UnavailableError(
      `the data folder ${folder} was last used by an older version: start a server of this version on it once, stop it, and run this again`,
    )
}

/** The key that the folder uses. Errors: MasterKeyError, UnavailableError. */
async function readKey(reader: Reader, { masterKey, data }: Config): Promise<Uint8Array> {
  if (!(await hasKeyMark(reader)))
    throw new UnavailableError(
      `nothing shows which master key the data folder ${data} is used with: start a server on it once, stop it, and run this again`,
    )
  return findMasterKey(reader, masterKey, data)
}

const describeServers = ({ data, masterKey }: Config): readonly string[] => [
  `The data folder ${data} is as it was: keep it until the servers have run on the database for a while, and start no server on it again.`,
  'Give every server the database and the key, each in a file that only its user can read:',
  '  PROOFGATE_DATABASE_URL_FILE: a file with the URL of the database',
  `  PROOFGATE_MASTER_KEY_FILE: a file with ${masterKey === undefined ? `the content of ${join(data, 'master.key')}` : 'the master key that is configured now'}`,
]

const describeFolder = (folder: string): readonly string[] => [
  'The database is as it was: keep it until the server has run on the folder for a while, and start no server on it again.',
  `Start one server with PROOFGATE_DATA=${folder}, without "database.url" and "master_key": the key is in ${join(folder, 'master.key')}.`,
]
