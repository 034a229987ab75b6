/** Guest lists in a real browser: the owner lists wallets, a listed wallet gets in without a proof, others hear why not. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { addEvmWallet } from './browser-wallets.ts'
import { judged, openDashboards } from './dashboard-stage.ts'
import { addressOf, choose, keyOf, press } from './hosted-stage.ts'

setDefaultTimeout(90_000)

const dashboards = await openDashboards({ PROOFGATE_PAGES_OPERATOR_CONTACT: 'help@example.com' })
const secret = 'the word is xyzzy-plugh-4711'

test('an owner pastes wallets, a listed one gets in with nothing to prove, and another one is told', async () => {
  const owner = await dashboards.openAs(`0x${'a7'.repeat(32)}`, '/gates', { expectsStatus: [400] })
  await publish(owner.person.headers, {
    gateId: 'friends',
    name: 'Friends',
    requirements: [{ id: 'r1', verifierId: 'guest-list' }],
    rewards: [{ kind: 'reveal', value: secret, label: 'The word' }],
  })
  const { page } = owner
  await page.goto(`${dashboards.origin}/gates`)
  await page.getByText('This gate has an empty guest list.').waitFor()
  await page.getByRole('button', { name: 'Share Friends' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This gate has an empty guest list.').waitFor()
  expect((await dialog.locator('p').first().textContent())?.startsWith('This gate has an empty guest list.')).toBe(true)
  await dialog.getByText('This address works on this computer only.').waitFor()
  await dialog.getByRole('link', { name: 'Add wallets to the list' }).click()
  await page.getByText('No wallet is on the list. Nobody gets in.').waitFor()
  expect(await page.locator('.gate-form').textContent()).not.toContain('r1')
  await page.getByLabel('Wallets', { exact: true }).fill(`${addressOf('8')}\nhello world\nbob`)
  await press(page, 'Add to the list')
  await page.getByText('Line 3 is not a wallet address. An address begins with 0x.').waitFor()
  await page.getByText('Nothing was added. Line 2 is not a wallet address. Copy it whole').waitFor()
  await page.getByLabel('Wallets', { exact: true }).fill(`wallet\n${addressOf('8')}\n${addressOf('8')}`)
  await press(page, 'Add to the list')
  await page.getByText('1 wallet is on the list.').waitFor()
  await judged(page, 'dashboard-gate-guests')
  const listed = page.getByRole('list', { name: 'Wallets on the list' }).getByRole('listitem')
  expect(await listed.count()).toBe(1)
  await page.goto(`${dashboards.origin}/gates`)
  expect(await page.getByText('This gate has an empty guest list.').count()).toBe(0)

  const guest = await dashboards.open()
  await addEvmWallet(guest.context, { key: keyOf('8') })
  await guest.goto('/verify?gateId=friends')
  await choose(guest.page)
  await guest.page.locator('#work').getByText('you are on it').waitFor()
  await press(guest.page, 'Get it now')
  await guest.page.getByRole('heading', { name: 'You have access' }).waitFor()
  expect(await guest.page.locator('#reward pre').textContent()).toBe(secret)
  // The pass is no proof, so no link leads to its page.
  expect(await guest.page.locator('a[href*="proof/"]').count()).toBe(0)
  expect(guest.complaints).toEqual([])

  const stranger = await dashboards.open()
  await addEvmWallet(stranger.context, { key: keyOf('9') })
  await stranger.goto('/verify?gateId=friends')
  await choose(stranger.page)
  await stranger.page.getByText('You are not on the list. A proof does not help here.').waitFor()
  expect(await stranger.page.getByRole('button', { name: /Go on|Prove|Get it/ }).count()).toBe(0)
  await stranger.page.getByText('Send your address to the owner of the gate').waitFor()
  await stranger.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(stranger.page, 'Copy my address')
  await stranger.page.getByRole('button', { name: 'Copied' }).waitFor()
  expect((await stranger.page.evaluate(() => navigator.clipboard.readText())).toLowerCase()).toBe(
    addressOf('9').toLowerCase(),
  )
  await judged(stranger.page, 'checkout-not-on-list')
  expect(stranger.complaints).toEqual([])
})

test('a wallet that is not listed is offered the proofs that help, and none where the list decides', async () => {
  const owner = await dashboards.sessionOf(`0x${'a6'.repeat(32)}`)
  const requirements = [
    { id: 'basic', verifierId: 'ownership-basic' },
    { id: 'guests', verifierId: 'guest-list' },
    { id: 'domain', verifierId: 'ownership-dns-txt' },
  ]
  await publish(owner.headers, {
    gateId: 'list-decides',
    name: 'The list decides',
    requirements,
    rule: { all: ['guests', { any: ['basic', 'domain'] }] },
  })
  await publish(owner.headers, {
    gateId: 'list-or-proof',
    name: 'The list or a proof',
    requirements,
    rule: { any: [{ all: ['basic', 'guests'] }, 'domain'] },
  })
  const named = await fetch(`${dashboards.origin}/api/v1/profile/gates/list-decides/appearance`, {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ seller: 'The Bakery' }),
  })
  expect(named.status).toBe(200)
  const stranger = await dashboards.open()
  await addEvmWallet(stranger.context, { key: keyOf('9') })
  await stranger.goto('/verify?gateId=list-decides')
  await choose(stranger.page)
  await stranger.page.getByText('You are not on the list. A proof does not help here.').waitFor()
  await stranger.page.getByText('Send your address to The Bakery').waitFor()
  expect(await stranger.page.locator('#work a[href^=mailto]').getAttribute('href')).toBe('mailto:help@example.com')
  const ways = stranger.page.getByRole('button', { name: /Go on|Prove/ })
  expect(await ways.count()).toBe(0)
  await stranger.goto('/verify?gateId=list-or-proof')
  await ways.first().waitFor()
  expect(await ways.allTextContents()).toEqual([expect.stringMatching(/^Go on: .*domain/i)])
  expect(stranger.complaints).toEqual([])
})

test('an owner reads a long list page by page, searches it and removes one wallet', async () => {
  const owner = await dashboards.openAs(`0x${'a5'.repeat(32)}`, '/gates')
  const { headers } = owner.person
  await publish(headers, { gateId: 'many', name: 'Many', requirements: [{ verifierId: 'guest-list' }] })
  const wallets = Array.from({ length: 45 }, (_, at) => `0x${String(at).padStart(2, '0')}${'c'.repeat(38)}`)
  const path = `${dashboards.origin}/api/v1/profile/gates/many/guests`
  await fetch(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ add: wallets.join('\n') }),
  })
  const label = { account: wallets[44], label: 'Last of them' }
  await fetch(`${dashboards.origin}/api/v1/profile/labels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(label),
  })
  const { page } = owner
  await page.goto(`${dashboards.origin}/gates/many`)
  const listed = page.getByRole('list', { name: 'Wallets on the list' }).getByRole('listitem')
  const hasRows = async (count: number) => {
    await listed.nth(count - 1).waitFor()
    expect(await listed.count()).toBe(count)
  }
  await hasRows(20)
  // Pressed again before the next page has come, the button must not lead to the same page twice.
  await page.route('**/guests?*after=*', async (route) => {
    await Bun.sleep(300)
    await route.continue()
  })
  await press(page, 'Next page')
  await press(page, 'Next page')
  await page.getByText('Last of them').waitFor()
  await hasRows(5)
  await press(page, 'Previous page')
  await listed.getByTitle(wallets[20]!).waitFor()
  await page.getByRole('searchbox', { name: 'Search by address' }).fill('0x07C')
  await listed.getByTitle(wallets[7]!).waitFor()
  await hasRows(1)
  await judged(page, 'dashboard-gate-guest-search')
  await page.getByRole('button', { name: `Remove ${wallets[7]}` }).click()
  await page.getByText('No wallets match this search').waitFor()
  await page.getByText('44 wallets are on the list.').waitFor()
  expect(owner.complaints).toEqual([])
})

/** Publishes over HTTP, as the person of a dashboard. */
async function publish(headers: Record<string, string>, definition: object): Promise<void> {
  const answer = await fetch(`${dashboards.origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ definition }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
}
