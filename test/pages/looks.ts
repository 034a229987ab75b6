/** In which ways a page is looked at, and what axe finds to say of it. */
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The source is evaluated by the driver of the browser, which the page's policy does not bind. */
export async function findings(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate('axe.run(document)')) as { violations: readonly AxeResult[] }
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary}`),
  )
}

export const looks = [
  { name: 'phone-light', width: 390, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
  { name: 'desktop-light', width: 1280, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, colorScheme: 'dark' },
] as const
