import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Goal, ours } from './contenders.ts'
import type { Call } from './load.ts'
import { rssMegabytes } from './process.ts'
import { emptyFolder, type Launch, launch, listening, load, workFolder } from './server.ts'
import { inTurns, type SpeedRun, type SpeedRuns, speedRun } from './speed.ts'

/** What watching costs: the cheapest request there is, without and with metrics, the access log and traces. */

const connections = 64
const warmUpAtLeast = 5000

export type WatchedId = 'plain' | 'metrics' | 'log' | 'traces'

interface WatchedServer extends Launch {
  readonly id: WatchedId
  readonly name: string
}

/** A tenth of the cheapest request is nothing beside any other one. */
export const monitoringGoals: readonly Goal<WatchedId>[] = [
  { who: 'metrics', than: 'plain', factor: 0.95 },
  { who: 'log', than: 'plain', factor: 0.6 },
  { who: 'traces', than: 'plain', factor: 0.8 },
]

export function watchedServers(executable: string): WatchedServer[] {
  const metrics = { PROOFGATE_METRICS_ENABLED: 'true', PROOFGATE_METRICS_PORT: '0' }
  const log = { ...metrics, PROOFGATE_LOG_ACCESS: 'true', PROOFGATE_LOG_FILE: join(workFolder, 'access.log') }
  return [
    { ...ours(executable), id: 'plain', name: 'Without any of it' },
    { ...ours(executable, metrics), id: 'metrics', name: 'Metrics' },
    { ...ours(executable, log), id: 'log', name: 'Metrics and an access log in a file' },
    {
      ...ours(executable, {
        ...metrics,
        // Nothing listens there: the queue fills up, and the rest is dropped.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      }),
      id: 'traces',
      name: 'Metrics and traces of every request',
    },
  ]
}

export const measureMonitoring = (
  list: readonly WatchedServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<WatchedId>> => inTurns(list, rounds, (server) => runOnce(server, requests), say)

async function runOnce(watched: WatchedServer, requests: number): Promise<SpeedRun> {
  const folder = emptyFolder(watched.id)
  const server = launch(watched, folder)
  try {
    await listening(server)
    const file = join(folder, 'calls.json')
    writeFileSync(file, JSON.stringify([{ method: 'GET', path: '/api/v1/health/live' } satisfies Call]))
    const job = { connections, warmUp: Math.max(warmUpAtLeast, requests), requests, source: { replay: file } }
    return speedRun(await load(server, job), rssMegabytes(server.pid))
  } finally {
    await server.stop('SIGKILL')
  }
}
