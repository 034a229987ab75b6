import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { ours } from './contenders.ts'
import { fillDifferent, filledQHash, whale } from './fill.ts'
import { storeGate } from './gate-check.ts'
import type { Call, LoadJob, LoadResult } from './load.ts'
import { medianOf } from './median.ts'
import { cpuSeconds } from './process.ts'
import { emptyFolder, launch, listening, type RunningServer, runApart, workFolder } from './server.ts'

/**
 * Several servers on one PostgreSQL beside one server on SQLite, in turns, all of them with the load generators on the
 * cores of this machine. The CPU time of each part says what a machine of its own would do; the rates say what this one
 * does.
 */

/** Half of them are of one wallet. */
const stored = 100_000
const connectionsInAll = 96
/** Until the engine of JavaScript has compiled what is called often: it takes a third of the time before. */
const warmUpEach = 15_000
const settings = ['shared_buffers=512MB', 'max_wal_size=4GB', 'max_connections=200']

export type Setting = 'SQLite, one server' | 'PostgreSQL, one server' | 'PostgreSQL, three servers'
export type Work = 'create' | 'check of a gate' | 'check of criteria'

export interface SeveralLine {
  readonly setting: Setting
  readonly work: Work
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the servers, and of PostgreSQL, for one request. Absent where the system does not tell. */
  readonly serverUs: number | undefined
  readonly databaseUs: number | undefined
  /** Written to the log of PostgreSQL for one request. */
  readonly walBytes: number | undefined
}

interface Stage {
  readonly setting: Setting
  readonly servers: readonly RunningServer[]
  readonly postgres: PostgresServer | undefined
  readonly close: () => Promise<void>
}

/** Medians over the rounds. */
export async function measureSeveral(
  executable: string,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
  say: (line: string) => void,
): Promise<SeveralLine[]> {
  const filled = emptyFolder('several-filled')
  say(`filling a folder with ${stored} proofs`)
  await fillDifferent(ours(executable), filled, stored)
  const opened = launch(ours(executable), filled, false)
  // At this start the server computes all facts, as with the store of an earlier version.
  await listening(opened, 300_000)
  await opened.stop('SIGTERM')
  storeGate(filled, filledQHash(stored / 2))
  const runs = new Map<string, SeveralLine[]>()
  for (let round = 1; round <= rounds; round++)
    for (const open of [openFolder, () => openShared(executable, filled, 1), () => openShared(executable, filled, 3)]) {
      const stage = await open(executable, filled)
      try {
        for (const work of ['check of criteria', 'check of a gate', 'create'] as const) {
          const line = await measureWork(stage, work, requests)
          runs.set(`${line.setting} ${work}`, [...(runs.get(`${line.setting} ${work}`) ?? []), line])
          say(
            `round ${round}  ${line.setting.padEnd(26)} ${work.padEnd(18)} ${line.perSecond.toFixed(0).padStart(6)}/s`,
          )
        }
      } finally {
        await stage.close()
      }
    }
  return [...runs.values()].map(takeMedians)
}

async function openFolder(executable: string, filled: string): Promise<Stage> {
  const folder = emptyFolder('several-sqlite')
  cpSync(filled, folder, { recursive: true })
  const server = launch(ours(executable), folder, false)
  await listening(server)
  return {
    setting: 'SQLite, one server',
    servers: [server],
    postgres: undefined,
    close: () => server.stop('SIGKILL'),
  }
}

async function openShared(executable: string, filled: string, count: 1 | 3): Promise<Stage> {
  const postgres = await startPostgres({ version: 15, isOwn: true, fsync: true, settings })
  const url = await postgres.createEmptyDatabase()
  const key = readFileSync(join(filled, 'master.key'), 'utf8').trim()
  const env = { PROOFGATE_DATABASE_URL: url, PROOFGATE_MASTER_KEY: key, PROOFGATE_DATABASE_CONNECTIONS: '24' }
  const moved = Bun.spawnSync([executable, 'move-to', url], {
    cwd: workFolder,
    env: { PATH: process.env.PATH, PROOFGATE_DATA: filled, PROOFGATE_MASTER_KEY: key },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if (!moved.success) throw new Error(`move-to failed: ${moved.stderr}`)
  const servers = Array.from({ length: count }, (_, index) =>
    launch(ours(executable, env), emptyFolder(`several-${index}`), false),
  )
  for (const server of servers) await listening(server)
  return {
    setting: count === 1 ? 'PostgreSQL, one server' : 'PostgreSQL, three servers',
    servers,
    postgres,
    async close() {
      for (const server of servers) await server.stop('SIGKILL')
      await postgres.stop()
    },
  }
}

async function measureWork(stage: Stage, work: Work, requests: number): Promise<SeveralLine> {
  const { servers, postgres, setting } = stage
  const source = await makeSource(work)
  const jobs = servers.map(
    ({ port, pid }, index): LoadJob => ({
      port,
      serverPid: pid,
      connections: Math.floor(connectionsInAll / servers.length),
      warmUp: warmUpEach,
      requests: Math.floor(requests / servers.length),
      source: source(`${setting} ${index} ${performance.now()}`),
    }),
  )
  const before = await readDatabase(postgres)
  const results = await Promise.all(jobs.map((job) => runApart<LoadResult>('any', 'load.ts', job)))
  const after = await readDatabase(postgres)
  const answered = results.reduce((sum, { accepted }) => sum + accepted, 0)
  // The database is looked at around everything, and each warm-up is part of that.
  const asked = answered + servers.length * warmUpEach
  const cpu = results.map((result) => result.cpuSeconds)
  return {
    setting,
    work,
    perSecond: results.reduce((sum, { accepted, seconds }) => sum + accepted / seconds, 0),
    p50Ms: medianOf(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    serverUs: cpu.every((one) => one !== undefined)
      ? (cpu.reduce((sum, one) => sum + one, 0) * 1e6) / answered
      : undefined,
    databaseUs: before && after ? ((after.cpuSeconds - before.cpuSeconds) * 1e6) / asked : undefined,
    walBytes: before && after ? (after.walBytes - before.walBytes) / asked : undefined,
  }
}

/** Requests of one server, under a name of its own. */
async function makeSource(work: Work): Promise<(label: string) => LoadJob['source']> {
  if (work === 'create') return (label) => ({ sign: 'proof', label })
  const file = join(workFolder, 'several.json')
  const calls = work === 'check of a gate' ? [askGate] : Array.from({ length: 2_000 }, (_, at) => askCriteria(at))
  await Bun.write(file, JSON.stringify(calls))
  return () => ({ replay: file })
}

const askGate: Call = { method: 'GET', path: `/api/v1/proofs/check?address=${whale}&gateId=gate_bench` }
const askCriteria = (at: number): Call => ({
  method: 'GET',
  path: `/api/v1/proofs/check?address=${whale}&verifierIds=ownership-basic&contentHash=${filledQHash((at * 2 * 7_919) % stored)}`,
})

interface DatabaseReading {
  /** Of all its processes that run now. */
  readonly cpuSeconds: number
  readonly walBytes: number
}

async function readDatabase(postgres: PostgresServer | undefined): Promise<DatabaseReading | undefined> {
  if (!postgres) return undefined
  const sql = new Bun.SQL({ url: postgres.url, max: 1 })
  const [row] = await sql.unsafe("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS bytes")
  await sql.close()
  return { walBytes: Number(row.bytes), cpuSeconds: sumCpu(listFamily(postgres.readPid())) }
}

const sumCpu = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)

/** A process and those that it started. */
function listFamily(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readParent(pid) === parent)
  return [parent, ...children]
}

function readParent(pid: number): number | undefined {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

function takeMedians(lines: readonly SeveralLine[]): SeveralLine {
  const take = (read: (line: SeveralLine) => number | undefined): number | undefined => {
    const values = lines.map(read).filter((value) => value !== undefined)
    return values.length > 0 ? medianOf(values) : undefined
  }
  return {
    ...lines[0]!,
    perSecond: take((line) => line.perSecond)!,
    p50Ms: take((line) => line.p50Ms)!,
    p99Ms: take((line) => line.p99Ms)!,
    serverUs: take((line) => line.serverUs),
    databaseUs: take((line) => line.databaseUs),
    walBytes: take((line) => line.walBytes),
  }
}
