/** `proofgate bundle`, as the executable writes it: what it holds, and that nothing secret or personal is in it. */
import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TSchema } from '@sinclair/typebox'
import { extract } from 'tar-stream'
import { writeTomlText } from '../../src/config/toml-text.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { settings } from '../../src/settings.ts'
import { pickFaults } from '../../src/support/log-lines.ts'
import { makeRedactor, redactShapes } from '../../src/support/redact.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

async function writeBundle(cwd: string, env: Record<string, string>, args: readonly string[] = []) {
  const child = Bun.spawn([...program, 'bundle', 'told.tar.gz', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, said: out + err, file: join(cwd, 'told.tar.gz') }
}

async function unpack(file: string): Promise<Readonly<Record<string, string>>> {
  const tar = extract()
  tar.end(gunzipSync(readFileSync(file)))
  const found: Record<string, string> = {}
  for await (const entry of tar) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry) chunks.push(chunk as Uint8Array)
    found[entry.header.name.replace('proofgate-support/', '')] = Buffer.concat(chunks).toString()
  }
  return found
}

/** The paths of all settings that hold a secret: `<>` is a name that the operator chooses. */
function listSecretPaths(schema: TSchema, path: readonly string[] = []): string[] {
  const members = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}).map((member) => ['<>', member]),
    ...(schema.items ? [['[]', schema.items]] : []),
  ] as [string, TSchema][]
  const below = members.flatMap(([name, member]) => listSecretPaths(member, [...path, name]))
  const variants = (schema.anyOf ?? []).flatMap((one: TSchema) => listSecretPaths(one, path))
  return [...(schema.secret ? [path.join('.')] : []), ...below, ...variants]
}

/** Everything that was planted. */
const planted = new Map<string, string>()
function plant(kind: string, text: string): string {
  planted.set(`${kind} ${planted.size}`, text)
  return text
}
const hex = (bytes: number): string => randomBytes(bytes).toString('hex')
const word = (): string => randomBytes(15).toString('base64url')
const wallet = (): string => `0x${hex(20)}`
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const solana = (): string => [...randomBytes(44)].map((byte) => letters[byte % 58]).join('')

const makers: readonly (readonly [kind: string, make: () => string])[] = [
  ['signature', () => `0x${hex(65)}`],
  ['wallet', wallet],
  ['wallet of Solana', solana],
  ['did', () => `did:pkh:eip155:1:${wallet()}`],
  ['qHash', () => `0x${hex(32)}`],
  ['private key', () => `0x${hex(32)}`],
  ['session cookie', () => randomBytes(32).toString('base64url')],
  ['access key', () => `svc_key_${word()}`],
  ['access token', () => `${word()}.${word()}${word()}.${word()}${word()}`],
  ['refresh token', () => `rt_${hex(24)}`],
  ['content', () => `what ${word()} wrote to a friend`],
  ['gate reward', () => `the door code is ${word()}`],
  ['RPC address', () => `https://mainnet.${word().toLowerCase().replaceAll('_', '-')}.example.com/v3/${hex(16)}`],
  ['address with a password', () => `https://me:${word()}@host.example.com/x?token=${word()}`],
  ['Stripe key', () => `sk_live_${hex(12)}`],
  ['S3 key', () => `AKIA${hex(8).toUpperCase()}`],
  ['e-mail', () => `${word().replaceAll('_', '')}@people.example.org`],
]

function makeLines(): string {
  const at = '2026-11-27T10:00:00.000Z'
  return makers
    .flatMap(([kind, make]) => {
      const next = () => plant(`log: ${kind}`, make())
      return [
        `${at} error ${next()} event=request-failed error=${JSON.stringify(`Error: ${next()}\n at ${next()} (/$bunfs/root/proofgate:12:34)`)}`,
        `${at} warn said ${next()} event=condition-began condition=${next()} count=3`,
        `${at} error none event=${next()} count=${next()}`,
        JSON.stringify({
          time: at,
          level: 'error',
          message: next(),
          event: 'request-failed',
          [next()]: 1,
          status: next(),
        }),
        JSON.stringify({ time: next(), level: next(), event: 'request-failed', count: 1 }),
        next(),
      ]
    })
    .join('\n')
}

/** A row of planted texts in every table that takes one. Returns the number of these tables. */
function fillTables(file: string): number {
  const db = new Database(file)
  db.run('PRAGMA foreign_keys = OFF')
  db.run('PRAGMA ignore_check_constraints = ON')
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'",
    )
    .all()
  let filled = 0
  for (const { name } of tables) {
    const columns = db
      .query<{ name: string; type: string }, [string]>('SELECT name, type FROM pragma_table_info(?)')
      .all(name)
    const make = makers[filled % makers.length]![1]
    const values = columns.map(({ type }) =>
      type === 'TEXT' ? plant(`table ${name}`, make()) : type === 'BLOB' ? randomBytes(32) : 1,
    )
    try {
      db.query(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`).run(...values)
      filled++
    } catch {
      // A trigger or a rule refuses it.
    }
  }
  db.close()
  return filled
}

/** Answers with what it was asked, as careless services do. */
function startEcho() {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      new Response(`no: ${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`, {
        status: 400,
      }),
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

function listForms(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  )
  return [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ].map((form) => form.toLowerCase())
}

function expectNoneIn(files: Readonly<Record<string, string>>): void {
  const all = Object.values(files).join('\n').toLowerCase()
  const found = [...planted].filter(([, text]) =>
    listForms(text).some((form) => form.length >= 8 && all.includes(form)),
  )
  expect(found.map(([kind, text]) => `${kind}: ${text}`)).toEqual([])
}

test('an archive holds none of 200 secrets of every kind', async () => {
  const folder = newFolder()
  const data = join(folder, 'data')
  makeDataFolder(data)
  plant('master key of the folder', readFileSync(join(data, 'master.key'), 'utf8').trim())
  expect(fillTables(locateDatabaseFile(data))).toBeGreaterThan(20)
  writeFileSync(join(folder, 'server.log'), makeLines())
  const echo = startEcho()
  try {
    const key = (kind: string) => plant(kind, `${word()}k1`)
    const address = (kind: string) => `${echo.url}/v2/${key(kind)}?apikey=${key(kind)}`
    const secrets: Readonly<Record<string, unknown>> = {
      master_key: plant('master key', hex(32)),
      'chains.<>.rpc.[]': [address('RPC key'), address('RPC key')],
      'risk.webacy.api_key': key('webacy'),
      'risk.goplus.api_key': key('goplus'),
      'risk.chainalysis.api_key': key('chainalysis'),
      'moderation.openai.api_key': key('openai'),
      'moderation.google_vision.api_key': key('google'),
      'human.worldid.signing_key': plant('worldid', `0x${hex(32)}`),
      'human.passport.api_key': key('passport'),
      'ipfs.pinning_token': key('pinning'),
      'publishing.private_key': plant('publishing', `0x${hex(32)}`),
      'payments.stripe.secret_key': plant('stripe', `sk_test_${hex(12)}`),
      'payments.stripe.webhook_secret': plant('stripe', `whsec_${hex(12)}`),
      'social.<>.client_secret': key('social'),
      'metrics.token': key('metrics'),
      'backup.passphrase': plant('passphrase', `correct horse ${word()} staple`),
      'backup.bucket_secret_key': key('bucket'),
    }
    // They cannot stand beside a place of backups: see the next test.
    const alone = ['database.replicas', 'database.trial_url', 'database.url']
    expect([...Object.keys(secrets), ...alone].sort()).toEqual([...new Set(listSecretPaths(settings))].sort())
    const lines = Object.entries(secrets).map(([path, value]) => {
      const name = path.replace('chains.<>.rpc.[]', 'chains.base.rpc').replace('social.<>', 'social.github')
      return `${name} = ${writeTomlText(value)}`
    })
    const others = [
      `base_url = "https://${plant('host', `private-${hex(4)}.example.net`)}"`,
      'chains.base.chain = "eip155:8453"',
      'social.github.provider = "github"',
      `social.github.client_id = "${plant('client', `Iv1.${hex(8)}`)}"`,
      'human.passport.scorer_id = "1234"',
      ...['risk.webacy', 'risk.goplus', 'moderation.openai', 'human.worldid', 'human.passport'].map(
        (table) => `${table}.url = "${echo.url}"`,
      ),
      `backup.to = "s3://${plant('bucket', `bucket-${hex(6)}`)}/prefix"`,
      `backup.bucket_endpoint = "${echo.url}"`,
      `operator.wallets = ["${plant('operator', wallet())}"]`,
      'log.file = "server.log"',
      'outside.attempts = 1',
      'outside.timeout_seconds = 2',
    ]
    const file = join(folder, 'proofgate.toml')
    writeFileSync(file, [...lines, ...others].join('\n'))
    const env = {
      PROOFGATE_CONFIG: 'proofgate.toml',
      PROOFGATE_MODERATION_TEXT: 'none',
      PROOFGATE_BACKUP_BUCKET_KEY_ID: plant('bucket key', `AKIA${hex(8).toUpperCase()}`),
      ...Object.fromEntries(
        makers.map(([kind, make], index) => [`SOME_SECRET_${index}`, plant(`environment: ${kind}`, make())]),
      ),
    }
    expect(planted.size).toBeGreaterThanOrEqual(200)
    const { code, said } = await writeBundle(folder, env)
    expect({ code, said }).toMatchObject({ code: 0 })
    const files = await unpack(join(folder, 'told.tar.gz'))
    expect(JSON.parse(files['configuration.json']!)).toMatchObject({ isRight: true, faults: [] })
    expect(JSON.parse(files['faults.json']!).length).toBeGreaterThan(10)
    expect(files['findings.json']).toContain('chains.base.rpc[0]')
    expectNoneIn({ ...files, said })
  } finally {
    echo.stop()
  }
})

test('an archive of a server on PostgreSQL names no password, and says that the database does not answer', async () => {
  const folder = newFolder()
  const [password, masterKey] = [`${word()}k4`, hex(32)]
  writeFileSync(
    join(folder, 'proofgate.toml'),
    `master_key = "${masterKey}"\n[database]\nurl = "postgres://proofgate:${password}@127.0.0.1:1/proofgate"\n`,
  )
  const { code, said, file } = await writeBundle(folder, {})
  expect({ code, said }).toMatchObject({ code: 0 })
  const files = await unpack(file)
  expect(JSON.parse(files['configuration.json']!)).toMatchObject({ isRight: true })
  expect(files['findings.json']).toContain('no server of the database takes writes')
  for (const secret of [password, masterKey]) expect(Object.values(files).join('') + said).not.toContain(secret)
})

test('an archive of a wrong configuration names the settings, and no value', async () => {
  const folder = newFolder()
  const [key, token] = [`${word()}k2`, `${word()}k3`]
  writeFileSync(join(folder, 'proofgate.toml'), `port = "${key}"\n${token} = 1\n`)
  const { code, said, file } = await writeBundle(folder, {})
  expect(code).toBe(0)
  const files = await unpack(file)
  expect(JSON.parse(files['configuration.json']!)).toMatchObject({ isRight: false })
  expect(files['configuration.json']).toContain('port, line 1')
  for (const secret of [key, token]) expect(Object.values(files).join('') + said).not.toContain(secret)
})

test('an archive beside a running server holds its health, its figures and its schema', async () => {
  const folder = newFolder()
  const server = await startOnFiles(folder)
  try {
    const env = {
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: server.audience.split(':')[1]!,
      PROOFGATE_MODERATION_TEXT: 'none',
    }
    const { code, said, file } = await writeBundle(newFolder(), env)
    expect(code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(said).toContain('versions of Proofgate, Bun')
    const files = await unpack(file)
    const read = (name: string) => JSON.parse(files[name]!)
    expect(read('health.json')).toMatchObject({ status: 'ok', conditions: [] })
    expect(read('versions.json')).toMatchObject({ bun: Bun.version, sqlite: expect.stringMatching(/^3\./) })
    expect(read('figures.json')).toMatchObject({
      rows: { proofs: 0 },
      bytes: { 'proofgate.sqlite': expect.any(Number) },
    })
    expect(read('schema.json')[0]).toMatchObject({
      name: expect.stringMatching(/^0001_/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(read('findings.json').findings).toContainEqual(expect.objectContaining({ setting: 'data', level: 'ok' }))
    expect(read('faults.json')).toEqual({ says: expect.stringContaining('log.file is not set') })
    expect(files['prometheus.txt']).toContain('metrics.enabled is false')
    const again = await writeBundle(join(file, '..'), env)
    expect(again).toMatchObject({ code: 2, said: expect.stringContaining('name another file') })
  } finally {
    await server.stop()
  }
})

test.each([
  ['beside the data folder', []],
  ['that is named', ['--config', 'of-alice.toml']],
])('an archive hides the folder of a configuration %s', async (_, args) => {
  const cwd = join(newFolder(), 'alice-and-partners')
  mkdirSync(cwd)
  for (const name of ['proofgate.toml', 'of-alice.toml'])
    writeFileSync(
      join(cwd, name),
      '[backup]\nto = "./b"\npassphrase = "seven words that nobody else knows or guesses"\n',
      {
        mode: 0o644,
      },
    )
  const { code, file } = await writeBundle(cwd, { HOME: cwd }, args)
  expect(code).toBe(0)
  const { 'findings.json': findings = '' } = await unpack(file)
  expect(findings).toContain('which holds secrets, is open to every user of this machine')
  expect(findings).not.toContain('alice-and-partners')
})

test('--list says what an archive holds, and writes none', async () => {
  const folder = newFolder()
  const { code, said, file } = await writeBundle(folder, {}, ['--list'])
  expect(code).toBe(0)
  expect(said).toContain('figures.json')
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['text', '2026-11-27T10:00:00.000Z error it broke with Mallory event=request-failed count=3 name=Mallory'],
  [
    'JSON',
    '{"time":"2026-11-27T10:00:00.000Z","level":"error","message":"Mallory","event":"request-failed","count":3,"name":"Mallory"}',
  ],
])('of a line of the log in %s, time, level, event and figures are told', (_, line) => {
  expect(pickFaults(`${line}\n${line.replace('error', 'info')}\n`)).toEqual([
    { time: '2026-11-27T10:00:00.000Z', level: 'error', event: 'request-failed', count: 3 },
  ])
})

test('a known text is taken out in each form in which it travels', () => {
  const secret = 'p/w "x" é 12'
  const redact = makeRedactor([secret, ''])
  for (const form of [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex').toUpperCase(),
  ])
    expect(redact(`a ${form} z`)).toMatch(/^a "?<hidden>=*"? z$/)
})

test('sentences keep their words, and lose addresses, names of machines, keys and wallets', () => {
  const said = 'answers for eip155:8453 at block 123, 2 s old; 42 MiB free (mode 644), see "proofgate doctor"'
  expect(redactShapes(said)).toBe(said)
  for (const text of [
    `0x${hex(20)}`,
    solana(),
    'https://host.example.com/x',
    '192.168.7.9',
    '2001:db8::1:2',
    'me@example.org',
    'rpc.host.example',
    createHash('sha256').digest('hex'),
  ])
    expect(redactShapes(`at ${text} now`)).toMatch(/^at <\w+> now$/)
})
