import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadJob, LoadResult } from './load.ts'
import type { PacedJob, PacedResult } from './paced.ts'

/** Starting, loading, stopping and counting of one server under test. */

export const root = join(import.meta.dir, '../..')
/** Lies on the same disk as the project: a temporary folder is often in memory, where durable writes cost nothing. */
export const workFolder = join(root, 'dist/bench')

/** One core for the server, another for the load, so that neither takes from the other. */
export const pinning =
  process.platform === 'linux' && navigator.hardwareConcurrency > 1 && Bun.which('taskset') !== null
const onCore = (core: 0 | 1, command: readonly string[]) =>
  pinning ? ['taskset', '-c', String(core), ...command] : [...command]

export interface Launch {
  readonly command: readonly string[]
  /** Environment for a free port and an empty folder. */
  readonly env: (port: number, dataFolder: string) => Record<string, string>
}

export interface RunningServer {
  readonly pid: number
  readonly port: number
  readonly startedAt: number
  readonly log: () => string
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

const running = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts on `dataFolder` as it is; use emptyFolder first for a fresh one. `onOneCore`: as the speed part compares. */
export function launch({ command, env }: Launch, dataFolder: string, onOneCore = true): RunningServer {
  const port = freePort()
  const logFile = `${dataFolder}.log`
  const temporary = join(workFolder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const out = openSync(logFile, 'w')
  const startedAt = performance.now()
  const child = Bun.spawn(onOneCore ? onCore(0, command) : [...command], {
    cwd: workFolder,
    env: { ...process.env, TMPDIR: temporary, NODE_ENV: 'production', ...env(port, dataFolder) },
    stdin: 'ignore',
    stdout: out,
    stderr: out,
  })
  closeSync(out)
  running.add(child)
  return {
    pid: child.pid,
    port,
    startedAt,
    log: () => readFileSync(logFile, 'utf8').slice(-2000),
    stop: async (signal) => {
      child.kill(signal)
      await child.exited
      running.delete(child)
    },
  }
}

/** Resolves when something listens. */
export async function listening(server: RunningServer, timeoutMs = 20_000): Promise<void> {
  while (performance.now() - server.startedAt < timeoutMs) {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: { data() {} } }).catch(
      () => undefined,
    )
    if (socket) return void socket.end()
    await Bun.sleep(10)
  }
  throw new Error(`the server did not listen within ${timeoutMs} ms:\n${server.log()}`)
}

/** Runs the load generator in its own process and hands back what it measured. */
export const load = (server: RunningServer, job: Omit<LoadJob, 'port' | 'serverPid'>): Promise<LoadResult> =>
  generate<LoadResult>(server, 'load.ts', { ...job, port: server.port, serverPid: server.pid })

/** Runs the generator that asks at a fixed rate. */
export const paced = (server: RunningServer, job: Omit<PacedJob, 'port'>): Promise<PacedResult> =>
  generate<PacedResult>(server, 'paced.ts', { ...job, port: server.port })

const generate = <Result>(server: RunningServer, file: string, job: LoadJob | PacedJob): Promise<Result> =>
  runApart<Result>(1, file, job).catch((error: Error) => {
    throw new Error(`${error.message}\nThe server's own words:\n${server.log()}`)
  })

/**
 * Runs a file of this folder in its own process, and on its own core unless any will do. It passes the job as JSON in argv, and parses the
 * JSON that is printed.
 */
export async function runApart<Result>(core: 0 | 1 | 'any', file: string, job: object): Promise<Result> {
  const command = [process.execPath, join(import.meta.dir, file), JSON.stringify(job)]
  const child = Bun.spawn(core === 'any' ? command : onCore(core, command), {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  const [answer, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  running.delete(child)
  if ((await child.exited) !== 0) throw new Error(complaint.trim())
  return JSON.parse(answer) as Result
}

export function emptyFolder(name: string): string {
  const folder = join(workFolder, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The database in a data folder, whatever it is called: the SQLite file that has a table `proofs`. */
export function openDatabase(dataFolder: string): Database {
  for (const name of readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })) {
    const file = join(dataFolder, name)
    if (!/\.(db|sqlite3?)$/.test(name)) continue
    const db = new Database(file)
    if (db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'proofs'").get()) return db
    db.close()
  }
  throw new Error(`no database with a table proofs in ${dataFolder}`)
}

export function countProofs(dataFolder: string): number {
  const db = openDatabase(dataFolder)
  const { count } = db.query<{ count: number }, []>('SELECT count(*) AS count FROM proofs').get()!
  db.close()
  return count
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  probe.stop(true)
  return port!
}
