/** An MCP client opens a real browser with a wallet, and gets the answer on its loopback address. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { generatePrivateKey } from 'viem/accounts'
import { addEvmWallet } from './browser-wallets.ts'
import { openHosted } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { type Client, newClient, state } from './loopback-client.ts'
import type { Visit, VisitOptions } from './visit.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted

const visitFor = ({ listener }: Client, options: VisitOptions = {}): Promise<Visit> =>
  hosted.open({
    ...options,
    alsoAt: [new URL(listener.address).origin],
    expectsStatus: [...(options.expectsStatus ?? []), 404],
  })

const allow = (page: Page) => page.getByRole('button', { name: 'Allow' })
const deny = (page: Page) => page.getByRole('button', { name: 'Deny' })

/** Goes as far as the consent page, as a new person. */
async function signInOnTheWay(visit: Visit, client: Client): Promise<void> {
  await addEvmWallet(visit.context, { key: generatePrivateKey() })
  await visit.goto(client.path)
  await visit.page.getByRole('heading', { name: 'An app asks for access' }).waitFor()
  expect(new URL(visit.page.url()).pathname).toBe('/verify')
  await visit.page.getByRole('button', { name: 'Test Wallet' }).click()
  await allow(visit.page).waitFor()
  expect(visit.page.url()).toBe(`${origin}${client.path}`)
}

describe('an unknown browser is sent to authorize a client', () => {
  test('signs in, allows, and the client gets a code that it can redeem', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    await signInOnTheWay(visit, client)
    expect(await visit.page.locator('main').textContent()).toContain('Example Assistant')
    expect(await visit.page.locator('main').textContent()).toContain('127.0.0.1 (this computer)')

    await allow(visit.page).click()
    const { searchParams } = await client.listener.first
    expect(searchParams.get('state')).toBe(state)
    expect(searchParams.get('iss')).toBe(origin)
    await visit.page.getByText('You can close this window.').waitFor()
    const tokens = await client.redeem(searchParams.get('code')!)
    expect(tokens.status).toBe(200)
    expect(await tokens.json()).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
    expect(visit.complaints).toEqual([])

    // Any program on this computer could ask in its name, so the same question comes again.
    await visit.goto(client.path)
    await allow(visit.page).waitFor()
    expect(client.listener.calls).toHaveLength(1)
  })

  test('unticks what it does not want to give, and the tokens lack it', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    await signInOnTheWay(visit, client)
    const secrets = visit.page.getByRole('checkbox', { name: /encrypted secrets/ })
    expect(await secrets.isChecked()).toBe(true)
    await visit.page.getByText('Store, list and revoke your encrypted secrets').click()
    expect(await secrets.isChecked()).toBe(false)
    await allow(visit.page).click()
    const code = (await client.listener.first).searchParams.get('code')!
    const { scope, refresh_token } = await (await client.redeem(code)).json()
    expect(scope).toBe('svc:core svc:profile offline_access')
    expect(refresh_token).toBeString()
    expect(visit.complaints).toEqual([])
  })

  test('unticks everything, is told what to do, and answers again', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client, { expectsStatus: [400] })
    await signInOnTheWay(visit, client)
    for (const box of await visit.page.getByRole('checkbox').all()) await box.uncheck()
    await allow(visit.page).click()
    await visit.page.getByRole('alert').getByText('Tick at least one line, or choose Deny.').waitFor()
    expect(client.listener.calls).toEqual([])
    await judged(visit.page, 'consent-unticked')
    await visit.page.getByRole('checkbox', { name: 'Check proofs' }).check()
    await allow(visit.page).click()
    const code = (await client.listener.first).searchParams.get('code')!
    expect((await (await client.redeem(code)).json()).scope).toBe('svc:core offline_access')
    expect(visit.complaints).toEqual([])
  })

  test('a request that names no permission does not tick what opens secrets', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    const path = client.path.replace(/&scope=[^&]*/, '')
    await signInOnTheWay(visit, { ...client, path })
    const boxes = visit.page.getByRole('checkbox')
    expect(await Promise.all((await boxes.all()).map((box) => box.isChecked()))).toEqual([true, true, false])
    expect(await visit.page.getByText('Stay connected while you are away').isVisible()).toBe(true)
    await judged(visit.page, 'consent-unnamed')
    expect(visit.complaints).toEqual([])
  })

  test('denies, and the client gets the denial', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    await signInOnTheWay(visit, client)
    await deny(visit.page).click()
    const { searchParams } = await client.listener.first
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state, iss: origin })
    expect(searchParams.get('code')).toBeNull()
    expect(visit.complaints).toEqual([])
  })

  test('the keyboard alone is enough: Deny and Allow are reached one after the other', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    await signInOnTheWay(visit, client)
    const reached: unknown[] = []
    for (let i = 0; i < 8; i++) {
      await visit.page.keyboard.press('Tab')
      reached.push(await visit.page.evaluate('document.activeElement.textContent.trim()'))
    }
    expect(reached).toContain('Deny')
    await allow(visit.page).focus()
    await visit.page.keyboard.press('Enter')
    expect((await client.listener.first).searchParams.get('code')).toBeString()
  })

  test('with scripts switched off, a signed-in browser can answer the question', async () => {
    const client = await newClient(origin)
    const first = await visitFor(client)
    await signInOnTheWay(first, client)
    const cookies = await first.context.cookies()

    const visit = await visitFor(client, { withoutScripts: true })
    await visit.context.addCookies(cookies)
    await visit.goto(client.path)
    await allow(visit.page).click()
    expect((await client.listener.first).searchParams.get('code')).toBeString()
    expect(visit.complaints).toEqual([])
  })

  test('"Use another wallet" comes back to the same question, as the other one', async () => {
    const client = await newClient(origin)
    const visit = await visitFor(client)
    await signInOnTheWay(visit, client)
    await addEvmWallet(visit.context, { name: 'Second', key: `0x${'2'.repeat(64)}` })
    await visit.page.getByRole('link', { name: 'Use another wallet' }).click()
    await visit.page.getByRole('button', { name: 'Second' }).click()
    await allow(visit.page).waitFor()
    expect((await visit.page.locator('main').textContent())!.toLowerCase()).toContain(
      '0x1563915e194d8cfba1943570603f7606a3115508',
    )
  })
})

test('markup in the name of a client is text', async () => {
  const client = await newClient(origin, '<img src=x onerror=alert(1)><script>alert(2)</script>')
  const visit = await visitFor(client)
  await signInOnTheWay(visit, client)
  expect(await visit.page.locator('main').textContent()).toContain('<img src=x onerror=alert(1)>')
  expect(await visit.page.locator('main img, main script').count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('the consent page and the page for an unknown client look as they should', async () => {
  const client = await newClient(origin, 'Example Assistant')
  const visit = await visitFor(client, { expectsStatus: [400, 401] })
  await signInOnTheWay(visit, client)
  await judged(visit.page, 'consent')
  await visit.goto(client.path.replace(client.id, 'forgotten'))
  await judged(visit.page, 'unknown-client')
  expect(visit.complaints).toEqual([])
})
