/** HAProxy from Debian in front of several servers, asking each whether it is ready. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Debian puts it where only administrators look. */
export const haproxy = Bun.which('haproxy', { PATH: `${process.env.PATH}:/usr/sbin` })

export interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

const writeConfig = (port: number, servers: readonly number[], readyPath: string): string => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  timeout check 1s
  retries 3
  option redispatch
frontend all
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk
  http-check send meth GET uri ${readyPath} ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server check inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((one, index) => `  server server${index} 127.0.0.1:${one}`).join('\n')}
`

/** `at`: the port that was announced before. Resolves once it answers for a server that is ready. */
export async function startBalancer(
  at: number | undefined,
  servers: readonly number[],
  readyPath: string,
): Promise<Balancer> {
  if (!haproxy) throw new Error('HAProxy is missing: apt-get install haproxy')
  const port = at ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, writeConfig(port, servers, readyPath))
  const child = Bun.spawn(['setpriv', '--pdeathsig', 'KILL', haproxy, '-db', '-q', '-f', file], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const url = `http://127.0.0.1:${port}`
  const isUp = (): Promise<boolean> =>
    fetch(url + readyPath).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${await new Response(child.stderr).text()}`)
    await Bun.sleep(50)
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
