/** The view of proofs that others share with the signed-in person. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { evmWallet } from '../wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf, keyOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { proveAt } from './proofs-here.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards

test('a shared proof is listed, opened and left', async () => {
  const owner = evmWallet(keyOf('7'))
  const qHash = await proveAt(origin, owner, {
    verifierIds: ['ownership-basic'],
    data: { owner: owner.address, content: 'Minutes of the choir' },
    options: { meta: { title: 'Minutes of the choir' } },
  })
  const { headers } = await dashboards.sessionOf('7')
  const granted = await fetch(`${origin}/api/v1/verification/access/grant`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ qHash, ownerWallet: owner.address, viewerWallet: addressOf('8'), expiresInSeconds: 86_400 }),
  })
  expect(granted.status).toBe(200)

  const { page, complaints } = await dashboards.openAs('8', '/shared-with-me')
  const link = page.getByRole('link', { name: 'Minutes of the choir' })
  await link.waitFor()
  await judged(page, 'dashboard-shared')
  await link.click()
  await page.getByText('Others may have claimed it before.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Give up access to Minutes of the choir' }).click()
  await page.getByRole('button', { name: 'Give up the access' }).click()
  await page.getByRole('heading', { name: 'Nobody shares a proof with you' }).waitFor()
  await judged(page, 'dashboard-shared-none')
  expect(complaints).toEqual([])
})

test('the view is German on a German page', async () => {
  const { page } = await dashboards.openAs('8', '/shared-with-me', { locale: 'de-DE' })
  await page.getByRole('heading', { name: 'Mit mir geteilt' }).waitFor()
  await page.getByRole('heading', { name: 'Niemand teilt einen Nachweis mit Ihnen' }).waitFor()
})
