/** How many clicks, signatures and payments the main journeys take. Typing a value is no click. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { shop } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addGate } from './gates-here.ts'
import { addressOf, fill, keyOf } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const { anvil, env, fund } = await startCoinChain()
const hosted = await openDashboards(env)

class Clicks {
  count = 0

  constructor(readonly page: Page) {}

  async on(target: Locator): Promise<void> {
    this.count++
    await target.click()
  }

  press = (name: string | RegExp): Promise<void> => this.on(this.page.getByRole('button', { name }))
  follow = (name: string | RegExp): Promise<void> => this.on(this.page.getByRole('link', { name }))
  chooseWallet = (): Promise<void> => this.on(this.page.locator('.choice', { hasText: 'Test Wallet' }))
}

test('from the start page to a portable proof: at most 4 clicks and one signature', async () => {
  const visit = await hosted.open()
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
  const clicks = new Clicks(page)
  await visit.goto('/')
  await clicks.follow('Make a proof')
  await clicks.follow(/^Claim content/)
  await clicks.chooseWallet()
  await fill(page, 'content', 'A first text')
  await clicks.press('Sign the claim')
  await page.getByRole('button', { name: 'Save the portable proof' }).waitFor()
  expect(clicks.count).toBeLessThanOrEqual(4)
  expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  expect(visit.complaints).toEqual([])
})

test('a stranger’s checkout: at most 4 clicks and one payment', async () => {
  await addGate(hosted.origin, {
    gateId: 'gate_quick',
    name: 'Quick',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'here it is', label: 'The word' }],
    price: { amountUsd: '4.99', methods: ['stablecoin'], recipient: shop },
  })
  await fund(addressOf('2'), 4_990_000n)
  const visit = await hosted.open({ expectsStatus: [402] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('2'), node: anvil.url, chainId: 8453 })
  const clicks = new Clicks(page)
  await visit.goto('/verify?gateId=gate_quick')
  await clicks.chooseWallet()
  await clicks.press(/^(Go on|Prove): /)
  await fill(page, 'pseudonymId', 'quick.one')
  await clicks.press('Sign and check')
  await clicks.press(/^Pay 4\.99 USDC/)
  await page.locator('#reward pre').waitFor()
  expect(clicks.count).toBeLessThanOrEqual(4)
  expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
  expect(visit.complaints).toEqual([])
})

test('from an empty list of gates to the shared link of a free gate: at most 5 clicks', async () => {
  const visit = await hosted.openAs(keyOf('3'), '/gates')
  const { page } = visit
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clicks = new Clicks(page)
  await clicks.follow('Build your first gate')
  await clicks.press(/^Free, for everyone/)
  await page.getByText('Ready to publish.').waitFor()
  await clicks.on(page.getByRole('button', { name: 'Review and publish' }).first())
  await clicks.press('Publish the gate')
  await clicks.press('Copy the link')
  expect(clicks.count).toBeLessThanOrEqual(5)
  const link = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(link).toMatch(/\/g\/[a-z-]+$/)
  const guest = await hosted.open()
  await guest.goto(new URL(link).pathname)
  await guest.page.getByText('Free', { exact: true }).waitFor()
  // A gate that lets people in, and not an empty list.
  await guest.page.getByText('Take a name that nobody else can have here.').waitFor()
  expect([...visit.complaints, ...guest.complaints]).toEqual([])
})
