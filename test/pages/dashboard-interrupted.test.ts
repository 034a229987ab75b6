/** A session that ends, and a server that is away for a while: said once, mended by itself, and nothing typed is lost. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { carry, judged, openDashboards } from './dashboard-stage.ts'
import { press } from './hosted-stage.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards
const person = (pair: string): string => `0x${pair.repeat(32)}`

const signOut = (visit: Visit & { readonly person: { readonly headers: Record<string, string> } }) =>
  fetch(`${origin}/api/v1/auth/logout`, { method: 'POST', headers: visit.person.headers })
const comeBack = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")
/** The texts of the alerts that a person sees. */
const alerts = async (page: Page): Promise<string[]> => {
  const found = await page.getByRole('alert').all()
  const seen = await Promise.all(found.map(async (one) => ((await one.isVisible()) ? await one.innerText() : '')))
  return seen.filter((text) => text !== '')
}
const signedOut = (page: Page) => page.getByText('Your session has ended').filter({ visible: true })

describe('a session that ends', () => {
  test('is said once by a view with several parts, which load after the person signs in again', async () => {
    const visit = await dashboards.openAs(person('f1'), '/keys', { expectsStatus: [401] })
    const { page } = visit
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    await signOut(visit)
    await page.getByRole('link', { name: 'Payments' }).click()
    await signedOut(page).waitFor()
    await page.waitForTimeout(300)
    const said = await alerts(page)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('Sign in again in a new tab')
    await judged(page, 'dashboard-signed-out')
    await carry(visit, origin, await dashboards.sessionOf(person('f1')))
    await comeBack(page)
    await signedOut(page).waitFor({ state: 'detached' })
    await page
      .getByRole('heading', { name: 'No sale yet' })
      .or(page.getByText('Nothing sold'))
      .or(page.locator('.empty'))
      .first()
      .waitFor()
    expect(await alerts(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('shows nothing of another person who has signed in since, in another tab', async () => {
    const visit = await dashboards.openAs(person('f1'), '/keys', { expectsStatus: [403] })
    const { page } = visit
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    const other = person('fa')
    await carry(visit, origin, await dashboards.sessionOf(other))
    await page.getByRole('link', { name: 'Wallets' }).click()
    await page.getByText('Someone else signed in, in another tab.').first().waitFor()
    expect((await page.locator('body').innerText()).toLowerCase()).not.toContain(
      privateKeyToAccount(other as `0x${string}`).address.toLowerCase(),
    )
    expect(visit.complaints).toEqual([])
  })

  test('keeps a form that is filled in, and lets it be sent afterwards', async () => {
    const visit = await dashboards.openAs(person('f2'), '/keys', { expectsStatus: [401, 403] })
    const { page } = visit
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('Nightly report')
    await signOut(visit)
    await press(page, 'Create the key')
    await signedOut(page).waitFor()
    expect(await alerts(page)).toHaveLength(1)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nightly report')
    await carry(visit, origin, await dashboards.sessionOf(person('f2')))
    await comeBack(page)
    await signedOut(page).waitFor({ state: 'detached' })
    await press(page, 'Create the key')
    await page.locator('pre.code').first().waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('is said in the window that is open, where it can be read and used', async () => {
    const visit = await dashboards.openAs(person('f3'), '/sessions', { expectsStatus: [401, 403] })
    const { page } = visit
    await press(page, 'Delete the profile')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('delete')
    await signOut(visit)
    await press(page, 'Delete the profile for good')
    await dialog.getByText('Your session has ended').waitFor()
    expect(await alerts(page)).toHaveLength(1)
    expect(await dialog.getByRole('textbox').inputValue()).toBe('delete')
    await judged(page, 'dashboard-signed-out-window')
    expect(visit.complaints).toEqual([])
  })
})

describe('a server that is away for a while', () => {
  test('is asked again by the page itself, and the notice goes away', async () => {
    const { page } = await dashboards.openAs(person('f4'), '/keys')
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    let asked = 0
    await page.route('**/api/v1/auth/apps', (route) => {
      asked++
      return route.abort()
    })
    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByText('We could not reach the server. This page keeps trying.').waitFor()
    const before = asked
    await page.waitForTimeout(1000)
    expect(asked).toBe(before)
    await page.unroute('**/api/v1/auth/apps')
    await page.getByText('No app is connected').waitFor()
    expect(await alerts(page)).toEqual([])
  })

  test('is asked at once when the browser is online again', async () => {
    const { page } = await dashboards.openAs(person('f5'), '/keys')
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByText('This page keeps trying').waitFor()
    // By now the pause is longer than the wait below.
    await page.waitForTimeout(8000)
    await page.context().setOffline(false)
    await page.getByText('No app is connected').waitFor({ timeout: 2500 })
    expect(await alerts(page)).toEqual([])
  })

  test('gets no change twice: the person is told that it may have happened', async () => {
    const { page } = await dashboards.openAs(person('f6'), '/keys')
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('Once')
    let sent = 0
    await page.route('**/api/v1/auth/profile-keys', (route) => {
      if (route.request().method() === 'POST') sent++
      return route.abort()
    })
    await press(page, 'Create the key')
    await page.getByText('It may have done what you asked').waitFor()
    await page.waitForTimeout(6000)
    expect(sent).toBe(1)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Once')
  })
})

describe('a slow server', () => {
  const hold = async (page: Page, address: string) => {
    const { promise: release, resolve } = Promise.withResolvers<void>()
    await page.route(address, async (route) => {
      await release
      await route.continue().catch(() => undefined)
    })
    return resolve
  }

  test('shows the outline of a view at once, says what takes long after 3 s, and lets the person ask again after 15 s', async () => {
    const visit = await dashboards.openAs(person('f7'), '/')
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    await page.clock.install()
    const release = await hold(page, '**/api/v1/auth/profile-keys*')
    await page.getByRole('link', { name: 'Access keys' }).click()
    await page.locator('.skeleton').waitFor({ state: 'visible' })
    await page.clock.fastForward(3000)
    await page.getByText('This takes longer than usual.').waitFor()
    await judged(page, 'dashboard-slow')
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.clock.fastForward(12_000)
    await page.getByText('The server has not answered yet.').waitFor()
    await judged(page, 'dashboard-very-slow')
    release()
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    expect(await page.locator('.skeleton').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('lets the person stop waiting for a change, keeps the form, and says that it may have happened', async () => {
    const visit = await dashboards.openAs(person('f8'), '/keys')
    const { page } = visit
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('Nightly report')
    await page.clock.install()
    const release = await hold(page, '**/api/v1/auth/profile-keys')
    await press(page, 'Create the key')
    await page.clock.fastForward(3000)
    await page.getByText('The server is still working on what you asked.').filter({ visible: true }).waitFor()
    await page.clock.fastForward(12_000)
    await judged(page, 'dashboard-slow-change')
    await page.getByRole('button', { name: 'Stop waiting' }).filter({ visible: true }).click()
    await page.getByText('It may have done what you asked.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nightly report')
    expect(await page.getByText('The server is still working').filter({ visible: true }).count()).toBe(0)
    release()
  })
})
