/** What the README says is run, or compared with the code. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient, type Signer } from '../../src/client/client.ts'
import { commands } from '../../src/commands/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import { html } from '../../src/pages/html.ts'
import { startApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { findBrokenLinks, parsePage, root } from './page.ts'
import { readme, withTables } from './tables.ts'
import { startWorld, type World } from './world.ts'

const newFolder = temporaryFolders()

const page = parsePage('README.md', readme())
const { text, blocks } = page
const { catalog } = (await startApp()).parts

let checkout: Checkout
/** Without settings: no chain, and no key of a service. */
let plain: Checkout
let world: World

beforeAll(async () => {
  world = await startWorld()
  const findCode = (wanted: string): string => blocks.find(({ name }) => name === wanted)!.code
  checkout = await startCheckout({
    'proofgate.toml': world.here(['proofgate.toml', 'licensed', 'payments'].map(findCode).join('\n')),
    'paid.toml': findCode('paid.toml'),
    // The reader makes it before the restart: without it the server would not start.
    'deny.txt': '# nobody yet\n',
  })
  plain = await startCheckout({ 'gates.toml': findCode('gates.toml') })
})
afterAll(async () => {
  await checkout?.stop()
  await plain?.stop()
  await world?.stop()
})

/** The wallet of `proofgate sign`. */
const signerOf = (path: string): string =>
  new Wallet(readFileSync(join(path, '.config/proofgate/wallet.key'), 'utf8').trim()).address

/** Without what changes from run to run. */
const steady = (text: string): string =>
  text
    .replace(/block \d+/g, 'block N')
    .replace(/\d+ s old/g, 'N s old')
    .replace(/data folder \S+ (.*) \d+ MiB/g, 'data folder F $1 N MiB')
    .trim()

describe('the commands of the README', () => {
  const shown = blocks.filter(({ language, name }) => language === 'sh' && !name).map(({ code }) => code.trim())
  const output = (command: string) =>
    ({
      'npm run demo': /All 13 steps worked/,
      'sh owner.sh proof.json erase':
        /"privacyLevel":"private"[^\n]*\n[^\n]*"totalCount":1[^\n]*\n[^\n]*"expiresAt":\d+[^\n]*\n[^\n]*"success":true[^\n]*\n[^\n]*"erasedCount":2/,
      'curl -s http://127.0.0.1:8787/client.js -o proofgate.mjs && node with-client.mjs':
        /^verified 0x[0-9a-f]{64}\nvalid\nA note of mine\nmay pass: true\nNOT_FOUND 404 false\ntaken back$/m,
      'npm run --silent proofgate -- verify proof.json': /VALID/,
      'node test/independent/verify-ethers.mjs proof.json': /valid/i,
      "echo '# nobody yet' > deny.txt": /^$/,
      'npm run --silent proofgate -- doctor': /One source does not answer as needed/,
      'npm run --silent proofgate -- gates test gates.toml': /2 cases are decided as expected/,
      'CLUB_PASSWORD=swordfish npm run --silent proofgate -- gates apply gates.toml --yes': /readers[\s\S]*club/,
      'REPORT_PASSWORD=swordfish npm run --silent proofgate -- gates apply paid.toml --yes': /report/,
    })[command] ??
    gateOutput(command) ??
    signInOutput(command) ??
    (command.startsWith('sh claim.sh ')
      ? new RegExp(`"success":true,"status":"verified".*"verifierId":"${command.split(' ')[2]}","verified":true`)
      : /"privacyLevel":"private"/)
  const gateOutput = (command: string): RegExp | undefined => {
    if (command.includes('check?gateId=')) return /"allRequiredSatisfied":true/
    if (command.includes('check?verifierIds=')) return /"eligible":true/
    if (command.includes('pay.sh')) return /"value":"swordfish"/
    if (command === 'sh fulfil.sh readers rules.json') return /"value":"https:\/\/example\.com\/members"/
    if (command === 'sh fulfil.sh report rules.json') return /"code":"PAYMENT_REQUIRED"/
    return command.startsWith('sh fulfil.sh') ? /"value":"swordfish"/ : undefined
  }
  const signInOutput = (command: string): RegExp | undefined => {
    if (command.includes('proofgate -- sign --url')) return /"authenticated":true.*\n?.*"authenticated":true/
    if (command.includes('proofgate -- keys create')) return /"authenticated":true.*"via":"access-key"/
    if (command.includes('/gates/preview')) return /"text":"Whoever has claimed content, is let in\."/
    if (command.includes('/gates/test')) return /"passes":false.*"code":"NO_PROOF"/
    if (command.includes('/profile/secrets')) return /"linked":\[\][\s\S]*"alias":"OPENAI_API_KEY"[\s\S]*"secrets":\[/
    if (command.includes('operator list'))
      return /operator\/claim#[A-Za-z0-9_-]{43}\nThere is no operator: "operator link" makes one\./
    if (command.includes('/human/providers')) return /^\{"success":true,"data":\[/
    if (command.includes('ageMin=18')) return /"eligible":false/
    if (command.includes('/oauth/authorize')) return /^\{"success":true\}$/
    return command.includes('svc_context') ? /"sessionWallet":"0x[0-9a-f]{40}"/ : undefined
  }
  /** `doctor` finds the one address that nobody listens at. */
  const exitCodeOf = (command: string): number => (command.endsWith(' doctor') ? 1 : 0)

  /** Gates, checks and fulfilments run on a server without settings. What is paid needs a chain, and one of their proofs. */
  const placesOf = (command: string): readonly Checkout[] => {
    if (command.startsWith('sh claim.sh ownership-basic')) return [plain, checkout]
    return /gates\.toml|^sh claim\.sh ownership-pseudonym|proofs\/check\?|^sh fulfil\.sh (readers|club)/.test(command)
      ? [plain]
      : [checkout]
  }

  beforeAll(() => {
    for (const { language, name, code } of blocks)
      if (['js', 'sh'].includes(language) && name)
        for (const one of [checkout, plain]) one.write(name, world.here(one.here(code)))
  })

  test.each(shown)('%s', async (command) => {
    if (command.startsWith('sh claim.sh') && placesOf(command)[0] === checkout)
      await world.serves(signerOf(checkout.folder))
    if (command.includes('pay.sh')) await world.pays(signerOf(checkout.folder))
    for (const one of placesOf(command)) {
      const { output: printed, exitCode } = await one.run(command)
      expect(printed).toMatch(output(command))
      expect(exitCode).toBe(exitCodeOf(command))
    }
  })

  test('are not needed by whoever has a wallet library: its signers sign for the client module', async () => {
    const wallet = Wallet.createRandom()
    const account = privateKeyToAccount(wallet.privateKey as `0x${string}`)
    const client = createClient({ url: checkout.addresses.baseUrl })
    const shownSigners = [...text.matchAll(/^\| a key in your program, \w+ \| `(.*)` \|$/gm)]
    expect(shownSigners).toHaveLength(2)
    for (const [, code] of shownSigners) {
      const signer: Signer = new Function('wallet', 'account', `return (${code})`)(wallet, account)
      const claim = { verifierIds: ['ownership-basic'], data: { owner: signer.address, content: code } }
      expect((await client.prove(signer, claim)).status).toBe('verified')
    }
  })

  test('say what doctor says', async () => {
    // As far as the reader has come: without what is configured further down.
    const file = blocks.find(({ name }) => name === 'proofgate.toml')!
    checkout.write('so-far.toml', world.here(file.code))
    const { output: printed } = await checkout.run('npm run --silent proofgate -- doctor --config so-far.toml')
    const block = blocks.find(({ name }) => name === 'doctor')!
    expect(steady(printed)).toBe(steady(block.code))
  })

  test('configure MCP hosts with the address at which this server asks them to sign in', async () => {
    const configured = blocks.filter(({ language, code }) => language === 'json' && /ervers"/.test(code))
    expect(configured).toHaveLength(2)
    for (const { code } of configured) {
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
    const block = blocks.find(({ name }) => name === 'widget')!
    const shown = await (await fetch(`${checkout.addresses.baseUrl}/widget?gateId=club`)).text()
    expect(shown).toContain(html`${checkout.here(block.code).trim()}`.text)
    const gates = blocks.filter(({ name }) => name === 'gates.toml' || name === 'paid.toml')
    const made = gates.flatMap(({ code }) => [...code.matchAll(/^gate_id = "(.+)"$/gm)].map(([, id]) => id))
    const shownGates = [...text.matchAll(/(?:gate-id="|[?&]gateId=|profile\/gates\/)([a-z_-]+)\b/g)].map(
      ([, id]) => id!,
    )
    expect(shownGates).toContain('club')
    for (const id of shownGates.filter((id) => !['preview', 'test'].includes(id))) expect(made).toContain(id)
  })

  test('put a gate into a React application that the compiler takes, and one with a slip not', async () => {
    const { code } = blocks.find(({ name }) => name === 'widget-react')!
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
  })

  test('are all there: a server is started and tested by the two commands that CI types', async () => {
    const ci = await Bun.file(join(root, '.ci/run')).text()
    expect(text).toContain('npm install && npm start')
    expect(text).toContain('bun install && bun start')
    expect(ci).toContain('npm test')
    expect(ci).toContain('npm install && npm start in a fresh clone')
    expect(ci).toContain('bun install && bun start in a fresh clone')
  })
})

describe('what the README says of the code', () => {
  test('its tables of settings and errors are those of the code', () => {
    expect(withTables(text)).toBe(text)
  })

  test('its table of verifiers names every verifier of this build, and no other', () => {
    const section = text.slice(text.indexOf('\n## Verifiers'), text.indexOf('\n## Claims about'))
    const named = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id)
    expect(named).toEqual([...catalog.known.keys()])
  })

  test('its examples of data fit the schemas of the verifiers', () => {
    const { known } = catalog
    const examples = blocks.filter(({ language, name }) => language === 'json' && name)
    expect(examples.map(({ name }) => name)).toEqual([...known.keys()])
    for (const { name = '', code } of examples) {
      const data = JSON.parse(code.replaceAll('"0x…"', `"0x${'1'.repeat(40)}"`))
      expect([...Value.Errors(known.get(name)!.data, data)]).toEqual([])
    }
  })

  const configurations = blocks.filter(
    ({ language, name }) => language === 'toml' && !['gates.toml', 'paid.toml'].includes(name ?? ''),
  )
  test.each(configurations.map(({ code }) => code))(
    'its configuration is one that a server takes: %s',
    async (code) => {
      // What the reader puts in place of the words in brackets.
      const filled = code
        .replace('<0x and 64 hexadecimal digits>', `0x${'1'.repeat(64)}`)
        .replace(/"<[a-z ]+>"/g, '"filled-in"')
      checkout.write('fragment.toml', filled)
      expect(await loadConfig({ env: {}, cwd: checkout.folder, file: 'fragment.toml' })).toBeDefined()
    },
  )

  test('its table of commands names every command, and no other', () => {
    const named = [...text.matchAll(/^\| `proofgate ([a-z-]+)/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
  })

  test('its links inside the page and the checkout lead somewhere', () => {
    expect(findBrokenLinks(page)).toEqual([])
  })
})
