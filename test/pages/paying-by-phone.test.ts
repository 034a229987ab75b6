/** A computer without a wallet, and a phone that pays for it on a real chain. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { shop } from '../payments/coin-stage.ts'
import type { EvmBehavior } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { addGate } from './gates-here.ts'
import { addressOf, fill, goToPayment, keyOf, openHosted, press } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { connectBoth, heading, openPhoneAt, showCodeAt } from './phone-stage.ts'

setDefaultTimeout(90_000)

const { anvil, env, fund } = await startCoinChain()
const hosted = await openHosted(env)

/** Both at the point where the computer has asked the phone to pay. */
async function arrive(gateId: string, digit: string, behavior: Partial<EvmBehavior> = {}) {
  await addGate(hosted.origin, {
    gateId,
    name: 'The reading room',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'xyzzy' }],
    price: { amountUsd: '4.99', methods: ['stablecoin'], recipient: shop },
  })
  await fund(addressOf(digit), 4_990_000n)
  const { visit, address } = await showCodeAt(hosted, `/g/${gateId}`, { expectsStatus: [402] })
  const wallet = { key: keyOf(digit), node: anvil.url, chainId: 8453, ...behavior }
  const phone = await openPhoneAt(hosted, address, {}, wallet)
  const { page } = visit
  await connectBoth(page, phone.page)
  await phone.page.getByText('This signs the computer in at').waitFor()
  await press(phone.page, 'Sign with Test Wallet')
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', `${gateId.replaceAll('_', '.')}.name`)
  await press(page, 'Sign and check')
  await phone.page.getByText('This makes a proof in the name of your wallet.').waitFor()
  await press(phone.page, 'Sign with Test Wallet')
  await goToPayment(page)
  await press(page, 'Pay 4.99 USDC with the wallet')
  await heading(phone.page, 'Pay for the computer?')
  return { visit, page, phone, complaints: () => [...visit.complaints, ...phone.visit.complaints] }
}

const listSent = (wallet: { asked: readonly { method: string }[] }) =>
  wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')

describe('a phone that is asked to pay', () => {
  test('names gate, amount, recipient and network, pays, and the computer has access', async () => {
    const { page, phone, complaints } = await arrive('gate_phone_pays', 'a')
    const facts = await phone.page.locator('.pair .facts').textContent()
    for (const fact of ['The reading room', '4.99 USDC', shop.toLowerCase(), 'Base (eip155:8453)'])
      expect(facts).toContain(fact)
    await page.getByText('Pay on your phone. It shows the amount and the recipient.').waitFor()
    await judged(phone.page, 'pair-payment')
    await judged(page, 'phone-paying')
    await press(phone.page, 'Pay 4.99 USDC with Test Wallet')
    await heading(page, 'You have access')
    expect(listSent(phone.wallet)).toHaveLength(1)
    expect(complaints()).toEqual([])
  })

  test('may refuse, and the computer says that nothing was paid', async () => {
    const { page, phone, complaints } = await arrive('gate_phone_refuses', 'b')
    await press(phone.page, 'Do not pay')
    await heading(phone.page, 'Nothing was paid. The computer was told.')
    await page.locator('#problem').getByText('Nothing was paid.').waitFor()
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
    expect(listSent(phone.wallet)).toEqual([])
    expect(complaints()).toEqual([])
  })

  test('has paid while the computer went away: it shows the transaction, and says not to pay again', async () => {
    const asked = Promise.withResolvers<void>()
    const { visit, phone } = await arrive('gate_phone_late', 'c', { waits: { eth_sendTransaction: asked.promise } })
    await press(phone.page, 'Pay 4.99 USDC with Test Wallet')
    await phone.page.getByText('Confirm the payment in Test Wallet.').waitFor()
    await visit.page.close()
    asked.resolve()
    await phone.page.getByText('You have paid. Do not pay again.').waitFor()
    expect(await phone.page.locator('.notice pre').textContent()).toMatch(/^0x[0-9a-f]{64}$/)
    await phone.page.getByText('The payment was sent, but the computer does not know it.').waitFor()
    expect(await phone.page.locator('.notice pre').count()).toBe(1)
    await judged(phone.page, 'pair-paid-unheard')
  })

  test('that disconnects meanwhile leaves the advice on the computer', async () => {
    const { page, phone } = await arrive('gate_phone_gone', 'd', {
      refuses: { eth_sendTransaction: { code: 4001, message: 'no' } },
    })
    await press(phone.page, 'Pay 4.99 USDC with Test Wallet')
    await phone.page.getByText('Nothing was paid.').waitFor()
    await phone.page.goto('about:blank')
    await press(page, 'Disconnect the phone')
    await page.getByText('Did you confirm the payment? Then do not pay again').waitFor()
    await page.getByRole('button', { name: 'Go on to the payment' }).waitFor()
    await judged(page, 'phone-gone-while-paying')
    expect(await page.getByText('Did you confirm the payment?').isVisible()).toBe(true)
    await press(page, 'Go on to the payment')
    await page.getByText('Paid from elsewhere?', { exact: true }).waitFor()
  })
})
