/** The builder and the list of gates in a real browser: when faults show, how they are named, and how a gate is found. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { judged, openDashboards } from './dashboard-stage.ts'

setDefaultTimeout(90_000)

const dashboards = await openDashboards()

test('a field is marked after it was left, faults carry its label, and the words stay in view on a phone', async () => {
  const { page, complaints } = await dashboards.openAs(`0x${'a8'.repeat(32)}`, '/gates/new')
  await page.getByRole('button', { name: /^Paid guide/ }).click()
  const price = page.getByLabel('Price in US dollars')
  await price.fill('x')
  const panel = page.locator('.preview')
  await panel.getByText('Price in US dollars', { exact: true }).waitFor()
  expect(await panel.textContent()).not.toContain('price.amountUsd')
  expect(await price.getAttribute('aria-invalid')).toBeNull()
  await price.blur()
  await page.locator('input[aria-invalid]').first().waitFor()
  expect(await price.getAttribute('aria-invalid')).toBe('true')

  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByLabel('Name', { exact: true }).scrollIntoViewIfNeeded()
  expect(await page.getByRole('heading', { name: 'In plain words' }).evaluate(isInView)).toBe(true)
  const line = panel.locator('.preview-line')
  expect(await line.evaluate(isInView)).toBe(true)
  const readHeight = async () => (await panel.boundingBox())!.height
  expect(await readHeight()).toBeLessThan(72)
  await panel.getByRole('button', { name: 'Show all' }).click()
  await panel.getByText('Price in US dollars', { exact: true }).waitFor()
  await judged(page, 'dashboard-gate-words-unfolded')
  await page.setViewportSize({ width: 390, height: 800 })
  await panel.getByRole('button', { name: 'Show less' }).click()
  expect(await readHeight()).toBeLessThan(72)
  expect(complaints).toEqual([])
})

const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

test('an owner of many gates finds one by its name, its status and an order', async () => {
  const { page, person, complaints } = await dashboards.openAs(`0x${'a9'.repeat(32)}`, '/gates')
  for (let at = 0; at < 8; at++) {
    const answer = await fetch(`${dashboards.origin}/api/v1/profile/gates`, {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        definition: {
          gateId: `many-${at}`,
          name: `${'ZYXWVUTS'[at]} gate`,
          status: at === 3 ? 'paused' : 'active',
          requirements: [{ verifierId: 'ownership-basic' }],
        },
      }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
  }
  await page.reload()
  const rows = page.getByRole('list', { name: 'Your gates' }).getByRole('listitem')
  await rows.nth(7).waitFor()
  await page.getByLabel('Order').selectOption('name')
  expect(await rows.first().textContent()).toContain('S gate')
  await page.getByLabel('Status').selectOption('paused')
  expect(await rows.count()).toBe(1)
  expect(await rows.first().textContent()).toContain('W gate')
  await page.getByLabel('Search by name or id').fill('nothing like it')
  await page.getByText('No gates match these filters').waitFor()
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Search by name or id').fill('MANY-2')
  expect(await rows.count()).toBe(1)
  await judged(page, 'dashboard-gates-found')
  expect(complaints).toEqual([])
})

test('an archived gate leaves the list, is found by the filter, and comes back', async () => {
  const { page, person, complaints } = await dashboards.openAs(`0x${'aa'.repeat(32)}`, '/gates')
  for (const gateId of ['old-club', 'new-club']) await addOwnGate(person.headers, gateId)
  await page.reload()
  const rows = page.getByRole('list', { name: 'Your gates' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  await page.getByRole('button', { name: 'Archive old-club', exact: true }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.textContent()).toContain('goes on letting people in')
  await judged(page, 'dashboard-gate-archiving')
  await dialog.getByRole('button', { name: 'Archive the gate' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await rows.count()).toBe(1)
  await page.reload()
  await rows.first().waitFor()
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('new-club')])
  expect((await fetch(`${dashboards.origin}/api/v1/profile/gates/old-club`)).status).toBe(200)

  await page.getByLabel('Status').selectOption('archived')
  await page.getByRole('button', { name: 'Unarchive old-club', exact: true }).waitFor()
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('Archived')])
  await judged(page, 'dashboard-gates-archived')
  await page.getByRole('button', { name: 'Unarchive old-club', exact: true }).click()
  await page.getByText('The gate is in your list again.').waitFor()
  await page.getByText('No gates match these filters').waitFor()
  await page.getByLabel('Status').selectOption('')
  expect(await rows.count()).toBe(2)
  expect(complaints).toEqual([])
})

test('rows, versions and the test of a gate speak of its fields, not of paths and ids', async () => {
  const { page, person, complaints } = await dashboards.openAs(`0x${'ac'.repeat(32)}`, '/gates')
  const token = (least: string) => ({
    verifierId: 'token-holding',
    match: [
      { path: 'input.chainId', op: 'eq', value: '8453' },
      { path: 'input.minBalance', op: 'gte', value: least },
    ],
  })
  const pseudonym = { verifierId: 'ownership-pseudonym' }
  await addOwnGate(person.headers, 'plain', { requirements: [pseudonym, token('5')], perWallet: 2 })
  await addOwnGate(person.headers, 'plain', {
    requirements: [pseudonym, { ...token('7'), maxAgeMs: 172_800_000 }, { verifierId: 'guest-list' }],
    rule: { any: ['r1', { all: ['r2', 'r3'] }] },
    perWallet: 3,
  })
  await page.reload()
  const row = page.getByRole('list', { name: 'Your gates' }).getByRole('listitem')
  await row.waitFor()
  expect(await row.textContent()).not.toMatch(paths)

  await page.goto(`${dashboards.origin}/gates/plain?tab=versions`)
  await page.getByRole('button', { name: 'Show Version 2' }).click()
  const lines = page.getByRole('list', { name: 'Differences' })
  await lines.waitFor()
  expect((await lines.getByRole('listitem').allTextContents()).map((text) => text.trim())).toEqual([
    expect.stringMatching(/^Changed\s*Limit for each wallet\s+2\s+3$/),
    expect.stringMatching(/^New\s*Who gets in\s+Pseudonym or \(Token balance and Guest list\)$/),
    expect.stringMatching(/^New\s*Token balance, Not older than\s+2 days$/),
    expect.stringMatching(/^Changed\s*Token balance\s+At least: 5\s+At least: 7$/),
    expect.stringMatching(/^New\s*Requirement\s+Guest list$/),
  ])
  await judged(page, 'dashboard-gate-difference')
  await page.getByRole('tab', { name: 'Try' }).click()
  await page.getByRole('button', { name: 'Test the gate' }).click()
  await page.getByText('This wallet is not on the list.').waitFor()
  expect(await page.getByRole('tabpanel').textContent()).not.toMatch(paths)
  expect(complaints).toEqual([])
})

test('a reader of German builds a gate and tests it in German', async () => {
  const { page, person, complaints } = await dashboards.openAs(`0x${'ad'.repeat(32)}`, '/gates', { locale: 'de-DE' })
  await page.getByRole('link', { name: 'Erstes Gate erstellen' }).click()
  await page.getByRole('button', { name: /^Leeres Gate/ }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.focus()
  await name.blur()
  await page.locator('.gate-form').getByText('Bitte ausfüllen.').first().waitFor()
  const findings = page.locator('.gate-findings').first()
  await findings.getByText('Wer hineinkommt').waitFor()
  await findings.getByText('Fügen Sie mindestens eine Bedingung hinzu.').waitFor()
  expect(await findings.textContent()).not.toMatch(/requirements|is empty|needs at least/)
  await judged(page, 'dashboard-gate-findings-german')
  await page.setViewportSize({ width: 1280, height: 900 })
  await name.fill('Klub')
  await page.getByRole('button', { name: 'Bedingung hinzufügen' }).click()
  await page.getByLabel('Bedingung', { exact: true }).selectOption('ownership-pseudonym')
  await page.getByText('Bereit zum Veröffentlichen.').waitFor()
  await judged(page, 'dashboard-gate-form-german')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Prüfen und veröffentlichen' }).first().click()
  await page.getByRole('button', { name: 'Gate veröffentlichen' }).click()
  await page.getByText('Als Version 1 veröffentlicht.').waitFor()
  await page.getByRole('button', { name: 'Link kopieren' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Testen' }).click()
  await page.getByRole('button', { name: 'Gate testen' }).click()
  await page.getByText('Diese Wallet hat keinen solchen Nachweis.').waitFor()
  await addOwnGate(person.headers, 'zweites')
  await page.goto(`${dashboards.origin}/gates`)
  await page.getByRole('list', { name: 'Ihre Gates' }).getByText('Noch kein Einlass').first().waitFor()
  await judged(page, 'dashboard-gates-german')
  expect(complaints).toEqual([])
})

/** Paths of a definition, ids of its requirements and ids of verifiers. */
const paths = /requirements|input\.|\br\d\b|token-holding|ownership-/

async function addOwnGate(
  headers: Readonly<Record<string, string>>,
  gateId: string,
  members: object = { requirements: [{ verifierId: 'ownership-basic' }] },
): Promise<void> {
  const answer = await fetch(`${dashboards.origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ definition: { gateId, name: gateId, ...members } }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
}

test('a German owner reads the templates, and the new gate in plain words, in German', async () => {
  const visit = await dashboards.openAs(`0x${'d7'.repeat(32)}`, '/gates')
  const { page } = visit
  await visit.context.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await visit.goto('/gates/new')
  await page.getByRole('button', { name: /^Kostenlos, für eine Liste von Wallets/ }).click()
  await page.locator('.plain-words').getByText('Wer auf der Gästeliste steht, kommt hinein.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Die Gästeliste')
  expect(visit.complaints).toEqual([])
})
