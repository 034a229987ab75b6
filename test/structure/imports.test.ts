/** The layout defends itself: who may import whom, and what only the outermost files may touch. */
import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { type Import, readImports, readSources, removeComments } from './sources.ts'

/** Folders may import themselves, these folders, and the shared files. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  wallet: [],
  config: [],
  db: ['config', 'wallet'],
  envelope: ['wallet'],
  // Users run it as well, so it imports only code that needs neither Node nor a package.
  client: ['envelope', 'verifiers', 'wallet'],
  // Runs in browsers alone.
  web: [],
  // Looks at no request itself: only at headers and environment that it is given.
  tracing: [],
  http: ['config', 'db', 'envelope', 'outside', 'tracing', 'wallet'],
  outside: ['config', 'tracing', 'wallet'],
  verifiers: ['config', 'envelope', 'outside', 'wallet', 'web'],
  publishing: ['db', 'outside', 'processes'],
  release: ['config', 'db', 'outside'],
  proofs: [
    'auth',
    'db',
    'envelope',
    'http',
    'outside',
    'processes',
    'profiles',
    'publishing',
    'secrets',
    'verifiers',
    'wallet',
  ],
  erasure: ['audit', 'auth', 'db', 'gates', 'http', 'journal', 'payments', 'profiles', 'proofs', 'wallet'],
  jobs: ['db'],
  processes: ['config', 'db'],
  journal: ['db'],
  // Takes away again what every owner of a table took away.
  backup: [
    'auth',
    'config',
    'db',
    'erasure',
    'gates',
    'jobs',
    'journal',
    'oauth',
    'operator',
    'payments',
    'people',
    'profiles',
    'proofs',
    'secrets',
  ],
  'domain-move': ['config', 'db', 'verifiers'],
  agents: ['db', 'http', 'proofs', 'verifiers', 'wallet'],
  sponsor: ['db', 'http', 'verifiers', 'wallet'],
  verification: [
    'auth',
    'config',
    'db',
    'envelope',
    'http',
    'outside',
    'proofs',
    'publishing',
    'sponsor',
    'tracing',
    'verifiers',
    'wallet',
  ],
  gates: [
    'audit',
    'auth',
    'config',
    'db',
    'envelope',
    'http',
    // The periods of charts.
    'metrics',
    'outside',
    'payments',
    'proofs',
    'sponsor',
    'verifiers',
    'wallet',
    // The languages in which a gate is described.
    'web',
  ],
  payments: ['auth', 'config', 'db', 'http', 'journal', 'outside', 'wallet', 'web'],
  people: ['audit', 'auth', 'db', 'http', 'oauth', 'outside', 'profiles', 'proofs', 'secrets', 'wallet'],
  profiles: ['db', 'verifiers', 'wallet'],
  auth: ['audit', 'db', 'envelope', 'http', 'profiles', 'verifiers', 'wallet'],
  audit: ['db', 'http', 'profiles', 'wallet'],
  secrets: ['audit', 'auth', 'db', 'envelope', 'http', 'profiles', 'wallet'],
  social: ['db', 'http', 'outside', 'pages', 'auth', 'verifiers', 'wallet', 'web'],
  handover: ['audit', 'auth', 'db', 'gates', 'http', 'profiles', 'proofs', 'wallet'],
  pages: [
    'agents',
    'audit',
    'auth',
    'client',
    'envelope',
    'gates',
    'guides',
    'http',
    'operator',
    'payments',
    'profiles',
    'proofs',
    'verifiers',
    'wallet',
    'web',
  ],
  pairing: ['auth', 'db', 'gates', 'http', 'pages', 'payments', 'verification', 'verifiers', 'wallet'],
  support: ['backup', 'config', 'db', 'jobs'],
  doctor: ['config', 'db', 'health', 'jobs', 'outside', 'payments', 'publishing', 'verifiers'],
  operator: [
    'audit',
    'auth',
    'db',
    'doctor',
    'health',
    'http',
    'jobs',
    'metrics',
    'outside',
    'payments',
    'processes',
    'publishing',
    'verifiers',
    'wallet',
  ],
  metrics: ['db', 'http'],
  monitoring: ['db', 'health', 'http', 'jobs', 'operator', 'outside', 'processes', 'verification'],
  oauth: ['audit', 'auth', 'config', 'db', 'http', 'pages', 'profiles', 'wallet', 'web'],
  mcp: [
    'agents',
    'config',
    'db',
    'envelope',
    'gates',
    'http',
    'oauth',
    'proofs',
    'secrets',
    'auth',
    'verification',
    'verifiers',
    'wallet',
  ],
  guides: ['config', 'monitoring', 'verifiers'],
  health: ['db', 'http'],
  openapi: ['http', 'verifiers', 'envelope'],
  // Every folder that owns tables gives its own lines, and makes rows of them.
  export: [
    'audit',
    'auth',
    'db',
    'erasure',
    'gates',
    'metrics',
    'oauth',
    'operator',
    'payments',
    'profiles',
    'proofs',
    'publishing',
    'secrets',
    'verifiers',
    'wallet',
  ],
  commands: [
    'backup',
    'auth',
    'client',
    'config',
    'db',
    'doctor',
    'domain-move',
    'envelope',
    'export',
    'gates',
    'guides',
    // The supervisor learns how the server does.
    'health',
    'http',
    'jobs',
    'oauth',
    'operator',
    'outside',
    'payments',
    'profiles',
    'proofs',
    'publishing',
    'support',
    'tracing',
    'release',
    'verification',
    'verifiers',
    'wallet',
  ],
  // The executable carries the bundles of the pages' scripts, and what is compiled for recovery.
  build: ['config', 'db', 'pages', 'release', 'wallet', 'web'],
}

/** Files of src/ that every folder may import. */
const shared = new Set([
  'clock.ts',
  'condition-names.ts',
  'distribution.ts',
  'feed-tar.ts',
  'metric-family.ts',
  'conditions.ts',
  'errors.ts',
  'pattern-words.ts',
  'member-name.ts',
  'shape.ts',
  'plain-label.ts',
  'stream-safe.ts',
  'web-url.ts',
  'lanes.ts',
  'defer.ts',
  'limit-wait.ts',
  'repeat.ts',
  'in-order.ts',
  'log-events.ts',
  'log-level.ts',
  'request-scope.ts',
  'network-places.ts',
  'version.ts',
  'executable.ts',
  'settings.ts',
  'sql.d.ts',
])
/** parts.ts is the features' view of the whole: its types only, and not for those who know no feature. */
const mayNameParts = new Set([
  'jobs',
  'processes',
  'backup',
  'audit',
  'agents',
  'erasure',
  'http',
  'proofs',
  'metrics',
  'monitoring',
  'publishing',
  'gates',
  'payments',
  'verification',
  'people',
  'auth',
  'secrets',
  'social',
  'sponsor',
  'handover',
  'pages',
  'pairing',
  'oauth',
  'operator',
  'mcp',
  'health',
  'openapi',
  'app.ts',
  'start.ts',
  'listen.ts',
  'open-store.ts',
  'opened-store.ts',
  'recurring.ts',
  'sweep.ts',
  'schedule.ts',
  'upkeep.ts',
  'mark-run.ts',
])
/** The outermost files: who may import each. */
const outermost: Readonly<Record<string, readonly string[]>> = {
  'main.ts': [],
  'app.ts': ['start.ts', 'listen.ts', 'commands'],
  'open-store.ts': ['start.ts'],
  'open-postgres-store.ts': ['open-store.ts'],
  'opened-store.ts': ['open-store.ts', 'open-postgres-store.ts'],
  'recurring.ts': ['start.ts'],
  'start.ts': ['main.ts', 'commands'],
  'listen.ts': ['start.ts', 'commands', 'monitoring'],
  'sweep.ts': ['recurring.ts', 'commands'],
  'schedule.ts': ['backup', 'sweep.ts'],
  'upkeep.ts': ['recurring.ts'],
  'log.ts': ['clock.ts', 'conditions.ts', 'start.ts', 'parts.ts', 'reported-faults.ts', 'commands', 'payments'],
  'log-file.ts': ['commands'],
  'log-event.ts': ['log.ts', 'occurrences.ts', 'reported-faults.ts', 'commands', 'main.ts'],
  'mark-run.ts': ['start.ts'],
  'sweep-record.ts': ['start.ts', 'parts.ts'],
  'moved-times.ts': ['start.ts'],
  'last-run.ts': ['mark-run.ts', 'open-store.ts', 'commands'],
  'running-mark.ts': ['last-run.ts', 'mark-run.ts', 'start.ts', 'commands'],
  'occurrences.ts': ['log.ts'],
  'reported-faults.ts': ['start.ts', 'upkeep.ts'],
}

/** The folder below src/, or the file itself when it lies directly in src/. */
const placeOf = (file: string): string => file.split('/')[0]!

function whyNot(file: string, { target, isTypeOnly }: Import): string | undefined {
  const path = normalize(join(dirname(file), target))
  const [from, to] = [placeOf(file), placeOf(path)]
  if (from === to || path.startsWith('..') || shared.has(to)) return undefined
  if (to === 'parts.ts') {
    if (!mayNameParts.has(from)) return 'knows no feature'
    return isTypeOnly ? undefined : 'only its types'
  }
  const outer = outermost[to]
  if (outer) return outer.includes(from) ? undefined : 'is further out'
  // Files of src/ put things together: they may import every folder.
  if (from.endsWith('.ts')) return undefined
  return mayImport[from]?.includes(to) ? undefined : 'not in the map'
}

const strays = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    readImports(text).flatMap((one) => {
      const reason = whyNot(file, one)
      return reason ? [`${file} → ${one.target} (${reason})`] : []
    }),
  )

/** Globals that only some files may use: the clock, the environment, the terminal. */
const reserved: readonly { readonly what: RegExp; readonly mayUse: (file: string) => boolean }[] = [
  {
    what: /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/,
    mayUse: (file) => /^(main|start)\.ts$|^commands\//.test(file),
  },
  {
    what: /\b(?:Bun|process|import\.meta)\.env\b|\bprocess\.argv\b|\bBun\.argv\b/,
    mayUse: (file) => /^main\.ts$|^commands\//.test(file),
  },
  { what: /\bconsole\.\w/, mayUse: () => false },
  { what: /\bMath\.random\b/, mayUse: () => false },
  { what: /\bprocess\.exit\(/, mayUse: (file) => file === 'main.ts' },
]

/** The build is its own program; code in a browser or in a user's program uses the clock found there. */
const isOtherProgram = (file: string): boolean => /^(build|client|pages\/browser)\//.test(file)

const misuses = (files: ReadonlyMap<string, string>): string[] =>
  [...files]
    .filter(([file]) => !isOtherProgram(file))
    .flatMap(([file, text]) =>
      reserved.flatMap(({ what, mayUse }) => {
        const found = what.exec(removeComments(text))
        return found && !mayUse(file) ? [`${file}: ${found[0]}`] : []
      }),
    )

const source = await readSources()

describe('the source', () => {
  test('imports only what the map above allows', () => {
    expect(strays(source)).toEqual([])
  })

  test('has no folder that the map does not know', () => {
    const folders = new Set([...source.keys()].filter((file) => file.includes('/')).map(placeOf))
    expect([...folders].sort()).toEqual(Object.keys(mayImport).sort())
  })

  test('asks for time, environment and terminal only where it may', () => {
    expect(misuses(source)).toEqual([])
  })
})

describe('a planted violation is found:', () => {
  test.each([
    ['a value', 'wallet/a.ts', "import { catalogOf } from '../verifiers/index.ts'"],
    ['a type', 'wallet/a.ts', "import type { Verifier } from '../verifiers/verifier.ts'"],
    ['an inline type', 'db/a.ts', "import { type Proof } from '../proofs/proof.ts'"],
    ['several lines', 'envelope/a.ts', "import {\n  one,\n  two,\n} from '../proofs/proof.ts'"],
    ['a re-export', 'http/a.ts', "export { listProofs } from '../proofs/list-store.ts'"],
    ['a re-export of all', 'http/a.ts', "export * from '../verification/submit.ts'"],
    ['a side effect', 'config/a.ts', "import '../db/db.ts'"],
    ['a dynamic import', 'verifiers/a.ts', "const { submit } = await import('../verification/submit.ts')"],
    ['a type by import()', 'verifiers/a.ts', "let proof: import('../proofs/proof.ts').ProofRow"],
    ['a require', 'wallet/deep/a.ts', "const db = require('../../db/db.ts')"],
    ['an import of a feature by another one', 'health/a.ts', "import { findProof } from '../proofs/store.ts'"],
    ['main.ts', 'commands/a.ts', "import { main } from '../main.ts'"],
    ['app.ts', 'proofs/a.ts', "import { createApp } from '../app.ts'"],
    ['start.ts', 'http/a.ts', "import type { RunningServer } from '../start.ts'"],
    ['parts.ts as a value', 'proofs/a.ts', "import { Parts } from '../parts.ts'"],
    ['parts.ts below the features', 'db/a.ts', "import type { Parts } from '../parts.ts'"],
    ['a folder that nobody knows', 'helpers/a.ts', "import { openDb } from '../db/db.ts'"],
  ])('%s', (_, file, text) => {
    expect(strays(new Map([[file, text]]))).toHaveLength(1)
  })

  test.each([
    ['the clock', 'proofs/a.ts', 'const now = Date.now()'],
    ['the clock as a value', 'wallet/a.ts', 'const clock = Date.now'],
    ['a date of now', 'http/a.ts', 'const today = new Date()'],
    ['the environment', 'config/a.ts', 'const { HOME } = process.env'],
    ['Bun’s environment', 'db/a.ts', 'const home = Bun.env.HOME'],
    ['the command line', 'start.ts', 'const [, , name] = process.argv'],
    ['the console', 'main.ts', "console.log('x')"],
    ['weak randomness', 'commands/a.ts', 'const id = Math.random()'],
    ['an exit', 'commands/a.ts', 'process.exit(1)'],
  ])('%s', (_, file, text) => {
    expect(misuses(new Map([[file, text]]))).toHaveLength(1)
  })

  test.each([
    ['the same folder', 'wallet/a.ts', "import { b } from './b.ts'"],
    ['shared files', 'wallet/a.ts', "import { AppError } from '../errors.ts'"],
    ['packages', 'wallet/a.ts', "import { base58 } from '@scure/base'"],
    ['types of parts', 'proofs/a.ts', "import type { Parts } from '../parts.ts'"],
    ['words in comments', 'wallet/a.ts', "// as import { x } from '../proofs/x.ts' does\n/* from '../db/db.ts' */"],
  ])('no violation: %s', (_, file, text) => {
    expect(strays(new Map([[file, text]]))).toEqual([])
  })
})
