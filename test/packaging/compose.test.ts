/** The compose file for several servers: every value in it is held against the product, because no container runs here. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { readDatabaseUrl } from '../../src/config/database-url.ts'
import { loadConfig } from '../../src/config/load.ts'
import { temporaryFolder } from '../parts/folders.ts'

const folder = temporaryFolder()
const packaging = join(import.meta.dir, '../../src/packaging')
const text = readFileSync(join(packaging, 'compose.several.yaml'), 'utf8')
const caddyfile = readFileSync(join(packaging, 'several/Caddyfile'), 'utf8')
const single = YAML.parse(readFileSync(join(packaging, 'compose.yaml'), 'utf8')) as Compose
const compose = YAML.parse(text) as Compose

interface Service {
  readonly environment: Readonly<Record<string, string>>
  readonly stop_grace_period: string
  readonly secrets: readonly string[]
  readonly networks: readonly string[]
  readonly volumes?: readonly string[]
  readonly [member: string]: unknown
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: { readonly inside: { readonly ipam: { readonly config: readonly [{ readonly subnet: string }] } } }
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const { one, two, proxy, database } = compose.services as Record<'one' | 'two' | 'proxy' | 'database', Service>

/** The secrets as the comment at the top makes them. */
function makeSecrets(): Record<string, string> {
  const url = /echo "(postgres:[^"]+)"/.exec(text)![1]!.replace(/\$\(cat [^)]+\)/, 'b1'.repeat(24))
  const contents = { 'database.url': url, 'master.key': 'a1'.repeat(32) }
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), `${content}\n`)
  return { ...contents }
}

test('both servers are alike, and have the rights of the one that runs alone', () => {
  expect(two).toEqual(one)
  for (const member of ['image', 'user', 'read_only', 'cap_drop', 'security_opt', 'pids_limit', 'restart'])
    expect([member, one[member]]).toEqual([member, single.services.proofgate![member]])
})

test('the variables are settings, and a server accepts them with the secrets of the comment', async () => {
  makeSecrets()
  const env = Object.fromEntries(
    Object.entries(one.environment).map(([name, value]) => [name, value.replace('/run/secrets', folder)]),
  )
  const config = await loadConfig({ env, cwd: folder })
  const { subnet } = compose.networks.inside.ipam.config[0]
  expect(config.proxy.trusted).toEqual([subnet])
  expect(config.limits.monitors).toEqual([subnet])
  const { drainSeconds, shutdownSeconds } = config.server
  // The server gives itself ten seconds more for closing the store.
  expect(Number.parseInt(one.stop_grace_period, 10)).toBeGreaterThan(drainSeconds + shutdownSeconds + 10)
  expect(config.baseUrl).toBe('https://proofs.example.com')
})

test('the URL names the database that the compose file makes, with its user', () => {
  const { user, database: name, servers } = readDatabaseUrl(makeSecrets()['database.url']!)
  const { POSTGRES_USER, POSTGRES_DB } = database.environment
  expect([user, name]).toEqual([POSTGRES_USER!, POSTGRES_DB!])
  expect(servers.map(({ host, port }) => `${host}:${port}`)).toEqual(['database:5432'])
})

test('every secret, volume and network that is used is declared, and every file that is mounted is there', () => {
  for (const service of [one, two, proxy, database]) {
    expect(Object.keys(compose.networks)).toEqual([...service.networks])
    for (const secret of service.secrets ?? []) expect(compose.secrets[secret]?.file).toBe(`./secrets/${secret}`)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./')) expect(readFileSync(join(packaging, source), 'utf8').length).toBeGreaterThan(0)
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
  }
})

test('the proxy sends requests to both servers, at the port of the image, and asks whether they are ready', async () => {
  const dockerfile = readFileSync(join(packaging, '../../Dockerfile'), 'utf8')
  const port = /^EXPOSE (\d+)$/m.exec(dockerfile)![1]
  expect(caddyfile).toContain(`reverse_proxy one:${port} two:${port} {`)
  const config = await loadConfig({ env: { PROOFGATE_BASE_URL: one.environment.PROOFGATE_BASE_URL! }, cwd: folder })
  expect(caddyfile).toContain(`\n${new URL(config.baseUrl!).host} {`)
})
