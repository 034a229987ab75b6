import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { readEnvironment } from '../../src/config/environment.ts'
import { findWrongKey, findWrongValue, isSecret } from '../../src/config/finding.ts'
import { takeKnown } from '../../src/config/known.ts'
import { listSettingsAlong, type Path, setValue, type Values } from '../../src/config/outline.ts'
import {
  type Checked,
  describeChoice,
  describeTable,
  describeTables,
  describeText,
  describeWhole,
} from '../../src/config/setting.ts'
import { fillDefaults, settle } from '../../src/config/settle.ts'
import { findViolations } from '../../src/config/violations.ts'

/** The shapes that later parts will bring: tables by name, lists of tables, tables of several kinds, secrets inside. */
const about = { description: 'D.', consequence: 'C.' }
const shapes = describeTable({
  chains: describeTables(
    '^[a-z0-9-]+$',
    describeTable({
      chain_id: describeWhole({ ...about, example: 1, minimum: 1, maximum: 1000 }),
      rpc_url: describeText({ ...about, example: 'https://x', secret: true }),
      block_lag: describeWhole({ ...about, default: 3, example: 3, minimum: 0, maximum: 9 }),
    }),
    {},
  ),
  prices: Type.Array(
    describeTable({
      currency_code: describeText({ ...about, example: 'EUR' }),
      minor_units: describeWhole({ ...about, default: 2, example: 2, minimum: 0, maximum: 9 }),
    }),
    { default: [] },
  ),
  methods: describeTables(
    '^[a-z]+$',
    Type.Union([
      describeTable({ kind: Type.Literal('card'), api_key: describeText({ ...about, example: 'k', secret: true }) }),
      describeTable({
        kind: Type.Literal('chain'),
        wait_blocks: describeWhole({ ...about, default: 5, example: 5, minimum: 1, maximum: 9 }),
      }),
    ]),
    {},
  ),
  dns: Type.Optional(
    describeTable({
      resolver: describeText({ ...about, example: '1.1.1.1' }),
      mode: describeChoice(['a', 'b'], { ...about, default: 'a', example: 'a' }),
    }),
  ),
})

async function read(toml: string, env: Record<string, string> = {}) {
  const place = { source: 'x.toml' }
  const known = takeKnown(shapes, Bun.TOML.parse(toml) as Values, () => place)
  const environment = await readEnvironment(shapes, { env, cwd: '/' }, known.values)
  for (const { path, value } of environment.values) setValue(known.values, path, value)
  const values = fillDefaults(shapes, known.values)
  const wrong = findViolations(shapes, values).map(({ path, schema, value, isKey }) =>
    isKey ? findWrongKey(shapes, place, path, schema) : findWrongValue(shapes, place, path, schema, value),
  )
  const findings = [...known.findings, ...environment.findings, ...wrong].map(({ message }) => message)
  return findings.length > 0 ? { findings } : { config: settle(shapes, values) as Checked<typeof shapes> }
}

describe('a later part of the configuration', () => {
  test('is empty without any setting', async () => {
    expect((await read('')).config).toEqual({ chains: {}, prices: [], methods: {} })
  })

  test('has its defaults filled in at every depth, and its names in camelCase', async () => {
    const { config } = await read(`
      [chains.base-main]
      chain_id = 5
      rpc_url = "https://secret"
      [[prices]]
      currency_code = "EUR"
      [[prices]]
      currency_code = "JPY"
      minor_units = 0
      [methods.usdc]
      kind = "chain"
      [dns]
      resolver = "9.9.9.9"`)
    expect(config).toEqual({
      chains: { 'base-main': { chainId: 5, rpcUrl: 'https://secret', blockLag: 3 } },
      prices: [
        { currencyCode: 'EUR', minorUnits: 2 },
        { currencyCode: 'JPY', minorUnits: 0 },
      ],
      methods: { usdc: { kind: 'chain', waitBlocks: 5 } },
      dns: { resolver: '9.9.9.9', mode: 'a' },
    })
    expect(Object.isFrozen(config?.prices[0])).toBe(true)
  })

  test('can come from the environment alone', async () => {
    const { config, findings } = await read('', {
      PROOFGATE_CHAINS_BASE_MAIN_CHAIN_ID: '5',
      PROOFGATE_CHAINS_BASE_MAIN_RPC_URL: 'https://x',
      PROOFGATE_PRICES: '[{ currency_code = "EUR" }]',
      PROOFGATE_DNS_RESOLVER: '9.9.9.9',
      PROOFGATE_METHODS_M_KIND: 'chain',
      PROOFGATE_METHODS_M_WAIT_BLOCKS: '7',
    })
    expect(findings).toBeUndefined()
    expect(config).toMatchObject({
      chains: { 'base-main': { chainId: 5, rpcUrl: 'https://x', blockLag: 3 } },
      prices: [{ currencyCode: 'EUR' }],
      dns: { resolver: '9.9.9.9' },
      methods: { m: { kind: 'chain', waitBlocks: 7 } },
    })
  })

  test.each([
    [
      '[chains.a]\nchain_id = 1',
      'x.toml: chains.a.rpc_url: expected text in quotes, found nothing (example: rpc_url = "https://x")',
    ],
    [
      '[chains.a]\nchain_id = 0\nrpc_url = "u"',
      'x.toml: chains.a.chain_id: expected a whole number from 1 to 1000, found 0 (example: chain_id = 1)',
    ],
    [
      '[chains.a]\nchain_id = 1\nrpc_url = 5',
      'x.toml: chains.a.rpc_url: expected text in quotes, found something that is not text (example: rpc_url = "https://x")',
    ],
    ['chains.a = "https://secret"', 'x.toml: chains.a: expected a table, found text (example: [chains.a])'],
    [
      '[[prices]]\ncurrency_code = "EUR"\n[[prices]]\ncurrency_code = 1',
      'x.toml: prices[1].currency_code: expected text in quotes, found 1 (example: currency_code = "EUR")',
    ],
    [
      'prices = [5, { currency_code = 1 }]',
      'x.toml: prices[0]: expected a table, found 5 (example: [[prices]])',
      'x.toml: prices[1].currency_code: expected text in quotes, found 1 (example: currency_code = "EUR")',
    ],
    ['[prices]\na = 1', 'x.toml: prices: expected a list, each a table, found a table'],
    [
      '[[prices]]\ncurency_code = "EUR"\ncurrency_code = "EUR"',
      'x.toml: prices[0].curency_code: there is no such setting',
    ],
    [
      '[methods.m]\nkind = "chain"\nwait_blocks = 99',
      'x.toml: methods.m.wait_blocks: expected a whole number from 1 to 9, found 99 (example: wait_blocks = 5)',
    ],
    ['[methods.m]\nkind = "cash"', 'x.toml: methods.m.kind: expected one of "card", "chain", found "cash"'],
    ['[dns]', 'x.toml: dns.resolver: expected text in quotes, found nothing (example: resolver = "1.1.1.1")'],
  ])('%j is refused', async (toml, ...messages) => {
    expect<unknown>((await read(toml)).findings).toEqual(messages)
  })

  test('knows its secrets inside a table of several kinds', () => {
    const path: Path = ['methods', 'm', 'api_key']
    expect(isSecret(listSettingsAlong(shapes, path))).toBe(true)
  })
})
