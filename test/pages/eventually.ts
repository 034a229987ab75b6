/** Waits for conditions that no selector expresses. */
import type { Page } from 'playwright-core'

/** A page in the background may draw no frame. */
const oneFrame = 'new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100) })'

/**
 * Asks once a frame; a test that waits in vain ends by its own timeout. Not waitForFunction, which evaluates text in the
 * page: our policy forbids that.
 */
export async function eventually(page: Page, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await page.evaluate(oneFrame)
}
