/** Addresses on the dashboard: labeled by their reader, and copied by a small button. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chooseName, openNameBook, pointName } from '../parts/answer-book.ts'
import { startAnvil } from '../parts/anvil.ts'
import { innerOf } from '../wallet-link.ts'
import { evmWallet } from '../wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf, keyOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { proveAt } from './proofs-here.ts'

setDefaultTimeout(60_000)

const anvil = await startAnvil({ chainId: 1, timestamp: Math.floor(Date.now() / 1000) })
afterAll(() => anvil.stop())
await openNameBook(anvil)
const dashboards = await openDashboards({
  PROOFGATE_CHAINS_ETHEREUM_CHAIN: 'eip155:1',
  PROOFGATE_CHAINS_ETHEREUM_RPC: anvil.url,
})
const { origin } = dashboards
const low = (digit: string) => addressOf(digit).toLowerCase()
const short = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`

test('a wallet is labeled, renamed and unlabeled with the keyboard alone, and each view shows the label', async () => {
  const { page, complaints } = await dashboards.openAs('7', '/wallets')
  const own = short(low('7'))
  const opener = page.getByRole('button', { name: `Label ${own}`, exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  const input = page.getByLabel(`Label for ${own}`)
  await input.waitFor()
  expect(await page.locator('label', { hasText: `Label for ${own}` }).isVisible()).toBe(true)
  expect(await input.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type('Café 🦊')
  await judged(page, 'dashboard-labels-edit')
  await page.keyboard.press('Escape')
  await input.waitFor({ state: 'detached' })
  expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await input.waitFor()
  await page.keyboard.type('Café 🦊')
  await page.keyboard.press('Enter')
  await page.getByText('The label is saved.').waitFor()
  await page.getByRole('list', { name: 'Your wallets' }).getByText('Café 🦊').waitFor()
  const changer = page.getByRole('button', { name: `Change the label of ${own}` })
  expect(await changer.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.locator('.menu-person').getByText('Café 🦊').waitFor()
  await judged(page, 'dashboard-labels')

  await page.reload()
  await changer.click()
  await input.waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('a\u202eb')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/a character that nobody sees/)
    .waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await page.getByText('The label is removed.').waitFor()
  await opener.waitFor()
  expect(complaints.filter((one) => !/400/.test(one))).toEqual([])
})

test('the details of a proof show the label of its wallet, and label the wallet it is shared with', async () => {
  const owner = evmWallet(keyOf('9'))
  const qHash = await proveAt(origin, owner, {
    verifierIds: ['ownership-basic'],
    data: { owner: owner.address, content: 'Minutes of the choir' },
    options: { meta: { title: 'Minutes of the choir' } },
  })
  const { headers } = await dashboards.sessionOf('9')
  const label = await fetch(`${origin}/api/v1/profile/labels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ account: low('9'), label: 'My main wallet' }),
  })
  expect(label.status).toBe(200)
  const { page, complaints } = await dashboards.openAs('9', `/?proof=${qHash}`)
  const window = page.getByRole('dialog')
  await window.getByText('My main wallet').first().waitFor()
  await window.getByText(low('9'), { exact: true }).first().waitFor()
  await window.getByRole('button', { name: `Change the label of ${short(low('9'))}` }).waitFor()
  await judged(page, 'dashboard-labels-proof')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const copy = window.getByRole('button', { name: `Copy ${short(qHash)}`, exact: true })
  await copy.focus()
  await page.keyboard.press('Enter')
  await window.getByText('Copied', { exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(qHash)

  // Escape leaves the form of the label, and not the window around it.
  await window.getByRole('button', { name: `Change the label of ${short(low('9'))}` }).click()
  await page.keyboard.press('Escape')
  await window.getByRole('button', { name: `Change the label of ${short(low('9'))}` }).waitFor()
  expect(complaints).toEqual([])
})

test('without a clipboard, the whole address is shown', async () => {
  const { page } = await dashboards.openAs('9', '/shared-with-me')
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  const person = page.locator('.menu-person')
  await person.getByRole('button', { name: `Copy ${short(low('9'))}`, exact: true }).click()
  await person.getByText('Copy it with the keyboard').waitFor()
  await person.getByText(low('9'), { exact: true }).waitFor()
})

test('a wallet is labeled in German too', async () => {
  const { page, complaints } = await dashboards.openAs('7', '/wallets', { locale: 'de-DE' })
  await page.getByRole('button', { name: `${short(low('7'))} benennen` }).click()
  await page.getByLabel(`Name für ${short(low('7'))}`).fill('Haupt')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Der Name ist gespeichert.').waitFor()
  expect(complaints).toEqual([])
})

test('the ENS name of a wallet stands beside its address, and a label takes its place', async () => {
  await chooseName(anvil, low('6'), 'six.eth')
  await pointName(anvil, 'six.eth', low('6'))
  const { page, complaints } = await dashboards.openAs('6', '/wallets')
  const row = page.getByRole('list', { name: 'Your wallets' })
  await row.getByText('six.eth').waitFor()
  await page.locator('.menu-person').getByText('six.eth').waitFor()
  await judged(page, 'dashboard-ens-name')
  await page.getByRole('button', { name: `Label ${short(low('6'))}` }).click()
  await page.getByLabel(`Label for ${short(low('6'))}`).fill('Mine')
  await page.keyboard.press('Enter')
  await row.getByText('Mine').waitFor()
  expect(await row.getByText('six.eth').count()).toBe(0)
  expect(complaints).toEqual([])
})

/** A person with two wallets and a proof of each. The second wallet has an ENS name, the first one a label. */
async function openTwoWallets() {
  const [main, second] = [evmWallet(keyOf('a')), evmWallet(keyOf('b'))]
  const chain = { secondaryChain: 'eip155:1', primaryChain: 'eip155:1' }
  const { accounts, signed } = await innerOf({ primary: main, secondary: second, at: Date.now(), ...chain })
  const { primaryAccountId, secondaryAccountId } = accounts
  const data = { primaryAccountId, secondaryAccountId, ...signed }
  await proveAt(origin, main, { verifierIds: ['wallet-link'], data, options: { meta: { title: 'The link' } } })
  for (const [wallet, title] of [
    [main, 'By the first'],
    [second, 'By the second'],
  ] as const)
    await proveAt(origin, wallet, {
      verifierIds: ['ownership-basic'],
      data: { owner: wallet.address, content: title },
      options: { meta: { title } },
    })
  await chooseName(anvil, low('b'), 'bee.eth')
  await pointName(anvil, 'bee.eth', low('b'))
  const { headers } = await dashboards.sessionOf('a')
  const label = (account: string, text: string) =>
    fetch(`${origin}/api/v1/profile/labels`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ account, label: text }),
    })
  await label(low('a'), 'Savings')
  await label(low('c'), 'Neighbor')
}

test('rows of proofs and the wallet filter name wallets by label and ENS name, asked about once', async () => {
  await openTwoWallets()
  const { page, complaints } = await dashboards.openAs('a', '/')
  await page.locator('.proof-row').getByText('bee.eth').waitFor()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/profile/names?') && asked.push(request.url()))
  await page.goto(`${origin}/`)
  await page
    .locator('.proof-row')
    .getByText(`· bee.eth (${short(low('b'))})`)
    .waitFor()
  expect(
    await page
      .locator('.proof-row')
      .getByText(`· Savings (${short(low('a'))})`)
      .count(),
  ).toBe(2)
  expect(await page.getByLabel('Wallet', { exact: true }).locator('option').allTextContents()).toEqual([
    'All wallets',
    `Savings (${short(low('a'))})`,
    `bee.eth (${short(low('b'))})`,
  ])
  expect(asked.map((one) => new URL(one).searchParams.get('addresses')!.split(',').sort())).toEqual([
    [low('a'), low('b')].sort(),
  ])
  await judged(page, 'dashboard-vault-names')
  expect(complaints).toEqual([])
})

test('a search for a label leads to the proofs of its wallet, and to those that name the wallet', async () => {
  const { page, complaints } = await dashboards.openAs('a', '/')
  const search = page.getByLabel('Search your proofs')
  await search.fill('sav')
  await judged(page, 'dashboard-vault-labeled')
  await page.getByRole('button', { name: `Show the proofs of Savings (${short(low('a'))})` }).click()
  await page.getByRole('link', { name: 'By the second' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'By the first' }).waitFor()
  expect(new URL(page.url()).searchParams.get('wallet')).toBe(low('a'))
  expect(await search.inputValue()).toBe('')
  await search.fill('NEIGH')
  await page.getByRole('button', { name: `Search for Neighbor (${short(low('c'))})` }).click()
  expect(await search.inputValue()).toBe(low('c'))
  await search.fill('none of these')
  expect(await page.getByRole('list', { name: 'Wallets with this label' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
