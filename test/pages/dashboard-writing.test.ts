/** Edits in the builder of gates are neither reverted nor lost. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page, Response } from 'playwright-core'
import { carry, openDashboards } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { press, review } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const source = (page: Page) => page.getByLabel('The definition as JSON')
const person = (pair: string): string => `0x${pair.repeat(32)}`

/** A new gate of a name, in the forms. */
async function begin(page: Page, name: string): Promise<void> {
  await press(page, /^Empty gate/)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await heading(page, name).waitFor()
}

test('a draft from a closed tab is still there after it was only viewed', async () => {
  const visit = await dashboards.openAs(person('c1'), '/gates/new')
  await begin(visit.page, 'Left behind')
  await visit.page.close()
  const page = await visit.context.newPage()
  await page.goto(`${origin}/gates/new`)
  await press(page, 'Open this draft')
  await heading(page, 'Left behind').waitFor()
  await page.reload()
  await page.getByText('This is your draft from').waitFor()
  await heading(page, 'Left behind').waitFor()
  expect(await page.evaluate(`Object.keys(localStorage).filter((key) => !key.includes('first-steps')).length`)).toBe(1)
})

describe('the source', () => {
  test('stays as it is typed, with the caret where it was', async () => {
    const { page, complaints } = await dashboards.openAs(person('c2'), '/gates/new')
    await begin(page, 'As typed')
    await page.getByRole('tab', { name: 'Source' }).click()
    const before = await source(page).inputValue()
    const at = before.indexOf('"As typed",') + '"As typed",'.length
    await source(page).evaluate((area: HTMLTextAreaElement, caret) => {
      area.focus()
      area.setSelectionRange(caret, caret)
    }, at)
    await page.keyboard.press('Enter')
    await page.keyboard.type('  "supply":   7,')
    const after = await source(page).inputValue()
    expect(after).toBe(`${before.slice(0, at)}\n  "supply":   7,${before.slice(at)}`)
    await page.getByRole('tab', { name: 'Form' }).click()
    expect(await page.getByLabel('Total limit').inputValue()).toBe('7')
    // A change in the forms writes it anew.
    await page.getByLabel('Total limit').fill('8')
    await page.getByRole('tab', { name: 'Source' }).click()
    expect(await source(page).inputValue()).toContain('\n  "supply": 8')
    expect(complaints).toEqual([])
  })

  test('is kept while it is invalid JSON: over a reload, and as a draft beside another person’s version', async () => {
    const visit = await dashboards.openAs(person('c3'), '/gates/new')
    const { page, complaints } = visit
    const publish = async (name: string) => {
      const definition = { gateId: 'ours', name, requirements: [{ verifierId: 'ownership-pseudonym' }] }
      const answer = await fetch(`${origin}/api/v1/profile/gates`, {
        method: 'POST',
        headers: { ...visit.person.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ definition }),
      })
      expect(answer.status).toBe(200)
    }
    await publish('Ours')
    await visit.goto('/gates/ours?tab=source')
    const unfinished = '{ "gateId": "ours", "name": "Half'
    await source(page).fill(unfinished)
    await page.getByText('It is not JSON yet').waitFor()
    await page.reload()
    await page.getByText('This is your draft from').waitFor()
    expect(await source(page).inputValue()).toBe(unfinished)
    await page.getByText('It is not JSON yet').waitFor()

    await publish('Theirs')
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await press(page, 'Take version 2, keep mine as a draft')
    await heading(page, /^Theirs/).waitFor()
    await press(page, 'Open this draft')
    await page.getByText('It is not JSON yet').waitFor()
    expect(await source(page).inputValue()).toBe(unfinished)
    expect(complaints).toEqual([])
  })
})

test('a limit that is no number stays as it was typed, is named under its field, and keeps the gate from being published', async () => {
  const { page, complaints } = await dashboards.openAs(person('c8'), '/gates/new')
  await begin(page, 'Limited')
  await press(page, 'Add a requirement')
  await page.getByLabel('Requirement', { exact: true }).selectOption('ownership-basic')
  await page.getByText('Ready to publish.').waitFor()
  const wrong = {
    'Total limit': '10 seats',
    'Limit for each wallet': 'two',
    'Hours that a proof counts': '-1',
    'Not older than': 'a week',
  }
  const sentence = 'Enter a whole number, such as 10.'
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    if (!(await page.getByLabel('Not older than').isVisible())) await page.getByText('More conditions').click()
    for (const [label, text] of Object.entries(wrong)) {
      const field = page.getByLabel(label)
      await field.fill(text)
      await field.blur()
      await page.locator('.field').filter({ has: field }).getByText(sentence).waitFor()
    }
    // The source has the text too, and the forms show it again with its fault.
    await page.getByRole('tab', { name: 'Source' }).click()
    expect(JSON.parse(await source(page).inputValue())).toMatchObject({
      supply: '10 seats',
      perWallet: 'two',
      policy: { gateFreshnessHours: '-1' },
      requirements: [{ maxAgeMs: 'a week' }],
    })
    await page.getByRole('tab', { name: 'Form' }).click()
    for (const [label, text] of Object.entries(wrong)) {
      const field = page.getByLabel(label)
      expect(await field.inputValue()).toBe(text)
      await page.locator('.field').filter({ has: field }).getByText(sentence).waitFor()
    }
    await page.locator('.preview li', { hasText: sentence }).nth(3).waitFor({ state: 'attached' })
    expect(await page.getByText('Ready to publish.').count()).toBe(0)
    await review(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText(sentence).nth(3).waitFor()
    expect(await dialog.getByRole('button', { name: 'Publish the gate' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    for (const label of Object.keys(wrong)) await page.getByLabel(label).fill('7')
    await page.getByText('Ready to publish.').waitFor({ state: width > 390 ? 'visible' : 'attached' })
  }
  expect(complaints).toEqual([])
})

test('a price with a comma is a decimal with two digits after it, and no price with three', async () => {
  const { page, complaints } = await dashboards.openAs(person('ca'), '/gates/new')
  await begin(page, 'Priced')
  await page.getByText('It has a price').click()
  const price = page.getByLabel('Price in US dollars')
  await price.fill('')
  await price.pressSequentially('1,000')
  await price.blur()
  await page.locator('.field').filter({ has: price }).getByText('Enter an amount such as 4.99.').waitFor()
  expect(await price.inputValue()).toBe('1,000')
  await price.fill('')
  await price.pressSequentially('1000,5')
  await price.blur()
  await eventually(page, async () => (await price.inputValue()) === '1000.5')
  await page
    .locator('.field')
    .filter({ has: price })
    .getByText('Enter an amount such as 4.99.')
    .waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('a day without its time keeps the gate from being published', async () => {
  const { page, complaints } = await dashboards.openAs(person('c9'), '/gates/new')
  await begin(page, 'Dated')
  await press(page, 'Add a requirement')
  await page.getByLabel('Requirement', { exact: true }).selectOption('ownership-basic')
  await page.getByText('Ready to publish.').waitFor()
  const until = page.getByLabel('Until')
  await until.click({ position: { x: 12, y: 12 } })
  await page.keyboard.type('12312099')
  await page.getByRole('heading', { level: 1 }).click()
  await page.locator('.gate-form').getByText('Enter a day and a time.').waitFor()
  expect(await page.getByText('Ready to publish.').count()).toBe(0)
  await until.fill('2099-12-31T18:00')
  await page.getByText('Ready to publish.').waitFor()
  expect(complaints).toEqual([])
})

test('commas and spaces can be typed where words are read out of a text', async () => {
  const { page, complaints } = await dashboards.openAs(person('c4'), '/gates/new')
  await begin(page, 'Typed')
  await press(page, 'Add a requirement')
  await page.getByLabel('Requirement', { exact: true }).selectOption('agent-delegation')
  await page.getByLabel('What it may do').pressSequentially('buy books ')
  await page.getByLabel('List it publicly').check()
  await page.getByLabel('Tags').pressSequentially('gold, silver and bronze,')
  expect(await page.getByLabel('Tags').inputValue()).toBe('gold, silver and bronze,')
  await page.getByLabel('Total limit').pressSequentially('12')
  await page.getByRole('tab', { name: 'Source' }).click()
  expect(JSON.parse(await source(page).inputValue())).toMatchObject({
    requirements: [{ match: [{ path: 'scope', op: 'eq', value: 'buy books' }] }],
    listing: { tags: ['gold', 'silver and bronze'] },
    supply: 12,
  })
  expect(complaints).toEqual([])
})

test('another person who signs in in another tab sees no draft here, and removes none', async () => {
  const visit = await dashboards.openAs(person('c5'), '/gates/new', { expectsStatus: [401, 403] })
  const { page } = visit
  await begin(page, 'Mine')
  await press(page, 'Add a requirement')
  await page.getByLabel('Requirement', { exact: true }).selectOption('ownership-pseudonym')
  await page.getByText('Ready to publish.').waitFor()
  await review(page)
  await press(page, 'Publish the gate')
  await page.getByText('Published as version 1.').waitFor()
  await page.getByRole('button', { name: 'Copy the link' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Description').fill('Not published yet')

  await carry(visit, origin, await dashboards.sessionOf(person('c6')))
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await page.getByText('Someone else signed in').waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('Not published yet')
  await page.getByRole('link', { name: 'Wallets' }).click()
  await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
  // The view loads nothing of somebody else, and the notice says so once.
  expect(await page.getByRole('alert').getByText('Someone else signed in').count()).toBe(1)
  await page.goBack()

  await carry(visit, origin, await dashboards.sessionOf(person('c5')))
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await page.getByText('Someone else signed in').first().waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('This is your draft from').waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('Not published yet')
})

test('signing out removes the text of a reward and the guests, and keeps the rest of the draft', async () => {
  const visit = await dashboards.openAs(person('c7'), '/gates/new')
  const { page, complaints } = visit
  await begin(page, 'To be secret')
  await press(page, 'Add a requirement')
  await page.getByRole('combobox', { name: 'Requirement' }).last().selectOption('guest-list')
  await page.getByLabel('Wallets', { exact: true }).fill('0xplugh-guest')
  await press(page, 'Add a reward')
  await page.getByRole('combobox', { name: 'What they get' }).selectOption('reveal')
  // A check of the gate that is still under way would be refused once the session has ended.
  const isLastCheck = (answer: Response) =>
    answer.url().includes('/gates/preview') && answer.request().postData()?.includes('xyzzy-plugh') === true
  const checked = page.waitForResponse(isLastCheck)
  await page.getByLabel('Secret text', { exact: true }).fill('xyzzy-plugh')
  await checked
  const asked: string[] = []
  page.once('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.dismiss()
  })
  await press(page, 'Sign out')
  await eventually(page, async () => asked.length === 1)
  expect(asked[0]).toContain('Signing out erases these from this browser')
  expect(await page.getByLabel('Secret text', { exact: true }).inputValue()).toBe('xyzzy-plugh')
  page.once('dialog', (dialog) => void dialog.accept())
  await press(page, 'Sign out')
  await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor()
  expect(await page.evaluate('JSON.stringify(localStorage)')).toContain('To be secret')
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(
    /xyzzy-plugh|0xplugh-guest/,
  )
  await carry(visit, origin, await dashboards.sessionOf(person('c7')))
  await visit.goto('/gates/new')
  await heading(page, 'To be secret').waitFor()
  expect(await page.getByLabel('Secret text', { exact: true }).inputValue()).toBe('')
  expect(complaints).toEqual([])
})
