/** What the guides say is run, or compared with the code. Each kind of block has one way to be tried. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { ApiDocument } from '../../src/openapi/document.ts'
import { startApp } from '../app.ts'
import { published } from '../openapi/published.ts'
import { alice } from '../wallets.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { type Block, findBrokenLinks, guidePaths, type Page, parsePage, readPage } from './page.ts'
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
const everyPage = [readPage('README.md'), ...guides]
const named = (pages: readonly Page[]): [string, Page][] => pages.map((page) => [page.path, page])

/** A name that is wrong on purpose: the guide tells what becomes of a misspelled parameter. */
const misspelled = 'contractAdress=0x…'

let checkout: Checkout
let document: ApiDocument
let routes: readonly Route[]

beforeAll(async () => {
  const app = await startApp()
  document = await published(app)
  routes = createApp(app.parts).routes
  checkout = await startCheckout()
})
afterAll(async () => {
  await checkout?.stop()
})

const classifyBlock = ({ language, name }: Block): string =>
  language === 'js' && name ? 'js FILE' : [language, name].filter(Boolean).join(' ')

/** What a block needs around it, or undefined. A command whose answer is not shown could fail unseen. */
function findMisplacement({ blocks }: Page, place: number): string | undefined {
  const kind = classifyBlock(blocks[place]!)
  if (kind === 'sh') {
    const next = blocks[place + 1]
    return next?.name === 'answer' ? undefined : 'commands are followed by the block "text answer" or "json answer"'
  }
  if (kind === 'text answer' || kind === 'json answer')
    return blocks[place - 1]?.language === 'sh' ? undefined : 'an answer follows the commands that it is of'
  if (kind === 'js FILE') {
    const { name = '' } = blocks[place]!
    return blocks.some(({ language, code }) => language === 'sh' && code.includes(name))
      ? undefined
      : 'commands of the guide run each program'
  }
  return ['toml', 'json action'].includes(kind) ? undefined : 'no test knows blocks of this kind'
}

const findMisplaced = (page: Page): string[] =>
  page.blocks.flatMap((block, place) => {
    const wrong = findMisplacement(page, place)
    return wrong === undefined ? [] : [`${page.path}: \`\`\`${classifyBlock(block)}: ${wrong}`]
  })

/** Members and the types of their values, at any depth; of a list that of its first item. */
function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(describeShape)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, describeShape(member)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

const selectBlocks = (kind: string): [string, Block, Page][] =>
  guides.flatMap((page) =>
    page.blocks
      .filter((block) => classifyBlock(block) === kind)
      .map((block) => [`${page.path}: ${block.code}`, block, page]),
  )

const loadToml = async (code: string): Promise<unknown> => {
  checkout.write('fragment.toml', code)
  return loadConfig({ env: {}, cwd: checkout.folder, file: 'fragment.toml' })
}

describe('the blocks of the guides', () => {
  test.each(named(guides))('are all of a kind that is tried here: %s', (_, page) => {
    expect(findMisplaced(page)).toEqual([])
  })

  test('would not go unnoticed in a new guide', () => {
    const wrong = [
      '```python',
      'print(1)',
      '```',
      '~~~',
      'ls',
      '~~~',
      '```sh',
      'ls',
      '```',
      '```json answer',
      '{}',
      '```',
    ]
    expect(findMisplaced(parsePage('new.md', wrong.join('\n')))).toEqual([
      'new.md: ```python: no test knows blocks of this kind',
      'new.md: ```: no test knows blocks of this kind',
    ])
    const alone = [
      '```js run.mjs',
      '1',
      '```',
      '```sh',
      'ls',
      '```',
      '```json',
      '{}',
      '```',
      '```text answer',
      '1',
      '```',
    ]
    expect(findMisplaced(parsePage('new.md', alone.join('\n')))).toHaveLength(4)
  })

  beforeAll(() => {
    for (const [, { name = '', code }] of selectBlocks('js FILE')) checkout.write(name, checkout.here(code))
  })

  test.each(selectBlocks('sh'))('answer as they show: %s', async (_, block, { blocks }) => {
    const shown = blocks[blocks.indexOf(block) + 1]!
    const { output, answer, exitCode } = await checkout.run(block.code)
    if (shown.language === 'text') expect(output).toBe(checkout.here(shown.code))
    else expect(describeShape(JSON.parse(answer))).toEqual(describeShape(JSON.parse(shown.code)))
    expect(exitCode).toBe(0)
  })

  test.each(selectBlocks('toml'))('configure a server: %s', async (_, { code }) => {
    expect(await loadToml(code)).toBeDefined()
  })

  test.each(selectBlocks('json action'))('are what the server lets a wallet sign: %s', async (_, { code }) => {
    const data = JSON.parse(
      code.replaceAll('0x…', alice.address.toLowerCase()).replace('proofs.example.com', 'localhost:8787'),
    )
    const app = await startApp()
    const body = { walletAddress: alice.address, verifierIds: ['ownership-basic'], data, signedTimestamp: app.now() }
    const { status, body: answer } = await app.post('/api/v1/verification/standardize', body)
    expect([status, answer.error]).toEqual([200, undefined])
    expect(answer.data.bodyPreview.data).toEqual(data)
    const signed = await app.post('/api/v1/proofs/erase-all', await alice.signAction(data, app.now()))
    expect([signed.status, signed.body.error]).toEqual([200, undefined])
  })
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

  test.each(named(calling))('are told for readers with an executable as well: %s', (_, { text }) => {
    const told = text.search(/beside an executable,?\swrite\s+`\.\/proofgate/i)
    expect(told).toBeGreaterThan(-1)
    expect(told).toBeLessThan(text.search(/^.*npm run --silent proofgate -- [a-z$]/m))
  })
})

describe('what the pages name', () => {
  test.each(named(everyPage))('settings, error codes, routes and commands exist: %s', (path, page) => {
    expect(findUnknownSettings(page)).toEqual([])
    expect(findUnknownCodes(page)).toEqual([])
    // The README shortens the routes of its tables.
    const isWhole = (route: string): boolean => path !== 'README.md' || /\/(api|oauth)\//.test(route)
    expect(findUnknownRoutes(page, routes).filter(isWhole)).toEqual([])
    expect(findUnknownCommands(page)).toEqual([])
  })

  test.each(named(guides))('tools, files, members and parameters exist: %s', (_, page) => {
    expect(findUnknownFiles(page)).toEqual([])
    expect(findUnknownMembers(page, document).filter((word) => word !== misspelled)).toEqual([])
  })

  test.each(named(guides))(
    'JSON within a sentence is JSON, and a setting with a value configures a server: %s',
    async (_, page) => {
      for (const word of page.words.filter((one) => /^\{ |^"\w+": /.test(one)))
        expect(typeof JSON.parse(word.startsWith('{') ? word : `{${word}}`)).toBe('object')
      for (const word of listAssignments(page)) expect(await loadToml(word)).toBeDefined()
    },
  )

  test.each(named(guides))('links and anchors lead somewhere: %s', (_, page) => {
    expect(findBrokenLinks(page)).toEqual([])
  })

  test('what does not exist is found', () => {
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
