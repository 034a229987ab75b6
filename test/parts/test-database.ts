/**
 * Where startApp() stores: in memory, or with ON_POSTGRES=15 (or 18) in a database of its own on a PostgreSQL that the
 * test process starts. The same tests then hold for both engines.
 */
import { randomBytes } from 'node:crypto'
import { SQL } from 'bun'
import { isMissing } from './optional.ts'
import { startPostgres } from './postgres.ts'

export interface TestDatabase {
  readonly url: string
  /** Settings of the server that uses it. */
  readonly env: Readonly<Record<string, string>>
  drop(): Promise<void>
}

const version = readVersion(process.env.ON_POSTGRES)

export const isOnPostgres = version !== undefined

/** The argument of `describe.skipIf` and `test.skipIf` for what is about SQLite itself. */
export const onlyOnSqlite = (what: string): boolean =>
  isMissing(!isOnPostgres, `${what}, which only SQLite has: npm test without ON_POSTGRES`)

/** Of servers that tests leave open, by test file: they hold connections, so those of earlier files are closed. */
const left: { readonly file: string; readonly close: () => Promise<void> }[] = []

export const closeAfterFile = (close: () => Promise<void>): void => void left.push({ file: Bun.main, close })

async function closeEarlier(): Promise<void> {
  const earlier = left.findIndex(({ file }) => file === Bun.main)
  await Promise.allSettled(left.splice(0, earlier < 0 ? left.length : earlier).map(({ close }) => close()))
}

/** Undefined: in memory. */
export async function openTestDatabase(): Promise<TestDatabase | undefined> {
  if (version === undefined) return undefined
  await closeEarlier()
  return openDatabase(version)
}

const byFolder = new Map<string, Promise<TestDatabase>>()

/** For what starts again and again with one data folder: the same database each time. Undefined: in the folder. */
export async function openFolderDatabase(folder: string): Promise<TestDatabase | undefined> {
  if (version === undefined) return undefined
  const opened = byFolder.get(folder) ?? openDatabase(version)
  byFolder.set(folder, opened)
  return opened
}

/** For several apps at once, which take its settings: always on PostgreSQL. */
export const openSharedDatabase = (): Promise<TestDatabase> => openDatabase(version ?? 15)

async function openDatabase(version: 15 | 18): Promise<TestDatabase> {
  // Many tests leave their app open until their file ends.
  const server = await startPostgres({ version, settings: ['max_connections=2000'] })
  const url = await server.createDatabase()
  return {
    url,
    env: {
      PROOFGATE_DATABASE_URL: url,
      PROOFGATE_DATABASE_CONNECTIONS: '5',
      PROOFGATE_MASTER_KEY: randomBytes(32).toString('hex'),
      PROOFGATE_LOG_LEVEL: 'warn',
    },
    async drop() {
      const admin = new SQL({ url: server.url, max: 1 })
      await admin.unsafe(`DROP DATABASE ${url.slice(url.lastIndexOf('/') + 1)} WITH (FORCE)`)
      await admin.close()
    },
  }
}

function readVersion(text: string | undefined): 15 | 18 | undefined {
  if (text === undefined || text === '15' || text === '18')
    return text === undefined ? undefined : text === '15' ? 15 : 18
  throw new Error(`ON_POSTGRES is 15 or 18, not "${text}"`)
}
