/** A visit in a browser profile of its own, which records everything that a page must not do. */
import type { Browser, BrowserContext, Page } from 'playwright-core'

export interface VisitOptions {
  readonly dark?: boolean
  readonly width?: number
  readonly withoutScripts?: boolean
  /** A touch screen without a pointer, as of a phone. */
  readonly phone?: boolean
  /** The language that the browser asks for: `de-CH`. Its own without one. */
  readonly locale?: string
  /** The time zone of the browser. The machine's without one. */
  readonly timezoneId?: string
  /** Answers of 400 and above that the visit is about, and what the console says of them. */
  readonly expectsStatus?: readonly number[]
  /** Origins that the visit may go to besides the server's. */
  readonly alsoAt?: readonly string[]
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors, broken policies, failed requests, requests to other servers. */
  readonly complaints: readonly string[]
  goto(path: string): Promise<number>
}

export async function openVisit(
  browser: Pick<Browser, 'newContext'>,
  origin: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const { phone = false } = options
  const {
    dark = false,
    width = phone ? 390 : 1280,
    withoutScripts = false,
    locale,
    timezoneId,
    expectsStatus = [],
    alsoAt = [],
  } = options
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 800 },
    ...(phone ? { isMobile: true, hasTouch: true } : {}),
    javaScriptEnabled: !withoutScripts,
    ...(locale === undefined ? {} : { locale }),
    ...(timezoneId === undefined ? {} : { timezoneId }),
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    if (expectsStatus.some((status) => message.text().includes(`status of ${status} `))) return
    complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('requestfailed', (request) => {
    // Leaving a page aborts its requests, which is no fault.
    const why = request.failure()?.errorText
    // Where scripts are off, Chromium refuses to load them early, and calls that csp.
    const isUnused = withoutScripts && why === 'csp'
    if (why !== 'net::ERR_ABORTED' && !isUnused) complaints.push(`failed: ${request.url()} ${why}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && !alsoAt.includes(url.origin))
      complaints.push(`elsewhere: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !expectsStatus.includes(response.status()))
      complaints.push(`${response.status()}: ${response.url()}`)
  })
  // A string, because it runs in the browser, whose globals are not the test's.
  if (!withoutScripts)
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`)
  return {
    context,
    page,
    complaints,
    goto: async (path) => (await page.goto(`${origin}${path}`))?.status() ?? 0,
  }
}
