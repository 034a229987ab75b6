/** A listening server, a browser, and steps that tests of the hosted pages repeat. */
import { afterAll, afterEach } from 'bun:test'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import type { RunningServer } from '../../src/start.ts'
import { startTestServer } from '../parts/test-server.ts'
import type { EvmWallet } from './browser-wallets.ts'
import { openBrowser, type SharedBrowser } from './chromium.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

export const keyOf = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
export const addressOf = (digit: string): string => privateKeyToAccount(keyOf(digit)).address

export interface Hosted {
  readonly server: RunningServer
  readonly browser: SharedBrowser
  readonly origin: string
  /** Opens a new browser profile, at another origin where one is given. */
  open(options?: VisitOptions, at?: string): Promise<Visit>
  /** The public answer of the API about a proof. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  proofOf(qHash: string): Promise<any>
}

/** Without a folder it stores in memory. */
export async function openHosted(env: Record<string, string> = {}, folder?: string): Promise<Hosted> {
  const server = await startTestServer(
    { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error', ...env },
    folder === undefined ? {} : { folder },
  )
  const origin = `http://127.0.0.1:${server.port}`
  const browser = await openBrowser()
  const visits: Visit[] = []
  afterEach(async () => {
    await Promise.all(visits.splice(0).map(({ context }) => context.close()))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })
  return {
    server,
    browser,
    origin,
    async open(options, at = origin) {
      const visit = await openVisit(browser, at, options)
      visits.push(visit)
      return visit
    },
    proofOf: async (qHash) => (await (await fetch(`${origin}/api/v1/proofs/${qHash}`)).json()).data,
  }
}

export const fill = (page: Page, name: string, value: string) => page.locator(`#work [name=${name}]`).fill(value)
export const pick = (page: Page, name: string, value: string) =>
  page.locator(`#work select[name=${name}]`).selectOption(value)
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
/** Of a gate that is written. A gate that is ready has the button twice: above the form, and beside it. */
export const review = (page: Page) => page.getByRole('button', { name: 'Review and publish' }).first().click()
/**
 * Presses a button that closes its window. The window may be gone before the browser reports the press, so only the
 * closing counts. A press that reached nothing leaves the window open, and this fails.
 */
export async function pressAndClose(page: Page, name: string): Promise<void> {
  const closed = page.waitForEvent('close')
  void press(page, name).catch(() => undefined)
  await closed
}
export const share = (page: Page) => page.getByLabel('By link').check()

export const choose = (page: Page, name = 'Test Wallet') => page.locator('.choice', { hasText: name }).click()

/** Chooses the wallet, and waits until the page has gone on. */
export async function connect(page: Page, name = 'Test Wallet'): Promise<void> {
  await choose(page, name)
  await page.locator('#way-in').waitFor({ state: 'hidden' })
}

/** The step that links a second wallet: both are accounts of one wallet, which the first has chosen. By digits of keys. */
export async function linkSecond(page: Page, wallet: EvmWallet, first: string, second: string): Promise<void> {
  const change = async (digit: string) => {
    wallet.key = keyOf(digit)
    await wallet.emit('accountsChanged', [addressOf(digit)])
    await choose(page)
  }
  await page.getByText('Now the second wallet signs').waitFor()
  await change(second)
  await page.getByText('(signed)').waitFor()
  await change(first)
  await press(page, 'Sign with the first wallet')
  await finished(page)
}

/** Goes on in the name of the signed-in person, after the page took their wallet by itself. */
export async function goUnsigned(page: Page): Promise<void> {
  await press(page, 'Use another wallet')
  await page.getByText('Make it without a signature').click()
  await press(page, 'Go on without a signature')
}

/** After a proof that was just made, the page goes on to the payment by itself. */
export async function goToPayment(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Go on to the payment' })
  await button.or(payment(page)).first().waitFor()
  if (await button.isVisible()) await button.click()
}

/** The heading above the ways to pay. */
export const payment = (page: Page) => page.getByRole('heading', { name: /^Pay / })

export const finished = (page: Page) => page.getByRole('heading', { name: 'Done', exact: true }).waitFor()

export const proofIds = async (page: Page): Promise<string[]> =>
  (await page.locator('#work dd.address').allTextContents()).filter((text) => /^0x[0-9a-f]{64}$/.test(text))

export const problem = (page: Page, text: string) => page.locator('#problem').filter({ hasText: text }).waitFor()
