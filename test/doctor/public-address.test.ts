/** The public addresses of a running server, asked from its own machine, with real proxies before it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { makeSealer } from '../../src/db/seal.ts'
import type { Found } from '../../src/doctor/found.ts'
import { examinePublicAddresses, listPublicAddresses } from '../../src/doctor/public-address.ts'
import { selfPath, writeSelfQuestion } from '../../src/health/self-question.ts'
import { openHealth } from '../../src/operator/health.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { startApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const masterKey = 'ab'.repeat(32)
const path = `${process.env.PATH}:/usr/sbin`

function run(command: string): void {
  const { success, stderr } = Bun.spawnSync(command.split(' '), { env: { PATH: path } })
  if (!success) throw new Error(`${command}: ${stderr}`)
}

/** Certificates of an authority of their own: by name, days and the host in them. */
function makeCertificates(folder: string): void {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  run(`openssl req -x509 ${key} -days 90 -subj /CN=authority -keyout ${folder}/ca.key -out ${folder}/ca.pem`)
  for (const [name, days, host] of [
    ['right', 60, 'localhost'],
    ['other', 60, 'other.example'],
    ['ended', -1, 'localhost'],
  ]) {
    const file = `${folder}/${name}`
    run(`openssl req ${key} -subj /CN=${host} -addext subjectAltName=DNS:${host} -keyout ${file}.key -out ${file}.csr`)
    run(
      `openssl x509 -req -in ${file}.csr -CA ${folder}/ca.pem -CAkey ${folder}/ca.key -copy_extensions copy -days ${days} -out ${file}.pem`,
    )
  }
  writeFileSync(
    join(folder, 'ca.conf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${folder}/index\nserial=${folder}/serial\nnew_certs_dir=${folder}\npolicy=names\ndefault_md=sha256\ncopy_extensions=copy\nunique_subject=no\n[names]\ncommonName=supplied\n`,
  )
  writeFileSync(join(folder, 'index'), '')
  writeFileSync(join(folder, 'serial'), '01')
  const writeTime = (hours: number): string =>
    `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
  for (const [name, beganHours, endsHours] of [
    ['ending', -85 * 24, 5.5 * 24],
    ['brief', -6, 6],
    ['briefEnding', -10.5, 1.5],
  ] as const) {
    const file = `${folder}/${name}`
    run(
      `openssl req ${key} -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${file}.key -out ${file}.csr`,
    )
    run(
      `openssl ca -batch -notext -config ${folder}/ca.conf -in ${file}.csr -cert ${folder}/ca.pem -keyfile ${folder}/ca.key -startdate ${writeTime(beganHours)} -enddate ${writeTime(endsHours)} -out ${file}.pem`,
    )
  }
}

const writeDay = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10)

const headersOfRecipe =
  'proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header Host $http_host; proxy_buffering off;'

/** What stands in `location /` of each nginx, and its certificate. `UP` is the address of the server. */
const sites: Readonly<Record<string, { readonly lines: string; readonly certificate?: string }>> = {
  recipe: { lines: `proxy_pass UP; ${headersOfRecipe}` },
  otherName: { lines: `proxy_pass UP; ${headersOfRecipe}`, certificate: 'other' },
  ended: { lines: `proxy_pass UP; ${headersOfRecipe}`, certificate: 'ended' },
  ending: { lines: `proxy_pass UP; ${headersOfRecipe}`, certificate: 'ending' },
  passesOn: { lines: 'proxy_pass UP; proxy_set_header Host $http_host; proxy_buffering off;' },
  drops: {
    lines: 'proxy_pass UP; proxy_set_header X-Forwarded-For ""; proxy_set_header Host $http_host; proxy_buffering off;',
  },
  plainScheme: { lines: `proxy_pass UP; ${headersOfRecipe.replace('$scheme', 'http')}` },
  hostLost: { lines: `proxy_pass UP; ${headersOfRecipe.replace('Host $http_host', 'Host $proxy_host')}` },
  buffers: { lines: `proxy_pass UP; ${headersOfRecipe.replace('off', 'on')}` },
  stranger: { lines: 'default_type application/json; return 200 \'{"success":true,"alive":true}\';' },
  pretends: {
    lines: `default_type application/x-ndjson; return 200 '{"seen":"[]","proof":"${'0'.repeat(64)}"}\\n';`,
  },
  redirects: { lines: 'return 301 https://elsewhere.example$request_uri;' },
  hostOfUpstream: { lines: `proxy_pass UP; ${headersOfRecipe.replace('Host $http_host', 'Host backend')}` },
  takesPathOff: { lines: `rewrite ^/gate(/.*)$ $1 break; proxy_pass UP; ${headersOfRecipe}` },
  brief: { lines: `proxy_pass UP; ${headersOfRecipe}`, certificate: 'brief' },
  briefEnding: { lines: `proxy_pass UP; ${headersOfRecipe}`, certificate: 'briefEnding' },
  deadEnd: { lines: `proxy_pass http://127.0.0.1:1; ${headersOfRecipe}` },
}

const lacks = !['nginx', 'caddy', 'openssl'].every((name) => Bun.which(name, { PATH: path }))
const skips = isMissing(!lacks, 'nginx, caddy and openssl: apt-get install nginx-light caddy openssl')

const answers = (url: string): Promise<boolean> =>
  fetch(url, { tls: { rejectUnauthorized: false } }).then(
    () => true,
    () => false,
  )

describe.skipIf(skips)('a public address', () => {
  const folder = newFolder()
  const ports: Record<string, number> = {}
  const proxies: Bun.Subprocess[] = []
  let server: RunningServer
  let untrusting: RunningServer
  let second: RunningServer

  const readSettings = (trusted: string, port: number, baseUrl?: string) =>
    loadConfig({
      cwd: folder,
      env: {
        PROOFGATE_PORT: String(port),
        PROOFGATE_MASTER_KEY: masterKey,
        PROOFGATE_PROXY_TRUSTED: trusted,
        PROOFGATE_LIMITS_ENABLED: 'false',
        PROOFGATE_LOG_LEVEL: 'error',
        ...(baseUrl === undefined ? {} : { PROOFGATE_BASE_URL: baseUrl }),
      },
    })

  beforeAll(async () => {
    makeCertificates(folder)
    server = await startServer(await readSettings('127.0.0.1/32', 0), { folder: join(folder, 'one') })
    untrusting = await startServer(await readSettings('[]', 0), { folder: join(folder, 'two') })
    second = await startServer(await readSettings('127.0.0.1/32', 0), { folder: join(folder, 'three') })
    for (const name of [...Object.keys(sites), 'untrusted', 'caddy', 'balancer', 'nobody'])
      ports[name] = await freePort()
    const write = (name: string, lines: string, certificate = 'right', up = server.port) =>
      `server { listen ${ports[name]} ssl; ssl_certificate ${folder}/${certificate}.pem; ssl_certificate_key ${folder}/${certificate}.key; location / { ${lines.replace('UP', `http://127.0.0.1:${up}`)} } }`
    const servers = [
      ...Object.entries(sites).map(([name, { lines, certificate }]) => write(name, lines, certificate)),
      // Each request comes to the other one than the request before.
      `upstream both { server 127.0.0.1:${server.port}; server 127.0.0.1:${second.port}; }`,
      write('balancer', `proxy_pass http://both; ${headersOfRecipe}`),
      write('untrusted', `proxy_pass UP; ${headersOfRecipe}`, 'right', untrusting.port),
    ]
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; user root; error_log stderr;\nevents {}\nhttp { access_log off; ${temporary}\n${servers.join('\n')}\n}\n`,
    )
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{\n\tadmin off\n\tauto_https off\n}\nhttps://localhost:${ports.caddy} {\n\ttls ${folder}/right.pem ${folder}/right.key\n\treverse_proxy 127.0.0.1:${server.port} {\n\t\tflush_interval -1\n\t}\n}\n`,
    )
    const env = { PATH: path, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') }
    for (const command of [
      ['nginx', '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
      ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    ])
      proxies.push(Bun.spawn(command, { env, stdout: 'ignore', stderr: 'ignore' }))
    for (const name of ['recipe', 'caddy'])
      while (!(await answers(`https://localhost:${ports[name]}/`))) await Bun.sleep(50)
  })
  afterAll(async () => {
    for (const proxy of proxies) {
      proxy.kill('SIGTERM')
      await proxy.exited
    }
    await server?.stop()
    await untrusting?.stop()
    await second?.stop()
  })

  /** This process does not know the authority, which a test below tells it. */
  async function examine(name: string, of = server, at = ''): Promise<readonly Found[]> {
    const config = { ...of.parts.config, baseUrl: `https://localhost:${ports[name]}${at}` }
    const found = await examinePublicAddresses({
      config,
      sealer: makeSealer(Buffer.from(masterKey, 'hex')),
      now: Date.now,
    })
    return found.filter(({ says }) => !says.includes('does not trust'))
  }

  test.each(['recipe', 'caddy', 'brief', 'balancer'])('is as it should be behind %s', async (name) => {
    expect((await examine(name)).filter(({ level }) => level !== 'ok')).toEqual([])
  })

  test.each([
    ['otherName', 'fail', 'has a certificate for other names (DNS:other.example)'],
    ['ended', 'fail', 'has a certificate that ended on'],
    ['ending', 'warn', `has a certificate that ends on ${writeDay(5.5 * 24)}, in 5 days`],
    ['briefEnding', 'warn', `has a certificate that ends on ${writeDay(1.5)}, in 1 hour`],
    ['hostOfUpstream', 'fail', 'is refused under the name that the proxy sends as Host (403)'],
    ['passesOn', 'fail', 'passes on the X-Forwarded-For that clients write'],
    ['drops', 'warn', 'does not tell the addresses of clients'],
    ['plainScheme', 'warn', 'is said to be http by the proxy'],
    ['hostLost', 'warn', 'reaches this server under another name (Host: 127.0.0.1'],
    ['buffers', 'warn', 'holds answers back until they are whole'],
    ['stranger', 'fail', 'is answered by something else than this server'],
    ['pretends', 'fail', 'is answered by something else than this server'],
    ['redirects', 'fail', 'redirects to https://elsewhere.example/api/v1/health/self in place of an answer'],
    ['deadEnd', 'fail', 'answers 502: the proxy does not reach this server'],
    ['nobody', 'fail', 'does not answer (ECONNREFUSED)'],
  ])('%s is told as %s: %s', async (name, level, says) => {
    const found = await examine(name)
    expect(found).toEqual([
      {
        setting: 'base_url',
        level: level as Found['level'],
        says: expect.stringContaining(`https://localhost:${ports[name]} ${says}`),
        mend: expect.any(String),
      },
    ])
  })

  test('with a path is as it should be where the proxy takes the path off', async () => {
    expect(await examine('takesPathOff', server, '/gate')).toEqual([])
  })

  test('with a path that the proxy leaves on is told as such', async () => {
    const found = await examine('recipe', server, '/gate')
    expect(found.map(({ level, says }) => [level, says])).toEqual([
      [
        'fail',
        `https://localhost:${ports.recipe}/gate is asked for with its path /gate, which this server does not know`,
      ],
    ])
  })

  test('that leads to another Proofgate is told, although that one is healthy', async () => {
    const config = { ...server.parts.config, baseUrl: `https://localhost:${ports.recipe}` }
    const [found] = await examinePublicAddresses({ config, sealer: makeSealer(Buffer.alloc(32, 7)), now: Date.now })
    expect(found?.says).toContain('or by a server with another master key')
  })

  test('is told with the proxy that proxy.trusted lacks', async () => {
    const found = await examine('untrusted', untrusting)
    expect(found.map(({ level, mend }) => [level, mend])).toEqual([
      ['warn', 'add it to the configuration: [proxy] trusted = ["127.0.0.1/32"]'],
    ])
  })

  test('is judged by doctor with the authorities that it was given, and not called with --offline', async () => {
    const port = await freePort()
    const baseUrl = `https://localhost:${ports.recipe}`
    const doctor = async (args: readonly string[], env: Record<string, string>) => {
      const child = Bun.spawn([...program, 'doctor', '--json', ...args], {
        cwd: folder,
        env: {
          PATH: path,
          PROOFGATE_PORT: String(server.port),
          PROOFGATE_DATA: join(folder, 'one'),
          PROOFGATE_MASTER_KEY: masterKey,
          PROOFGATE_BASE_URL: baseUrl,
          ...env,
        },
        stdout: 'pipe',
        stderr: 'inherit',
      })
      const { findings } = JSON.parse(await new Response(child.stdout).text()) as { readonly findings: Found[] }
      return findings.filter(({ setting }) => setting === 'base_url')
    }
    const trusts = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    const [trusting, distrusting, offline, alone] = await Promise.all([
      doctor([], trusts),
      doctor([], {}),
      doctor(['--offline'], trusts),
      // No server runs at this port, so there is nothing to recognize.
      doctor([], { ...trusts, PROOFGATE_PORT: String(port) }),
    ])
    expect(trusting).toEqual([
      {
        setting: 'base_url',
        level: 'ok',
        says: expect.stringContaining(`${baseUrl} leads to this server, with a certificate until`),
      },
    ])
    expect(distrusting.map(({ level, says }) => [level, says])).toEqual([
      ['fail', expect.stringContaining('has a certificate that this machine does not trust')],
    ])
    expect([offline, alone]).toEqual([[], []])
  })
})

test('the page of the operator has what was found, and has it looked for once in an hour', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  const { port } = listener.address() as AddressInfo
  const app = await startApp({ PROOFGATE_BASE_URL: `https://localhost:${port}` })
  const health = openHealth(app.parts)
  const tell = async () => (await health.tell()).here?.filter(({ setting }) => setting === 'base_url') ?? []
  while ((await tell()).length === 0) await Bun.sleep(20)
  expect(await tell()).toEqual([
    { setting: 'base_url', level: 'fail', says: expect.stringContaining('does not answer'), mend: expect.any(String) },
  ])
  const afterFirst = connections
  app.wait(3_590_000)
  await tell()
  // A look that had begun before this one would have connected by its end.
  await examinePublicAddresses(app.parts)
  expect(connections).toBe(afterFirst * 2)
  app.wait(20_000)
  while (connections === afterFirst * 2) {
    await tell()
    await Bun.sleep(20)
  }
  await app.close()
  listener.close()
})

test('only addresses with https are public, each once', async () => {
  const list = async (env: Record<string, string>) =>
    listPublicAddresses(await loadConfig({ cwd: newFolder(), env })).map(({ setting }) => setting)
  expect(await list({})).toEqual([])
  expect(await list({ PROOFGATE_BASE_URL: 'http://localhost:8080' })).toEqual([])
  expect(await list({ PROOFGATE_BASE_URL: 'https://a.example', PROOFGATE_AUTH_URL: 'https://b.example' })).toEqual([
    'base_url',
    'auth_url',
  ])
})

describe('the question', () => {
  let server: RunningServer
  const sealer = makeSealer(Buffer.from(masterKey, 'hex'))
  beforeAll(async () => {
    const env = { PROOFGATE_PORT: '0', PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_LOG_LEVEL: 'error' }
    const cwd = newFolder()
    server = await startServer(await loadConfig({ cwd, env }), { folder: join(cwd, 'data') })
  })
  afterAll(() => server?.stop())

  const ask = (query: string): Promise<Response> => fetch(`${server.addresses.baseUrl}${selfPath}?${query}`)
  const good = { step: 'ask', nonce: 'n'.repeat(32) } as const

  test.each<[string, () => string]>([
    ['nobody with the key', () => ''],
    [
      'somebody with another key',
      () => writeSelfQuestion(makeSealer(Buffer.alloc(32, 1)), { ...good, at: Date.now() }),
    ],
    ['somebody who kept an old one', () => writeSelfQuestion(sealer, { ...good, at: Date.now() - 600_000 })],
    [
      'somebody who changed it',
      () => writeSelfQuestion(sealer, { ...good, at: Date.now() }).replace('step=ask', 'step=release'),
    ],
    [
      'somebody whose proof is as long in characters, and longer in bytes',
      () =>
        writeSelfQuestion(sealer, { ...good, at: Date.now() }).replace(
          /proof=(\w+)/,
          (_all, proof) => `proof=${encodeURIComponent('é'.repeat(proof.length))}`,
        ),
    ],
  ])('of %s is answered as an unknown address', async (_, write) => {
    const [refused, unknown] = await Promise.all([ask(write()), fetch(`${server.addresses.baseUrl}/api/v1/nothing`)])
    const body = (await refused.text()).replace(selfPath, '/api/v1/nothing')
    const strip = (text: string): string => text.replace(/"(requestId|timestamp)":"[^"]*"/g, '')
    expect([refused.status, strip(body)]).toEqual([404, strip(await unknown.text())])
    const listHeaders = ({ headers }: Response) =>
      [...headers].filter(([name]) => !/^(date|content-length|x-request-id|ratelimit-.*)$/.test(name))
    expect(listHeaders(refused)).toEqual(listHeaders(unknown))
  })

  test('is answered once at a time, and only a few are open', async () => {
    const letters = [...'abcdefghij']
    const write = (letter: string): string =>
      writeSelfQuestion(sealer, { step: 'ask', nonce: letter.repeat(32), at: Date.now() })
    const answers = await Promise.all(letters.map((letter) => ask(write(letter))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    const again = await ask(write('a'))
    expect(again.status).toBe(404)
    const ends = await Promise.all(answers.map((answer) => answer.text()))
    expect(ends.filter((text) => text.endsWith('{"released":false}\n'))).toHaveLength(8)
    const next = await ask(write('a'))
    expect(next.status).toBe(200)
    await next.body?.cancel()
  })
})
