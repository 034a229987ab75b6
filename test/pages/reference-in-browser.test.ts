import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { operationsOf } from '../docs/published.ts'
import { openBrowser } from './chromium.ts'
import { openVisit, type VisitOptions } from './visit.ts'

// A browser on a busy machine, or one that is unpacked first.
setDefaultTimeout(60_000)

let server: RunningServer
let browser: Browser
beforeAll(async () => {
  server = await startServer(await loadConfig({ env: { PROOFGATE_PORT: '0' }, cwd: '/nonexistent' }), {
    folder: undefined,
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const visit = async (path: string, { host = '127.0.0.1', ...options }: VisitOptions & { host?: string } = {}) => {
  const visited = await openVisit(browser, `http://${host}:${server.port}`, options)
  await visited.goto(path)
  return visited
}

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.querySelector(".swagger-ui") ?? document.body).backgroundColor')
const isWiderThanTheScreen = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')

describe('the reference in a browser', () => {
  test('shows every operation, opens one, and breaks no policy on the way', async () => {
    const { page, complaints } = await visit('/docs')
    await page.waitForSelector('.opblock')
    const document = (await (await fetch(`http://127.0.0.1:${server.port}/openapi.json`)).json()) as never
    expect(await page.locator('.opblock').count()).toBe(operationsOf(document).length)
    expect(await page.locator('.opblock-deprecated').count()).toBe(6)

    await page.click('#operations-verification-standardize .opblock-summary-control')
    const opened = page.locator('#operations-verification-standardize .opblock-body')
    // The example is written into the opened part a moment after it opens.
    await opened.filter({ hasText: 'The first line of my novel.' }).waitFor()
    expect(await opened.textContent()).toContain('The first line of my novel.')

    expect(await page.title()).toBe('Proofgate API reference')
    expect(await page.locator('.topbar, .authorize, .scheme-container:visible').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  // The configured address is 127.0.0.1; a page may call no other server than the one it came from.
  test.each(['127.0.0.1', 'localhost'])('"Try it out" reaches this server from http://%s', async (host) => {
    const { page, complaints } = await visit('/docs', { host })
    await page.click('#operations-health-live .opblock-summary-control')
    await page.click('#operations-health-live .try-out__btn')
    await page.click('#operations-health-live .execute')
    const answer = page.locator('#operations-health-live .live-responses-table')
    await answer.waitFor()
    expect(await answer.textContent()).toContain('"alive": true')
    expect(complaints).toEqual([])
  })

  test.each(['/', '/docs'])('%s fits a phone, and is dark where the system is', async (path) => {
    const light = await visit(path, { width: 360 })
    const dark = await visit(path, { width: 360, dark: true })
    for (const { page } of [light, dark]) {
      if (path === '/docs') {
        await page.waitForSelector('.opblock')
        await page.click('#operations-proofs-getProof .opblock-summary-control')
        await page.waitForSelector('#operations-proofs-getProof .opblock-body')
      }
      expect(await isWiderThanTheScreen(page)).toBe(false)
    }
    const darkest = await backgroundOf(dark.page)
    expect(Number(/\d+/.exec(darkest)?.[0])).toBeLessThan(50)
    expect(await backgroundOf(light.page)).not.toBe(darkest)
    expect([...light.complaints, ...dark.complaints]).toEqual([])
  })

  test('says so when the description cannot be had', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 429, body: '{}' }))
    await page.goto(`http://127.0.0.1:${server.port}/docs`)
    await page.locator('.note', { hasText: '429' }).waitFor()
  })
})
