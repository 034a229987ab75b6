/** The view of proofs: on a wallet with none, and on one with a hundred thousand. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { writeManyProofs } from './many-proofs.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin, server } = dashboards
const [owner, nobody] = ['4', '5']
const count = 100_000

beforeAll(async () => {
  await writeManyProofs(server.parts, { wallet: addressOf(owner), count, newestAt: Date.now() - 60_000 })
})

describe('a wallet without proofs', () => {
  test('is told what a proof is, and how to make the first one here', async () => {
    const { page, complaints } = await dashboards.openAs(nobody)
    await page.getByRole('heading', { name: 'Your first proof takes a minute' }).waitFor()
    expect(await page.getByRole('link', { name: 'Make a proof with this wallet' }).getAttribute('href')).toBe(
      `${origin}/verify`,
    )
    expect(await page.locator('pre').textContent()).toBe(`proofgate demo --url ${origin}`)
    await judged(page, 'dashboard-vault-empty')
    expect(complaints).toEqual([])
  })
})

describe('a wallet with a hundred thousand proofs', () => {
  test('sees how many count, and the newest of them', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await page.getByText('85,741 proofs').waitFor()
    await judged(page, 'dashboard-vault', { fullPage: false })
    expect(complaints).toEqual([])
  })

  test('opens one, with all that is to know of it', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await page.locator('.proof-open').nth(4).click()
    await page.getByText('Nobody. You alone can read it.').waitFor()
    await judged(page, 'dashboard-vault-proof', { fullPage: false })
    expect(complaints).toEqual([])
  })
})
