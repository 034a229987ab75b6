/** What a command does not need, it does not load: parts of the program load when they are asked for. */
import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { readSources } from './sources.ts'

const sources = await readSources()

const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** What a file loads at once: neither types, nor what it imports while it runs. */
const listLoaded = (text: string): readonly string[] =>
  // Bun.Transpiler does not know the line that names the interpreter.
  transpiler
    .scanImports(text.replace(/^#!.*/, ''))
    .flatMap(({ kind, path }) => (kind === 'import-statement' ? [path] : []))

/** The files below src/ and the packages that are loaded with a file. */
function listLoadedWith(start: string, files: ReadonlyMap<string, string>): string[] {
  const loaded = new Set<string>([start])
  for (const file of loaded)
    for (const target of listLoaded(files.get(file) ?? ''))
      loaded.add(target.startsWith('.') ? normalize(join(dirname(file), target)) : target)
  return [...loaded]
    .slice(1)
    .filter((one) => !one.startsWith('node:'))
    .sort()
}

describe('--help and --version', () => {
  test('load no package, and nothing of a command', () => {
    expect(listLoadedWith('main.ts', sources)).toEqual([
      '../package.json',
      'commands/command.ts',
      'commands/index.ts',
      'commands/palette.ts',
      'commands/run-command.ts',
      'commands/wrap.ts',
      'config/suggest.ts',
      'log-event.ts',
      'version.ts',
    ])
  })
})

describe('check-config and guide', () => {
  test.each(['commands/check-config.ts', 'commands/guide.ts'])('load no database: %s', (command) => {
    const loaded = listLoadedWith(command, sources)
    expect(loaded).toContain('config/load.ts')
    expect(loaded.filter((one) => /^db\/(db|migrate|migrations)\.ts$/.test(one))).toEqual([])
  })
})

describe('reading the configuration', () => {
  test('loads neither the framework of the server nor a payment method', () => {
    const loaded = listLoadedWith('config/load.ts', sources)
    expect(loaded).toContain('payments/tables.ts')
    expect(loaded.filter((one) => /^elysia|^viem|^payments\/.*(method|plugin)\.ts$/.test(one))).toEqual([])
  })
})

describe('the server', () => {
  const loaded = listLoadedWith('start.ts', sources)

  test.each([
    ['guides/index.ts', 'the first guide'],
    ['pages/words/en.ts', 'the first page'],
    ['pages/words/de.ts', 'the first page in German'],
    ['outside/ipfs/content-id.ts', 'the first snapshot'],
    ['@noble/curves/ed25519.js', 'the first signature that needs it'],
    ['viem/accounts', 'the first key of an account'],
    ['viem/ens', 'the first name'],
    ['jose', 'the first token'],
    ['dns-packet', 'the first question'],
    ['tar-stream', 'the first archive'],
    ['uqr', 'the first code'],
  ])('does not load %s before %s', (one) => {
    expect(loaded).toContain('app.ts')
    expect(loaded).not.toContain(one)
  })
})

test('the list of public suffixes loads with the first domain, and not with every start', () => {
  const files = [...sources].filter(([file]) => file.endsWith('.ts'))
  expect(files.filter(([, text]) => listLoaded(text).includes('tldts')).map(([file]) => file)).toEqual([])
})

test.each([
  ['an import', "import { a } from './a.ts'\na()", ['./a.ts']],
  ['an import for its effect', "import './a.ts'", ['./a.ts']],
  ['a re-export', "export { a } from './a.ts'\nexport * from 'b'", ['./a.ts', 'b']],
  ['a file', "import text from './a.md' with { type: 'text' }", ['./a.md']],
  ['nothing by a type', "import type { A } from './a.ts'", []],
  ['nothing by an import that runs later', "const load = async () => (await import('./a.ts')).a", []],
])('loaded at once is %s', (_, text, loaded) => {
  expect(listLoaded(text)).toEqual(loaded)
})
