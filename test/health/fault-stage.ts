/** A server as a process of its own, and faults of the disk under it. */
import { existsSync } from 'node:fs'
import { firstLine } from '../db/child.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

export interface Told {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export type FaultyServer = Awaited<ReturnType<typeof startFaulty>>

/** `preload`: a file that the server, started from the source, runs first. */
export async function startFaulty(folder: string, env: Record<string, string> = {}, preload?: string) {
  const command = preload === undefined ? program : [process.execPath, '--preload', preload, main]
  const child = Bun.spawn([...endsWithUs, ...command, 'serve', '--json'], {
    cwd: '/',
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_STORAGE_WRITER: 'worker',
      // The disk itself refuses here, and not the floor.
      PROOFGATE_STORAGE_MIN_FREE_MB: '0',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const line = await firstLine(child.stdout)
  if (!line.includes('"port":')) throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)
  const port = String(JSON.parse(line).port)
  let heard = ''
  const log = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stderr) heard += decoder.decode(bytes, { stream: true })
    return heard
  })()

  async function send(path: string, body?: object): Promise<Told> {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, body ? post : {})
    return { status: response.status, body: await response.json() }
  }

  /** Asks until the answer is as it should be. How long that may take says who runs the tests. */
  async function until(path: string, isSo: (told: Told) => boolean): Promise<Told> {
    let told: Told | undefined
    for (let turn = 0; turn < 300; turn++) {
      told = await send(path)
      if (isSo(told)) return told
      await Bun.sleep(100)
    }
    throw new Error(`still: ${JSON.stringify(told)}`)
  }

  return {
    port,
    pid: child.pid,
    send,
    until,
    /** The first refusal of /health/ready, if it names this condition. */
    fails: (name: string) =>
      until(
        '/health/ready',
        ({ status, body }) =>
          status === 503 && body.error.details.conditions?.some((one: { name: string }) => one.name === name),
      ),
    recovers: () => until('/health/ready', ({ status }) => status === 200),
    /** Whether a proof was stored, and which. `size` in bytes of content that is kept. */
    async prove(content: string): Promise<Told> {
      const body = {
        walletAddress: alice.address,
        verifierIds: ['ownership-basic'],
        data: { owner: alice.address, content },
        signedTimestamp: Date.now(),
        options: { storeOriginalContent: true },
      }
      const prepared = await send('/verification/standardize', body)
      return send('/verification', { ...body, signature: await alice.sign(prepared.body.data.signerString) })
    },
    async stop(): Promise<number> {
      child.kill('SIGTERM')
      return await child.exited
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
    },
    exited: child.exited,
    log,
    /** Waits until the log matches, and returns all of it. */
    async says(words: RegExp): Promise<string> {
      for (let turn = 0; turn < 300 && !words.test(heard); turn++) await Bun.sleep(100)
      if (!words.test(heard)) throw new Error(`the log does not say ${words}: ${heard}`)
      return heard
    },
  }
}

/**
 * Changes the system's answers to a process until it is ended: `fdatasync:error=EIO` and the like, of one path or all.
 * `fdatasync:error=EIO` and the like, of one path or all.
 */
export const inject = (pid: number, rule: string, path?: string): Promise<Injected> => attach(pid, rule, path, ['-f'])

/** Does the same to the main thread alone. */
export const injectMainThread = (pid: number, rule: string): Promise<Injected> => attach(pid, rule, undefined, [])

export interface Injected {
  end(): Promise<void>
}

async function attach(
  pid: number,
  rule: string,
  path: string | undefined,
  threads: readonly string[],
): Promise<Injected> {
  const calls = rule.slice(0, rule.indexOf(':'))
  const strace = Bun.spawn(
    [
      ...endsWithUs,
      'strace',
      ...threads,
      '-p',
      String(pid),
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${rule}`,
      ...(path ? ['-P', path] : []),
      '-o',
      '/dev/null',
    ],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  // strace says so when it has attached to every thread.
  const said = await firstLine(strace.stderr)
  if (!said.includes('attached')) throw new Error(`strace did not attach: ${said}`)
  return {
    async end() {
      strace.kill('SIGINT')
      await strace.exited
    },
  }
}

/** A file system of its own, unmounted by `end`. Undefined where this user may not mount. */
export function mountDisk(folder: string, ...command: readonly string[]): { end(): void } | undefined {
  const { success } = Bun.spawnSync(['mount', ...command, folder], { stderr: 'ignore' })
  return success ? { end: () => void Bun.spawnSync(['umount', '-l', folder]) } : undefined
}
