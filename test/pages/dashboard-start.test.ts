/** What leads through the dashboard: the first steps, the command palette, and the keys. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf, press } from './hosted-stage.ts'
import { judged } from './looks.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards({ PROOFGATE_OPERATOR_WALLETS: addressOf('1') })
const { origin } = dashboards
const person = (pair: string): string => `0x${pair.repeat(32)}`
const checklist = (page: Page) => page.getByRole('region', { name: 'First steps' })
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search pages and commands' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

type Visit = Awaited<ReturnType<typeof dashboards.openAs>>

async function prove({ person: { headers } }: Visit, wallet: string, content: string): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/verification`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: wallet, verifierIds: ['ownership-basic'], data: { owner: wallet, content } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

describe('the first steps', () => {
  test('follow what the person does, and end by themselves', async () => {
    const visit = await dashboards.openAs('5', '/')
    const { page } = visit
    await checklist(page).getByText('0 of 4 done').waitFor()
    await judged(page, 'dashboard-first-steps')
    await prove(visit, visit.person.address, 'mine')
    await page.reload()
    await checklist(page).getByText('1 of 4 done').waitFor()

    await checklist(page).getByRole('link', { name: 'Connect a program or an assistant' }).click()
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('Nightly report')
    await press(page, 'Create the key')
    await page.locator('pre.code').first().waitFor()
    await page.goto(`${origin}/`)
    await checklist(page).getByText('2 of 4 done').waitFor()
    await judged(page, 'dashboard-first-steps-half')

    await checklist(page).getByRole('link', { name: 'Build a gate' }).click()
    await page.getByRole('heading', { level: 1, name: 'New gate' }).waitFor()
    const made = await fetch(`${origin}/api/v1/profile/gates`, {
      method: 'POST',
      headers: { ...visit.person.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        definition: { gateId: 'gate_mine', name: 'Mine', requirements: [{ verifierId: 'ownership-basic' }] },
      }),
    })
    expect(await made.text()).toContain('"success":true')
    await page.goto(`${origin}/gates`)
    await press(page, 'Share')
    await page.getByRole('dialog').waitFor()
    await page.goto(`${origin}/`)
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    await page.locator('.proof-title').first().waitFor()
    await page.waitForTimeout(500)
    expect(await checklist(page).count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('can be put away, and stay away', async () => {
    const { page } = await dashboards.openAs('6', '/')
    await checklist(page).getByRole('button', { name: 'Hide this list' }).click()
    await checklist(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    await page.waitForTimeout(500)
    expect(await checklist(page).count()).toBe(0)
  })

  test('ask an operator to set up backups, and only an operator', async () => {
    const { page } = await dashboards.openAs('1', '/')
    await checklist(page).getByText('0 of 5 done').waitFor()
    expect(await checklist(page).getByRole('link', { name: 'Set up backups' }).getAttribute('href')).toBe(
      `${origin}/docs/guides/stored#backup`,
    )
    await press(page, 'I have done this')
    await checklist(page).getByText('1 of 5 done').waitFor()
  })
})

describe('the command palette', () => {
  test('opens with Ctrl+K, finds a page by the start of its words, and goes there', async () => {
    const { page, complaints } = await dashboards.openAs('7', '/')
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await judged(page, 'dashboard-palette')
    await page.keyboard.type('acc k')
    expect(await page.getByRole('option').allTextContents()).toEqual(['Access keys', 'Search your proofs for “acc k”'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Access keys' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await focused(page)).toBe('Access keys')
    expect(complaints).toEqual([])
  })

  test('names no keys on a phone, which has no keyboard', async () => {
    const key = '6'
    const keys = (page: Page) => page.locator('.menu-search kbd')
    const desktop = await dashboards.openAs(key, '/keys')
    await keys(desktop.page).waitFor()
    const { page } = await dashboards.openAs(key, '/keys', { phone: true })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('.menu-search').waitFor()
    expect(await keys(page).isVisible()).toBe(false)
  })

  test('searches the proofs for what is no page, and moves with the arrow keys', async () => {
    const { page } = await dashboards.openAs('7', '/keys')
    await page.getByRole('button', { name: /^Search/ }).click()
    await palette(page).fill('gate')
    const options = page.getByRole('option')
    expect(await options.allTextContents()).toEqual(['Gates', 'Build a gate', 'Search your proofs for “gate”'])
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('option', { selected: true }).textContent()).toBe('Search your proofs for “gate”')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Proofs' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('gate')
  })

  test('knows the pages of operators only for operators, and speaks German', async () => {
    const options = async (key: string) => {
      const { page } = await dashboards.openAs(key, '/keys', { locale: 'de-DE' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Seiten und Befehle suchen' }).fill('protokoll')
      return page.getByRole('option').allTextContents()
    }
    expect(await options('1')).toEqual(['Protokoll', 'In Ihren Nachweisen nach „protokoll“ suchen'])
    expect(await options('8')).toEqual(['In Ihren Nachweisen nach „protokoll“ suchen'])
  })
})

test('? shows the keys, but not while somebody types', async () => {
  const { page, complaints } = await dashboards.openAs('9', '/keys')
  await press(page, 'Create a key')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Why?')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Why?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('heading', { level: 1, name: 'Access keys' }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await judged(page, 'dashboard-shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('rows are selected with Shift and the arrow keys, and all of them with Ctrl+A', async () => {
  const visit = await dashboards.openAs(person('a1'), '/')
  const { page } = visit
  for (const content of ['one', 'two', 'three', 'four']) await prove(visit, visit.person.address, content)
  await page.reload()
  await page.locator('.proof-open').first().focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('3 proofs selected').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('3 proofs selected').first().waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+a')
  await page.getByText('4 proofs selected').first().waitFor()
})
