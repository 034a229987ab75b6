/** The guides in a real browser: searched, copied, read on a phone, and without scripts. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openHosted } from './hosted-stage.ts'
import { judged } from './looks.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()

const search = (page: Page, text: string) => page.getByRole('searchbox').fill(text)
const found = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor()

test('a search finds a word of a guide and an operation of the API, and leads to both', async () => {
  const { page, goto, complaints } = await hosted.open()
  await goto('/docs/guides/network')
  await search(page, 'DNS rebinding')
  await found(page, /^\d+ results? for/)
  await page.getByRole('link', { name: /Host/ }).first().click()
  await page.waitForURL('**/docs/guides/network#host')
  // The address changes a moment before the page hears of it.
  await eventually(page, async () => (await page.getByRole('searchbox').inputValue()) === '')

  await search(page, 'revokeProof')
  const operation = page.locator('#results a[href$="docs#revokeProof"]')
  await operation.click()
  await page.getByRole('heading', { level: 1, name: /revoke/i }).waitFor()
  expect(complaints).toEqual([])
})

test('the search of the reference finds sections of the guides below the operations', async () => {
  const { page, goto, complaints } = await hosted.open()
  await goto('/docs')
  await search(page, 'rebinding')
  const section = page.locator('.operation-list a[href="docs/guides/network#host"]')
  await section.waitFor()
  await found(page, /^\d+ found for/)
  await section.click()
  await page.getByRole('heading', { level: 1, name: 'Network' }).waitFor()
  expect(complaints).toEqual([])
})

test.each([
  'PROOF_NOT_FOUND',
  'max_age_ms',
  'sign-in',
  'did:pkh',
  'eip155:<chain>',
  'a [b] (c) {d} | e ^ f $ * + ? / \\',
])('the search takes the characters of %s', async (text) => {
  const { page, goto, complaints } = await hosted.open()
  await goto('/docs/guides')
  await search(page, text)
  await page
    .getByRole('status')
    .filter({ hasText: `“${text}”` })
    .first()
    .waitFor()
  expect(complaints).toEqual([])
})

test('the search works by keyboard alone, and says when it has no matches', async () => {
  const { page, goto, complaints } = await hosted.open()
  await goto('/docs/guides')
  await page.locator('h1').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('combining marks')
  await found(page, /^\d+ results? for/)
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('A')
  await page.keyboard.press('ArrowUp')
  expect(await page.evaluate('document.activeElement.id')).toBe('search')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
  expect(await page.locator('#list').isVisible()).toBe(true)
  await page.keyboard.type('xyzzyxyzzy')
  await found(page, /^No results for “xyzzyxyzzy”/)
  expect(complaints).toEqual([])
})

test('commands have a button that copies them, and answers have none', async () => {
  const { page, goto, context, complaints } = await hosted.open()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await goto('/docs/guides/network')
  const block = page.locator('.copy-code').filter({ hasText: 'Commands' }).first()
  await block.getByRole('button', { name: 'Copy Commands' }).click()
  await block.getByText('Copied', { exact: true }).first().waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`curl -s -o /dev/null`)
  expect(await page.locator('.copy-code').filter({ hasText: 'Answer' }).getByRole('button').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the guide, its contents and every other guide are there when scripts are off, and no search', async () => {
  const { page, goto, complaints } = await hosted.open({ withoutScripts: true, width: 390 })
  await goto('/docs/guides/network')
  expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  await page.getByText('On this page').first().click()
  await page.getByRole('link', { name: 'Addresses', exact: true }).first().click()
  await page.waitForURL('**#addresses')
  await page.getByRole('link', { name: 'All guides' }).click()
  await page.getByRole('link', { name: 'Faults', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Faults' }).waitFor()
  expect(complaints).toEqual([])
})

/** Fails where a picture is not there or cannot be decoded. */
const waitForPictures = (page: Page) =>
  page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager'
    return image.decode()
  }))`)

const states: Readonly<Record<string, (page: Page, goto: (path: string) => Promise<number>) => Promise<unknown>>> = {
  'guides-index': (page, goto) => goto('/docs/guides').then(() => waitForPictures(page)),
  'guides-text': (_, goto) => goto('/docs/guides/network'),
  'guides-tables': (_, goto) => goto('/docs/guides/errors'),
  'guides-pictures': (page, goto) => goto('/docs/guides/hosted-pages').then(() => waitForPictures(page)),
  'guides-decision': (_, goto) => goto('/docs/guides/decisions/002-sqlite'),
  'guides-search': async (page, goto) => {
    await goto('/docs/guides/network')
    await search(page, 'revoke')
    await found(page, /^\d+ results? for/)
  },
}

test.each(['light', 'dark'] as const)(
  'a wide table on a phone has a shadow where it hides more, %s',
  async (colorScheme) => {
    const { page, goto } = await hosted.open()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 390, height: 800 })
    await goto('/docs/guides/wire')
    const tables = page.locator('.wide-table')
    const wide = await tables.evaluateAll((frames) => frames.findIndex((one) => one.scrollWidth > one.clientWidth))
    const table = tables.nth(wide)
    await table.scrollIntoViewIfNeeded()
    /** The color of the last column of pixels, in a row of blank ones: all channels together. */
    const readEdge = async (): Promise<number> => {
      const { x, y, width, height } = (await table.boundingBox())!
      const clip = { x: x + width - 2, y: y + height - 5, width: 1, height: 1 }
      const picture = (await page.screenshot({ clip })).toString('base64')
      return page.evaluate(async (png) => {
        const image = new Image()
        image.src = `data:image/png;base64,${png}`
        await image.decode()
        const canvas = document.createElement('canvas').getContext('2d')!
        canvas.drawImage(image, 0, 0)
        const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
        return red + green + blue
      }, picture)
    }
    const atStart = await readEdge()
    await table.evaluate((frame) => frame.scrollTo({ left: frame.scrollWidth, behavior: 'instant' }))
    expect(await readEdge()).toBeGreaterThan(atStart + 20)
  },
)

test.each(Object.entries(states))(
  '%s is accessible, on a phone and a desktop, light and dark',
  async (name, prepare) => {
    const { page, goto, complaints } = await hosted.open()
    await prepare(page, goto)
    await judged(page, name, { fullPage: false })
    expect(complaints).toEqual([])
  },
)
