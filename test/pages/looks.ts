/** The views in which a page is checked, and the rules that it must meet. */
import { expect } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** The rules that a color scheme can break: the other rules see the same page in both schemes. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** The source is evaluated by the driver of the browser, which the page's policy does not bind. */
async function listFindings(page: Page, rules: readonly string[] | 'all'): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules !== 'all' && { runOnly: { type: 'rule', values: rules } }) }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: readonly AxeResult[]
  }
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary}`),
  )
}

/** Ends the fade from one color scheme to the other: axe would read a color in between. */
const endAnimations = `for (const animation of document.getAnimations())
  try { animation.finish() } catch { animation.cancel() }`

const scrollsSideways = 'document.documentElement.scrollWidth > innerWidth'

/** The first element that makes the page scroll sideways. */
const findWidest = `${scrollsSideways} ? [...document.body.querySelectorAll('*')].find((one) =>
  one.getBoundingClientRect().right > innerWidth + 1)?.outerHTML.slice(0, 200) : null`

const looks = [
  { name: 'phone-light', width: 390, colorScheme: 'light', rules: 'all' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark', rules: colorRules },
  { name: 'desktop-light', width: 1280, colorScheme: 'light', rules: 'all' },
  { name: 'desktop-dark', width: 1280, colorScheme: 'dark', rules: colorRules },
] as const

/** A window of 1280 by 800 pixels that is enlarged to 200 % (WCAG 1.4.4), and the narrowest screen (WCAG 1.4.10). */
const tight = [
  { width: 640, height: 400 },
  { width: 320, height: 640 },
] as const

const folder = join(import.meta.dir, '../../dist/screenshots')

/** A picture of each look in dist/screenshots, for people: SCREENSHOTS=1 npm test -- test/pages. */
async function takePicture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, animations: 'disabled' })
}

const guideFolder = join(import.meta.dir, '../../src/guides/pictures')

interface PictureView {
  readonly width: number
  readonly height: number
  /** From the end of the page; from its beginning without it. */
  readonly fromEnd?: true
}

const phone: PictureView = { width: 390, height: 900 }
const dashboard: PictureView = { width: 1280, height: 590 }

/** By the name of the look: its picture in the guides. */
const guidePictures: Readonly<Record<string, PictureView | undefined>> = {
  'verify-no': phone,
  'checkout-missing': { ...phone, fromEnd: true },
  'checkout-pay': { ...phone, fromEnd: true },
  'dashboard-vault': dashboard,
  'dashboard-gates-builder': dashboard,
  'dashboard-numbers': dashboard,
}

/** Renews the pictures of the guides, after the pages changed: GUIDE_PICTURES=1 npm test -- test/pages. */
async function takeGuidePicture(page: Page, name: string): Promise<void> {
  const view = guidePictures[name]
  if (!view) return
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: view.width, height: view.height })
  await page.evaluate(endAnimations)
  await page.evaluate(`document.activeElement?.blur(); scrollTo(0, ${view.fromEnd ? 'document.body.scrollHeight' : 0})`)
  await page.screenshot({ path: join(guideFolder, `${name}.png`), animations: 'disabled' })
}

/**
 * Checks on phone and desktop, light and dark: axe finds nothing, and the page does not scroll sideways. At a zoom of
 * 200 % and on the narrowest screen it does not scroll sideways either.
 */
export async function judged(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource)
  if (process.env.GUIDE_PICTURES === '1') await takeGuidePicture(page, name)
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.evaluate(endAnimations)
    if (process.env.SCREENSHOTS === '1') await takePicture(page, `${name}-${look.name}`, fullPage)
    expect(await page.evaluate(scrollsSideways)).toBe(false)
    expect(await listFindings(page, look.rules)).toEqual([])
  }
  for (const size of tight) {
    await page.setViewportSize(size)
    expect({ ...size, widest: await page.evaluate(findWidest) }).toEqual({ ...size, widest: null })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
