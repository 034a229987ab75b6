/** Messages name existing settings, so that an operator can change them. */
import { describe, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { loadConfig } from '../../src/config/load.ts'
import { isTable, nameVariable, readEntrySchema, readMemberSchema } from '../../src/config/outline.ts'
import { listAdvice } from '../../src/doctor/advice.ts'
import { examineAll } from '../../src/doctor/examine.ts'
import { openOutside } from '../../src/outside/open.ts'
import { settings } from '../../src/settings.ts'
import { readVerifierTables } from '../../src/verifiers/settings.ts'
import { sourceTexts } from '../source-texts.ts'

/** Finds the schema of `chains.<name>.rpc[0]` or `chains.*.rpc[*]`: a placeholder is any key of the operator. */
function findSchema(name: string): TSchema | undefined {
  let schema: TSchema | undefined = settings
  for (const step of name.replace(/\[[0-9*]\]/g, '.0').split('.')) {
    if (schema === undefined) return undefined
    const isAnyKey = step === '*' || step.startsWith('<')
    // In a table with fixed members, a placeholder does not say which one is meant.
    if (isAnyKey && !readEntrySchema(schema) && isTable(schema)) return schema
    schema = readMemberSchema(schema, step === '0' ? 0 : isAnyKey ? 'any' : step)
  }
  return schema
}

const tables = Object.entries(settings.properties).flatMap(([name, schema]) =>
  isTable(schema) || readEntrySchema(schema) ? [name] : [],
)
const dotted = new RegExp(
  `(?<![\\w./@*$-])(?:${tables.join('|')})(?:\\.(?:[a-z][a-z0-9_]*|<[a-z]+>|\\*)|\\[[0-9*]\\])+(?!\\w)`,
  'g',
)
/** Texts that look like the name of a setting. */
const others = new Set(['pages.css', 'gates[*]', 'payments.x402.token_', 'gates.id'])

/** Names of one step, as a table of the operator holds them: `stale_after_seconds`, `client_id`. */
const steps = new Set<string>()
function collect(schema: TSchema | undefined): void {
  if (schema === undefined) return
  for (const [name, member] of Object.entries<TSchema>(schema.properties ?? {})) {
    steps.add(name)
    collect(member)
  }
  for (const entry of Object.values<TSchema>(schema.patternProperties ?? {})) collect(entry)
  for (const variant of schema.anyOf ?? []) collect(variant)
  collect(schema.items)
}
collect(settings)

/** Words of protocols, of providers and of our own API, in messages of the folders below. */
const protocolWords = new Set([
  ...['eth_call', 'proof_of_human', 'offline_access', 'verified_propagation_failed', 'xms_edov', 'preferred_username'],
  // Of nginx.
  'proxy_buffering',
  // Of PostgreSQL.
  ...['pg_stat_replication', 'pg_stat_wal_receiver'],
  ...['pg_dump', 'pg_basebackup', 'pg_stat_activity', 'pg_locks', 'max_connections', 'archive_command', 'auto_explain'],
  ...['log_statement', 'log_min_duration_statement', 'log_min_duration_sample', 'log_transaction_sample_rate'],
  'log_parameter_max_length',
])
const snakeCase = /(?<![\w.<$/{*-])[a-z]+(?:_[a-z0-9]+)+(?![\w(*])/g
/** The folders that say what an operator has to mend. */
const forOperators = /^(outside|doctor|publishing|payments\/.*probe|config\/|commands\/doctor|health)/
const isSql = (text: string): boolean => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b|\n\s+(WHERE|SET|FROM)\b/.test(text)

const texts = await sourceTexts()

describe('a setting that is named in a text of the source is one:', () => {
  const named = new Map(texts.flatMap(({ file, text }) => [...text.matchAll(dotted)].map(([name]) => [name, file])))

  test('with its whole path', () => {
    const unknown = [...named].filter(([name]) => !others.has(name!) && findSchema(name!) === undefined)
    expect(unknown).toEqual([])
    expect(named.size).toBeGreaterThan(60)
    expect([...named.keys()]).toContain('chains.*.sanctions_oracle')
  })

  test('with its own name alone', () => {
    const prose = texts.filter(({ file, text }) => forOperators.test(file) && text.includes(' ') && !isSql(text))
    const words = prose.flatMap(({ file, text }) => [...text.matchAll(snakeCase)].map(([word]) => `${word} in ${file}`))
    const unknown = words.filter((line) => !steps.has(line.split(' ')[0]!) && !protocolWords.has(line.split(' ')[0]!))
    expect(unknown).toEqual([])
    expect(words.join()).toContain('stale_after_seconds')
  })

  test('when it stands below a table that another text names', () => {
    const below = texts.flatMap(({ file, text }) =>
      forOperators.test(file) ? [...text.matchAll(/(?<![\w.])\*\.([a-z][a-z0-9_]*)/g)].map(([, step]) => step!) : [],
    )
    expect(below.filter((step) => !steps.has(step))).toEqual([])
    expect(below).toContain('verifier')
  })

  test('by its variable of the environment', () => {
    const variables = new Set([
      'PROOFGATE_CONFIG',
      'PROOFGATE_MASTER_KEY',
      'PROOFGATE_MASTER_KEY_FILE',
      'PROOFGATE_KEY',
    ])
    const walk = (schema: TSchema, path: readonly string[]): void => {
      variables.add(nameVariable(path)).add(`${nameVariable(path)}_FILE`)
      for (const [name, member] of Object.entries<TSchema>(schema.properties ?? {})) walk(member, [...path, name])
    }
    walk(settings, [])
    const said = texts.flatMap(({ text }) => [...text.matchAll(/PROOFGATE_[A-Z0-9_]*[A-Z0-9]/g)].map(([name]) => name))
    expect(said.filter((name) => !variables.has(name))).toEqual([])
    expect(said).toContain('PROOFGATE_DATA')
  })
})

/** Configures everything that doctor tries, at an address without a server. */
const nobody = 'http://127.0.0.1:9'
const everything: Record<string, string> = {
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: `${nobody},${nobody}/second`,
  PROOFGATE_CHAINS_BASE_AGREE: '2',
  PROOFGATE_CHAINS_BASE_AGREE_COUNTS: 'addresses',
  PROOFGATE_CHAINS_BASE_PROOFS: 'true',
  PROOFGATE_CHAINS_BASE_STALE_AFTER_SECONDS: '900',
  PROOFGATE_CHAINS_BASE_EAS: '0x4200000000000000000000000000000000000021',
  PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: '0x4200000000000000000000000000000000000022',
  PROOFGATE_CHAINS_SOL_CHAIN: 'solana:devnet',
  PROOFGATE_CHAINS_SOL_RPC: nobody,
  PROOFGATE_DNS_RESOLVERS: '127.0.0.1:9',
  PROOFGATE_HUMAN_ZKPASSPORT_CHAIN: 'base',
  PROOFGATE_HUMAN_SEMAPHORE_CHAIN: 'base',
  PROOFGATE_HUMAN_SEMAPHORE_GROUP: '1',
  PROOFGATE_HUMAN_WORLDID_APP_ID: 'app_0123456789abcdef0123456789abcdef',
  PROOFGATE_HUMAN_WORLDID_URL: nobody,
  PROOFGATE_HUMAN_PASSPORT_API_KEY: 'k',
  PROOFGATE_HUMAN_PASSPORT_SCORER_ID: '1',
  PROOFGATE_HUMAN_PASSPORT_URL: nobody,
  PROOFGATE_IPFS_KUBO_URL: nobody,
  PROOFGATE_IPFS_PINNING_URL: nobody,
  PROOFGATE_IPFS_PINNING_TOKEN: 'k',
  PROOFGATE_MODERATION_TEXT: 'openai',
  PROOFGATE_MODERATION_IMAGE: 'google-vision',
  PROOFGATE_MODERATION_OPENAI_API_KEY: 'k',
  PROOFGATE_MODERATION_OPENAI_URL: nobody,
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: 'eip155:1',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_DECIMALS: '6',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_SYMBOL: 'USDC',
  PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: nobody,
  PROOFGATE_PAYMENTS_X402_TOKEN: 'usdc',
  PROOFGATE_RISK_WEBACY_API_KEY: 'k',
  PROOFGATE_RISK_WEBACY_URL: nobody,
  // A file, and no list of addresses.
  PROOFGATE_RISK_DENY_LIST: import.meta.path,
  PROOFGATE_SOCIAL_GITHUB_PROVIDER: 'github',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_ID: 'c',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_SECRET: 'k',
  PROOFGATE_SOCIAL_GITHUB_TOKEN_ENDPOINT: nobody,
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
  PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1',
  PROOFGATE_HOST: '0.0.0.0',
  PROOFGATE_LIMITS_ENABLED: 'false',
}

describe('doctor names settings that exist', () => {
  test('in every line it prints, with everything configured', async () => {
    const config = await loadConfig({ env: everything, cwd: '/nowhere' })
    const findings = await examineAll(
      { config, outside: openOutside({ ...config, ...readVerifierTables(config) }, Date.now), now: Date.now },
      { withinEachMs: 5000 },
    )
    expect(findings.length).toBeGreaterThan(14)
    for (const { setting, says, mend = '' } of findings)
      for (const name of [setting, ...[...`${says} ${mend}`.matchAll(dotted)].map(([found]) => found)])
        expect([name, findSchema(name) !== undefined]).toEqual([name, true])
  }, 30_000)

  test('for the key of each source that refuses it', async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('{}', { status: 401 }) })
    const address = `http://127.0.0.1:${server.port}`
    const env = Object.fromEntries(
      Object.entries(everything).map(([name, value]) => [name, value.replaceAll(nobody, address)]),
    )
    const config = await loadConfig({
      env: {
        ...env,
        PROOFGATE_MODERATION_GOOGLE_VISION_API_KEY: 'k',
        PROOFGATE_MODERATION_GOOGLE_VISION_URL: address,
      },
      cwd: '/nowhere',
    })
    const findings = await examineAll(
      { config, outside: openOutside({ ...config, ...readVerifierTables(config) }, Date.now), now: Date.now },
      { withinEachMs: 5000 },
    )
    const refused = findings.filter(({ says }) => says.includes('refused the key (401)'))
    expect(refused.map(({ setting }) => setting)).toEqual(
      expect.arrayContaining([
        'chains.base.rpc[0]',
        'human.worldid',
        'human.passport',
        'ipfs.pinning_url',
        'risk.webacy',
      ]),
    )
    for (const { setting, mend = '' } of refused) {
      const [name] = mend.match(dotted) ?? []
      expect([setting, mend, name !== undefined && findSchema(name) !== undefined]).toEqual([setting, mend, true])
    }
    await server.stop(true)
  }, 30_000)

  test('in its advice', async () => {
    const config = await loadConfig({ env: everything, cwd: '/nowhere' })
    const advice = listAdvice(config)
    expect(advice.length).toBeGreaterThan(3)
    for (const { setting, says } of advice) {
      expect([setting, findSchema(setting) !== undefined]).toEqual([setting, true])
      for (const [name] of says.matchAll(dotted)) expect([name, findSchema(name) !== undefined]).toEqual([name, true])
    }
  })
})
