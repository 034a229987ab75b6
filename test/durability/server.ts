/** Proofgate as a process of its own, which can be killed. */
import { existsSync } from 'node:fs'
import { firstLine } from '../db/child.ts'
import { program } from '../parts/program.ts'

const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

export interface ServerProcess {
  readonly url: string
  /** SIGKILL: no handler runs, nothing is flushed that was not on its way. */
  kill(): Promise<void>
  stop(): Promise<number>
}

export const spawnServer = (folder: string) =>
  Bun.spawn([...endsWithUs, ...program, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_LIMITS_ENABLED: 'false',
      // A small log, so that kills meet checkpoints too.
      PROOFGATE_STORAGE_WAL_LIMIT_MB: '1',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })

export async function startServer(folder: string): Promise<ServerProcess> {
  const child = spawnServer(folder)
  const line = await firstLine(child.stdout)
  if (!line.includes('"port":')) throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)
  return {
    url: `http://127.0.0.1:${JSON.parse(line).port}`,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    stop() {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}
