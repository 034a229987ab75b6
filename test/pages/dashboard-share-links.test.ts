/** Links that open a private proof: made and ended in the dashboard, and opened by somebody without a wallet. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { evmWallet } from '../wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { keyOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { proveAt } from './proofs-here.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards
const owner = evmWallet(keyOf('9'))
const content = 'Chapter one, for those with the link'

test('a link is made, opened by a stranger, and ended', async () => {
  const qHash = await proveAt(origin, owner, {
    verifierIds: ['ownership-basic'],
    data: { owner: owner.address, content },
    options: { storeOriginalContent: true, meta: { title: 'My novel' } },
  })
  const { page, complaints } = await dashboards.openAs('9', `/?proof=${qHash}`)
  await page.getByLabel('Name of the link').fill('For the jury')
  // The same times as for a wallet.
  const times = ['15 minutes', '1 day', '7 days', '30 days']
  const listTimes = (label: string) => page.getByLabel(label).locator('option').allTextContents()
  expect(await listTimes('It works for')).toEqual([...times, 'Until a day …'])
  expect(await listTimes('For how long')).toEqual([...times, 'Until you stop sharing'])
  await page.getByLabel('It works for').selectOption('Until a day …')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page.getByText('Choose today or a later day.').waitFor()
  await page.getByLabel('It works for').selectOption('7 days')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page.getByText('Copy it now, because it is shown only once.').waitFor()
  const url = (await page.locator('.sharing .notice pre').textContent())!
  await page.getByText('ends in 7 days. Not opened yet.').waitFor()
  await page.getByText('Not opened yet.').scrollIntoViewIfNeeded()
  await judged(page, 'dashboard-share-links', { fullPage: false })

  const stranger = await dashboards.open({ expectsStatus: [404] })
  expect(await stranger.goto(url.slice(origin.length))).toBe(200)
  await stranger.page.getByText('Shared with you by a link.').waitFor()
  await stranger.page.locator('pre', { hasText: content }).waitFor()
  await judged(stranger.page, 'shared-proof')

  await page.reload()
  await page.getByText('Opened once').waitFor()
  await page.getByRole('button', { name: 'End this link: For the jury' }).click()
  await page.locator('.toasts').getByText('The link has ended.').waitFor()
  await page.getByText('For the jury').waitFor({ state: 'detached' })
  expect(await stranger.goto(url.slice(origin.length))).toBe(404)
  await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  expect(await stranger.page.content()).not.toContain('link=')
  await judged(stranger.page, 'shared-proof-gone')
  expect([complaints, stranger.complaints]).toEqual([[], []])
})

test('a dead link is explained in German on a German page', async () => {
  const { page, goto } = await dashboards.open({ locale: 'de-DE', expectsStatus: [404] })
  expect(await goto('/shared?link=nothing')).toBe(404)
  await page.getByRole('heading', { name: 'Dieser Link funktioniert nicht' }).waitFor()
})
