import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkConfig } from '../../src/config/check.ts'
import type { ConfigInput } from '../../src/config/config-input.ts'
import { writeExampleToml } from '../../src/config/example.ts'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { listSettings, nameVariable } from '../../src/config/outline.ts'
import { settings } from '../../src/settings.ts'
import { folders } from './folder.ts'

const folder = folders()

/** Loads, and accepts only a config, or a ConfigError with findings. */
async function loadOrFindings(input: ConfigInput) {
  const checked = await checkConfig(input)
  try {
    await loadConfig(input)
    expect(checked.findings).toEqual([])
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    expect(error.findings.length).toBeGreaterThan(0)
    expect(checked.findings).toEqual(error.findings)
  }
}

const cwd = folder()
const loadText = async (text: string | Uint8Array, env: Record<string, string> = {}) => {
  await Bun.write(`${cwd}/proofgate.toml`, text)
  await loadOrFindings({ env, cwd })
}

const whole = writeExampleToml()
  .replace(/^# (?=[a-z_]+ = )/gm, '')
  .replace(/^#.*\n/gm, '')
const lines = whole.split('\n').filter(Boolean)
const names = listSettings(settings).map(({ path }) => nameVariable(path))

const fragment = fc.oneof(
  fc.constantFrom(...lines),
  fc.constantFrom(
    '[',
    ']',
    '[[',
    ']]',
    '{',
    '}',
    '"',
    '"""',
    "'",
    "'''",
    '=',
    '.',
    ',',
    '#',
    '\n',
    '\r\n',
    '\r',
    '\\',
    '\0',
    '\ufeff',
    ' ',
  ),
  fc.constantFrom(
    '1979-05-27',
    '07:32:00',
    'inf',
    'nan',
    '-0',
    '1e9',
    '9007199254740993',
    '0x1f',
    'true',
    '[]',
    '{}',
    '""',
    '[1, "a"]',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'port = ',
    'signing',
    'verifiers.access',
    'cors.origins = ',
    '[log]\n',
    '[[proxy]]\n',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
)
/** More for a longer search: FUZZ_RUNS=20000 bun test test/config/mutation.test.ts */
const runs = { numRuns: Number(Bun.env.FUZZ_RUNS ?? 300) }
const patience = 200 * runs.numRuns

test(
  'any file of TOML-like pieces gives a config or findings',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), fc.constantFrom('', ' ', '\n'), (pieces, between) =>
        loadText(pieces.join(between)),
      ),
      runs,
    )
  },
  patience,
)

test(
  'any change to a whole file gives a config or findings',
  async () => {
    const change = fc.tuple(fc.nat(whole.length), fc.nat(20), fragment)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) =>
        loadText(
          changes.reduce((text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed), whole),
        ),
      ),
      runs,
    )
  },
  patience,
)

test(
  'any value for any setting gives a config or findings',
  async () => {
    const scalar = fc.oneof(
      fc.constantFrom(
        '1979-05-27',
        '07:32:00',
        'inf',
        'nan',
        '-1',
        '0',
        '1e400',
        'true',
        '{}',
        '{ a = 1 }',
        '[[1]]',
        '[{}]',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => JSON.stringify(text)),
      fc.integer().map(String),
    )
    const pair = fc.tuple(fc.constantFrom(...listSettings(settings).map(({ path }) => path.join('.'))), scalar)
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 6 }), (pairs) =>
        loadText(pairs.map((pair) => pair.join(' = ')).join('\n')),
      ),
      runs,
    )
  },
  patience,
)

test(
  'any environment gives a config or findings',
  async () => {
    const name = fc.oneof(
      fc.constantFrom(...names, 'PROOFGATE_CONFIG', 'PROOFGATE_MASTER_KEY_FILE', 'PROOFGATE___PROTO__'),
      fc.string({ maxLength: 12 }).map((text) => `PROOFGATE_${text}`),
      fc.string({ maxLength: 12 }).map((text) => `PROOFGATE_VERIFIERS_ACCESS_${text}`),
    )
    const value = fc.oneof(
      fragment,
      fc.string({ maxLength: 20 }),
      fc.constantFrom('key', '8787', 'true', '/', '.', '[1]'),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 5 }), (env) => loadText('', env)),
      runs,
    )
  },
  patience,
)

test(
  'any bytes give a config or findings',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), (bytes) => loadText(bytes)),
      runs,
    )
  },
  patience,
)
