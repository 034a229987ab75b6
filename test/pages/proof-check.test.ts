/** /proof/{qHash} in a real browser: the check in the page, without a connection, and copying. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet } from './browser-wallets.ts'
import { choose, connect, fill, finished, openHosted, press, proofIds, share } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { readQr } from './read-qr.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()

/** Makes a public proof, and returns its id and its portable form. */
async function make(visit: Visit, content: string): Promise<{ readonly qHash: string; readonly portable: object }> {
  const { page } = visit
  await visit.goto('/verify?preset=basic')
  await connect(page)
  await fill(page, 'content', content)
  await share(page)
  await press(page, 'Sign the claim')
  await finished(page)
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save the portable proof')])
  return { qHash: (await proofIds(page))[0]!, portable: await Bun.file((await download.path())!).json() }
}

const checkFile = (page: Page, content: unknown, name = 'proof.json') =>
  page.locator('#portable').setInputFiles({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  })

const verdict = (page: Page, text: string) => page.locator('#verdict .notice').filter({ hasText: text }).waitFor()

test('the page checks a portable proof without a connection: green for the right one, red for a changed one', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  const other = await make(visit, 'Another one')
  const { qHash, portable } = await make(visit, 'Checked here')
  await visit.goto(`/proof/${qHash}`)
  await page.getByText('Verify it yourself').click()
  await visit.context.setOffline(true)

  await checkFile(page, portable)
  await verdict(page, 'Valid. The wallet 0x')
  expect(await page.locator('#verdict .notice').getAttribute('class')).toContain('good')
  await checkFile(page, { data: { portableProof: portable } })
  await verdict(page, 'Valid.')

  await checkFile(page, { ...portable, signedTimestamp: 1 })
  await verdict(page, 'Not valid. The id does not fit what was signed.')
  expect(await page.locator('#verdict .notice').getAttribute('class')).toContain('danger')

  await checkFile(page, other.portable)
  await verdict(page, 'but not the one on this page')
  await checkFile(page, 'no JSON')
  await verdict(page, 'This file is not a portable proof')
  await checkFile(page, 'x'.repeat(1_000_001))
  await verdict(page, 'too large')
  await visit.context.setOffline(false)
  await checkFile(page, portable)
  await verdict(page, 'Valid.')
  await judged(page, 'proof-checked')
  expect(visit.complaints).toEqual([])
})

test('its owner checks the kept copy with one click, and nobody else is offered that', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  const { qHash } = await make(visit, 'Kept for me')
  await visit.goto(`/proof/${qHash}`)
  await page.getByText('Verify it yourself').click()
  expect(await page.getByRole('button', { name: 'Check my kept copy' }).count()).toBe(0)

  await visit.goto(`/login?returnTo=/proof/${qHash}`)
  await connect(page)
  await page.waitForURL(`**/proof/${qHash}`)
  await page.getByText('Verify it yourself').click()
  await press(page, 'Check my kept copy')
  await verdict(page, 'Valid. The wallet 0x')
  await judged(page, 'proof-kept-copy')

  await visit.context.setOffline(true)
  await press(page, 'Check my kept copy')
  await verdict(page, 'Your copy could not be fetched.')
  await visit.context.setOffline(false)
  await visit.context.clearCookies()
  await press(page, 'Check my kept copy')
  await verdict(page, 'You are signed out, or the copy is gone.')
})

test('the QR code of a proof is its link, and reads in the dark and on paper', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  const { qHash } = await make(visit, 'Scanned')
  await visit.goto(`/proof/${qHash}`)
  await page.getByText('Share and embed').click()
  const code = page.getByRole('img', { name: 'QR code with the link to this proof' })
  expect(await code.isVisible()).toBe(false)
  await page.getByText('Show QR code').click()
  expect(await readQr(code)).toBe(`${hosted.origin}/proof/${qHash}`)
  await judged(page, 'proof-qr')
  for (const [media, colorScheme] of [
    ['screen', 'dark'],
    ['print', 'light'],
  ] as const) {
    await page.emulateMedia({ media, colorScheme })
    const [paper, ink] = await code.evaluate((svg) => [
      getComputedStyle(svg).backgroundColor,
      getComputedStyle(svg).fill,
    ])
    expect([media, paper, ink]).toEqual([media, 'rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  }
})

test('the link of a proof is copied at the top of its page', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { qHash } = await make(visit, 'Linked')
  await visit.goto(`/proof/${qHash}`)
  await press(page, 'Copy the link')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${hosted.origin}/proof/${qHash}`)
  expect(visit.complaints).toEqual([])
})

test('the proof says in one sentence what is proved, previews as such, and its values copy whole', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit.goto('/verify?preset=username')
  await connect(page)
  await fill(page, 'pseudonymId', 'well.said')
  await share(page)
  await press(page, 'Sign and check')
  await finished(page)
  const [qHash] = await proofIds(page)
  await visit.goto(`/proof/${qHash}`)
  const sentence = /^0x[0-9a-f]{4}…[0-9a-f]{4} is well\.said in svc$/
  expect(await page.locator('h1').textContent()).toMatch(sentence)
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toMatch(sentence)
  expect(await page.locator('meta[property="og:description"]').getAttribute('content')).toContain(
    'Verified · Checked by',
  )
  await page.getByRole('button', { name: 'Copy: Id' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(qHash!)
  expect(visit.complaints).toEqual([])
})

test('a private proof previews as private, and says nothing of its wallet or claim', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.goto('/verify?preset=username')
  await connect(page)
  await fill(page, 'pseudonymId', 'unseen.one')
  await press(page, 'Sign and check')
  await finished(page)
  const [qHash] = await proofIds(page)
  await visit.goto(`/proof/${qHash}`)
  expect(await page.locator('h1').textContent()).toBe('A private proof')
  const html = await page.content()
  for (const secret of ['unseen.one', '0x2e98', 'Pseudonym']) expect(html).not.toContain(secret)
  expect(visit.complaints).toEqual([])
})

test('in German the page speaks German, and the check as well', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context)
  const { qHash, portable } = await make(visit, 'Auf Deutsch')
  await visit.goto(`/proof/${qHash}`)
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByText('Bestätigt.', { exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByText('Selbst prüfen').click()
  await checkFile(page, portable)
  await verdict(page, 'Gültig. Die Wallet 0x')
  await judged(page, 'proof-german')
  expect(visit.complaints).toEqual([])
})

test('times are those of the reader, in their language and zone, with the instant for programs', async () => {
  const visit = await hosted.open({ locale: 'de-DE', timezoneId: 'America/New_York' })
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.goto('/verify?preset=basic')
  await choose(page)
  await fill(page, 'content', 'Somewhere else')
  await page.getByLabel('Mit Link').check()
  await press(page, 'Aussage signieren')
  await page.getByRole('heading', { name: 'Fertig' }).waitFor()
  const [qHash] = await proofIds(page)
  await visit.goto(`/proof/${qHash}`)
  const time = page.locator('.hero time')
  await time.filter({ hasText: /GMT-[45]|EST|EDT/ }).waitFor()
  const createdAt = new Date((await hosted.proofOf(qHash!)).createdAt)
  expect(await time.getAttribute('datetime')).toBe(createdAt.toISOString())
  const hour = createdAt.toLocaleTimeString('de-DE', { timeZone: 'America/New_York', timeStyle: 'short' })
  expect(await time.textContent()).toContain(hour)
  expect(visit.complaints).toEqual([])
})
