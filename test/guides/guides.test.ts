/** The commands and blocks of the README and every guide run against a real server. Each kind of block has one way to be tried. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { loadConfig } from '../../src/config/load.ts'
import { startApp } from '../app.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'
import { alignJson, alignText } from './answers.ts'
import { classifyBlock, findMisplaced, isSavedFile } from './blocks.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { findExpectedOutput, getExpectedExitCode } from './outputs.ts'
import { documentPaths, guidePaths, type Page, parsePage, readPage } from './page.ts'
import { needsReleases, startReleases } from './releases.ts'
import { fillPlaceholders, listBlocks, listFilesBeforeStart, needsWorld } from './settings.ts'
import { startWorld, type World } from './world.ts'

setDefaultTimeout(60_000)

const guides = ['README.md', ...guidePaths()].map(readPage)
const { catalog } = (await startApp()).parts
const verifierIds = [...catalog.known.keys()]

/** The key of `proofgate sign`: one wallet for all pages, because the token of the examples has one owner. */
const home = mkdtempSync(join(tmpdir(), 'proofgate-home-'))
let world: World | undefined
let releases: ReturnType<typeof startReleases> | undefined

beforeAll(async () => {
  const sign = Bun.spawn([...program, 'sign', '--address'], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: '' },
  })
  expect(await sign.exited).toBe(0)
  if (guides.some(needsWorld)) world = await startWorld()
})
afterAll(async () => {
  await world?.stop()
  await releases?.stop()
  rmSync(home, { recursive: true, force: true })
})

const getSigner = (): string =>
  new Wallet(readFileSync(join(home, '.config/proofgate/wallet.key'), 'utf8').trim()).address

/** Every program and script of the pages: a guide may use a script of another one. */
const savedFiles = listBlocks(documentPaths()).filter(({ block }) => isSavedFile(block))

async function startCheckoutOf(page: Page): Promise<Checkout> {
  const here = needsWorld(page) ? world : undefined
  releases ??= needsReleases(page) ? startReleases() : undefined
  const fill = needsReleases(page) ? releases!.here : (code: string): string => code
  const files = Object.entries(listFilesBeforeStart(page, here)).map(([name, text]) => [name, fill(text)])
  const checkout = await startCheckout(Object.fromEntries(files), { home, withNpm: page.path === 'README.md', fill })
  if (needsReleases(page)) releases!.install(checkout.folder)
  const own = savedFiles.filter((saved) => saved.page.path === page.path)
  for (const { block } of [...savedFiles, ...own]) {
    const code = checkout.here(block.code)
    // A reader writes the address of their own wallet as the owner.
    const owned = block.name === 'gates.toml' ? code.replace(/^owner = ".*"$/m, `owner = "${getSigner()}"`) : code
    checkout.write(block.name!, here ? here.here(owned) : owned)
  }
  return checkout
}

describe('the blocks of the guides', () => {
  test.each(guides.map((page): [string, Page] => [page.path, page]))(
    'are all of a kind that is tried here: %s',
    (_, page) => {
      expect(findMisplaced(page, verifierIds)).toEqual([])
    },
  )

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
    const unknown = ['```console', 'npm run nothing', 'fly', 'npm install && npm start # works', '```']
    expect(findMisplaced(parsePage('new.md', unknown.join('\n')))).toEqual([
      'new.md: ```console: no such script or program: npm run nothing; fly',
    ])
  })

  test.each(
    listBlocks(guidePaths())
      .filter(({ block }) => classifyBlock(block) === 'json action')
      .map(({ block }) => block.code),
  )('are what the server lets a wallet sign: %s', async (code) => {
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

describe.each(guides.map((page): [string, Page] => [page.path, page]))('%s', (_, page) => {
  const commands = page.blocks.filter(
    (block) =>
      classifyBlock(block) === 'sh' &&
      !(
        block.code.includes('minisign -') &&
        isMissing(Bun.which('minisign') || process.env.CI, 'the guide on upgrading: apt-get install minisign')
      ),
  )
  const configurations = page.blocks.filter(({ language, name }) => {
    return language === 'toml' && (name === undefined || name === 'proofgate.toml')
  })
  let checkout: Checkout
  beforeAll(async () => {
    if (commands.length + configurations.length > 0) checkout = await startCheckoutOf(page)
  })
  afterAll(async () => {
    await checkout?.stop()
  })

  test.each(commands.map(({ code }) => code))('answers as shown: %s', async (code) => {
    const block = commands.find((one) => one.code === code)!
    if (needsWorld(page) && code.startsWith('sh claim.sh')) await world!.serves(getSigner())
    if (code.includes('pay.sh')) await world!.pays(getSigner())
    const { output, answer, exitCode } = await checkout.run(code)

    const expected = findExpectedOutput(code)
    if (expected) expect(output).toMatch(expected)
    const shown = page.blocks[page.blocks.indexOf(block) + 1]
    if (shown?.name === 'answer' && shown.language === 'json') {
      const aligned = alignJson(JSON.parse(answer), JSON.parse(shown.code))
      expect(aligned.answer).toEqual(aligned.shown)
    } else if (shown?.name === 'answer') {
      const aligned = alignText(output, checkout.here(shown.code))
      // Hints for people, such as the text that was signed, need not be shown.
      const withoutHints = alignText(answer, checkout.here(shown.code))
      if (aligned.printed !== aligned.shown) expect(withoutHints.printed).toBe(withoutHints.shown)
    }
    expect(exitCode).toBe(getExpectedExitCode(code))
  })

  test.each(configurations.map(({ code }) => code))('configures a server: %s', async (code) => {
    checkout.write('deny.txt', '# nobody yet\n')
    checkout.write('fragment.toml', fillPlaceholders(code))
    expect(await loadConfig({ env: {}, cwd: checkout.folder, file: 'fragment.toml' })).toBeDefined()
  })
})

test('an answer is compared in its words and booleans, except where it allows more', () => {
  const answer = { success: true, data: { status: 'verified', id: '0x12', rows: [{ a: 1 }] } }
  const differs = (shown: unknown): boolean => {
    const aligned = alignJson(answer, shown)
    return JSON.stringify(aligned.answer) !== JSON.stringify(aligned.shown)
  }
  expect(differs({ success: true, data: { status: 'verified', id: '0x34', rows: [{ a: 2 }] } })).toBe(false)
  expect(differs({ success: true, data: { status: 'revoked', id: '0x34', rows: [{ a: 2 }] } })).toBe(true)
  expect(differs({ success: false, data: '…' })).toBe(true)
  expect(differs({ success: true, data: '…' })).toBe(false)
  expect(differs({ success: true, data: { id: '0x1', '…': '…' } })).toBe(false)
  expect(differs({ data: { id: '0x1', '…': '…' } })).toBe(true)
  expect(differs({ success: true, data: { status: 'verified', id: '0x34', rows: [{ b: 2 }] } })).toBe(true)
  expect(alignText('a 12 b\nc', 'a … b\nc')).toMatchObject({ printed: 'a … b\nc' })
  expect(alignText('a 12 b\nd', 'a … b\nc')).toMatchObject({ printed: 'a 12 b\nd' })
  expect(alignText('a\nx\ny\nb', 'a\n…\nb')).toMatchObject({ printed: 'a\n…\nb' })
})
