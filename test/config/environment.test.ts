import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { nameVariable } from '../../src/config/environment.ts'
import { listSettings } from '../../src/config/outline.ts'
import { settings } from '../../src/settings.ts'
import { findings, folders, load, messages } from './folder.ts'

const folder = folders()

const key = 'ab'.repeat(32)

describe('a variable', () => {
  test.each([
    [{ PROOFGATE_PORT: '0' }, { port: 0 }],
    [{ PROOFGATE_HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ PROOFGATE_BASE_URL: 'https://a.example' }, { baseUrl: 'https://a.example' }],
    [{ PROOFGATE_SIGNING_HUB_CHAIN_ID: '1' }, { signing: { hubChainId: 1 } }],
    [{ PROOFGATE_LIMITS_ENABLED: 'false' }, { limits: { enabled: false } }],
    [{ PROOFGATE_LIMITS_RATES_API: '1/2h' }, { limits: { rates: { api: { count: 1, windowMs: 7_200_000 } } } }],
    [{ PROOFGATE_LOG_LEVEL: 'debug' }, { log: { level: 'debug' } }],
    [{ PROOFGATE_PROXY_TRUSTED: '10.0.0.0/8, ::1/128' }, { proxy: { trusted: ['10.0.0.0/8', '::1/128'] } }],
    [{ PROOFGATE_SIGNING_ACCEPTED_TITLES: '["One, two"]' }, { signing: { acceptedTitles: ['One, two'] } }],
    [{ PROOFGATE_CORS_ORIGINS: '[]' }, { cors: { origins: [] } }],
    [{ PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key' }, { verifiers: { access: { 'agent-identity': 'key' } } }],
    [{ PROOFGATE_MASTER_KEY: key }, { masterKey: key }],
    [{ PROOFGATE_BRAND: 'acme' }, { verifiers: { pseudonymNamespace: 'acme' } }],
    [{ PROOFGATE_PORT: '' }, { port: 8787 }],
    [{ PATH: '/bin', OTHER_PORT: 'x' }, { port: 8787 }],
  ])('%j', async (env, expected) => {
    expect(await load({ env })).toMatchObject(expected)
  })

  test('wins over the file, also where the file is wrong', async () => {
    expect((await load({ toml: 'port = "wrong"', env: { PROOFGATE_PORT: '1' } })).port).toBe(1)
  })

  test('changes one entry of a table and leaves the others', async () => {
    const toml = '[verifiers.access]\n"wallet-link" = "key"\nagent-identity = "public"'
    const config = await load({ toml, env: { PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key' } })
    expect(config.verifiers.access).toEqual({ 'wallet-link': 'key', 'agent-identity': 'key' })
  })

  test.each([
    ['PROOFGATE_PORT', 'abc', 'expected a whole number from 0 to 65535, found "abc" (example: PROOFGATE_PORT=8787)'],
    ['PROOFGATE_PORT', '0x10', 'expected a whole number from 0 to 65535, found "0x10" (example: PROOFGATE_PORT=8787)'],
    ['PROOFGATE_PORT', '99999', 'expected a whole number from 0 to 65535, found 99999 (example: PROOFGATE_PORT=8787)'],
    [
      'PROOFGATE_SIGNING_HUB_CHAIN_ID',
      '9007199254740993',
      'expected a whole number of at least 1, found "9007199254740993" (example: PROOFGATE_SIGNING_HUB_CHAIN_ID=84532)',
    ],
    ['PROOFGATE_DOCS_ENABLED', 'yes', 'expected true or false, found "yes" (example: PROOFGATE_DOCS_ENABLED=true)'],
    [
      'PROOFGATE_PROXY_TRUSTED',
      '10.0.0.0/8,x',
      'expected an address or CIDR range, found "x" (example: PROOFGATE_PROXY_TRUSTED=127.0.0.1/32,10.0.0.0/8)',
    ],
    [
      'PROOFGATE_PROXY_TRUSTED',
      '[oops',
      'expected IPv4 or IPv6 addresses or CIDR ranges, found "[oops" (example: PROOFGATE_PROXY_TRUSTED=127.0.0.1/32,10.0.0.0/8)',
    ],
    [
      'PROOFGATE_VERIFIERS_ACCESS_WALLET_LINK',
      'pro',
      'expected one of "public", "key", found "pro" (example: PROOFGATE_VERIFIERS_ACCESS_WALLET_LINK=key)',
    ],
    ['PROOFGATE_PROT', '1', 'there is no such setting; did you mean PROOFGATE_PORT? (example: PROOFGATE_PORT=8787)'],
    ['PROOFGATE_port', '1', 'there is no such setting; did you mean PROOFGATE_PORT? (example: PROOFGATE_PORT=8787)'],
    ['PROOFGATE_HUBCHAINID', '1', 'there is no such setting'],
    ['PROOFGATE_CONFG', 'x', 'there is no such setting; did you mean PROOFGATE_CONFIG?'],
    ['PROOFGATE_SIGNING', 'x', 'there is no such setting'],
    ['PROOFGATE_', 'x', 'there is no such setting'],
    ['PROOFGATE_PORT_FILE', 'x', 'only a secret is read from a file; set PROOFGATE_PORT itself'],
    ['PROOFGATE_MASTERKEY_FILE', 'x', 'there is no such setting; did you mean PROOFGATE_MASTER_KEY_FILE?'],
    [
      'PROOFGATE_PORT',
      'tcp://10.0.0.1:8787',
      'Kubernetes made this variable for a service named proofgate; set enableServiceLinks: false in the pod',
    ],
    [
      'PROOFGATE_PORT_8787_TCP_ADDR',
      '10.0.0.1',
      'Kubernetes made this variable for a service named proofgate; set enableServiceLinks: false in the pod',
    ],
  ])('%s=%s is refused', async (name, value, problem) => {
    expect(await messages({ env: { [name]: value } })).toEqual([`environment: ${name}: ${problem}`])
  })
})

describe('a secret', () => {
  test('comes from the credential of systemd that has the name of its variable', async () => {
    const cwd = folder({ 'credentials/PROOFGATE_MASTER_KEY': `${key}\n`, 'credentials/other': 'not a setting' })
    const env = { CREDENTIALS_DIRECTORY: join(cwd, 'credentials') }
    expect((await load({ cwd, env })).masterKey).toBe(key)
    expect(await messages({ cwd, env: { ...env, PROOFGATE_MASTER_KEY: key } })).toEqual([
      expect.stringContaining('PROOFGATE_MASTER_KEY is set as well; set one of the two'),
    ])
    expect((await load({ cwd, env: { CREDENTIALS_DIRECTORY: join(cwd, 'none') } })).masterKey).toBeUndefined()
  })

  test('comes from the file that …_FILE names, without the line end', async () => {
    const cwd = folder({ 'run/key': `${key}\r\n` })
    expect((await load({ cwd, env: { PROOFGATE_MASTER_KEY_FILE: 'run/key' } })).masterKey).toBe(key)
    expect((await load({ cwd, env: { PROOFGATE_MASTER_KEY_FILE: `${cwd}/run/key` } })).masterKey).toBe(key)
  })

  test('from a file wins over the one in proofgate.toml', async () => {
    const cwd = folder({ key, 'proofgate.toml': `master_key = "${'cd'.repeat(32)}"` })
    expect((await load({ cwd, env: { PROOFGATE_MASTER_KEY_FILE: 'key' } })).masterKey).toBe(key)
  })

  test.each([
    ['missing', 'nope', 'there is no such file'],
    ['a folder', '.', 'this is a folder, not a file'],
    ['empty', 'empty', 'this file is empty'],
    ['far too large', 'large', 'this file is larger than 65536 bytes'],
  ])('is refused when its file is %s', async (_, file, problem) => {
    const cwd = folder({ empty: ' \n', large: 'x'.repeat(70_000) })
    expect(await messages({ cwd, env: { PROOFGATE_MASTER_KEY_FILE: file } })).toEqual([
      `environment: PROOFGATE_MASTER_KEY_FILE: ${problem} (${join(cwd, file)}): put the right file there, or correct the name (example: PROOFGATE_MASTER_KEY_FILE=/run/secrets/name)`,
    ])
  })

  test('given twice is refused', async () => {
    const env = { PROOFGATE_MASTER_KEY_FILE: 'key', PROOFGATE_MASTER_KEY: key }
    expect(await messages({ cwd: folder({ key }), env })).toEqual([
      'environment: PROOFGATE_MASTER_KEY_FILE: PROOFGATE_MASTER_KEY is set as well; set one of the two (example: PROOFGATE_MASTER_KEY_FILE=/run/secrets/name)',
    ])
  })

  const leak = 'deadbeefdeadbeef'
  test.each([
    ['in the file', { toml: `master_key = "${leak}"` }],
    ['in the file without quotes', { toml: `master_key = ${leak}` }],
    ['in the file as a list', { toml: `master_key = ["${leak}"]` }],
    ['in the file as a table', { toml: `master_key = { x = "${leak}" }` }],
    ['in the file under a wrong name', { toml: `masterkey = "${leak}"` }],
    ['in the file, followed by more', { toml: `master_key = "${leak}" "${leak}"` }],
    ['in the environment', { env: { PROOFGATE_MASTER_KEY: leak } }],
    ['in the environment under a wrong name', { env: { PROOFGATE_MASTERKEY: leak } }],
  ])('is never shown when it is wrong %s', async (_, given) => {
    const all = await findings(given)
    expect(all).toHaveLength(1)
    expect(JSON.stringify(all)).not.toContain(leak)
  })

  test('is never shown when it is wrong in its file', async () => {
    const all = await findings({ cwd: folder({ key: leak }), env: { PROOFGATE_MASTER_KEY_FILE: 'key' } })
    expect(all.map(({ message }) => message)).toEqual([
      'environment: PROOFGATE_MASTER_KEY_FILE: expected 64 hexadecimal digits, found 16 characters (not shown: a secret) (example: PROOFGATE_MASTER_KEY_FILE=/run/secrets/name)',
    ])
  })
})

test('no two settings share a variable, and none has the name of another one’s file', () => {
  const own = listSettings(settings).map(({ path }) => nameVariable(path))
  const names = [...own, ...own.map((name) => `${name}_FILE`), 'PROOFGATE_CONFIG']
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
