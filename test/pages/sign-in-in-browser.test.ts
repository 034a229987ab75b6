/** The sign-in page in a real browser, with wallets that sign for real. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { sign } from '../../src/commands/sign.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { startTestServer } from '../parts/test-server.ts'
import { addEvmWallet, addSolanaWallet, pixel } from './browser-wallets.ts'
import { openHosted } from './hosted-stage.ts'
import type { Visit } from './visit.ts'

const newFolder = temporaryFolders()

// A browser on a busy machine, or one that is unpacked first.
setDefaultTimeout(60_000)

const { server, origin, open } = await openHosted()

const account = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`)
const one = account('1')
const login = '/verify?intent=login'

/** Returns the API's view of the browser's cookie. */
async function me({ context }: Visit): Promise<Record<string, unknown>> {
  return (await (await context.request.get(`${origin}/api/v1/auth/me`)).json()).data
}

const choice = (page: Page, name: string) => page.getByRole('button', { name })
const problem = (page: Page) => page.locator('#problem')

async function waitForProblem(page: Page, text: string): Promise<void> {
  await problem(page).filter({ hasText: text }).waitFor()
}

describe('with a wallet', () => {
  test('one wallet: nothing starts by itself; one click and one signature sign in', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context)
    await visit.goto(login)
    await visit.page.getByRole('heading', { name: 'Sign in with' }).waitFor()
    await Bun.sleep(800)
    expect(wallet.asked).toEqual([])

    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign'])
    expect(await visit.page.locator('.facts').textContent()).toContain(one.address)
    expect(await me(visit)).toMatchObject({ authenticated: true, address: one.address.toLowerCase() })
    expect(await visit.page.title()).toBe('Signed in · Proofgate')
    expect(visit.complaints).toEqual([])
  })

  test('a slow server is named after 3 s, and after 15 s the person can stop waiting and is told what may happen', async () => {
    const visit = await open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto(login)
    await page.clock.install()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/auth/verify', async (route) => {
      await held.promise
      await route.continue().catch(() => undefined)
    })
    await choice(page, 'Test Wallet').click()
    await page.getByText('Checking the signature …').waitFor()
    expect(await page.getByText('This takes longer than usual.').count()).toBe(0)
    await page.clock.fastForward(3000)
    await page.getByText('This takes longer than usual.').waitFor()
    expect(await page.getByRole('button', { name: 'Stop waiting' }).count()).toBe(0)
    await page.clock.fastForward(12_000)
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await waitForProblem(page, 'The server may still finish what it was doing.')
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    // What came too late changes nothing on this page, and the next attempt works.
    await choice(page, 'Test Wallet').click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  test('the person signs a text that names this server, and no other', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context, { chainId: 137 })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const [hex] = wallet.asked.find(({ method }) => method === 'personal_sign')!.params as [string]
    const text = Buffer.from(hex.slice(2), 'hex').toString()
    expect(text).toStartWith(
      `127.0.0.1:${server.port} wants you to sign in with your Ethereum account:\n${one.address}\n`,
    )
    expect(text).toContain('\nChain ID: 137\n')
  })

  test('declining is reported in plain words, and the next click works', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context, { refuses: { personal_sign: { code: 4001, message: 'x' } } })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, 'You declined in the wallet. Nothing was signed.')
    expect(await visit.page.title()).toStartWith('Not signed in')
    expect((await me(visit)).authenticated).toBe(false)
    expect(await visit.page.evaluate('document.activeElement.textContent')).toContain('Test Wallet')

    wallet.refuses = {}
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test.each([
    ['eth_requestAccounts', -32002, 'already pending', 'already shows a request'],
    ['eth_requestAccounts', 4100, 'unauthorized', 'Unlock it'],
    ['personal_sign', 4900, 'disconnected', 'not connected to its network'],
    ['personal_sign', -32601, 'no such method', 'cannot sign texts'],
    ['personal_sign', -32603, 'internal <b>trouble</b>', 'answered: Internal <b>trouble</b>. Nothing was signed.'],
    ['eth_chainId', undefined, '', 'did not say why'],
  ])('%s refused with %p', async (method, code, message, said) => {
    const visit = await open()
    await addEvmWallet(visit.context, { refuses: { [method]: { message, ...(code === undefined ? {} : { code }) } } })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, said)
    expect(visit.complaints).toEqual([])
  })

  test('a long error of the wallet is summed up, with its text folded', async () => {
    const visit = await open()
    const message = `Internal JSON-RPC error. { "code": -32603, "data": "0x${'0badc0de'.repeat(40)}" }`
    await addEvmWallet(visit.context, { refuses: { personal_sign: { code: -32603, message } } })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, 'Test Wallet reported an error. Nothing was signed.')
    const detail = visit.page.locator('#problem').getByText('0badc0de')
    expect(await detail.isVisible()).toBe(false)
    await visit.page.getByText('Message of the wallet').click()
    expect(await detail.isVisible()).toBe(true)
    expect(visit.complaints).toEqual([])
  })

  test('a locked wallet that gives no account', async () => {
    const visit = await open()
    await addEvmWallet(visit.context, { noAccounts: true })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, 'gave no account. Unlock it')
  })

  test('two wallets: both are shown, neither is preselected, and the chosen one signs', async () => {
    const visit = await open()
    const first = await addEvmWallet(visit.context, { name: 'First', rdns: 'example.first' })
    const second = await addEvmWallet(visit.context, {
      name: 'Second',
      rdns: 'example.second',
      key: `0x${'2'.repeat(64)}`,
    })
    await visit.goto(`${login}&connect=1`)
    await visit.page.getByRole('heading', { name: 'Choose a wallet' }).waitFor()
    await Bun.sleep(800)
    expect(first.asked.length + second.asked.length).toBe(0)
    await choice(visit.page, 'Second').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(first.asked).toEqual([])
    expect((await me(visit)).address).toBe(account('2').address.toLowerCase())
  })

  test('two wallets of one name are distinguished by their vendor', async () => {
    const visit = await open()
    await addEvmWallet(visit.context, { name: 'Twin', rdns: 'example.real' })
    await addEvmWallet(visit.context, { name: 'Twin', rdns: 'example.other' })
    await visit.goto(login)
    await choice(visit.page, 'example.real').waitFor()
    await choice(visit.page, 'example.other').waitFor()
  })

  test('a wallet that announces itself late appears', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context, {}, 'late')
    await visit.goto(login)
    await visit.page.getByRole('heading', { name: 'No wallet in this browser' }).waitFor()
    await wallet.announce()
    await visit.page.getByRole('heading', { name: 'Sign in with' }).waitFor()
    expect(await visit.page.getByText('Add a wallet to this browser as an extension').isVisible()).toBe(false)
    await wallet.announce()
    expect(await visit.page.locator('.choice').count()).toBe(1)
  })

  test('a wallet in window.ethereum only is offered, once', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context, {}, 'legacy')
    await visit.goto(login)
    await choice(visit.page, 'Wallet of this browser').waitFor()
    await wallet.announce()
    expect(await visit.page.locator('.choice').allTextContents()).toEqual(['Test WalletEthereum and compatible chains'])
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  test('connect=1 asks the only wallet at once', async () => {
    const visit = await open()
    await addEvmWallet(visit.context)
    await visit.goto(`${login}&connect=1`)
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a Solana wallet signs in', async () => {
    const visit = await open()
    const wallet = await addSolanaWallet(visit.context)
    await visit.goto(login)
    await choice(visit.page, 'Sun Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(await me(visit)).toMatchObject({ authenticated: true, address: wallet.address })
    expect(visit.complaints).toEqual([])
  })

  test('a Solana wallet that declines, and one that signs another text', async () => {
    const visit = await open()
    const wallet = await addSolanaWallet(visit.context, { refuses: true })
    await visit.goto(login)
    await choice(visit.page, 'Sun Wallet').click()
    await waitForProblem(visit.page, 'You declined in the wallet')
    Object.assign(wallet, { refuses: false, changesText: true })
    await choice(visit.page, 'Sun Wallet').click()
    await waitForProblem(visit.page, 'did not answer with a signature of the text as it was')
    expect((await me(visit)).authenticated).toBe(false)
  })

  test('a change of account between connecting and signing starts over', async () => {
    const visit = await open()
    const never = Promise.withResolvers<void>()
    const wallet = await addEvmWallet(visit.context, { waits: { personal_sign: never.promise } })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
    // The account that is connected already is no change.
    await wallet.emit('accountsChanged', [one.address.toLowerCase()])
    expect(await problem(visit.page).textContent()).toBe('')
    await wallet.emit('accountsChanged', [account('2').address])
    await waitForProblem(visit.page, 'You changed the account in Test Wallet')
    // A late answer to the first request changes nothing any more.
    never.resolve()
    await Bun.sleep(300)
    expect((await me(visit)).authenticated).toBe(false)

    wallet.key = `0x${'2'.repeat(64)}`
    wallet.waits = {}
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect((await me(visit)).address).toBe(account('2').address.toLowerCase())
  })

  test('a wallet that never answers can be given up', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context, { waits: { eth_requestAccounts: new Promise(() => {}) } })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    // A second click on it asks nothing more.
    await choice(visit.page, 'Test Wallet').click({ force: true })
    await choice(visit.page, 'Test Wallet').dblclick({ force: true })
    expect(wallet.asked).toHaveLength(1)
    await visit.page.getByRole('button', { name: 'Cancel' }).click()
    expect(await visit.page.locator('#status').textContent()).toBe('')
    wallet.waits = {}
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  test('markup in the name of a wallet is text, and its icon is shown only when it is an image of its own', async () => {
    const visit = await open()
    const name = '<img src=x onerror=alert(1)>\u202eevil'
    await addEvmWallet(visit.context, { name, icon: 'https://tracker.example/pixel.png' })
    await addEvmWallet(visit.context, { name: 'Inline', icon: 'data:text/html,<script>alert(1)</script>' })
    await addEvmWallet(visit.context, {
      name: 'Drawn',
      icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script><image href="https://tracker.example/x.png"/></svg>')}`,
    })
    await addEvmWallet(visit.context, { name: 'Real', icon: pixel })
    await visit.goto(login)
    await choice(visit.page, 'Real').waitFor()
    expect(await visit.page.locator('.choice-name').first().textContent()).toBe('<img src=x onerror=alert(1)> evil')
    expect(await visit.page.locator('.choice img').count()).toBe(2)
    expect(visit.complaints).toEqual([])
  })
})

describe('a browser without a wallet', () => {
  /** Makes the token as the command prints it, with a key in a file. */
  async function signedToken(): Promise<string> {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'wallet.key'), `${'1'.repeat(64)}\n`, { mode: 0o600 })
    const { out } = await run(sign, ['--url', origin, '--key', 'wallet.key'], { cwd })
    return out
  }
  test('says what to do, and shows the command that signs', async () => {
    const visit = await open()
    await visit.goto(login)
    await visit.page.getByText('Add a wallet to this browser as an extension').waitFor()
    expect(await visit.page.getByText('inside your wallet app').isVisible()).toBe(false)
    await visit.page.getByText('Sign in with the command line').click()
    expect(await visit.page.getByText(`npm run --silent proofgate -- sign --url ${origin}`).isVisible()).toBe(true)
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit.page.getByRole('button', { name: 'Copy the command' }).click()
    await visit.page.getByText('Copied', { exact: true }).first().waitFor()
    expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe(
      `npm run --silent proofgate -- sign --url ${origin}`,
    )
    expect(visit.complaints).toEqual([])
  })

  test('a pasted token signs in, with the line breaks of a terminal in it', async () => {
    const visit = await open()
    await visit.goto(login)
    await visit.page.getByText('Sign in with the command line').click()
    const token = await signedToken()
    await visit.page.getByLabel('The word that it printed').fill(`  ${token.slice(0, 80)}\n${token.slice(80)}\n`)
    await visit.page.locator('#token-form button').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect((await me(visit)).address).toBe(one.address.toLowerCase())
    expect(visit.complaints).toEqual([])
  })

  test('an invalid token, a used one and an empty field are refused in words, with the focus in the field', async () => {
    const visit = await open({ expectsStatus: [400, 409] })
    await visit.goto(login)
    await visit.page.getByText('Sign in with the command line').click()
    const submit = visit.page.locator('#token-form button')
    await submit.click()
    await waitForProblem(visit.page, 'Paste the word that “proofgate sign” printed.')
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('token')
    await visit.page.getByLabel('The word that it printed').fill('pgs_nonsense')
    await submit.click()
    await waitForProblem(visit.page, 'paste the whole output of proofgate sign')
    const used = (await signedToken()).trim()
    await fetch(`${origin}/api/v1/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: used }),
    })
    await visit.page.getByLabel('The word that it printed').fill(used)
    await submit.click()
    await waitForProblem(visit.page, 'You signed in with this text before')
    expect(await visit.page.getByLabel('The word that it printed').getAttribute('aria-invalid')).toBe('true')
    expect(visit.complaints).toEqual([])
  })

  test('signs in with any other tool: address, text, signature', async () => {
    const visit = await open({ expectsStatus: [400, 401] })
    await visit.goto(login)
    await visit.page.getByText('Sign in with another tool').click()
    const address = visit.page.getByLabel('Address of the wallet')
    await address.fill('0x123')
    await address.press('Enter')
    await visit.page.locator('#problem .notice').waitFor()
    await address.fill(one.address)
    await address.press('Enter')
    await visit.page.getByRole('heading', { name: 'Sign exactly this text' }).waitFor()
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('text-heading')
    const text = (await visit.page.locator('#text').textContent())!
    const signature = visit.page.getByLabel('The signature')
    await signature.fill(await account('2').signMessage({ message: text }))
    await visit.page.locator('#signature-form button[type=submit]').click()
    await waitForProblem(visit.page, 'The signature is by')
    await signature.fill(await one.signMessage({ message: text }))
    await visit.page.locator('#signature-form button[type=submit]').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect((await me(visit)).address).toBe(one.address.toLowerCase())
    expect(visit.complaints).toEqual([])
  })

  test('signs in with a Solana address, in base58', async () => {
    const visit = await open()
    const seed = Uint8Array.from({ length: 32 }, () => 9)
    await visit.goto(login)
    await visit.page.getByText('Sign in with another tool').click()
    await visit.page.getByLabel('Address of the wallet').fill(base58.encode(ed25519.getPublicKey(seed)))
    await visit.page.getByRole('button', { name: 'Show the text to sign' }).click()
    await visit.page.getByRole('heading', { name: 'Sign exactly this text' }).waitFor()
    const text = (await visit.page.locator('#text').textContent())!
    await visit.page.getByLabel('The signature').fill(base58.encode(ed25519.sign(Buffer.from(text), seed)))
    await visit.page.locator('#signature-form button[type=submit]').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  test('shows what to do without scripts', async () => {
    const visit = await open({ withoutScripts: true })
    await visit.goto(login)
    expect(await visit.page.locator('noscript .notice').isVisible()).toBe(true)
    expect(await visit.page.getByRole('heading', { name: 'Sign in' }).isVisible()).toBe(true)
    expect(await visit.page.locator('#way-in').isVisible()).toBe(false)
  })
})

describe('where it leads', () => {
  test('back to the authorization of an application, with its query as it was', async () => {
    const visit = await open({ expectsStatus: [400] })
    await addEvmWallet(visit.context)
    const returnTo = '/oauth/authorize?client_id=a%20b&state=x%2By%26z&scope=svc%3Acore+offline_access'
    await visit.goto(`/verify?intent=mcp&returnTo=${encodeURIComponent(returnTo)}`)
    await visit.page.getByRole('heading', { name: 'An app asks for access' }).waitFor()
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.waitForURL('**/oauth/authorize?**')
    expect(visit.page.url()).toBe(`${origin}${returnTo}`)
    expect(visit.complaints).toEqual([])
  })

  test('signed in already: shows the account, goes on, signs out, or signs in with another wallet', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context)
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()

    await visit.goto(`${login}&returnTo=/docs&connect=1`)
    expect(await visit.page.getByText(one.address).isVisible()).toBe(true)
    expect(await visit.page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('docs')
    expect(await visit.page.locator('#way-in').isVisible()).toBe(false)
    const before = wallet.asked.length
    await Bun.sleep(800)
    expect(wallet.asked).toHaveLength(before)

    wallet.key = `0x${'2'.repeat(64)}`
    await visit.goto(login)
    await visit.page.getByRole('button', { name: 'Use another wallet' }).click()
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('wallets-heading')
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByText(account('2').address).waitFor()

    await visit.page.getByRole('button', { name: 'Sign out' }).click()
    await visit.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    expect((await me(visit)).authenticated).toBe(false)
    expect(visit.complaints).toEqual([])
  })

  test('switch=1 offers the wallets at once, and starts none', async () => {
    const visit = await open()
    const wallet = await addEvmWallet(visit.context)
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const before = wallet.asked.length
    await visit.goto(`${login}&switch=1&connect=1`)
    await choice(visit.page, 'Test Wallet').waitFor()
    await Bun.sleep(800)
    expect(wallet.asked).toHaveLength(before)
    expect(await visit.page.getByRole('button', { name: 'Use another wallet' }).count()).toBe(0)
  })

  test('at another address of this server it leads to the one where people sign in', async () => {
    const visit = await open({}, `http://localhost:${server.port}`)
    await visit.goto(`${login}&returnTo=/docs`)
    const link = visit.page.getByRole('link', { name: `Go on at 127.0.0.1:${server.port}` })
    expect(await link.getAttribute('href')).toBe(`${origin}${login}&returnTo=/docs`)
    expect(await visit.page.locator('#way-in').count()).toBe(0)
  })

  test('a page that the browser restores from its memory asks the server again', async () => {
    const visit = await open()
    await visit.goto(login)
    await visit.page.getByText('Add a wallet to this browser as an extension').waitFor()
    const reloaded = visit.page.waitForEvent('load')
    await visit.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await reloaded
  })
})

describe('when the server cannot', () => {
  test('a contract wallet on a chain that this server does not know', async () => {
    const visit = await open({ expectsStatus: [503] })
    // An ERC-6492 signature, as contract wallets make it, deployed or not.
    await addEvmWallet(visit.context, { chainId: 10, signs: `0x${'00'.repeat(96)}${'6492'.repeat(16)}` })
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, 'This is a contract wallet')
    expect(visit.complaints).toEqual([])
  })

  test('too many attempts', async () => {
    const strict = await startTestServer({ PROOFGATE_LIMITS_RATES_SESSIONS: '1/1m' })
    try {
      const visit = await open({ expectsStatus: [429] }, `http://127.0.0.1:${strict.port}`)
      await addEvmWallet(visit.context)
      await visit.goto(login)
      await choice(visit.page, 'Test Wallet').click()
      await waitForProblem(visit.page, 'Too many requests. Wait ')
      expect(await problem(visit.page).textContent()).toMatch(/Wait \d+ (seconds|minutes)/)
      expect(visit.complaints).toEqual([])
    } finally {
      await strict.stop()
    }
  })

  // Answers of a broken server, or of a proxy without one, as the browser sees them.
  const cases: [string, number, object, string][] = [
    ['a fault', 500, { requestId: 'req_7', error: { code: 'INTERNAL_ERROR', message: 'internal' } }, 'request req_7'],
    ['a proxy without a server', 502, {}, 'Something failed on this server'],
  ]
  test.each(cases)('%s', async (_, status, body, said) => {
    const visit = await open({ expectsStatus: [status] })
    await addEvmWallet(visit.context)
    await visit.page.route('**/api/v1/auth/verify', (route) => route.fulfill({ status, json: body }))
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, said)
    expect(visit.complaints).toEqual([])
  })

  test('no answer at all', async () => {
    const visit = await open()
    await addEvmWallet(visit.context)
    await visit.page.route('**/api/v1/auth/nonce', (route) => route.abort())
    await visit.goto(login)
    await choice(visit.page, 'Test Wallet').click()
    await waitForProblem(visit.page, 'This server did not answer')
  })
})

test('the keyboard alone is enough', async () => {
  const visit = await open()
  await addEvmWallet(visit.context)
  await visit.goto(login)
  await visit.page.getByRole('heading', { name: 'Sign in with' }).waitFor()
  const { keyboard } = visit.page
  const focused = () => visit.page.evaluate('document.activeElement.textContent.trim()')
  const seen: unknown[] = []
  for (let i = 0; i < 8 && !String(seen.at(-1)).includes('Test Wallet'); i++) {
    await keyboard.press('Tab')
    seen.push(await focused())
  }
  expect(seen).toEqual(['Proofgate', expect.stringContaining('Test Wallet')])
  // A focus ring shows the position to keyboard users.
  expect(await visit.page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  await keyboard.press('Enter')
  await visit.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  expect(visit.complaints).toEqual([])
})
