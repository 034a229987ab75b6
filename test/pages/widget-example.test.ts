/** /widget in a real browser: the lines to paste, and what they do. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { addEvmWallet } from './browser-wallets.ts'
import { addGate } from './gates-here.ts'
import { keyOf, openHosted, press } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { openedBy, passGate } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted
await addGate(origin, {
  gateId: 'gate_shown',
  name: 'A gate to show',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'reveal', value: 'xyzzy', label: 'The word' }],
})

describe('/widget', () => {
  test('shows the lines, opens the gate, and shows what a page hears; the command for the server says yes', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('4') })
    await visit.goto('/widget')
    await page.getByLabel('Id of the gate').fill('gate_shown')
    await press(page, 'Show it')
    await page.waitForURL(`${origin}/widget?gateId=gate_shown`)
    expect(await page.locator('pre').first().textContent()).toContain(
      `<script type="module" src="${origin}/widget.js"></script>\n<proof-gate gate-id="gate_shown"></proof-gate>`,
    )
    await passGate(await openedBy(page, 'Verify with your wallet'), 'shown.one')
    await page.getByRole('link', { name: 'Verified proof' }).waitFor()
    const { qHash } = JSON.parse((await page.locator('#event').textContent())!)
    expect(await page.locator('#badge-line').textContent()).toBe(`<proof-badge q-hash="${qHash}"></proof-badge>`)
    const command = (await page.locator('#check').textContent())!
    const answer = await fetch(/'(.+)'/.exec(command)![1]!)
    expect((await answer.json()).data.gate.allRequiredSatisfied).toBe(true)
    expect(visit.complaints).toEqual([])
    await judged(page, 'widget-example')
  })

  test('an invalid id is reported, and appears in no line', async () => {
    const visit = await hosted.open()
    const markup = '"><img src=x onerror=alert(1)>'
    await visit.goto(`/widget?gateId=${encodeURIComponent(markup)}`)
    await visit.page.getByRole('alert').getByText('This is not an id of a gate').waitFor()
    expect(await visit.page.locator('pre').first().textContent()).not.toContain('img')
    expect(await visit.page.getByLabel('Id of the gate').inputValue()).toBe(markup)
    expect(visit.complaints).toEqual([])
  })

  test('belongs to the reference: it is absent without docs', async () => {
    const bare = await openHosted({ PROOFGATE_DOCS_ENABLED: 'false' })
    expect((await fetch(`${bare.origin}/widget`)).status).toBe(404)
    expect((await fetch(`${bare.origin}/widget.js`)).status).toBe(200)
  })
})
