/** The frame of the dashboard: who gets in, the way around, and what happens when a session ends. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp } from '../app.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { judged, openDashboards } from './dashboard-stage.ts'
import { choose } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards

describe('an anonymous visitor', () => {
  test('sees the page of welcome at the root', async () => {
    const { body } = await (await startApp()).get('/')
    expect(body).toContain('Prove it with your wallet')
  })

  test('goes from there through signing in to the dashboard', async () => {
    const { context, page, goto, complaints } = await dashboards.open()
    await addEvmWallet(context)
    await goto('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await choose(page)
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(complaints).toEqual([])
  })

  test.each(['?proof=0x12', '?q=fox'])('is led to sign in from a view of the list: /%s', async (search) => {
    const answer = await fetch(`${origin}/${search}`, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    const way = new URL(answer.headers.get('location')!, `${origin}/`)
    expect([way.pathname, way.searchParams.get('returnTo')]).toEqual(['/login', `/${search}`])
    expect(await (await fetch(`${origin}/?utm_source=x`)).text()).toContain('Prove it with your wallet')
  })

  test.each(['/gates', '/gates/gate_a', '/sessions'])('is led from %s to sign in, and back', async (place) => {
    const answer = await fetch(`${origin}${place}?a=1`, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    const way = new URL(answer.headers.get('location')!, `${origin}${place}`)
    expect(way.pathname).toBe('/login')
    expect(way.searchParams.get('returnTo')).toBe(`${place}?a=1`)
    const page = await (await fetch(way)).text()
    expect(page).toContain('data-next=')
  })

  test.each(['/operator', '/operator/audit'])('gets not found at %s, as at any unknown address', async (place) => {
    const headers = { accept: 'text/html' }
    const seen = async (path: string) => {
      const answer = await fetch(origin + path, { headers, redirect: 'manual' })
      const text = (await answer.text()).replace(/req_\w+|[0-9a-f-]{36}/g, '').replaceAll(`"${path}"`, '"the path"')
      return { status: answer.status, text, names: [...answer.headers.keys()].sort() }
    }
    const unknown = `${place.slice(0, -1)}x`
    expect(await seen(place)).toEqual(await seen(unknown))
    expect((await seen(place)).status).toBe(404)
  })
})

describe('a person who is signed in', () => {
  test('sees the views in a menu, and none of an operator', async () => {
    const { page, complaints } = await dashboards.openAs('1')
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    const menu = page.getByRole('navigation', { name: 'Dashboard' })
    expect(await menu.getByRole('listitem').allTextContents()).toEqual(
      [
        'Proofs',
        'Shared with me',
        'Gates',
        'Payments',
        'Access keys',
        'Connected apps',
        'Secrets',
        'Wallets',
        'Sessions',
      ].map((name) => ` ${name}`),
    )
    await menu.getByRole('link', { name: 'Access keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'Access keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/keys')
    expect(await page.title()).toBe('Access keys · Proofgate')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('goes to a place deeper down without losing a picture', async () => {
    const { page, complaints } = await dashboards.openAs('1')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate("history.pushState(null, '', '/gates/new'); dispatchEvent(new PopStateEvent('popstate'))")
    await page.locator('h1', { hasText: 'gate' }).waitFor()
    expect(await page.evaluate('[...document.images].every(({ naturalWidth }) => naturalWidth > 0)')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('gets not found at an operator’s address too', async () => {
    const { headers } = await dashboards.sessionOf('1')
    const answer = await fetch(`${origin}/operator`, { headers: { cookie: headers.cookie!, accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('id="dashboard"')
  })

  test('signs out, and the root is the page of welcome again', async () => {
    const { page, complaints } = await dashboards.openAs('1', '/keys')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Prove it with your wallet' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('sees a sign-out elsewhere, and goes on after signing in again', async () => {
    const visit = await dashboards.openAs('1', '/keys')
    const { page } = visit
    await fetch(`${origin}/api/v1/auth/logout`, { method: 'POST', headers: visit.person.headers })
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await page.getByText('Your session has ended').waitFor()
    const again = await dashboards.sessionOf('1')
    const [name, value] = again.headers.cookie!.split('=') as [string, string]
    await page.context().addCookies([{ name, value, url: origin }])
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await page.getByText('Your session has ended').waitFor({ state: 'hidden' })
    expect(visit.complaints).toEqual([])
  })

  test('uses it with the keyboard alone', async () => {
    const { page, complaints } = await dashboards.openAs('1')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.getByRole('link', { name: 'Gates' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('opens the menu on a phone', async () => {
    const { page, complaints } = await dashboards.openAs('1', '/', { width: 390 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await judged(page, 'dashboard-menu')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: 'Sessions' }).waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  test('switches to German in the menu, and stays at the same view', async () => {
    const { page, complaints } = await dashboards.openAs('1', '/keys?from=menu')
    await page.getByRole('form', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('form', { name: 'Sprache' }).waitFor()
    expect(page.url()).toBe(`${origin}/keys?from=menu`)
    expect(await page.title()).toBe('Zugriffsschlüssel · Proofgate')
    const menu = page.getByRole('list', { name: 'Ihre Seiten' })
    expect((await menu.getByRole('listitem').allTextContents()).map((name) => name.trim())).toEqual([
      'Nachweise',
      'Mit mir geteilt',
      'Gates',
      'Zahlungen',
      'Zugriffsschlüssel',
      'Verbundene Apps',
      'Geheimnisse',
      'Wallets',
      'Sitzungen',
    ])
    await judged(page, 'dashboard-german')
    await menu.getByRole('link', { name: 'Sitzungen' }).click()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('form', { name: 'Language' }).waitFor()
    expect(page.url()).toBe(`${origin}/sessions`)
    expect(complaints).toEqual([])
  })

  test('is written into the page as data, whatever the name contains', async () => {
    const { headers } = await dashboards.sessionOf('1')
    const page = await (await fetch(origin, { headers: { cookie: headers.cookie! } })).text()
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/)
  })
})
