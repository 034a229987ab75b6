/** Changing who sees a proof, from the dashboard: what is said beforehand, and what its wallet signs. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { evmWallet } from '../wallets.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { keyOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { proveAt } from './proofs-here.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards

let made = 0
const prove = (digit: string, options: object = {}): Promise<string> => {
  const wallet = evmWallet(keyOf(digit))
  const data = { owner: wallet.address, content: `Content ${made++}` }
  return proveAt(origin, wallet, {
    verifierIds: ['ownership-basic'],
    data,
    options: { storeOriginalContent: true, meta: { title: 'My novel' }, ...options },
  })
}
const window = (page: Page) => page.getByRole('dialog', { name: 'Change who can see this proof' })

test('a private proof is made public: its wallet signs, after the page has said what changes', async () => {
  const qHash = await prove('7')
  const { page, context, complaints } = await dashboards.openAs('7', '/keys')
  const wallet = await addEvmWallet(context, { key: keyOf('7') })
  await page.goto(`${origin}/?proof=${qHash}`)
  await page.getByRole('button', { name: 'Change who can see it' }).click()
  // The present state is chosen, and there is nothing to sign.
  expect(await window(page).getByLabel('Private').isChecked()).toBe(true)
  await window(page).getByText('Choose another visibility to see what changes.').waitFor()
  expect(await window(page).locator('.choice').count()).toBe(0)
  await window(page).getByLabel('By link').check()
  await window(page).getByRole('button', { name: 'Sign and show it by link' }).waitFor()
  await window(page).getByLabel('Public').check()
  await window(page).getByText('Everyone can read its content, too.').waitFor()
  await window(page).getByText('stays known, even if you make it private again').waitFor()
  await judged(page, 'dashboard-visibility-public', { fullPage: false })
  expect((await dashboards.proofOf(qHash)).privacyLevel).toBe('private')

  await window(page).getByRole('button', { name: 'Sign and make it public Test Wallet' }).click()
  await window(page).waitFor({ state: 'hidden' })
  // Above the window of the proof, which the page opened with.
  await page.getByRole('dialog').getByText('Changed: Public.').waitFor()
  await page.locator('.detail-state').getByText('Public').waitFor()
  await page.locator('.proof-privacy', { hasText: 'Public' }).waitFor()
  expect(await dashboards.proofOf(qHash)).toMatchObject({ privacyLevel: 'public', publicDisplay: true })
  const signed = wallet.asked.filter(({ method }) => method === 'personal_sign')
  expect(signed).toHaveLength(1)
  expect(Buffer.from(String((signed[0]!.params as string[])[0]).slice(2), 'hex').toString()).toContain(
    `"action":"set_proof_visibility","audience":"${new URL(origin).host}"`,
  )
  expect(complaints).toEqual([])
})

test('a link opens the window with its choice, and says what making private cannot undo', async () => {
  const qHash = await prove('7', { privacyLevel: 'public', publicDisplay: true })
  const { page, context, complaints } = await dashboards.openAs('7', '/keys')
  await addEvmWallet(context, { key: keyOf('7') })
  await page.goto(`${origin}/?proof=${qHash}&visibility=private`)
  expect(await window(page).getByLabel('Private').isChecked()).toBe(true)
  await window(page).getByText('You cannot take back what others read, saved or copied.').waitFor()
  await judged(page, 'dashboard-visibility-private', { fullPage: false })
  await window(page).getByRole('button', { name: 'Sign and make it private' }).click()
  await window(page).waitFor({ state: 'hidden' })
  expect((await dashboards.proofOf(qHash)).walletAddress).toBeUndefined()
  expect(complaints).toEqual([])
})

test('a signature that comes after the window is closed changes nothing', async () => {
  const qHash = await prove('7')
  const { page, context, complaints } = await dashboards.openAs('7', '/keys')
  const late = Promise.withResolvers<void>()
  const wallet = await addEvmWallet(context, { key: keyOf('7'), waits: { personal_sign: late.promise } })
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/visibility')) changes.push(request.postDataJSON()?.visibility)
  })
  await page.goto(`${origin}/?proof=${qHash}&visibility=listed`)
  await window(page).getByRole('button', { name: 'Test Wallet' }).click()
  await window(page).getByText('Sign the text').waitFor()
  await page.keyboard.press('Escape')
  await window(page).waitFor({ state: 'hidden' })
  late.resolve()
  wallet.waits = {}
  await page.getByRole('button', { name: 'Change who can see it' }).click()
  await window(page).getByLabel('By link').check()
  await window(page).getByRole('button', { name: 'Test Wallet' }).click()
  await window(page).waitFor({ state: 'hidden' })
  expect(changes).toEqual(['unlisted'])
  expect(await dashboards.proofOf(qHash)).toMatchObject({ privacyLevel: 'public', publicDisplay: false })
  expect(complaints).toEqual([])
})

test('a window that the browser closes without asking sends no late signature either', async () => {
  const qHash = await prove('7')
  const { page, context, complaints } = await dashboards.openAs('7', '/keys')
  const late = Promise.withResolvers<void>()
  await addEvmWallet(context, { key: keyOf('7'), waits: { personal_sign: late.promise } })
  await page.goto(`${origin}/?proof=${qHash}&visibility=listed`)
  await window(page).getByRole('button', { name: 'Test Wallet' }).click()
  await window(page).getByText('Sign the text').waitFor()
  await page.evaluate("[...document.querySelectorAll('dialog')].at(-1).close()")
  // The page knows it: the address names the window no more.
  await eventually(page, async () => !page.url().includes('visibility'))
  late.resolve()
  await page.getByRole('button', { name: 'Change who can see it' }).click()
  await window(page).getByText('Choose another visibility to see what changes.').waitFor()
  expect((await dashboards.proofOf(qHash)).privacyLevel).toBe('private')
  expect(complaints).toEqual([])
})

test('another account and a declined signature change nothing, and say so', async () => {
  const qHash = await prove('7')
  const { page, context, complaints } = await dashboards.openAs('7', '/keys')
  const wallet = await addEvmWallet(context, { key: keyOf('8') })
  await page.goto(`${origin}/?proof=${qHash}&visibility=listed`)
  const sign = window(page).getByRole('button', { name: 'Test Wallet' })
  await sign.click()
  await window(page).getByText('This is another account of Test Wallet.').waitFor()
  wallet.key = keyOf('7')
  wallet.refuses.personal_sign = { code: 4001, message: 'User rejected the request.' }
  await sign.click()
  await window(page).getByText('You declined in the wallet. Nothing was signed.').waitFor()
  expect((await dashboards.proofOf(qHash)).privacyLevel).toBe('private')
  expect(complaints).toEqual([])
})

test('a browser without a wallet is told where to go on, in German as well', async () => {
  const qHash = await prove('7')
  const { page } = await dashboards.openAs('7', `/?proof=${qHash}&visibility=listed`, { locale: 'de-DE' })
  await page.getByText('In diesem Browser ist keine Wallet.').waitFor()
  await page.getByText('Alle können auch seinen Inhalt lesen.').waitFor()
  await judged(page, 'dashboard-visibility-german', { fullPage: false })
})
