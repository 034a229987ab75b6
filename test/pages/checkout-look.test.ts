/** How a checkout looks before anybody signs in: the seller, the domain that a proof shows, the brand, and the offer. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { makePng } from '../gates/pictures.ts'
import { shop } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { judged as judgedDashboard, openDashboards } from './dashboard-stage.ts'
import { choose, keyOf, press } from './hosted-stage.ts'
import { judged } from './looks.ts'

setDefaultTimeout(60_000)

const { env } = await startCoinChain()
const dashboards = await openDashboards(env)
const { origin } = dashboards
const gates = `${origin}/api/v1/profile/gates`

async function post(path: string, headers: Record<string, string>, body: object): Promise<void> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
}

const offer = {
  gateId: 'course',
  name: 'Field notes: reading the chain',
  description: 'Twelve short lessons, and a file with every example.\nYours for good, in one payment.',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'download', value: 'https://example.com/course.zip', label: 'The course, as one file' }],
  price: { amountUsd: '24', methods: ['stablecoin'], recipient: shop },
  supply: 200,
}

test('shows seller, brand, offer, price and network to a stranger, and one thing to do', async () => {
  const { headers } = await dashboards.sessionOf('a')
  await post(gates, headers, { definition: offer })
  const picture = Buffer.from(makePng(96, 96, [180, 83, 9])).toString('base64')
  await post(`${gates}/course/appearance`, headers, { seller: 'Northwind Press', color: '#b45309', picture })
  const visit = await dashboards.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('b') })
  await visit.goto('/g/course')
  await page.getByText('$24.00', { exact: true }).waitFor()
  const text = await page.locator('.offer').textContent()
  for (const said of ['Northwind Press', 'Field notes', 'The course, as one file', 'Pseudonym', 'USDC on'])
    expect(text).toContain(said)
  expect(await page.evaluate('document.querySelector("img.seller-logo").naturalWidth')).toBe(96)
  expect(await page.locator('.way :is(.button:not(.secondary), .choice):visible').count()).toBe(1)
  const ground = await page.evaluate('getComputedStyle(document.querySelector(".choice")).backgroundColor')
  expect(ground).toBe('rgb(180, 83, 9)')
  await judged(page, 'checkout-brand')
  await choose(page)
  await page.locator('.needs').waitFor()
  expect(await page.locator('.way .button:not(.secondary)').count()).toBe(1)
  await judged(page, 'checkout-brand-signed-in')
  expect(visit.complaints).toEqual([])
})

test('a seller without a name is shown by the address, and a paused gate says so', async () => {
  const { headers } = await dashboards.sessionOf('c')
  await post(gates, headers, { definition: { ...offer, gateId: 'plain', price: undefined, supply: undefined } })
  const visit = await dashboards.open()
  const { page } = visit
  await visit.goto('/g/plain')
  await page.getByText('Free', { exact: true }).waitFor()
  await judged(page, 'checkout-plain')
  await post(`${gates}/plain/status`, headers, { status: 'paused' })
  await page.reload()
  await page.getByText('This gate is paused by its owner').waitFor()
  await judged(page, 'checkout-paused')
  await press(page, 'Show what I got')
  await page.locator('#wallets-heading').waitFor()
  expect(visit.complaints).toEqual([])
})

test('the owner gives a name, a color that is made readable, and a picture from a large file', async () => {
  const owner = await dashboards.openAs('d', '/gates')
  await post(gates, owner.person.headers, { definition: { ...offer, gateId: 'styled' } })
  const { page } = owner
  await owner.goto('/gates/styled?tab=appearance')
  await page.getByLabel('Your name').fill('Yellow House')
  await page.getByLabel('Brand color').fill('#ffd400')
  await page.getByText('The page shows it darker in the light theme').waitFor()
  await press(page, 'Save the appearance')
  await page.getByText('The page of the gate has its new look.').waitFor()
  const file = { name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(makePng(2400, 800, [255, 212, 0])) }
  await page.getByLabel('Choose a picture').setInputFiles(file)
  await page.getByRole('img', { name: 'The picture on the page of the gate' }).waitFor()
  await judgedDashboard(page, 'dashboard-gates-appearance')
  await page.getByLabel('Choose a picture').setInputFiles({ ...file, buffer: Buffer.from('<svg/>') })
  await page.getByText('This file is no picture that your browser can read').waitFor()

  const visit = await dashboards.open()
  await visit.context.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await visit.goto('/g/styled')
  await visit.page.getByText('Bezahlen mit').waitFor()
  expect(await visit.page.evaluate('document.querySelector(".offer-picture").naturalWidth')).toBe(1024)
  await judged(visit.page, 'checkout-wide-picture')
  expect([...owner.complaints, ...visit.complaints]).toEqual([])
})
