/** In which ways a page is looked at, and how it is judged. */
import { expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The source is evaluated by the driver of the browser, which the page's policy does not bind. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate('axe.run(document)')) as { violations: readonly AxeResult[] }
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary}`),
  )
}

const looks = [
  { name: 'phone-light', width: 390, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
  { name: 'desktop-light', width: 1280, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, colorScheme: 'dark' },
] as const

const folder = join(import.meta.dir, '../../dist/screenshots')
mkdirSync(folder, { recursive: true })

/** Four pictures in dist/screenshots for eyes, nothing that axe finds to say, nothing to scroll sideways. */
export async function judged(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  await page.evaluate(axe.source)
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), fullPage, animations: 'disabled' })
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await findings(page)).toEqual([])
  }
}
