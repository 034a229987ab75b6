import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { listSettings, nameVariable } from '../../src/config/outline.ts'
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
    ['PROOFGATE_PORTS_FILE', 'x', 'there is no such setting; did you mean PROOFGATE_PORT_FILE?'],
    ['PROOFGATE_CONFIG_FILE', 'x', 'PROOFGATE_CONFIG names the configuration file itself: set that one'],
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

const wallets = ['0x2682F1afA9e879dCeA444D8d93895c4bCbf55076', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']

describe('the file of a setting', () => {
  test.each<[string, string, object]>([
    ['PORT', '80\n', { port: 80 }],
    ['BASE_URL', 'https://a.example\n', { baseUrl: 'https://a.example' }],
    ['LIMITS_ENABLED', 'false', { limits: { enabled: false } }],
    ['LIMITS_RATES_API', '1/2h', { limits: { rates: { api: { count: 1, windowMs: 7_200_000 } } } }],
    ['LOG_FILE', 'x.log', { log: { file: 'x.log' } }],
    ['SIGNING_ACCEPTED_TITLES', '[\n  "One, two", # kept\n]', { signing: { acceptedTitles: ['One, two'] } }],
    ['OPERATOR_WALLETS', `${wallets.join(',')}\n`, { operator: { wallets } }],
    ['OPERATOR_WALLETS', `# the two of us\r\n\r\n${wallets.join('\r\n')}\r\n`, { operator: { wallets } }],
    ['OPERATOR_WALLETS', '# nobody\n', { operator: { wallets: [] } }],
    ['VERIFIERS_ACCESS_AGENT_IDENTITY', 'key', { verifiers: { access: { 'agent-identity': 'key' } } }],
  ])('gives its value: %s = %j', async (name, text, expected) => {
    const cwd = folder({ value: text })
    const found = await load({ cwd, env: { [`PROOFGATE_${name}_FILE`]: 'value' } })
    expect(JSON.parse(JSON.stringify(found).replaceAll(cwd, ''))).toMatchObject(expected)
  })

  test('may be a credential of systemd for any setting', async () => {
    const cwd = folder({ 'credentials/PROOFGATE_OPERATOR_WALLETS': `${wallets[0]}\n` })
    const found = await load({ cwd, env: { CREDENTIALS_DIRECTORY: join(cwd, 'credentials') } })
    expect(found.operator.wallets).toEqual([wallets[0]!])
  })

  test('may name the data folder, and proofgate.toml beside that is read', async () => {
    const cwd = folder({ place: './elsewhere/data\n', 'elsewhere/proofgate.toml': 'brand = "acme"' })
    const found = await load({ cwd, env: { PROOFGATE_DATA_FILE: 'place' } })
    expect(found).toMatchObject({ brand: 'acme', data: join(cwd, 'elsewhere/data') })
  })

  test('with a wrong value is refused with a right one', async () => {
    const cwd = folder({ value: `${wallets[0]}\nmallory\n` })
    expect(await messages({ cwd, env: { PROOFGATE_OPERATOR_WALLETS_FILE: 'value' } })).toEqual([
      `environment: PROOFGATE_OPERATOR_WALLETS_FILE: expected a wallet, found "mallory" (example: in the file: ${wallets[0]})`,
    ])
    expect(await messages({ cwd, env: { PROOFGATE_PORT_FILE: 'value' } })).toEqual([
      expect.stringMatching(
        /^environment: PROOFGATE_PORT_FILE: expected a whole number from 0 to 65535, found ".*" \(example: in the file: 8787\)$/,
      ),
    ])
  })

  test('that cannot be read is refused by its name, also for the data folder', async () => {
    const cwd = folder()
    const env = { PROOFGATE_DATA_FILE: 'none', PROOFGATE_OPERATOR_WALLETS_FILE: 'none' }
    expect((await findings({ cwd, env })).map(({ key }) => key)).toEqual([
      'PROOFGATE_DATA_FILE',
      'PROOFGATE_OPERATOR_WALLETS_FILE',
    ])
  })

  test('does not take the place of an entry that the configuration has under that name', async () => {
    const toml = '[verifiers.access]\nagent-identity-file = "key"'
    const env = { PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY_FILE: 'public' }
    const found = await load({ toml, env })
    expect<object>(found.verifiers.access).toEqual({ 'agent-identity-file': 'public' })
  })
})

test('no two settings share a variable, and none has the name of another one’s file', () => {
  const own = listSettings(settings).map(({ path }) => nameVariable(path))
  const names = [...own, ...own.map((name) => `${name}_FILE`), 'PROOFGATE_CONFIG']
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
