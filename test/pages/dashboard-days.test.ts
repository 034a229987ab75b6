/** Lists of the dashboard that are narrowed to some days, in the reader's time zone. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findInstants } from '../../src/pages/day-range.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { writeManyProofs } from './many-proofs.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const owner = '6'

/** Proofs of five hours, one a minute. */
const newestAt = Date.UTC(2026, 10, 10, 12)

beforeAll(async () => {
  await writeManyProofs(dashboards.server.parts, { wallet: addressOf(owner), count: 300, newestAt })
})

const standing = (page: Page, text: string | RegExp) =>
  page.locator('.vault-standing').filter({ hasText: text }).waitFor()

test('days are those of the reader: midnight is where the browser is', () => {
  const offsetMs = new Date(2026, 10, 3).getTime() - Date.UTC(2026, 10, 3)
  const days = { when: 'days', first: '2026-11-03', last: '2026-11-03' }
  expect(findInstants(days, 0)).toEqual({
    from: Date.UTC(2026, 10, 3) + offsetMs,
    before: Date.UTC(2026, 10, 4) + offsetMs,
  })
  expect(findInstants({ ...days, last: '2026-11-02' }, 0)).toEqual({ from: Date.UTC(2026, 10, 3) + offsetMs })
  expect(findInstants({ ...days, first: '2026-02-30', last: '' }, 0)).toEqual({})
})

describe('the date filter of the proofs', () => {
  test('narrows the list to the chosen days of a far time zone, says a wrong order, and is cleared', async () => {
    const { page, complaints } = await dashboards.openAs(owner, '/', { timezoneId: 'Pacific/Auckland' })
    await page.getByLabel('Date', { exact: true }).selectOption({ label: 'Choose days …' })
    await page.getByLabel('From', { exact: true }).fill('2026-11-10')
    // Each of the two days narrows the list. The answer to the first one is not waited for.
    const asked = page.waitForRequest((request) => /\/by-wallet\/.*[?&]before=/.test(request.url()))
    await page.getByLabel('To', { exact: true }).fill('2026-11-10')
    const narrowed = new URL((await asked).url())
    // The rest is loaded as soon as the end of the list comes near, and then all of them are counted.
    await standing(page, /^(The newest 30 matches\.|104 found$)/)
    // Auckland is 13 hours ahead in November.
    expect(Number(narrowed.searchParams.get('from'))).toBe(Date.UTC(2026, 10, 9, 11))
    expect(Number(narrowed.searchParams.get('before'))).toBe(Date.UTC(2026, 10, 10, 11))
    await judged(page, 'dashboard-vault-days', { fullPage: false })

    await page.getByLabel('To', { exact: true }).fill('2026-11-01')
    await page.getByText('The last day is before the first one.').waitFor()
    await judged(page, 'dashboard-vault-days-wrong', { fullPage: false })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await standing(page, / active proofs$/)
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('stands in the address, so that a reload keeps it', async () => {
    const { page, complaints } = await dashboards.openAs(owner, '/?when=last-month')
    await standing(page, /ound/)
    expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe('last-month')
    await page.getByLabel('Date', { exact: true }).selectOption('today')
    await page.waitForURL('**/?when=today')
    expect(complaints).toEqual([])
  })
})

test('the date filter of the payments narrows each of their lists', async () => {
  const { page, complaints } = await dashboards.openAs(owner, '/payments?when=week')
  const asked = page.waitForRequest((request) => /profile\/fulfillments\?from=\d+/.test(request.url()))
  await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor()
  await page.getByRole('tab', { name: 'What I got' }).click()
  await asked
  await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor()
  await judged(page, 'dashboard-payments-days', { fullPage: false })
  await page.getByRole('button', { name: 'Show all dates' }).click()
  await page.getByRole('heading', { name: 'You have not passed a gate yet' }).waitFor()
  expect(complaints).toEqual([])
})

test('the date filter is German on a German page', async () => {
  const { page } = await dashboards.openAs(owner, '/?when=days', { locale: 'de-DE' })
  await page.getByLabel('Datum', { exact: true }).waitFor()
  await page.getByLabel('Von', { exact: true }).waitFor()
  expect(await page.getByLabel('Datum', { exact: true }).locator('option').allTextContents()).toContain('Letzte 7 Tage')
})
