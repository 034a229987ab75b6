/** The view of proofs: on a wallet with none, and on one with a hundred thousand. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { judged, openDashboards } from './dashboard-stage.ts'
import { addressOf } from './hosted-stage.ts'
import { manyQHash, writeManyProofs } from './many-proofs.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin, server } = dashboards
const owner = '4'
const count = 100_000

beforeAll(async () => {
  await writeManyProofs(server.parts, { wallet: addressOf(owner), count, newestAt: Date.now() - 60_000 })
})

describe('x', () => {
  test('looks', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await page.getByText('85,741 proofs').waitFor()
    await page.waitForTimeout(300)
    await judged(page, 'dashboard-vault')
    console.log(complaints)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.proof-open').nth(4).click()
    await page.getByText('Verify it yourself').waitFor()
    await judged(page, 'dashboard-vault-proof')
    console.log(complaints)
  })
  test('empty', async () => {
    const { page, complaints } = await dashboards.openAs('5')
    await page.getByText('Your first proof').waitFor()
    await judged(page, 'dashboard-vault-empty')
    console.log(complaints)
  })
})
void manyQHash
void origin
void expect
