/** While a payment waits at the checkout: three steps in place of the form, chains that a wallet lacks, and long errors. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { shop } from '../payments/coin-stage.ts'
import { addEvmWallet, type EvmBehavior } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { addGate } from './gates-here.ts'
import { addressOf, choose, fill, goToPayment, keyOf, openHosted, press } from './hosted-stage.ts'
import { judged } from './looks.ts'

setDefaultTimeout(60_000)

const { anvil, env, fund } = await startCoinChain()
const privateRpc = `${anvil.url}/?key=not-for-others`
const hosted = await openHosted({ ...env, PROOFGATE_CHAINS_BASE_RPC: privateRpc })
const publicRpc = `${anvil.url}/public`
const open = await openHosted({
  ...env,
  PROOFGATE_CHAINS_BASE_RPC: privateRpc,
  PROOFGATE_CHAINS_BASE_PUBLIC_ENDPOINT: publicRpc,
  PROOFGATE_CHAINS_BASE_EXPLORER: 'https://explorer.example.com',
})
const price = { amountUsd: '4.99', methods: ['stablecoin' as const], recipient: shop }

/** A person before the ways to pay, with a wallet on another chain than the token. */
async function arrive(at: typeof hosted, gateId: string, digit: string, behavior: Partial<EvmBehavior> = {}) {
  await addGate(at.origin, {
    gateId,
    name: 'Paid',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'xyzzy' }],
    price,
  })
  await fund(addressOf(digit), 4_990_000n)
  const visit = await at.open({ expectsStatus: [402] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf(digit), node: anvil.url, chainId: 8453, ...behavior })
  await visit.goto(`/verify?gateId=${gateId}`)
  await choose(page)
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', `${gateId.replaceAll('_', '.')}.name`)
  await press(page, 'Sign and check')
  await goToPayment(page)
  await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
  return { ...visit, wallet }
}

const pay = (page: Page) => press(page, 'Pay 4.99 USDC with the wallet')

/** The buttons, links, fields and folded parts that the person sees on the sheet. */
const listControls = async (page: Page): Promise<string[]> =>
  page
    .locator('#page')
    .locator('button, input, select, textarea, summary, a')
    .filter({ visible: true })
    .allTextContents()

const steps = (page: Page) => page.locator('#work .steps > li').filter({ visible: true })

describe('while a payment waits', () => {
  test('three steps take the place of the form, with the confirmations that the server counts', async () => {
    const asked = Promise.withResolvers<void>()
    const { page, wallet, complaints } = await arrive(hosted, 'gate_steps', 'a', {
      waits: { eth_sendTransaction: asked.promise },
    })
    await pay(page)
    await page.getByText('Confirm the transfer of 4.99 USDC').waitFor()
    expect(await listControls(page)).toEqual([])
    expect(await steps(page).count()).toBe(3)
    expect(await steps(page).nth(0).getAttribute('aria-current')).toBe('step')
    await judged(page, 'checkout-paying')
    // One block with the transfer, and none after it.
    await anvil.rpc('evm_setIntervalMining', [0])
    await anvil.rpc('evm_setAutomine', [true])
    asked.resolve()
    await steps(page).filter({ hasText: '1 of 2 confirmations' }).waitFor()
    expect(await steps(page).nth(0).getAttribute('class')).toBe('met')
    expect(await steps(page).nth(1).getAttribute('aria-current')).toBe('step')
    expect(await steps(page).nth(1).textContent()).toContain('mostly within minutes')
    expect(await listControls(page)).toEqual(['Stop waiting (your payment stays)', 'Message of the server'])
    expect(await page.locator('[aria-disabled=true]').filter({ visible: true }).count()).toBe(0)
    await judged(page, 'checkout-confirming')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Stop waiting (your payment stays)')
    await page.getByRole('button', { name: 'Look again' }).waitFor()
    expect(await page.getByRole('button', { name: /^Pay/ }).filter({ visible: true }).count()).toBe(0)
    await anvil.rpc('evm_setIntervalMining', [1])
    await press(page, 'Look again')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})

describe('a wallet that does not know the chain', () => {
  test('is told of it by what the operator made public, and pays', async () => {
    const { page, wallet, complaints } = await arrive(open, 'gate_add', 'b', { chainId: 1, knows: [1] })
    await pay(page)
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    const added = wallet.asked.filter(({ method }) => method === 'wallet_addEthereumChain')
    expect(added.map(({ params }) => params)).toEqual([
      [
        {
          chainId: '0x2105',
          chainName: 'Base',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: [publicRpc],
          blockExplorerUrls: ['https://explorer.example.com'],
        },
      ],
    ])
    expect(complaints).toEqual([])
  })

  test('is never given an address of the server, and the person hears what to add', async () => {
    const { page, wallet, complaints } = await arrive(hosted, 'gate_unknown', 'c', { chainId: 1, knows: [1] })
    expect(await page.content()).not.toContain('not-for-others')
    await pay(page)
    const told = page.locator('#problem')
    await told
      .getByText('Test Wallet does not know the network Base. Add it there, then pay again. Nothing was paid.')
      .waitFor()
    await told.getByText('What to add').click()
    for (const fact of ['Base', '8453', 'ETH', 'https://basescan.org']) expect(await told.textContent()).toContain(fact)
    expect(wallet.asked.map(({ method }) => method)).not.toContain('wallet_addEthereumChain')
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
    expect(complaints).toEqual([])
  })
})

const long = (cause: string): string => `${cause}: { "jsonrpc": "2.0", "data": "${'0badc0de'.repeat(60)}" }`

describe('a long error of a wallet or its node', () => {
  test('is one sentence when paying, with the whole text folded', async () => {
    const { page, wallet, complaints } = await arrive(hosted, 'gate_error', 'd')
    wallet.refuses = {
      eth_sendTransaction: { code: -32000, message: long('err: insufficient funds for gas * price + value') },
    }
    await pay(page)
    const told = page.locator('#problem')
    await told.getByText('Test Wallet has too few coins to pay the network fee. Nothing was paid.').waitFor()
    const detail = told.getByText('0badc0de0badc0de')
    expect(await detail.isVisible()).toBe(false)
    await told.getByText('Message of the wallet').click()
    expect(await detail.isVisible()).toBe(true)
    await judged(page, 'checkout-error')
    expect(complaints).toEqual([])
  })

  test('is one sentence when signing, too', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, {
      key: keyOf('e'),
      refuses: { personal_sign: { code: -32603, message: long('Internal JSON-RPC error') } },
    })
    await visit.goto('/verify?verifiers=ownership-pseudonym')
    await choose(page)
    await fill(page, 'pseudonymId', 'long.error')
    await press(page, 'Sign and check')
    const told = page.locator('#problem')
    await told.getByText('Test Wallet reported an error. Nothing was signed.').waitFor()
    expect(await told.getByText('0badc0de0badc0de').isVisible()).toBe(false)
    await told.getByText('Message of the wallet').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
