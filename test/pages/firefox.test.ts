/** The main journeys in Debian's Firefox: signing in, a proof, its check, a gate, a payment, and the dashboard. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'puppeteer-core'
import { isMissing } from '../parts/optional.ts'
import { shop } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { type FirefoxVisit, firefoxPath, launchFirefox, visitInFirefox } from './firefox.ts'
import { addGate } from './gates-here.ts'
import { addressOf, keyOf, openHosted } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const { anvil, env, fund } = await startCoinChain()
const { origin } = await openHosted(env)

describe.skipIf(isMissing(firefoxPath !== null, 'the journeys in Firefox: apt-get install firefox-esr'))(
  'in Firefox',
  () => {
    let browser: Browser
    let visits: FirefoxVisit[] = []
    beforeAll(async () => {
      browser = await launchFirefox()
    })
    afterEach(async () => {
      await Promise.all(visits.map((visit) => visit.close()))
      visits = []
    })
    afterAll(() => browser.close())
    const open = async () => {
      const visit = await visitInFirefox(browser, origin)
      visits.push(visit)
      return visit
    }

    test('one signature signs in, and the dashboard opens with its palette', async () => {
      const visit = await open()
      const wallet = await addEvmWallet(visit.wallets, { key: keyOf('1') })
      await visit.goto('/login?returnTo=/')
      await visit.press('.choice', 'Test Wallet')
      await visit.find('h1', 'Proofs')
      expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
      await visit.page.keyboard.down('Control')
      await visit.page.keyboard.press('k')
      await visit.page.keyboard.up('Control')
      await visit.type('[role=combobox]', 'access')
      await visit.page.keyboard.press('Enter')
      await visit.find('h1', 'Access keys')
      expect(visit.complaints).toEqual([])
    })

    test('a visitor gets a portable proof for 4 clicks and one signature', async () => {
      const visit = await open()
      const wallet = await addEvmWallet(visit.wallets, { key: keyOf('2') })
      await visit.goto('/')
      await visit.press('a', 'Make a proof')
      await visit.press('a', 'Claim content')
      await visit.press('.choice', 'Test Wallet')
      await visit.type('[name=content]', 'A first text')
      await visit.press('button', 'Sign the claim')
      await visit.find('button', 'Save the portable proof')
      expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
      expect(visit.complaints).toEqual([])
    })

    test('a signed-in person makes a proof, and its page checks the kept copy', async () => {
      const visit = await open()
      await addEvmWallet(visit.wallets, { key: keyOf('4') })
      await visit.goto('/login?returnTo=/verify')
      await visit.press('.choice', 'Test Wallet')
      await visit.press('a', 'Claim content')
      await visit.type('[name=content]', 'A second text')
      await visit.press('button', 'Sign the claim')
      await visit.press('a', 'View and share')
      await visit.press('summary', 'Verify it yourself')
      await visit.press('button', 'Check my kept copy')
      await visit.find('#check p, .check p, [role=status]', 'Valid.')
      expect(visit.complaints).toEqual([])
    })

    test('a stranger pays at a gate, and gets the reward', async () => {
      await addGate(origin, {
        gateId: 'gate_fox',
        name: 'Fox',
        requirements: [{ verifierId: 'ownership-pseudonym' }],
        rewards: [{ kind: 'reveal', value: 'here it is', label: 'The word' }],
        price: { amountUsd: '4.99', methods: ['stablecoin'], recipient: shop },
      })
      await fund(addressOf('3'), 4_990_000n)
      const visit = await open()
      const wallet = await addEvmWallet(visit.wallets, { key: keyOf('3'), node: anvil.url, chainId: 8453 })
      await visit.goto('/g/gate_fox')
      await visit.press('.choice', 'Test Wallet')
      await visit.press('button', 'Go on: Pseudonym')
      await visit.type('[name=pseudonymId]', 'fox.one')
      await visit.press('button', 'Sign and check')
      await visit.press('button', 'Pay 4.99 USDC')
      await visit.find('#reward pre')
      expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
      expect(visit.complaints.filter((one) => !one.includes('402'))).toEqual([])
    })

    test('a browser that asks for German gets German pages', async () => {
      const visit = await open()
      await visit.page.setExtraHTTPHeaders({ 'accept-language': 'de-DE,de;q=0.9' })
      await visit.goto('/')
      expect(await visit.page.$eval('html', (html) => html.lang)).toBe('de')
      expect(visit.complaints).toEqual([])
    })
  },
)
