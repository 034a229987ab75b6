/** Hosted pages whose session ended: said once, with a way to sign in again, and what was typed stays. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { addEvmWallet } from './browser-wallets.ts'
import { choose, fill, finished, goUnsigned, keyOf, openHosted, press, problem, proofIds } from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit, VisitOptions } from './visit.ts'
import { startSite } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted({ PROOFGATE_PAGES_HANDOVER_SITES: 'http://localhost' })
const site = startSite(hosted.origin)

const signInLink = (page: Page, name = 'Sign in again') => page.locator('#problem').getByRole('link', { name })

/** Signs in, and opens the page. */
async function signIn(key: string, options: VisitOptions = {}) {
  const visit = await hosted.open({ expectsStatus: [401], ...options })
  const wallet = await addEvmWallet(visit.context, { key: keyOf(key) })
  await visit.goto('/verify?intent=login')
  await choose(visit.page)
  await visit.page.locator('#sign-out').waitFor()
  return { visit, page: visit.page, wallet }
}

/** Follows the link into the new tab, signs in there, closes it and comes back. */
async function signInAgain({ context, page }: Visit, name?: string): Promise<void> {
  const [tab] = await Promise.all([context.waitForEvent('page'), signInLink(page, name).click()])
  await choose(tab)
  await tab.locator('#sign-out').waitFor()
  await tab.close()
  await page.evaluate("dispatchEvent(new Event('focus'))")
}

test('making a proof: the fields stay, and the proof is made after signing in again', async () => {
  const { visit, page } = await signIn('1')
  await visit.goto('/verify?preset=username')
  await goUnsigned(page)
  await fill(page, 'pseudonymId', 'session.over')
  await visit.context.clearCookies()
  await press(page, 'Make the unsigned proof')
  await problem(page, 'Your session has ended. Nothing was changed.')
  expect(await page.getByText('Your session has ended').count()).toBe(1)
  await judged(page, 'session-over')
  await signInAgain(visit)
  await problem(page, 'You are signed in again.')
  expect(await page.locator('#work [name=pseudonymId]').inputValue()).toBe('session.over')
  await press(page, 'Make the unsigned proof')
  await finished(page)
  expect(visit.complaints).toEqual([])
})

test('another person who signs in meanwhile does not go on in the name of the first', async () => {
  const { visit, page, wallet } = await signIn('2')
  await visit.goto('/verify?preset=username')
  await goUnsigned(page)
  await fill(page, 'pseudonymId', 'session.other')
  await visit.context.clearCookies()
  await press(page, 'Make the unsigned proof')
  await problem(page, 'Your session has ended.')
  wallet.key = keyOf('3')
  await signInAgain(visit)
  await problem(page, 'Another wallet is signed in now.')
  wallet.key = keyOf('2')
  await visit.context.clearCookies()
  await signInAgain(visit)
  await problem(page, 'You are signed in again.')
  expect(visit.complaints).toEqual([])
})

test('in German, the owner of a proof shares it after signing in again, and the address stays', async () => {
  const { visit, page } = await signIn('4', { locale: 'de-DE' })
  await visit.goto('/verify?preset=basic')
  await fill(page, 'content', 'Geteilt')
  await page.locator('#work [type=submit]').click()
  await page.locator('#work dd.address').first().waitFor()
  const [qHash] = await proofIds(page)
  await visit.goto(`/proof/${qHash}`)
  await page.getByText('Mit einer anderen Wallet teilen').click()
  await page.locator('#viewer').fill(`0x${'5'.repeat(40)}`)
  await visit.context.clearCookies()
  await page.locator('#share [type=submit]').click()
  await problem(page, 'Ihre Sitzung ist abgelaufen.')
  await judged(page, 'session-over-de')
  await signInAgain(visit, 'Neu anmelden')
  await problem(page, 'Sie sind wieder angemeldet.')
  expect(await page.locator('#viewer').inputValue()).toBe(`0x${'5'.repeat(40)}`)
  await page.locator('#share [type=submit]').click()
  await problem(page, 'Sie teilen ihn mit')
  expect(visit.complaints).toEqual([])
})

test('telling a site who one is: the question is kept', async () => {
  const visit = await hosted.open({ expectsStatus: [401], alsoAt: [site.origin] })
  const { page } = visit
  await addEvmWallet(visit.context)
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
  const query = new URLSearchParams({
    intent: 'login',
    returnUrl: `${site.origin}/done`,
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  await visit.goto(`/verify?${query}`)
  await choose(page)
  const agree = page.getByRole('button', { name: /^Tell localhost:\d+ who I am$/ })
  await agree.waitFor()
  await visit.context.clearCookies()
  await agree.click()
  await problem(page, 'Your session has ended. Nothing was handed over.')
  await press(page, 'Sign in again')
  await choose(page)
  await agree.waitFor()
  expect(visit.complaints).toEqual([])
})

test('the link for an operator leads to signing in, and back', async () => {
  const { visit, page } = await signIn('6', { expectsStatus: [401, 404] })
  await page.goto(hosted.server.operatorLink!)
  await page.getByRole('button', { name: 'Make this wallet the operator' }).waitFor()
  await visit.context.clearCookies()
  await press(page, 'Make this wallet the operator')
  await problem(page, 'Your session has ended. The link still works.')
  await signInLink(page).click()
  await choose(page)
  await press(page, 'Make this wallet the operator')
  await page.waitForURL(`${hosted.origin}/operator`)
  expect(visit.complaints).toEqual([])
})
