/** Coming back from a provider in a real browser: to the window that waits, or on by itself. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { RunningServer } from '../../src/start.ts'
import { openBrowser, type SharedBrowser } from '../pages/chromium.ts'
import { judged } from '../pages/looks.ts'
import { openVisit, type Visit, type VisitOptions } from '../pages/visit.ts'
import { freePort } from '../parts/free-port.ts'
import { oidcProvider, type RunningProvider, stopProviders } from '../parts/oidc-provider.ts'
import { startTestServer } from '../parts/test-server.ts'
import { alice } from '../wallets.ts'
import { localSettings } from './person.ts'

setDefaultTimeout(60_000)

let server: RunningServer
let provider: RunningProvider
let browser: SharedBrowser
let origin: string
let visit: Visit

beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  provider = await oidcProvider({ backTo: origin, claims: (login) => ({ preferred_username: login }) })
  const env = {
    PROOFGATE_PORT: String(port),
    PROOFGATE_LOG_LEVEL: 'error',
    PROOFGATE_LIMITS_ENABLED: 'false',
    ...localSettings(provider, { label: 'Acme' }),
  }
  server = await startTestServer(env)
  browser = await openBrowser()
})
afterEach(async () => {
  await visit?.context.close()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  stopProviders()
})

async function open(options: VisitOptions = {}): Promise<Visit> {
  visit = await openVisit(browser, origin, { alsoAt: [provider.origin], ...options })
  return visit
}

interface Begun {
  readonly state: string
  readonly authorizationUrl: string
}

/** Begins as the page of the hosted flow does. */
const begin = (page: Page, returnTo = '/login?from=test'): Promise<Begun> =>
  page.evaluate(
    async (body) => {
      const response = await fetch('/api/v1/auth/oauth/start/local', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return (await response.json()).data
    },
    JSON.stringify({ walletAddress: alice.address, returnTo }),
  )

async function signIn(page: Page): Promise<void> {
  await page.fill('[name=login]', 'alice')
  await page.fill('[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
}

const exchanged = (page: Page, state: string) =>
  page.evaluate(
    async (body) => {
      const response = await fetch('/api/v1/auth/oauth/local/exchange', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return response.json()
    },
    JSON.stringify({ state, walletAddress: alice.address }),
  )

/** Written as text, because it runs in the browser, whose globals are not the test's. */
const popupAndOpenersMessage = (url: string): string => `new Promise((resolve) => {
  addEventListener('message', ({ origin, data, source }) => {
    source.postMessage({ type: 'oauth_received', state: data.state }, origin)
    resolve({ origin, data })
  })
  open(${JSON.stringify(url)}, 'provider', 'width=600,height=700')
})`
const popupAndChannelsMessage = (url: string, answers: boolean): string => `new Promise((resolve) => {
  const channel = new BroadcastChannel('proofgate-oauth')
  channel.addEventListener('message', ({ data }) => {
    if (${answers}) channel.postMessage({ type: 'oauth_received', state: data.state })
    resolve(data)
  })
  open(${JSON.stringify(url)}, 'provider', 'width=600,height=700')
})`

async function inPopup(script: (url: string) => string, from: string, act: (popup: Page) => Promise<void>) {
  const { page, context } = await open({ expectsStatus: [400] })
  await page.goto(origin + from)
  const { state, authorizationUrl } = await begin(page)
  const opened = context.waitForEvent('page')
  const heard = page.evaluate(script(authorizationUrl))
  const popup = await opened
  await act(popup)
  return { page, popup, state, heard: (await heard) as Record<string, unknown> }
}

const isClosed = async (popup: Page): Promise<boolean> => {
  for (let tries = 0; tries < 60 && !popup.isClosed(); tries++) await Bun.sleep(50)
  return popup.isClosed()
}

describe('the window that opened the provider', () => {
  test('hears the result while it still is the opener; the popup closes, and the sign-in can be exchanged', async () => {
    // A page of ours without a policy that cuts popups off.
    const { page, popup, state, heard } = await inPopup(popupAndOpenersMessage, '/api/v1/health', signIn)
    expect(heard).toEqual({ origin, data: { type: 'oauth_success', state } })
    expect(await isClosed(popup)).toBe(true)
    expect(await exchanged(page, state)).toMatchObject({ success: true, data: { provider: 'local', handle: 'alice' } })
  })

  test('hears the result although the browser has cut it off from the popup', async () => {
    const { page, popup, state, heard } = await inPopup((url) => popupAndChannelsMessage(url, true), '/login', signIn)
    expect(heard).toEqual({ type: 'oauth_success', state })
    await Bun.sleep(900)
    if (!popup.isClosed()) {
      expect(new URL(popup.url()).pathname).toBe('/api/v1/auth/oauth/callback/local')
      expect(await popup.isVisible('#close')).toBe(true)
    }
    expect(await exchanged(page, state)).toMatchObject({ success: true })
    expect(visit.complaints).toEqual([])
  })

  test('does not end the way when it waits for another result: the popup goes on by itself', async () => {
    const deaf = (url: string): string => `open(${JSON.stringify(url)}, 'provider', 'width=600,height=700') && 'opened'`
    const { popup, state } = await inPopup(deaf, '/api/v1/health', signIn)
    await popup.waitForURL(`${origin}/login?from=test&oauthState=${state}`)
  })

  test('is given up when it does not answer: the popup goes on by itself', async () => {
    const { popup, state } = await inPopup((url) => popupAndChannelsMessage(url, false), '/login', signIn)
    await popup.waitForURL(`${origin}/login?from=test&oauthState=${state}`)
  })

  test('hears that the person declined', async () => {
    const { heard, state } = await inPopup(popupAndOpenersMessage, '/api/v1/health', async (popup) => {
      await popup.click('a[href$="/abort"]')
    })
    expect(heard.data).toEqual({ type: 'oauth_error', state, error: 'access_denied' })
  })
})

test('the browser goes on to the named page when no window waits', async () => {
  const { page } = await open()
  await page.goto(`${origin}/login`)
  const { state, authorizationUrl } = await begin(page)
  await page.goto(authorizationUrl)
  await signIn(page)
  await page.waitForURL(`${origin}/login?from=test&oauthState=${state}`)
  expect(await exchanged(page, state)).toMatchObject({ success: true })
  expect(visit.complaints).toEqual([])
})

test('an opener of another origin hears nothing', async () => {
  const { page, context } = await open({ alsoAt: [provider.origin, 'http://localhost:1'] })
  await page.goto(`${origin}/api/v1/health`)
  const { state, authorizationUrl } = await begin(page)
  // The provider's own page, which is not ours, opens the sign-in.
  await page.goto(`${provider.origin}/jwks`)
  const opened = context.waitForEvent('page')
  await page.evaluate(`globalThis.heard = []; addEventListener('message', ({ data }) => heard.push(data));
    open(${JSON.stringify(authorizationUrl)}); undefined`)
  const popup = await opened
  const said: string[] = []
  popup.on('console', (message) => message.type() === 'error' && said.push(message.text()))
  await signIn(popup)
  await popup.waitForURL(`${origin}/login?from=test&oauthState=${state}`)
  expect(await page.evaluate('heard')).toEqual([])
  expect(said).toEqual([])
})

test('the page has a link to go on when scripts are off', async () => {
  const { page } = await open({ withoutScripts: true })
  const answer = await fetch(`${origin}/api/v1/auth/oauth/start/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: alice.address, returnTo: '/login' }),
  })
  const [name = '', value = ''] = answer.headers.get('set-cookie')!.split(';')[0]!.split('=')
  await visit.context.addCookies([{ name, value, url: origin }])
  const { state, authorizationUrl } = ((await answer.json()) as { data: Begun }).data
  await page.goto(authorizationUrl)
  await signIn(page)
  await page.click('text=Continue')
  expect(page.url()).toBe(`${origin}/login?oauthState=${state}`)
})

describe('the page names the outcome,', () => {
  test('in each state, on a phone and a desktop, light and dark', async () => {
    const { page } = await open({ expectsStatus: [400, 403, 409] })
    const look = (what: string): Promise<void> => judged(page, `social-${what}`)
    // A second page waits for the result, so that this page stays.
    await page.goto(`${origin}/login`)
    const waiting = await visit.context.newPage()
    await waiting.goto(`${origin}/login`)
    await waiting.evaluate(`const channel = new BroadcastChannel('proofgate-oauth')
      channel.addEventListener('message', ({ data }) => channel.postMessage({ type: 'oauth_received', state: data.state }))`)

    await page.goto((await begin(page)).authorizationUrl)
    await signIn(page)
    await page.waitForSelector('#close:not([hidden])')
    expect(await page.textContent('h1')).toBe('Signed in at Acme')
    await look('signed-in')
    await page.reload()
    expect(await page.textContent('.lead')).toContain('used up')
    await look('repeated')

    const { authorizationUrl } = await begin(page)
    const url = new URL(authorizationUrl)
    url.searchParams.set('prompt', 'consent')
    await page.goto(url.href)
    await page.click('a[href$="/abort"]')
    await page.waitForSelector('#close:not([hidden])')
    expect(await page.textContent('h1')).toBe('You did not agree')
    await look('declined')

    const begun = await begin(page)
    await visit.context.clearCookies({ name: 'svc_social' })
    await page.goto(`${origin}/api/v1/auth/oauth/callback/local?code=x&state=${begun.state}`)
    expect(await page.textContent('.lead')).toContain('did not begin in this browser')
    await look('another-browser')
    // No script opened this window, so it stays.
    expect(visit.complaints.filter((one) => !one.includes('may close only the windows'))).toEqual([])
  })
})
