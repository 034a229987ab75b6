/** Names in the pages exist: settings, codes, routes, commands, tools, files, members, links and citations. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { ApiDocument } from '../../src/openapi/document.ts'
import { startApp } from '../app.ts'
import { published } from '../openapi/published.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { findBrokenCitations } from './citations.ts'
import { documentPaths, findBrokenLinks, guidePaths, type Page, parsePage, readPage, root } from './page.ts'
import {
  findUnknownCodes,
  findUnknownCommands,
  findUnknownFiles,
  findUnknownMembers,
  findUnknownRoutes,
  findUnknownSettings,
  listAssignments,
  type Route,
} from './words.ts'

const guides = guidePaths().map(readPage)
const everyPage = documentPaths().map(readPage)
const named = (pages: readonly Page[]): [string, Page][] => pages.map((page) => [page.path, page])
const newFolder = temporaryFolders()

/** A name that is wrong on purpose: the guide shows the refusal of a misspelled parameter. */
const misspelled = 'contractAdress=0x…'

/** An object of JavaScript or TOML, or one that leaves something out. */
const isOtherLanguage = (word: string): boolean => /=>|…| = |^\{ [a-z]/.test(word)

let document: ApiDocument
let routes: readonly Route[]

beforeAll(async () => {
  const app = await startApp()
  document = await published(app)
  // The page of metrics has a port of its own.
  routes = [...createApp(app.parts).routes, { method: 'GET', path: '/metrics' }]
})

describe('the programs of the pages', () => {
  const programs = everyPage.flatMap(({ path, blocks }) =>
    blocks.filter(({ name }) => name?.endsWith('.mjs')).map(({ name, code }) => [`${path}: ${name}`, code] as const),
  )

  test.each(programs)('need no package: %s', (_, code) => {
    const imported = [...code.matchAll(/^import .*'(.*)'/gm)].map(([, from = '']) => from)
    expect(imported.filter((from) => !/^node:|^\.\//.test(from))).toEqual([])
  })
})

describe('the commands of the pages', () => {
  const inCheckout = 'npm run --silent proofgate -- '
  const calling = everyPage.filter(({ blocks }) => blocks.some(({ code }) => code.includes(inCheckout)))

  test.each(named(calling))('are shown for readers with an executable as well: %s', (_, { text }) => {
    const told = text.search(/beside an executable,?\swrite\s+`\.\/proofgate/i)
    expect(told).toBeGreaterThan(-1)
    expect(told).toBeLessThan(text.search(/^.*npm run --silent proofgate -- [a-z$"]/m))
  })
})

describe('a name in the pages', () => {
  test.each(named(everyPage))('exists among settings, error codes, routes and commands: %s', (path, page) => {
    expect(findUnknownSettings(page)).toEqual([])
    expect(findUnknownCodes(page)).toEqual([])
    // The README shortens the routes of its tables.
    const isWhole = (route: string): boolean => path !== 'README.md' || /\/(api|oauth)\//.test(route)
    expect(findUnknownRoutes(page, routes).filter(isWhole)).toEqual([])
    expect(findUnknownCommands(page)).toEqual([])
  })

  test.each(named(guides))('exists among tools, files, members and parameters: %s', (_, page) => {
    expect(findUnknownFiles(page)).toEqual([])
    expect(findUnknownMembers(page, document).filter((word) => word !== misspelled)).toEqual([])
  })

  test.each(named(guides))(
    'is JSON within a sentence, and a setting with a value configures a server: %s',
    async (_, page) => {
      const folder = newFolder()
      for (const word of page.words.filter((one) => /^\{ |^"\w+": /.test(one) && !isOtherLanguage(one)))
        expect(typeof JSON.parse(word.startsWith('{') ? word : `{${word}}`)).toBe('object')
      for (const word of listAssignments(page)) {
        await Bun.write(join(folder, 'fragment.toml'), word)
        expect(await loadConfig({ env: {}, cwd: folder, file: 'fragment.toml' })).toBeDefined()
      }
    },
  )

  test.each(named(everyPage))('leads somewhere as a link or an anchor: %s', (_, page) => {
    expect(findBrokenLinks(page)).toEqual([])
  })

  test('is found where it does not exist', () => {
    const page = parsePage(
      'src/guides/new.md',
      [
        '# One',
        'See `limits.byte_size`, `limts.body_bytes`, `NO_SUCH_CODE`, 404 `CONFLICT`, `GET /api/v1/nothing`, `POST /api/v1/health`,',
        '`proofgate fly`, `proofgate keys burn`, `bun run nothing`, `svc_nothing`, `proofs_get`, `test/nothing.ts`, `notAMember: false`,',
        '[a](#two), [b](nothing.md), [c](gates.md#nothing), [d](#one), [e](gates.md#versions), [f](https://example.com/#x).',
      ].join('\n'),
    )
    expect(findUnknownSettings(page)).toEqual(['limits.byte_size'])
    expect(findUnknownCodes(page)).toEqual(['NO_SUCH_CODE', '404 CONFLICT'])
    expect(findUnknownRoutes(page, routes)).toEqual(['GET /api/v1/nothing', 'POST /api/v1/health'])
    expect(findUnknownCommands(page)).toEqual(['proofgate fly', 'proofgate keys burn', 'bun run nothing'])
    expect(findUnknownFiles(page)).toEqual(['svc_nothing', 'proofs_get', 'test/nothing.ts'])
    expect(findUnknownMembers(page, document)).toEqual(['limits.byte_size', 'limts.body_bytes', 'notAMember: false'])
    expect(findBrokenLinks(page)).toEqual(['#two', 'nothing.md', 'gates.md#nothing'])
  })
})

describe('documents that the sources cite', () => {
  const sources = [...new Glob('{src,test}/**/*.{ts,tsx,sql,js,mjs}').scanSync(root)].filter(
    (path) => !path.includes('node_modules') && !path.startsWith('test/guides/'),
  )

  test('exist, with their headings', () => {
    const broken = sources.flatMap((path) =>
      findBrokenCitations(readFileSync(join(root, path), 'utf8')).map((citation) => `${path}: ${citation}`),
    )
    expect(broken).toEqual([])
  })

  test('are found where they are missing', () => {
    expect(findBrokenCitations('// src/guides/nothing.md, "Versions"')).toEqual(['src/guides/nothing.md'])
    expect(findBrokenCitations('// src/guides/gates.md, "No such heading"')).toEqual([
      'src/guides/gates.md, "No such heading"',
    ])
    expect(findBrokenCitations('// src/guides/gates.md, "Versions" and README.md')).toEqual([])
  })
})
