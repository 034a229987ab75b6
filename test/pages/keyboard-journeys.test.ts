/** The main journeys without a mouse: Tab reaches every control, Enter or Space uses it, and the focus can be seen. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet } from './browser-wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addGate } from './gates-here.ts'
import { keyOf } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openDashboards()

/** More than any page has before its main control. */
const mostTabs = 60

const describeFocus = `(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent
  return { name: name.trim(), isSeen: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' }
})()`

/** Presses Tab until the control has the focus. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const isWanted = (text: string) => (typeof name === 'string' ? text.startsWith(name) : name.test(text))
  const passed: string[] = []
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    await page.keyboard.press('Tab')
    const focus = (await page.evaluate(describeFocus)) as { readonly name: string; readonly isSeen: boolean }
    if (!isWanted(focus.name)) {
      passed.push(focus.name.slice(0, 40))
      continue
    }
    expect(focus).toEqual({ ...focus, isSeen: true })
    return
  }
  throw new Error(`Tab does not reach ${name}: ${passed.join(' | ')}`)
}

const use = async (page: Page, name: string | RegExp): Promise<void> => {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

test('a first proof is made with the keyboard alone', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('1') })
  await visit.goto('/')
  await use(page, 'Make a proof')
  await page.getByRole('link', { name: /^Claim content/ }).waitFor()
  await use(page, 'Claim content')
  await page.locator('.choice', { hasText: 'Test Wallet' }).waitFor()
  await use(page, 'Test Wallet')
  await page.locator('[name=content]').waitFor()
  await reach(page, /^Content|^Text/)
  await page.keyboard.type('A first text')
  await use(page, 'Sign the claim')
  await page.getByRole('button', { name: 'Save the portable proof' }).waitFor()
  await use(page, 'View and share')
  await page.locator('.hero, h1').first().waitFor()
  expect(visit.complaints).toEqual([])
})

test('a free gate is passed with the keyboard alone', async () => {
  await addGate(hosted.origin, {
    gateId: 'gate_keys',
    name: 'Keys',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'here it is', label: 'The word' }],
  })
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('2') })
  await visit.goto('/g/gate_keys')
  await page.locator('.choice', { hasText: 'Test Wallet' }).waitFor()
  await use(page, 'Test Wallet')
  await page.getByRole('button', { name: /^(Go on|Prove): / }).waitFor()
  await use(page, /^(Go on|Prove): /)
  await page.locator('[name=pseudonymId]').waitFor()
  await reach(page, /^Pseudonym|^Name/)
  await page.keyboard.type('keys.only')
  await use(page, 'Sign and check')
  await page
    .locator('#reward pre')
    .or(page.getByRole('button', { name: /reward|Get/ }))
    .first()
    .waitFor()
  expect(visit.complaints).toEqual([])
})

test('a gate is published and its link copied with the keyboard alone', async () => {
  const visit = await hosted.openAs(keyOf('3'), '/gates')
  const { page } = visit
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Build your first gate' }).waitFor()
  await use(page, 'Build your first gate')
  await page.getByRole('button', { name: /^Free, for a list of wallets/ }).waitFor()
  await use(page, /^Free, for a list of wallets/)
  await page.getByText('Ready to publish.').waitFor()
  await use(page, 'Review and publish')
  await page.getByRole('dialog').waitFor()
  await use(page, 'Publish the gate')
  await page.getByRole('button', { name: 'Copy the link' }).waitFor()
  await use(page, 'Copy the link')
  await page.getByText('Copied').first().waitFor()
  expect(String(await page.evaluate('navigator.clipboard.readText()'))).toMatch(/\/g\/[a-z-]+$/)
  expect(visit.complaints).toEqual([])
})
