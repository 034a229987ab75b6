/** The look of the pages: judged for accessibility by axe, and kept as pictures in dist/screenshots. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet, addSolanaWallet } from './browser-wallets.ts'
import { openHosted } from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
const blob = (color: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><path d="M9 21V11l7 6 7-6v10" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/></svg>`)}`
const fox = { name: 'Vixen Wallet', icon: blob('#d9722e') }

/** Each leaves the page in the state that is looked at. */
const states: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  root: ({ goto }) => goto('/'),
  'sign-in-no-wallet': async ({ goto, page }) => {
    await goto('/verify?intent=login')
    await heading(page, 'No wallet in this browser')
  },
  'sign-in-one-wallet': async ({ goto, page, context }) => {
    await addEvmWallet(context, fox)
    await goto('/verify?intent=login')
    await heading(page, 'Sign in with')
  },
  'sign-in-wallets': async ({ goto, page, context }) => {
    await addEvmWallet(context, fox)
    await addEvmWallet(context, { name: 'Plain', icon: '' })
    await addEvmWallet(context, {
      name: 'A wallet with a name that is longer than anybody would choose',
      icon: blob('#3b5bdb'),
    })
    await addSolanaWallet(context, { name: 'Sun Wallet' })
    await goto('/verify?intent=mcp&returnTo=/oauth/authorize')
    await page.locator('.choice').nth(3).waitFor()
  },
  'sign-in-waiting': async ({ goto, page, context }) => {
    await addEvmWallet(context, { ...fox, waits: { personal_sign: new Promise(() => {}) } })
    await goto('/verify?intent=login')
    await page.locator('.choice').click()
    await page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
  },
  'sign-in-declined': async ({ goto, page, context }) => {
    await addEvmWallet(context, { ...fox, refuses: { personal_sign: { code: 4001, message: '' } } })
    await goto('/verify?intent=login')
    await page.locator('.choice').click()
    await page.locator('#problem .notice').waitFor()
  },
  'sign-in-by-hand': async ({ goto, page }) => {
    await goto('/verify?intent=login')
    await heading(page, 'No wallet in this browser')
    await page.getByText('Sign in with the command line').click()
    await page.getByText('Sign in with another tool').click()
    await page.getByLabel('Address of the wallet').fill('0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a')
    await page.getByRole('button', { name: 'Show the text to sign' }).click()
    await heading(page, 'Sign exactly this text')
  },
  'signed-in': async ({ goto, page, context }) => {
    await addEvmWallet(context, fox)
    await goto('/verify?intent=login')
    await page.locator('.choice').click()
    await heading(page, 'You are signed in')
    await goto('/verify?intent=login&returnTo=/docs')
  },
  'signed-in-for-a-site': async ({ goto, page, context }) => {
    await addEvmWallet(context, fox)
    await goto('/verify?intent=login&mode=popup&origin=https://app.example.com')
    await page.locator('.choice').click()
    await page.getByRole('button', { name: 'Tell app.example.com' }).waitFor()
  },
  'other-address': async ({ page }) => {
    await page.goto(`http://localhost:${hosted.server.port}/login`)
    await page.locator('.notice').waitFor()
  },
  'link-refused': ({ goto }) => goto('/verify?intent=login&returnTo=//evil.example'),
  'verify-choice': ({ goto }) => goto('/verify'),
  'not-found': ({ goto }) => goto('/nothing'),
}

test.each(Object.entries(states))('%s, on a phone and a desktop, light and dark', async (name, prepare) => {
  const visit = await hosted.open({
    expectsStatus: [400, 404],
    alsoAt: [`http://localhost:${hosted.server.port}`],
  })
  const { page } = visit
  await prepare(visit)
  await judged(page, name)
  expect(visit.complaints).toEqual([])
})

test('each choice is a card of its own, with no frame around it', async () => {
  const { page, goto } = await hosted.open()
  await goto('/verify')
  const items = page.locator('.choices > li')
  await items.first().waitFor()
  const looks = await items.evaluateAll((all) =>
    all.map((one) => {
      const { backgroundColor, borderTopWidth, padding } = getComputedStyle(one)
      return { backgroundColor, borderTopWidth, padding }
    }),
  )
  expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(1)
  expect(looks[0]).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', borderTopWidth: '0px', padding: '0px' })
})
