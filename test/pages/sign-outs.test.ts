/** One browser, several tabs: what they show of a person ends with the sign-out in one of them. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDashboards } from './dashboard-stage.ts'
import { press } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards
const text = 'The plot of chapter nine'

/** A private proof of the person, with its text. */
async function keepText(headers: Readonly<Record<string, string>>, walletAddress: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/verification`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      walletAddress,
      verifierIds: ['ownership-basic'],
      data: { owner: walletAddress, content: text, reference: { type: 'other' } },
      options: { storeOriginalContent: true },
    }),
  })
  const { data } = (await answer.json()) as { data: { qHash: string } }
  return data.qHash
}

const openTab = async (page: Page, path: string): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(origin + path)
  return tab
}

test('signing out in one tab ends what the others show of the person', async () => {
  const { page, person } = await dashboards.openAs(`0x${'d1'.repeat(32)}`, '/')
  const qHash = await keepText(person.headers, person.address)
  const proof = await openTab(page, `/proof/${qHash}`)
  await proof.getByText(text).first().waitFor()
  const wallets = await openTab(page, '/wallets')
  await wallets.getByText('Primary', { exact: true }).waitFor()
  const verify = await openTab(page, '/verify?preset=username')
  const unsigned = verify.getByText('Make it without a signature')
  await unsigned.waitFor()
  await press(page, 'Sign out')
  await proof.getByRole('heading', { name: 'A private proof' }).waitFor()
  await wallets.getByRole('heading', { name: /^Sign in/ }).waitFor()
  await unsigned.waitFor({ state: 'detached' })
  for (const tab of [proof, wallets, verify]) {
    const shown = await tab.locator('body').innerText()
    expect(shown).not.toContain(text)
    expect(shown).not.toContain(person.address.slice(0, 6))
  }
})

test('a page of a private proof shows nothing more once another person has signed in', async () => {
  const { page, person } = await dashboards.openAs(`0x${'d2'.repeat(32)}`, '/')
  const qHash = await keepText(person.headers, person.address)
  const proof = await openTab(page, `/proof/${qHash}`)
  await proof.getByText(text).first().waitFor()
  await proof.evaluate("dispatchEvent(new Event('focus'))")
  expect(await proof.getByText(text).first().isVisible()).toBe(true)
  const other = await dashboards.openAs(`0x${'d3'.repeat(32)}`, '/')
  await page.context().addCookies(await other.page.context().cookies())
  await proof.evaluate("dispatchEvent(new Event('focus'))")
  await proof.getByRole('heading', { name: 'A private proof' }).waitFor()
  expect(await proof.locator('body').innerText()).not.toContain(text)
})
