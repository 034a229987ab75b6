import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Config, ConfigError, loadConfig } from '../../src/config/load.ts'
import { readVerifierTables } from '../../src/verifiers/settings.ts'
import { findings, folders, load, messages } from './folder.ts'

const folder = folders()

describe('with nothing configured', () => {
  test('every setting has its default', async () => {
    const cwd = folder()

    expect(await loadConfig({ env: {}, cwd })).toEqual<object>({
      host: '127.0.0.1',
      port: 8787,
      data: join(cwd, 'data'),
      brand: 'svc',
      database: { connections: 16, replicaLagSeconds: 5 },
      signing: {
        hubChainId: 84532,
        acceptedTitles: [],
        maxAgeSeconds: 300,
        maxAheadSeconds: 60,
        linkMaxAgeSeconds: 3600,
        requireAudience: 'changes',
        recovery: 'auto',
      },
      updates: {},
      verifiers: {
        disabled: [],
        appLinks: false,
        access: {},
        pseudonymTtlDays: 0,
        pseudonymNamespace: 'svc',
      },
      chains: {},
      backup: {
        schedule: '7 * * * *',
        drillSchedule: '37 3 * * *',
        withoutSecrets: false,
        keepHourly: 24,
        keepDaily: 7,
        keepWeekly: 5,
        continuous: false,
        continuousHours: 48,
        beforeUpgrade: true,
      },
      dns: { resolvers: [], requireDnssec: false },
      risk: {
        policy: 'all',
        selectable: [],
        maxLevel: 'medium',
        webacy: { url: 'https://api.webacy.com' },
        goplus: { enabled: false, url: 'https://api.gopluslabs.io' },
        chainalysis: { url: 'https://public.chainalysis.com' },
      },
      moderation: {
        policy: 'all',
        selectable: [],
        openai: { url: 'https://api.openai.com/v1', model: 'omni-moderation-latest' },
        googleVision: { url: 'https://vision.googleapis.com' },
      },
      human: {
        validDays: 180,
        walletsPerPerson: 1,
        scopes: [],
        zkpassport: {
          verifier: '0x1D000001000EFD9a6371f4d90bB8920D5431c0D8',
          sanctionsRegistry: 3,
          salted: false,
          devMode: false,
        },
        semaphore: { roots: [], contract: '0x8A1fd199516489B0Fb7153EB5f075cDAC83c693D' },
        worldid: { credentials: ['orb', 'proof_of_human'], url: 'https://developer.worldcoin.org' },
        passport: { minScore: 20, url: 'https://api.passport.xyz' },
      },
      ipfs: {},
      publishing: { wallets: [], confirmations: 6, maxFeeGwei: 100, bumpAfterSeconds: 60, giveUpAfterMinutes: 1440 },
      gates: { acceptBareWallet: false, perOwner: 100, versionsKb: 4096 },
      payments: {
        quoteMinutes: 60,
        reservationMinutes: 15,
        watchHours: 72,
        stablecoin: {},
        stripe: { url: 'https://api.stripe.com', live: true },
        x402: { tokenName: 'USD Coin', tokenVersion: '2' },
      },
      auth: { sessionDays: 30, keysPerProfile: 50, auditDays: 365 },
      operator: { wallets: [] },
      social: {},
      apps: {},
      oauth: {
        refreshGraceSeconds: 0,
        refreshIdleDays: 30,
        grantDays: 365,
        signingAlg: 'ES256',
        registration: true,
        redirectSchemes: ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'claude', 'zed'],
        clientMetadataDocuments: false,
      },
      mcp: { enabled: true, allowedOrigins: [], advertiseOfflineAccess: true },
      outside: { timeoutSeconds: 5, attempts: 2, privateNetworks: [] },
      limits: {
        enabled: true,
        several: 'divide',
        bodyBytes: 524_288,
        jsonDepth: 32,
        monitors: [],
        rates: {
          api: { count: 1200, windowMs: 60_000 },
          preflight: { count: 1200, windowMs: 60_000 },
          foreign: { count: 600, windowMs: 60_000 },
          create: { count: 50, windowMs: 900_000 },
          reads: { count: 600, windowMs: 60_000 },
          prepare: { count: 300, windowMs: 60_000 },
          owner: { count: 120, windowMs: 60_000 },
          sessions: { count: 60, windowMs: 60_000 },
          pairing: { count: 60, windowMs: 60_000 },
          pictures: { count: 60, windowMs: 60_000 },
          token: { count: 300, windowMs: 60_000 },
          register: { count: 20, windowMs: 60_000 },
          mcp: { count: 600, windowMs: 60_000 },
          health: { count: 300, windowMs: 60_000 },
        },
        bytes: {
          network: { count: 536_870_912, windowMs: 86_400_000 },
          owner: { count: 134_217_728, windowMs: 86_400_000 },
        },
      },
      proxy: { trusted: [] },
      cors: {},
      sweep: { schedule: '*/5 * * * *', batch: 1000 },
      server: { drainSeconds: 0, shutdownSeconds: 10 },
      log: { level: 'info', format: 'text', access: false, refusals: false },
      metrics: { enabled: false, host: '127.0.0.1', port: 8788 },
      storage: {
        writer: 'auto',
        writeTimeoutSeconds: 10,
        walLimitMb: 64,
        cacheMb: 64,
        minFreeMb: 256,
        reserveMb: 32,
        checkHours: 24,
        expectExisting: false,
        trustLocks: false,
      },
      docs: { enabled: true },
      pages: { returnOrigins: [], handoverSites: [] },
    })
  })

  test('files are named from the working directory', async () => {
    const cwd = folder({ 'proofgate.toml': '[risk]\ndeny_list = "deny.txt"', 'deny.txt': '' })
    expect(readVerifierTables(await loadConfig({ env: {}, cwd })).risk.denyList).toBe(join(cwd, 'deny.txt'))
  })

  test('names the place of backups from the working directory, and leaves a bucket as it is', async () => {
    const cwd = folder()
    const bucketKeys = { PROOFGATE_BACKUP_BUCKET_KEY_ID: 'id', PROOFGATE_BACKUP_BUCKET_SECRET_KEY: 'secret' }
    const readPlace = async (to: string) =>
      (
        await loadConfig({
          env: { PROOFGATE_BACKUP_TO: to, ...bucketKeys, PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true' },
          cwd,
        })
      ).backup.to
    expect(await readPlace('./backups')).toBe(join(cwd, 'backups'))
    expect(await readPlace('s3://bucket/prefix')).toBe('s3://bucket/prefix')
  })

  test('the types of the values are those that the code is written against', async () => {
    const config: Config = await load()
    const typed: {
      chain: number
      recovery: 'auto' | 'native' | 'wasm'
      titles: readonly string[]
      rate: { readonly count: number; readonly windowMs: number }
      access: 'public' | 'key' | undefined
      address: string | undefined
    } = {
      chain: config.signing.hubChainId,
      recovery: config.signing.recovery,
      titles: config.signing.acceptedTitles,
      rate: config.limits.rates.api,
      access: config.verifiers.access['wallet-link'],
      address: config.baseUrl,
    }
    expect(() => {
      // @ts-expect-error Nobody writes to the configuration.
      config.port = 1
    }).toThrow()
    expect(typed.access).toBeUndefined()
  })

  test('the loaded values are frozen', async () => {
    const config = await load()
    const parts = [
      config,
      config.signing,
      config.signing.acceptedTitles,
      config.limits.rates.api,
      config.verifiers.access,
    ]
    expect(parts.map(Object.isFrozen)).toEqual(parts.map(() => true))
  })

  test('one load does not share its values with the next', async () => {
    expect((await load()).proxy.trusted).not.toBe((await load()).proxy.trusted)
  })
})

describe('a file', () => {
  test('changes the named settings and leaves the rest', async () => {
    const config = await load({
      toml: `
        port = 9000
        brand = "acme"
        base_url = "https://example.com/proofs"
        signing.hub_chain_id = 8453
        [limits.rates]
        create = "5/90s"
        [verifiers.access]
        "agent-identity" = "key"`,
    })

    expect(config).toMatchObject({
      port: 9000,
      brand: 'acme',
      baseUrl: 'https://example.com/proofs',
      signing: { hubChainId: 8453, maxAgeSeconds: 300 },
      limits: { rates: { create: { count: 5, windowMs: 90_000 } } },
      verifiers: { access: { 'agent-identity': 'key' }, pseudonymNamespace: 'acme' },
    })
  })

  test('with an empty text for a setting without default leaves it unset', async () => {
    const config = await load({ toml: 'base_url = ""\nmaster_key = ""\nverifiers.pseudonym_namespace = ""' })
    expect(config.verifiers).toMatchObject({ pseudonymNamespace: 'svc' })
    expect(Object.keys(config)).not.toContain('baseUrl')
    expect(Object.keys(config)).not.toContain('masterKey')
  })

  test.each([
    ['with CRLF line ends', 'port = 1\r\n[log]\r\nlevel = "warn"\r\n'],
    ['with a byte order mark', '\ufeffport = 1\nlog.level = "warn"'],
    ['with an inline table', 'port = 1\nlog = { level = "warn" }'],
    ['with other notations', '"port" = 0x1\n[ "log" ] # c\n\'level\' = """warn"""'],
  ])('%s is read', async (_, toml) => {
    expect(await load({ toml })).toMatchObject({ port: 1, log: { level: 'warn' } })
  })
})

describe('the file that is read', () => {
  const files = {
    'proofgate.toml': 'port = 1',
    'elsewhere/proofgate.toml': 'port = 2',
    'named.toml': 'port = 3',
    'other.toml': 'port = 4',
  }
  test.each([
    ['the one beside the default data folder', {}, {}, 1],
    ['the one beside the data folder of the environment', {}, { PROOFGATE_DATA: 'elsewhere/data' }, 2],
    ['the one of --config', { file: 'named.toml' }, { PROOFGATE_CONFIG: 'other.toml' }, 3],
    ['the one of PROOFGATE_CONFIG', {}, { PROOFGATE_CONFIG: 'other.toml' }, 4],
    ['none', {}, { PROOFGATE_DATA: 'no/such/data' }, 8787],
    ['the one beside the data folder when PROOFGATE_CONFIG is empty', {}, { PROOFGATE_CONFIG: '' }, 1],
  ])('%s', async (_, input, env, port) => {
    expect((await loadConfig({ ...input, env, cwd: folder(files) })).port).toBe(port)
  })

  test('must exist when it is named, and the error says who named it', async () => {
    const cwd = folder({ 'proofgate.toml': 'port = 1' })
    expect(await messages({ cwd, file: 'nope.toml' })).toEqual([
      `nope.toml: there is no such file (${cwd}/nope.toml): put the right file there, or correct the name in --config (example: --config proofgate.toml)`,
    ])
    expect(await messages({ cwd, env: { PROOFGATE_CONFIG: 'nope.toml' } })).toEqual([
      `nope.toml: there is no such file (${cwd}/nope.toml): put the right file there, or correct the name in PROOFGATE_CONFIG (example: --config proofgate.toml)`,
    ])
  })

  test.each([
    ['a folder', { file: '.' }, 'this is a folder, not a file'],
    ['no name', { file: '' }, 'the name of a file is missing'],
    ['a file that is not text', { toml: new Uint8Array([0xff, 0xfe, 0x70, 0x00]) }, 'not UTF-8 text'],
    ['a file that is far too large', { toml: `#${'x'.repeat(1_100_000)}` }, 'larger than 1048576 bytes'],
    ['a name that no file can have', { file: 'a\0b' }, 'cannot be read'],
  ])('%s is an error', async (_, given, problem) => {
    const [only, ...more] = await messages(given)
    expect(only).toContain(problem)
    expect(more).toEqual([])
  })
})

describe('a wrong value', () => {
  test.each([
    [
      '[signing]\nhub_chain_id = "base"',
      'proofgate.toml:2: signing.hub_chain_id: expected a whole number of at least 1, found "base" (example: hub_chain_id = 84532)',
    ],
    [
      'signing.hub_chain_id = 1.5',
      'proofgate.toml:1: signing.hub_chain_id: expected a whole number of at least 1, found 1.5 (example: hub_chain_id = 84532)',
    ],
    [
      '\n\nport = 65536',
      'proofgate.toml:3: port: expected a whole number from 0 to 65535, found 65536 (example: port = 8787)',
    ],
    [
      '[signing]\nmax_age_seconds = 300_000',
      'proofgate.toml:2: signing.max_age_seconds: expected a whole number from 1 to 86400 (seconds), found 300000 (example: max_age_seconds = 300)',
    ],
    [
      'port = inf',
      'proofgate.toml:1: port: expected a whole number from 0 to 65535, found Infinity (example: port = 8787)',
    ],
    [
      'host = 1979-05-27',
      'proofgate.toml:1: host: expected an IP address or host name, without http:// and without a port, found the date or time 1979-05-27 (example: host = "0.0.0.0")',
    ],
    [
      '[docs]\nenabled = "yes"',
      'proofgate.toml:2: docs.enabled: expected true or false, found "yes" (example: enabled = true)',
    ],
    [
      '[log]\nlevel = "trace"',
      'proofgate.toml:2: log.level: expected one of "error", "warn", "info", "debug", found "trace" (example: level = "debug")',
    ],
    [
      '[log]\nlevel = []',
      'proofgate.toml:2: log.level: expected one of "error", "warn", "info", "debug", found [] (example: level = "debug")',
    ],
    ['signing = 5', 'proofgate.toml:1: signing: expected a table, found 5 (example: [signing])'],
    [
      'signing = 1979-05-27',
      'proofgate.toml:1: signing: expected a table, found the date or time 1979-05-27 (example: [signing])',
    ],
    ['[[signing]]\nhub_chain_id = 1', 'proofgate.toml:1: signing: expected a table, found a list (example: [signing])'],
    ['[port]', 'proofgate.toml:1: port: expected a whole number from 0 to 65535, found a table (example: port = 8787)'],
    [
      '[proxy]\ntrusted = [\n  "10.0.0.0/8",\n  "10.0.0.0/33",\n]',
      'proofgate.toml:4: proxy.trusted[1]: expected an address or CIDR range, found "10.0.0.0/33" (example: trusted = ["127.0.0.1/32", "10.0.0.0/8"])',
    ],
    [
      '[verifiers]\naccess = { wallet-link = "key", agent-identity = "pro" }',
      'proofgate.toml:2: verifiers.access.agent-identity: expected one of "public", "key", found "pro" (example: agent-identity = "key")',
    ],
    [
      '[verifiers.access]\n"Agent Identity" = "key"',
      'proofgate.toml:2: verifiers.access."Agent Identity": this name cannot stand here; expected a verifier id (example: agent-identity = "key")',
    ],
    [
      '[limits.rates]\nhealth = "300 per minute"',
      'proofgate.toml:2: limits.rates.health: expected COUNT/WINDOW with a window of at most 24 hours in s, m or h, found "300 per minute" (example: health = "300/1m")',
    ],
    [
      '[cors]\norigins = ["*", "https://a.example"]',
      'proofgate.toml:2: cors.origins: expected "*" alone, or origins such as https://app.example.com (no path, no trailing slash), found ["*", "https://a.example"] (example: origins = ["https://app.example.com"])',
    ],
  ])('%j', async (toml, message) => {
    expect(await messages({ toml })).toEqual([message])
  })

  test.each([
    ['host', ['http://x', '127.0.0.1:80', '256.0.0.1', 'fe80::1%eth0', '']],
    [
      'base_url',
      [
        'example.com',
        'https://example.com/',
        'https://example.com/a/',
        'https://example.com?',
        'https://example.com#',
        'https://Example.com',
        'http://example.com:80',
        'ftp://example.com',
        'https://u@example.com',
        'https://example.com/a/../b',
      ],
    ],
    ['brand', ['s', 'Svc', '1a', 'a-b', 'abcdefghijklmnopq']],
    [
      'signing.accepted_titles',
      [[''], [' a'], ['a\n'], ['\u202eabc'], ['x'.repeat(101)], ['a', 'a'], Array.from('abcdefghi')],
    ],
    ['verifiers.enabled', [[], ['Ownership'], ['']]],
    ['verifiers.pseudonym_namespace', ['Acme', '-a', 'a'.repeat(65)]],
    ['limits.rates.api', ['0/1m', '1/0m', '1/25h', '1/1d', '1m', '1/1m ']],
    [
      'proxy.trusted',
      [['10.0.0.0/'], ['10.0.0.0/033'], ['::1/129'], ['localhost'], ['fe80::1%eth0/64'], ['1.2.3.4/8/8']],
    ],
    [
      'cors.origins',
      [['https://a.example/'], ['https://a.example/x'], ['a.example'], ['https://a.example:443'], ['null']],
    ],
    ['sweep.schedule', ['every day', '* * * *', '* * * * * *', '60 * * * *', '*/0 * * * *', '1-99999999999 * * * *']],
  ] as [string, unknown[]][])('%s refuses what could not work', async (key, values) => {
    for (const value of values) {
      const all = await findings({ toml: `${key} = ${JSON.stringify(value)}` })
      expect([value, all.map((one) => one.key.split('[')[0])]).toEqual([value, [key]])
    }
  })

  test.each([
    ['host', ['::', '::1', 'localhost', 'proofs.example.com', '10.0.0.1']],
    ['base_url', ['https://example.com', 'http://localhost:8787', 'http://[::1]:8787', 'https://example.com/a/b']],
    ['signing.accepted_titles', [['Älterer Titel'], Array.from('abcdefgh'), ['x'.repeat(100)]]],
    ['proxy.trusted', [['10.0.0.1'], ['0.0.0.0/0', '::/0'], ['fd00::/8']]],
    ['cors.origins', [[], ['http://localhost:3000', 'https://a.example']]],
    ['apps.shop.origins', [[], ['http://localhost:3000', 'https://a.example']]],
    ['apps."com.example:Shop_1".origins', [['https://a.example']]],
    ['sweep.schedule', ['0 3 * * *', '*/10 * * * *', '5,35 * * * mon-fri']],
    ['limits.rates.api', ['1/1s', '9999999/24h']],
  ] as [string, unknown[]][])('%s takes what works', async (key, values) => {
    for (const value of values)
      expect([value, await messages({ toml: `${key} = ${JSON.stringify(value)}` })]).toEqual([value, []])
  })
})

describe('an unknown name', () => {
  test.each([
    ['prot = 1', 'proofgate.toml:1: prot: there is no such setting; did you mean port? (example: port = 8787)'],
    [
      '[signing]\nhubChainId = 1',
      'proofgate.toml:2: signing.hubChainId: there is no such setting; did you mean signing.hub_chain_id? (example: hub_chain_id = 84532)',
    ],
    [
      'hub_chain_id = 1',
      'proofgate.toml:1: hub_chain_id: there is no such setting; it belongs below [signing] (example: hub_chain_id = 84532)',
    ],
    [
      '[log]\nbrand = "x1"',
      'proofgate.toml:2: log.brand: there is no such setting; it belongs at the top, before the first [table] (example: brand = "svc")',
    ],
    [
      '[log]\nbase-url = "x"',
      'proofgate.toml:2: log.base-url: there is no such setting; did you mean base_url? (example: base_url = "https://proofs.example.com")',
    ],
    [
      '[sinning]\nx = 1\ny = 2',
      'proofgate.toml:1: sinning: there is no such table; did you mean signing? (example: [signing])',
    ],
    [
      '[rates]\napi = "1/1s"',
      'proofgate.toml:1: rates: there is no such table; it belongs below [limits] (example: [limits.rates])',
    ],
    ['completely_different = 1', 'proofgate.toml:1: completely_different: there is no such setting'],
    ['constructor = 1', 'proofgate.toml:1: constructor: there is no such setting'],
    ['__proto__ = 1', 'proofgate.toml:1: __proto__: there is no such setting'],
    [
      'verifiers.access.__proto__ = "key"',
      'proofgate.toml:1: verifiers.access.__proto__: this name cannot stand here; expected a verifier id (example: agent-identity = "key")',
    ],
  ])('%j', async (toml, message) => {
    expect(await messages({ toml })).toEqual([message])
  })
})

describe('text that is not TOML', () => {
  test.each([
    ['port = 1\n\nport = 2', 'proofgate.toml:3: port: set twice, first in line 1 (example: port = 8787)'],
    ['[log]\nlevel = "info"\n[docs]\n[log]', 'proofgate.toml:4: log: set twice, first in line 1 (example: [log])'],
    [
      'port = 1\nhost = localhost\n',
      'proofgate.toml:2: host: expected an IP address or host name, without http:// and without a port, found text without quotes (example: host = "0.0.0.0")',
    ],
    [
      '[docs]\nenabled = True',
      'proofgate.toml:2: docs.enabled: expected true or false, found text without quotes (example: enabled = true)',
    ],
    [
      'signing.hub_chain_id = 9007199254740993',
      'proofgate.toml:1: signing.hub_chain_id: expected a whole number of at least 1, found a number that is too large (example: hub_chain_id = 84532)',
    ],
    [
      'data = "C:\\Users"',
      "proofgate.toml:1: data: a \\ in double quotes has a meaning of its own: write \\\\, or put the text in single quotes (example: data = 'C:\\proofgate')",
    ],
    [
      'port = 1\n[log\nlevel = "info"',
      'proofgate.toml:2: log: not valid TOML: a name here holds a character that needs quotes, or the ] after the name of a table is missing (example: [log])',
    ],
    [
      'port =\nhost = "x"',
      'proofgate.toml:1: port: not valid TOML: the value after = is missing; it must be on the same line (example: port = 8787)',
    ],
    [
      '[cors]\norigins = [\n  "https://a.example",\n  "https://b.example"\n  "https://c.example"\n]',
      'proofgate.toml:5: cors.origins: not valid TOML: a comma, or the bracket that closes the list or table, is missing before this (example: origins = ["https://app.example.com"])',
    ],
    [
      'port = 1\nunheard of = 1',
      'proofgate.toml:2: unheard: not valid TOML: a name here holds a character that needs quotes, or the ] after the name of a table is missing (example: host = "127.0.0.1")',
    ],
    [
      'a = """\nb\n"""\nc = """\nd',
      'proofgate.toml:4: c: not valid TOML: a text in quotes is never closed: the second quote may be missing (example: host = "127.0.0.1")',
    ],
    [
      `a = ${'['.repeat(100_000)}`,
      'proofgate.toml:1: a: not valid TOML: nested too deeply (example: host = "127.0.0.1")',
    ],
  ])('%#', async (toml, message) => {
    expect(await messages({ toml })).toEqual([message])
  })

  test('a large file with an error at its end is answered soon', async () => {
    const toml = `${'# comment\n'.repeat(20_000)}${Array.from({ length: 10_000 }, (_, i) => `k${i} = [\n1,\n]`).join('\n')}\noops`
    const started = performance.now()
    expect((await findings({ toml }))[0]?.line).toBe(50_001)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('the list of all mistakes', () => {
  test('is reported at once, down the file and then the environment', async () => {
    const given = {
      toml: 'port = "a"\nbrnad = "b"\n[log]\nlevel = 1',
      env: { PROOFGATE_HOST: '//', PROOFGATE_BRNAD: 'x' },
    }
    expect((await findings(given)).map(({ source, line, key }) => [source, line, key])).toEqual([
      ['proofgate.toml', 1, 'port'],
      ['proofgate.toml', 2, 'brnad'],
      ['proofgate.toml', 4, 'log.level'],
      ['environment', undefined, 'PROOFGATE_BRNAD'],
      ['environment', undefined, 'PROOFGATE_HOST'],
    ])
  })

  test('is one error, whose message has a line for each mistake', async () => {
    const error = await load({ toml: 'port = "a"\nhost = 1' }).catch((error) => error)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error.message.split('\n')).toEqual(error.findings.map(({ message }: { message: string }) => message))
    expect(error.findings[0]).toEqual({
      source: 'proofgate.toml',
      line: 1,
      key: 'port',
      expected: 'a whole number from 0 to 65535',
      got: '"a"',
      example: 'port = 8787',
      message: 'proofgate.toml:1: port: expected a whole number from 0 to 65535, found "a" (example: port = 8787)',
    })
  })
})
