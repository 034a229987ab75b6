/**
 * Debian's Firefox over WebDriver BiDi. playwright-core cannot drive it: it needs a Firefox of its own making
 * (https://playwright.dev/docs/browsers, "Firefox").
 */
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import type { WalletPlace } from './browser-wallets.ts'

export const firefoxPath = Bun.which('firefox-esr') ?? Bun.which('firefox')

export const launchFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath!, headless: true })

export interface FirefoxVisit {
  readonly page: Page
  /** Errors of the console and of scripts, and requests to other servers. */
  readonly complaints: readonly string[]
  /** What test/pages/browser-wallets.ts adds a wallet to. */
  readonly wallets: WalletPlace
  goto(path: string): Promise<unknown>
  /** Waits for a visible element whose text begins so, and that can be used. */
  find(css: string, text?: string): Promise<ElementHandle<Element>>
  press(css: string, text: string): Promise<void>
  type(css: string, text: string): Promise<void>
  close(): Promise<void>
}

/** A profile of its own: cookies and storage are not shared. */
export async function visitInFirefox(browser: Browser, origin: string): Promise<FirefoxVisit> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error instanceof Error ? error.message : String(error)}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol.startsWith('http')) complaints.push(`elsewhere: ${request.url()}`)
  })
  const find = async (css: string, text = ''): Promise<ElementHandle<Element>> => {
    // A string, because it runs in the browser, whose globals are not the test's.
    const found = await page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(css)})].find((one) => one.checkVisibility() &&
        one.getAttribute('aria-disabled') !== 'true' && one.textContent.trim().startsWith(${JSON.stringify(text)}))`,
    )
    return found as unknown as ElementHandle<Element>
  }
  return {
    page,
    complaints,
    wallets: {
      exposeBinding: (name: string, answer: (source: undefined, ...args: unknown[]) => unknown) =>
        page.exposeFunction(name, (...args: unknown[]) => answer(undefined, ...args)),
      addInitScript: (script: string) => page.evaluateOnNewDocument(script),
      pages: () => [page],
    } as unknown as WalletPlace,
    goto: (path) => page.goto(`${origin}${path}`),
    find,
    press: async (css, text) => (await find(css, text)).click(),
    type: async (css, text) => (await find(css)).type(text),
    close: () => context.close(),
  }
}
