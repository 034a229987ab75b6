/** nginx, Caddy and HAProxy with the recipes of src/packaging: only ports, paths and users are other ones. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '../parts/free-port.ts'

export const publicHost = 'proofs.example.com'
const recipes = join(import.meta.dir, '../../src/packaging')

export interface Front {
  readonly port: number
  readonly plainPort: number
  stop(): Promise<void>
}

export interface FrontKind {
  readonly name: string
  readonly program: string
  /** `folder`: for its files. `upstreams`: the ports of the servers, which are one where the recipe is for one. */
  start(folder: string, ...upstreams: readonly [number, ...number[]]): Promise<Front>
}

type Changes = readonly (readonly [string, string])[]

/** Reads a recipe, and puts each text in place of another one. Throws where that one is missing. */
const readRecipe = (name: string, changes: Changes): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(recipes, name), 'utf8'),
  )

async function run(
  ports: { readonly port: number; readonly plainPort: number },
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<Front> {
  const child = Bun.spawn([...command], { env: { PATH: `${process.env.PATH}:/usr/sbin`, ...env }, stderr: 'pipe' })
  const answersPlain = (): boolean =>
    Bun.spawnSync(['curl', '-s', '-o', '/dev/null', `http://127.0.0.1:${ports.plainPort}/`]).exitCode === 0
  // Caddy makes its certificate after it has begun to listen.
  while (!answersPlain() || !(await shakesHands(ports.port))) {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
    await Bun.sleep(50)
  }
  return {
    ...ports,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

/** Whether a connection can be encrypted. It asks for nothing. */
const shakesHands = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: publicHost, rejectUnauthorized: false }, () => {
      socket.end()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Returns the files of the certificate and of its key. */
function makeCertificate(folder: string): readonly [string, string] {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const made = Bun.spawnSync(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=${publicHost} -keyout ${key} -out ${certificate}`.split(
      ' ',
    ),
  )
  if (!made.success) throw new Error(String(made.stderr))
  return [certificate, key]
}

const nginx: FrontKind = {
  name: 'nginx',
  program: 'nginx',
  async start(folder, upstream) {
    const ports = { port: await freePort(), plainPort: await freePort() }
    const [certificate, key] = makeCertificate(folder)
    const place = `/etc/letsencrypt/live/${publicHost}`
    const recipe = readRecipe('proxy/nginx.conf', [
      ['127.0.0.1:8787', `127.0.0.1:${upstream}`],
      ['listen 80;', `listen ${ports.plainPort};`],
      ['listen [::]:80;', `listen [::]:${ports.plainPort};`],
      ['listen 443 ', `listen ${ports.port} `],
      ['listen [::]:443 ', `listen [::]:${ports.port} `],
      [`${place}/fullchain.pem`, certificate],
      [`${place}/privkey.pem`, key],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    const whole = `daemon off; pid ${folder}/nginx.pid; user root; error_log stderr;\nevents {}\nhttp { access_log off; ${temporary}\n${recipe}}\n`
    writeFileSync(join(folder, 'nginx.conf'), whole)
    return run(ports, ['nginx', '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  },
}

const makeCaddy = (
  name: string,
  recipe: string,
  listChanges: (upstreams: readonly number[]) => Changes,
): FrontKind => ({
  name,
  program: 'caddy',
  async start(folder, ...upstreams) {
    const ports = { port: await freePort(), plainPort: await freePort() }
    mkdirSync(folder, { recursive: true })
    // Its own certificate, because no authority can reach this machine.
    const options = `{\n\thttp_port ${ports.plainPort}\n\thttps_port ${ports.port}\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), options + readRecipe(recipe, listChanges(upstreams)))
    return run(ports, ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    })
  },
})

const caddy = makeCaddy('Caddy', 'proxy/Caddyfile', ([upstream]) => [['127.0.0.1:8787', `127.0.0.1:${upstream}`]])
const caddyBeforeSeveral = makeCaddy('Caddy before several servers', 'several/Caddyfile', (upstreams) => [
  ['one:8787 two:8787', upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' ')],
])

const haproxy: FrontKind = {
  name: 'HAProxy',
  program: 'haproxy',
  async start(folder, ...upstreams) {
    const ports = { port: await freePort(), plainPort: await freePort() }
    mkdirSync(folder, { recursive: true })
    const [certificate, key] = makeCertificate(folder)
    const both = join(folder, 'both.pem')
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
    const servers = ['one 10.0.0.1', 'two 10.0.0.2', 'three 10.0.0.3']
    const recipe = readRecipe('several/haproxy.cfg', [
      ['    log /dev/log local0\n', ''],
      ['    user haproxy\n    group haproxy\n', ''],
      ['bind :80\n', `bind :${ports.plainPort}\n`],
      ['bind :443 ', `bind :${ports.port} `],
      ['/etc/haproxy/proofs.example.com.pem', both],
      ...servers.map((server, place): Changes[number] => [
        `    server ${server}:8787\n`,
        upstreams[place] === undefined ? '' : `    server ${server.split(' ')[0]} 127.0.0.1:${upstreams[place]}\n`,
      ]),
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), recipe)
    return run(ports, ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')])
  },
}

/** Those with a recipe for several servers. */
export const balancers: readonly FrontKind[] = [haproxy, caddyBeforeSeveral]
export const fronts: readonly FrontKind[] = [nginx, caddy, ...balancers]
