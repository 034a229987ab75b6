/** A real server, whose metrics and log a test reads. */
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'
import { program } from '../parts/program.ts'

export interface MonitoredServer {
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  readonly url: string
  readonly metricsUrl: string
  /** All of standard error, once the server has ended. */
  readonly said: Promise<string>
  stop(signal?: NodeJS.Signals): Promise<number>
}

export async function startMonitored(folder: string, env: Record<string, string> = {}): Promise<MonitoredServer> {
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: join(folder, 'data'),
      PROOFGATE_PORT: '0',
      PROOFGATE_METRICS_ENABLED: 'true',
      PROOFGATE_METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = new Response(child.stderr).text()
  const ready = await firstLine(child.stdout)
  if (!ready.includes('"port":')) throw new Error(`no server: ${ready} ${await said}`)
  const { baseUrl, metricsUrl } = JSON.parse(ready)
  return {
    child,
    url: baseUrl,
    metricsUrl,
    said,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return child.exited
    },
  }
}
