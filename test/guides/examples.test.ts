/** Blocks of the pages that are no commands: pieces of programs, configurations, tables, and what the server prints. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Glob } from 'bun'
import { Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient, type Signer } from '../../src/client/client.ts'
import { commands } from '../../src/commands/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import { fillGuide } from '../../src/guides/fill.ts'
import { html } from '../../src/pages/html.ts'
import { startApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alignJson, alignText } from './answers.ts'
import { classifyBlock } from './blocks.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { documentPaths, findBlock, readPage, root } from './page.ts'
import { fillPlaceholders, joinConfiguration, listBlocks } from './settings.ts'
import { listErrorRows, listSettingRows } from './tables.ts'
import { startWorld, type World } from './world.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const startedApp = await startApp()
const { catalog } = startedApp.parts

const pages = documentPaths().map(readPage)
const blocks = listBlocks(documentPaths()).map(({ block }) => block)
const everything = pages.map(({ text }) => text).join('\n')
const ofKind = (kind: string): string[] =>
  blocks.filter((block) => classifyBlock(block) === kind).map(({ code }) => code)

let checkout: Checkout
let world: World

beforeAll(async () => {
  world = await startWorld()
  checkout = await startCheckout()
})
afterAll(async () => {
  await checkout?.stop()
  await world?.stop()
})

describe('the examples of the pages', () => {
  test('sign with a wallet library for the client module', async () => {
    const wallet = Wallet.createRandom()
    const account = privateKeyToAccount(wallet.privateKey as `0x${string}`)
    const client = createClient({ url: checkout.addresses.baseUrl })
    const shownSigners = [...everything.matchAll(/^\| a key in your program, \w+ \| `(.*)` \|$/gm)]
    expect(shownSigners).toHaveLength(2)
    for (const [, code] of shownSigners) {
      const signer: Signer = new Function('wallet', 'account', `return (${code})`)(wallet, account)
      const claim = { verifierIds: ['ownership-basic'], data: { owner: signer.address, content: code } }
      expect((await client.prove(signer, claim)).status).toBe('verified')
    }
  })

  test('show the output of doctor', async () => {
    const shown = findBlock('doctor')
    // The configuration up to this point of the guide, without the settings that follow.
    const file = shown.page.blocks.find(({ name }) => name === 'proofgate.toml')!
    checkout.write('deny.txt', '# nobody yet\n')
    checkout.write('so-far.toml', world.here(file.code))
    const { output } = await checkout.run('npm run --silent proofgate -- doctor --config so-far.toml')
    // A line breaks elsewhere where the path of the data folder is longer.
    const unwrap = (text: string): string => text.replace(/\n {4,}(?=\S)/g, ' ').replace(/, *\n(?=\S)/g, ', ')
    const aligned = alignText(unwrap(output), unwrap(shown.code))
    expect(aligned.printed).toBe(aligned.shown)
  })

  test('configure MCP hosts with the address at which this server asks them to sign in', async () => {
    const configured = ofKind('json mcp')
    expect(configured).toHaveLength(2)
    for (const code of configured) {
      const { mcpServers, servers } = JSON.parse(checkout.here(code))
      const answer = await fetch((mcpServers ?? servers).proofgate.url, { method: 'POST' })
      expect(answer.status).toBe(401)
      const address = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]
      expect(await (await fetch(address!)).json()).toMatchObject({
        authorization_servers: [checkout.addresses.authUrl],
      })
    }
  })

  test('put a gate into a page with the lines that the server itself shows', async () => {
    const block = findBlock('widget')
    const shown = await (await fetch(`${checkout.addresses.baseUrl}/widget?gateId=club`)).text()
    expect(shown).toContain(html`${checkout.here(block.code).trim()}`.text)
    const gates = blocks.filter(({ name }) => ['gates.toml', 'paid.toml', 'first-gate.toml'].includes(name ?? ''))
    const made = gates.flatMap(({ code }) => [...code.matchAll(/^gate_id = "(.+)"$/gm)].map(([, id]) => id))
    const shownGates = [...everything.matchAll(/(?:gate-id="|[?&]gateId=|profile\/gates\/)([a-z_-]+)\b/g)].map(
      ([, id]) => id!,
    )
    expect(shownGates).toContain('club')
    for (const id of shownGates.filter((id) => !['preview', 'test', 'discoverable'].includes(id)))
      expect(made).toContain(id)
  })

  test('put a gate into a React application that the compiler takes, and one with a slip not', async () => {
    const { code } = findBlock('widget-react')
    const application = newFolder()
    writeFileSync(
      join(application, 'proofgate-widget.d.ts'),
      await (await fetch(`${checkout.addresses.baseUrl}/widget.d.ts`)).text(),
    )
    symlinkSync(join(root, 'node_modules'), join(application, 'node_modules'))
    const compiles = (lines: string): boolean => {
      writeFileSync(join(application, 'join.tsx'), lines)
      const options = '--noEmit --strict --jsx react-jsx --target esnext --module esnext --moduleResolution bundler'
      const call = [join(root, 'node_modules/.bin/tsc'), ...options.split(' '), 'join.tsx']
      return Bun.spawnSync(call, { cwd: application }).exitCode === 0
    }
    expect(compiles(code)).toBe(true)
    expect(compiles(code.replace('label=', 'lable='))).toBe(false)
  }, 240_000)

  test('start and test a server by the two commands that CI types', async () => {
    const { text } = readPage('README.md')
    const ci = await Bun.file(join(root, '.ci/run')).text()
    expect(text).toContain('npm install && npm start')
    expect(text).toContain('bun install && bun start')
    expect(ci).toContain('npm test')
    expect(ci).toContain('npm install && npm start in a fresh clone')
    expect(ci).toContain('bun install && bun start in a fresh clone')
  })

  test.each([...ofKind('js fragment'), ...ofKind('js widget-server')])('are JavaScript: %s', (code) => {
    expect(
      new Bun.Transpiler({ loader: 'js' }).transformSync(code.replace(/^const \{ data \} = await/m, 'const data =')),
    ).not.toBe('')
  })

  test.each(ofKind('text link').flatMap((code) => code.trim().split('\n')))(
    'link to a page that is there: %s',
    async (link) => {
      expect((await fetch(checkout.here(link))).status).toBe(200)
    },
  )

  test.each(ofKind('text record').flatMap((code) => code.trim().split('\n')))('are a DNS record: %s', (record) => {
    expect(record).toMatch(/^_svc\.example\.com\.\s+\d+\s+IN\s+TXT\s+"wallet=(0x…|eip155:\d+:0x…)"$/)
  })

  test.each(ofKind('text events').flatMap((code) => code.trim().split('\n')))(
    'are events of Stripe: %s',
    async (event) => {
      const files = [...new Glob('node_modules/stripe/**/Events.d.ts').scanSync(root)]
      const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()))
      expect(texts.some((text) => text.includes(`'${event}'`))).toBe(true)
    },
  )

  test.each(ofKind('json error'))('are answers as the server gives them: %s', async (code) => {
    const answer = await fetch(`${checkout.addresses.baseUrl}/api/v1/verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.ok).toBe(false)
    const { error, ...rest } = (await answer.json()) as Record<string, object>
    const { error: shownError, ...shownRest } = JSON.parse(code)
    const aligned = alignJson(rest, shownRest)
    expect(aligned.answer).toEqual(aligned.shown)
    expect(Object.keys(error!).toSorted()).toEqual(Object.keys(shownError).toSorted())
  })

  test('show the start as it is printed', async () => {
    const child = Bun.spawn(['bun', 'src/main.ts'], {
      cwd: checkout.folder,
      env: {
        ...process.env,
        PROOFGATE_PORT: '0',
        PROOFGATE_DATA: newFolder(),
        PATH: `${root}node_modules/.bin:${process.env.PATH}`,
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    let printed = ''
    for await (const part of child.stdout) {
      printed += new TextDecoder().decode(part)
      if (printed.includes('Signatures')) break
    }
    child.kill()
    await child.exited
    const withoutChanging = (text: string): string =>
      text
        .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8787')
        .replace(/(operator\/claim#)\S+/, '$1…')
        .replace(/(Data folder +)\S+/, '$1…')
        .replace(/\s+/g, ' ')
        .trim()
    for (const shown of ofKind('text start')) expect(withoutChanging(printed)).toContain(withoutChanging(shown))
  })
})

describe('the facts in the pages', () => {
  test('the tables of settings and errors have a row for each one, with its default or its status', () => {
    const { parts } = startedApp
    const server = { addresses: parts.addresses(), brand: parts.config.brand, catalog: parts.catalog }
    const show = (name: string): string => fillGuide(readPage(`src/guides/${name}.md`).text, server)
    const lacks = (rows: readonly string[], text: string): string[] =>
      rows.filter((row) => !text.split('\n').some((line) => line.startsWith(row)))
    expect(lacks(listSettingRows(), show('settings'))).toEqual([])
    expect(lacks(listErrorRows(), show('errors'))).toEqual([])
    expect(lacks(['| `no_such_setting` |'], show('settings'))).toEqual(['| `no_such_setting` |'])
  })

  test('the table of verifiers names every verifier of this build, and no other', () => {
    const table = /^\| Verifier \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(everything)?.[1] ?? ''
    const named = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id)
    expect(named).toEqual([...catalog.known.keys()])
  })

  test('the examples of data fit the schemas of the verifiers', () => {
    const { known } = catalog
    const examples = blocks.filter(({ language, name }) => language === 'json' && known.has(name ?? ''))
    expect(examples.map(({ name }) => name).toSorted()).toEqual([...known.keys()].toSorted())
    for (const { name = '', code } of examples) {
      const data = JSON.parse(code.replaceAll('"0x…"', `"0x${'1'.repeat(40)}"`))
      expect([...Value.Errors(known.get(name)!.data, data)]).toEqual([])
    }
  })

  test('the configuration of each page is one that a server takes, all of it together', async () => {
    for (const page of pages) {
      checkout.write('whole.toml', fillPlaceholders(joinConfiguration(page)))
      expect(await loadConfig({ env: {}, cwd: checkout.folder, file: 'whole.toml' })).toBeDefined()
    }
  })

  test('the table of commands names every command, and no other', () => {
    const table = /^\| Command \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(everything)?.[1] ?? ''
    const named = [...table.matchAll(/^\| `proofgate ([a-z-]+)/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
  })
})
