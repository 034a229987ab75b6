/** Servers on one database, each a process of its own that can be killed, stopped and continued. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'
import { program } from '../parts/program.ts'

const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

export const masterKey = 'a1'.repeat(32)

const mostStarts = 5

export interface ProofgateOptions {
  readonly database: string
  readonly folder: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
  /** In place of the program of this version. */
  readonly executable?: string
}

export interface Proofgate {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** What it said when it was ready. */
  readonly ready: { readonly operatorLink?: string }
  /** Lines of the log, which has warnings and errors. */
  readonly log: readonly string[]
  /** SIGKILL. */
  kill(): Promise<void>
  /** Starts it again at its port, after a kill. */
  start(): Promise<void>
  /** SIGTERM. Returns the exit code. */
  stop(): Promise<number>
  /** SIGSTOP and SIGCONT. */
  freeze(): void
  thaw(): void
}

const spawn = ({ database, folder, port, env, executable }: ProofgateOptions) =>
  Bun.spawn([...endsWithUs, ...(executable ? [executable] : program), 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      // Its configuration stands beside it.
      PROOFGATE_DATA: join(folder, 'data'),
      PROOFGATE_PORT: String(port),
      PROOFGATE_DATABASE_URL: database,
      PROOFGATE_MASTER_KEY: masterKey,
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_LOG_FORMAT: 'json',
      PROOFGATE_LOG_LEVEL: 'warn',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })

export async function startProofgate(options: ProofgateOptions): Promise<Proofgate> {
  const log: string[] = []
  let child: ReturnType<typeof spawn>
  let ready: Proofgate['ready'] = {}
  const start = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      child = spawn(options)
      void keepLines(child.stderr, log)
      const line = await firstLine(child.stdout)
      if (line.includes('"port":')) {
        ready = JSON.parse(line)
        return
      }
      // As its supervisor does, where the machine is so busy that the database was not reached in time.
      if (tries === mostStarts) throw new Error(`the server did not start: ${log.join('\n')}`)
    }
  }
  await start()
  return {
    url: `http://127.0.0.1:${options.port}`,
    port: options.port,
    get pid() {
      return child.pid
    },
    get ready() {
      return ready
    },
    log,
    start,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    stop() {
      child.kill('SIGTERM')
      return child.exited
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  }
}

async function keepLines(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  }
}
