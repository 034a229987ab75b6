/** startPgBouncer(): the real PgBouncer of Debian before a PostgreSQL of a test. */
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export interface PgBouncer {
  /** The same database, through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

export const pgBouncer = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })

export async function startPgBouncer(to: string, mode: 'session' | 'transaction' | 'statement'): Promise<PgBouncer> {
  const { hostname, port: serverPort, pathname, username } = new URL(to)
  const database = pathname.slice(1)
  const root = mkdtempSync(join(tmpdir(), 'proofgate-pgbouncer-'))
  const port = await freePort()
  const [users, file] = [join(root, 'users.txt'), join(root, 'pgbouncer.ini')]
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `${database} = host=${hostname} port=${serverPort} pool_mode=${mode} pool_size=30`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      '',
    ].join('\n'),
  )
  // It refuses root.
  const uid = Number(/^postgres:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1])
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [root, users, file]) chownSync(path, uid, uid)
  const asUser = isRoot ? [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : []
  const child = Bun.spawn(['setpriv', '--pdeathsig', 'KILL', ...asUser, pgBouncer!, file], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  await waitUntilUp(child.stderr)
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Reads on, so that it never waits for a full pipe. */
const waitUntilUp = (stderr: ReadableStream<Uint8Array>): Promise<void> =>
  new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder()
      let said = ''
      for await (const bytes of stderr) {
        said = (said + decoder.decode(bytes)).slice(-10_000)
        if (said.includes('process up')) resolve()
      }
      reject(new Error(`PgBouncer ended: ${said}`))
    }
    read().catch(reject)
  })
