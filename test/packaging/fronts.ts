/** nginx and Caddy with the recipes of src/packaging/proxy: only ports and paths are other ones. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../parts/free-port.ts'

export const publicHost = 'proofs.example.com'
const recipes = join(import.meta.dir, '../../src/packaging/proxy')

export interface Front {
  readonly port: number
  readonly plainPort: number
  stop(): Promise<void>
}

export interface FrontKind {
  readonly name: string
  readonly program: string
  /** `folder`: for its files. `upstream`: the port of the server. */
  start(folder: string, upstream: number): Promise<Front>
}

/** Reads a recipe, and puts each text in place of another one. Throws where that one is missing. */
const readRecipe = (name: string, changes: readonly (readonly [string, string])[]): string =>
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
  const answers = async (port: number): Promise<boolean> => {
    const { exitCode } = Bun.spawnSync(['curl', '-s', '-o', '/dev/null', `http://127.0.0.1:${port}/`])
    return exitCode === 0
  }
  while (!(await answers(ports.plainPort))) {
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

const nginx: FrontKind = {
  name: 'nginx',
  program: 'nginx',
  async start(folder, upstream) {
    const ports = { port: await freePort(), plainPort: await freePort() }
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const made = Bun.spawnSync(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=${publicHost} -keyout ${key} -out ${certificate}`.split(
        ' ',
      ),
    )
    if (!made.success) throw new Error(String(made.stderr))
    const place = `/etc/letsencrypt/live/${publicHost}`
    const recipe = readRecipe('nginx.conf', [
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

const caddy: FrontKind = {
  name: 'Caddy',
  program: 'caddy',
  async start(folder, upstream) {
    const ports = { port: await freePort(), plainPort: await freePort() }
    mkdirSync(folder, { recursive: true })
    const recipe = readRecipe('Caddyfile', [['127.0.0.1:8787', `127.0.0.1:${upstream}`]])
    // Its own certificate, because no authority can reach this machine.
    const options = `{\n\thttp_port ${ports.plainPort}\n\thttps_port ${ports.port}\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), options + recipe)
    return run(ports, ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    })
  },
}

export const fronts: readonly FrontKind[] = [nginx, caddy]
