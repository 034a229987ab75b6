/** A server process whose disk fails on demand (faulty-disk.c). */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileLibrary } from '../parts/preload.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'

/** Required programs that this machine lacks. */
export const missingTools: readonly string[] = ['gcc', 'strace'].filter((name) => !Bun.which(name))

let library: string | undefined
function buildLibrary(): string {
  if (library) return library
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-faulty-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  library = compileLibrary(folder, 'faulty-disk', readFileSync(new URL('./faulty-disk.c', import.meta.url), 'utf8'))
  return library
}

export interface FaultyServer {
  /** "fsync -wal eio", "pwrite .sqlite enospc", "fsync -wal hang"; none for a disk that is well. */
  fail(...rules: readonly string[]): void
  send(path: string, body?: object, method?: string): Promise<Answer>
  /** Asks for a proof. Returns the request too, to send it again. */
  prove(name: string): Promise<{ readonly request: object; readonly answer: Answer }>
  kill(): Promise<void>
  stop(): Promise<number>
  readonly exited: Promise<number>
  /** Standard output and error, complete when the process has ended. */
  readonly said: Promise<string>
  readonly pid: number
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

export async function startFaulty(
  folder: string,
  {
    env = {},
    before = [],
    rules: first = [],
  }: {
    readonly env?: Record<string, string>
    /** A program that runs the server. */
    readonly before?: readonly string[]
    readonly rules?: readonly string[]
  } = {},
): Promise<FaultyServer> {
  const rules = `${folder}.faults`
  const fail = (...lines: readonly string[]) => writeFileSync(rules, lines.map((line) => `${line}\n`).join(''))
  fail(...first)
  const child = Bun.spawn([...endsWithUs, ...before, ...program, 'serve', '--json'], {
    cwd: '/',
    env: {
      PATH: process.env.PATH ?? '',
      LD_PRELOAD: buildLibrary(),
      FAULTS: rules,
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_LIMITS_ENABLED: 'false',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const firstLine = Promise.withResolvers<string>()
  const said = Promise.all([collect(child.stdout, firstLine.resolve), new Response(child.stderr).text()]).then((both) =>
    both.join(''),
  )
  const line = await firstLine.promise
  // A failure is a line of JSON too.
  if (!line.includes('"port":')) throw new Error(`the server did not start: ${await said}`)
  const { port } = JSON.parse(line)
  const send: FaultyServer['send'] = async (path, body, method = body ? 'POST' : 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return {
    fail,
    send,
    async prove(name) {
      const body = {
        walletAddress: alice.address,
        verifierIds: ['ownership-basic'],
        data: { owner: alice.address, content: name },
        signedTimestamp: Date.now(),
        options: { storeOriginalContent: true },
      }
      const prepared = await send('/api/v1/verification/standardize', body)
      const request = { ...body, signature: await alice.sign(prepared.body.data.signerString) }
      return { request, answer: await send('/api/v1/verification', request) }
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    stop() {
      child.kill('SIGTERM')
      return child.exited
    },
    exited: child.exited,
    said,
    pid: child.pid,
  }
}

/** All that comes, and the first line of it as soon as it is there. */
async function collect(stream: ReadableStream<Uint8Array>, tellFirst: (line: string) => void): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes('\n')) tellFirst(text.split('\n')[0]!)
  }
  tellFirst('')
  return text
}

/** Copies the files as a kill would leave them, while the process still runs. */
export function copyFolder(from: string, to: string): string {
  mkdirSync(to)
  for (const name of readdirSync(from)) if (!name.endsWith('-shm')) copyFileSync(join(from, name), join(to, name))
  return to
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if (await holds()) return
    await Bun.sleep(50)
  }
  throw new Error('it never came to be')
}
