/** The totals of a gate for a reader of German, and for a gate that nobody has passed. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../src/client/client.ts'
import { judged, openDashboards } from './dashboard-stage.ts'
import { keyOf } from './hosted-stage.ts'

setDefaultTimeout(90_000)

const dashboards = await openDashboards()
const { origin } = dashboards

test('an owner sees passes over time in German, chooses a period, and sees no chart before the first pass', async () => {
  const owner = `0x${'b1'.repeat(32)}`
  const { page, person, complaints } = await dashboards.openAs(owner, '/gates', { locale: 'de-DE' })
  for (const gateId of ['klub', 'leer']) {
    const answer = await fetch(`${origin}/api/v1/profile/gates`, {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        definition: { gateId, name: gateId, requirements: [{ verifierId: 'ownership-pseudonym' }] },
      }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
  }
  await page.goto(`${origin}/gates/leer?tab=passed`)
  await page.getByText('Noch kein Einlass', { exact: false }).first().waitFor()
  expect(await page.getByRole('figure').count()).toBe(0)

  const client = createClient({ url: origin })
  for (const digit of ['5', '6']) {
    const account = privateKeyToAccount(keyOf(digit))
    const signer = { address: account.address, sign: (message: string) => account.signMessage({ message }) }
    const { qHash } = await client.prove(signer, {
      verifierIds: ['ownership-pseudonym'],
      data: { pseudonymId: `klub.${digit}` },
    })
    expect((await client.fulfil('klub', { qHash }, { signer })).fulfilled).toBe(true)
  }
  await page.goto(`${origin}/gates/klub?tab=passed`)
  const figure = page.getByRole('figure', { name: 'Einlässe im Verlauf' })
  await figure.getByText('Die letzten 30 Tage: zusammen 2').waitFor()
  await page.getByLabel('7 Tage').check()
  await figure.getByText('Die letzten 7 Tage: zusammen 2').waitFor()
  await figure.getByText('Zahlen als Tabelle zeigen').click()
  expect(await figure.getByRole('row').count()).toBe(2)
  await judged(page, 'dashboard-gate-totals-german')
  expect(complaints).toEqual([])
})
