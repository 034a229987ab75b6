/** /verify in a real browser, with wallets that sign for real: from a link to a proof and back. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { addEvmWallet, addSolanaWallet } from './browser-wallets.ts'
import { openBrowser } from './chromium.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

setDefaultTimeout(60_000)

let server: RunningServer
let browser: Browser
let origin: string
beforeAll(async () => {
  const env = { PROOFGATE_PORT: '0', PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
  server = await startServer(await loadConfig({ env, cwd: '/nonexistent' }), { folder: undefined })
  origin = `http://127.0.0.1:${server.port}`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const key = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
const addressOf = (digit: string): string => privateKeyToAccount(key(digit)).address

const visits: Visit[] = []
afterEach(async () => {
  await Promise.all(visits.splice(0).map(({ context }) => context.close()))
})
async function open(options?: VisitOptions): Promise<Visit> {
  const visit = await openVisit(browser, origin, options)
  visits.push(visit)
  visit.page.setDefaultTimeout(10_000)
  return visit
}

const fill = (page: Page, name: string, value: string) => page.locator(`#work [name=${name}]`).fill(value)
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const proofIds = async (page: Page): Promise<string[]> =>
  (await page.locator('#work dd.address').allTextContents()).filter((text) => /^0x[0-9a-f]{64}$/.test(text))

async function connect(page: Page, name = 'Test Wallet'): Promise<void> {
  await press(page, name)
  await page.locator('#work h2').first().waitFor()
}

/** What the API knows of a proof, for its owner: the proof is public in these tests. */
async function proofOf(qHash: string) {
  return (await (await fetch(`${origin}/api/v1/proofs/${qHash}`)).json()).data
}

describe('a claim of content', () => {
  test('from a link to a proof, and on to the site that asked, which learns the id', async () => {
    const visit = await open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-basic&returnUrl=https://app.example.com/done?x=1')
    expect(await page.locator('.destination').textContent()).toContain('app.example.com')
    await connect(page)
    await fill(page, 'content', 'A text of mine')
    await page.getByLabel('Everybody who has its id').check()
    await press(page, 'Sign the claim')
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const [qHash] = await proofIds(page)
    expect(await proofOf(qHash!)).toMatchObject({
      status: 'verified',
      privacyLevel: 'public',
      walletAddress: addressOf('1').toLowerCase(),
      verifierIds: ['ownership-basic'],
    })
    expect(await page.locator('#go-on').getAttribute('href')).toBe(`https://app.example.com/done?x=1&qHash=${qHash}`)
    expect(await page.locator('#go-on').textContent()).toBe('Go on to app.example.com')
    expect(wallet.asked.map(({ method }) => method).filter((method) => method === 'personal_sign')).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })
})
