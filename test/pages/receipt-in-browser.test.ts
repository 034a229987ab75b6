/** Receipts: a page for the buyer and the seller, reached from the checkout and from the lists, which prints on one page. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { shop } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf, choose, fill, goToPayment, keyOf, press } from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const { anvil, env, fund } = await startCoinChain()
const dashboards = await openDashboards({ ...env, PROOFGATE_CHAINS_BASE_EXPLORER: 'https://explorer.example.com' })
const { origin } = dashboards
const seller = `0x${'5e'.repeat(32)}`
const secret = 'the word is plugh-0815'

async function publish(gateId: string, members: object = {}): Promise<void> {
  const { headers } = await dashboards.sessionOf(seller)
  const answer = await fetch(`${origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      definition: {
        gateId,
        name: `Gate ${gateId}`,
        requirements: [{ verifierId: 'ownership-pseudonym' }],
        rewards: [{ kind: 'reveal', value: secret, label: 'The password' }],
        ...members,
      },
    }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
}

/** Goes through the gate with a wallet of its own, up to the page with the reward. */
async function pass(gateId: string, digit: string, isPaid: boolean): Promise<Visit> {
  const visit = await dashboards.open({ expectsStatus: isPaid ? [402] : [] })
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf(digit), node: anvil.url, chainId: 8453 })
  await visit.goto(`/verify?gateId=${gateId}`)
  await choose(page)
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', `${gateId.replaceAll('_', '.')}.name`)
  await press(page, 'Sign and check')
  if (isPaid) await goToPayment(page)
  else await press(page, 'Get it now')
  if (isPaid) await press(page, 'Pay 4.99 USDC with the wallet')
  await page.getByRole('heading', { name: 'You have access' }).waitFor()
  return visit
}

const openReceipt = async (page: Page): Promise<string> => {
  await page.getByRole('link', { name: 'Open the receipt' }).click()
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
  return new URL(page.url()).pathname
}

/** Of a free gate. */
const openConfirmation = async (page: Page): Promise<string> => {
  await page.getByRole('link', { name: 'Open the confirmation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Confirmation of access' }).waitFor()
  return new URL(page.url()).pathname
}

/** The text of a fact by its name. */
const readFact = (page: Page, name: string): Promise<string | null> =>
  page
    .locator('.facts > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .textContent()

const countPages = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

describe('the receipt of a payment', () => {
  test('opens from the checkout and the lists, for buyer and seller alone, and prints on one page', async () => {
    await publish('gate_receipt', { price: { amountUsd: '4.99', methods: ['usdc'], recipient: shop } })
    await fund(addressOf('a'), 4_990_000n)
    const buyer = await pass('gate_receipt', 'a', true)
    const { page } = buyer
    const place = await openReceipt(page)
    expect(place).toMatch(/^\/receipts\/[A-Za-z0-9_-]{11}$/)
    expect(await page.locator('.receipt-amount').textContent()).toBe('4.99 USDC')
    expect(await readFact(page, 'Price')).toBe('4.99 USD')
    expect(await readFact(page, 'Network')).toBe('Base (eip155:8453)')
    expect(await readFact(page, 'Paid to')).toBe(shop)
    expect(await readFact(page, 'Buyer')).toBe(addressOf('a').toLowerCase())
    expect(await readFact(page, 'Given')).toBe('A text: The password')
    expect(await readFact(page, 'Given at')).toMatch(/^[A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d.[AP]M [A-Z]/)
    expect(await readFact(page, 'Receipt number')).toBe(place.split('/').at(-1)!)
    const [hash] = /^0x[0-9a-f]{64}/.exec((await readFact(page, 'Transaction'))!)!
    expect(await page.getByRole('link', { name: 'Open in explorer.example.com' }).getAttribute('href')).toBe(
      `https://explorer.example.com/tx/${hash}`,
    )
    await page.getByText('Look up the transaction at explorer.example.com').waitFor()
    expect(await page.content()).not.toContain(secret)
    await judged(page, 'receipt')
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(
      await page
        .locator('button, .button, a:visible', { hasNotText: /Proofgate|Gate gate_receipt/ })
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
    expect(countPages(pdf)).toBe(1)
    await page.emulateMedia({ media: null })

    const json = await page.getByRole('link', { name: 'This receipt as JSON' }).getAttribute('href')
    const answer = await fetch(new URL(json!, page.url()))
    expect(await answer.json()).toMatchObject({ success: true, data: { state: 'granted', gateId: 'gate_receipt' } })

    await buyer.goto('/payments?tab=paid')
    await press(page, 'Gate gate_receipt')
    expect(await page.getByRole('link', { name: 'Open the receipt' }).getAttribute('href')).toBe(`${origin}${place}`)
    expect(buyer.complaints).toEqual([])

    const owner = await dashboards.openAs(seller, '/payments')
    await press(owner.page, 'Gate gate_receipt')
    const opened = owner.context.waitForEvent('page')
    await owner.page.getByRole('link', { name: 'Open the receipt' }).click()
    const shown = await opened
    await shown.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
    expect(new URL(shown.url()).pathname).toBe(place)
    expect(await readFact(shown, 'Buyer')).toBe(addressOf('a').toLowerCase())
    expect(await shown.getByRole('link', { name: 'This receipt as JSON' }).count()).toBe(0)
    // The proof and the other half of the id belong to the buyer.
    const text = await shown.content()
    for (const hidden of [secret, json!.split('/').at(-1)!]) expect(text).not.toContain(hidden)
    expect(owner.complaints).toEqual([])
  })

  test('prints on one page, whatever is given and however long its names are', async () => {
    const long = 'A label that goes on '.repeat(9)
    await publish('gate_many', {
      name: 'A name that goes on and '.repeat(8),
      rewards: Array.from({ length: 16 }, (_, at) => ({ kind: 'reveal', value: secret, label: `${long}${at}` })),
      price: { amountUsd: '4.99', methods: ['usdc'], recipient: shop },
    })
    await fund(addressOf('e'), 4_990_000n)
    const { page, complaints } = await pass('gate_many', 'e', true)
    await openReceipt(page)
    expect(await readFact(page, 'Given')).toContain('and 11 more')
    expect(countPages(await page.pdf({ preferCSSPageSize: true }))).toBe(1)
    expect(complaints).toEqual([])
  })

  test('is hidden from strangers, who hear the same as for an unknown number', async () => {
    await publish('gate_hidden')
    const buyer = await pass('gate_hidden', 'b', false)
    const place = await openConfirmation(buyer.page)
    const unknown = '/receipts/AAAAAAAAAAA'
    const { headers } = await dashboards.sessionOf('c')
    const ask = (path: string, more: Record<string, string>) =>
      fetch(`${origin}${path}`, { redirect: 'manual', headers: { accept: 'text/html', ...more } })
    const withoutNumber = async (path: string, more: Record<string, string>) => {
      const answer = await ask(path, more)
      const body = (await answer.text()).replaceAll(path, '').replaceAll(encodeURIComponent(path), '')
      return {
        status: answer.status,
        location: answer.headers.get('location')?.replace(encodeURIComponent(path), ''),
        body,
      }
    }
    const refused = await withoutNumber(place, headers)
    expect(refused.status).toBe(404)
    expect(refused.body).toContain('Your wallets have no receipt or confirmation with this number.')
    expect(refused).toEqual(await withoutNumber(unknown, headers))
    expect(await withoutNumber(place, {})).toEqual(await withoutNumber(unknown, {}))
    expect((await ask(place, {})).status).toBe(303)
  })

  test('of a free gate confirms access, and has no word of a payment', async () => {
    await publish('gate_access')
    const visitor = await pass('gate_access', '6', false)
    const { page } = visitor
    const place = await openConfirmation(page)
    expect(await readFact(page, 'Gate by')).toBe((await dashboards.sessionOf(seller)).address)
    expect(await readFact(page, 'For wallet')).toBe(addressOf('6').toLowerCase())
    const paying = /receipt|seller|buyer|paid|payment|free|Quittung|käuf|zahl|kostenlos/i
    expect(await page.locator('main').innerText()).not.toMatch(paying)
    await judged(page, 'receipt-free')
    await visitor.context.setExtraHTTPHeaders({ 'accept-language': 'de' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Zugangsbestätigung' }).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(paying)
    expect(visitor.complaints).toEqual([])

    const owner = await dashboards.openAs(seller, place)
    await owner.page.getByRole('heading', { level: 1, name: 'Confirmation of access' }).waitFor()
    expect(await owner.page.locator('main').innerText()).not.toMatch(paying)
  })

  test('speaks the language of its reader', async () => {
    await publish('gate_german')
    const { page, context } = await pass('gate_german', '9', false)
    await openConfirmation(page)
    await context.setExtraHTTPHeaders({ 'accept-language': 'de' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Zugangsbestätigung' }).waitFor()
    expect(await readFact(page, 'Erhalten')).toBe('Ein Text: The password')
  })

  test('is reached by signing in, from a link in a message', async () => {
    await publish('gate_link')
    const first = await pass('gate_link', 'd', false)
    const place = await openConfirmation(first.page)
    const visit = await dashboards.open()
    await addEvmWallet(visit.context, { key: keyOf('d') })
    await visit.goto(place)
    await choose(visit.page)
    await visit.page.getByRole('heading', { level: 1, name: 'Confirmation of access' }).waitFor()
    expect(new URL(visit.page.url()).pathname).toBe(place)
    expect(visit.complaints).toEqual([])
  })
})
