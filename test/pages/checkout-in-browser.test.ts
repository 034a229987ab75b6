/** The checkout of a gate in a real browser: free, paid on a real chain, closed, and taken up again. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { contractAt } from '../parts/contracts/contracts.ts'
import { shop, usdc } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { eventually } from './eventually.ts'
import { addGate } from './gates-here.ts'
import { addressOf, choose, fill, goToPayment, keyOf, openHosted, payment, press, problem } from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const { anvil, env, fund } = await startCoinChain()
const hosted = await openHosted(env)
const markup = '<img src=x onerror="alert(1)">'
const requirement = { verifierId: 'ownership-pseudonym' }
const reward = { kind: 'reveal' as const, value: `the word is xyzzy ${markup}`, label: 'The word', message: markup }

/** Signs in through the page, and makes the proof that the gate asks for. */
async function prove({ page }: Visit, name: string): Promise<void> {
  await choose(page)
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', name)
  await press(page, 'Sign and check')
  await page.getByText('You have everything that this gate asks for').or(payment(page)).first().waitFor()
}

describe('a free gate', () => {
  test('shows the missing proof, then the reward, and the way back to the site', async () => {
    const gateId = await addGate(hosted.origin, {
      gateId: 'gate_free',
      name: `Free ${markup}`,
      description: markup,
      requirements: [requirement],
      rewards: [reward],
    })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('4') })
    await visit.goto(`/verify?gateId=${gateId}&returnUrl=https://app.example.com/in`)
    await page.getByRole('heading', { name: `Free ${markup}` }).waitFor()
    await prove(visit, 'free.one')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(await page.locator('#reward pre').textContent()).toBe(reward.value)
    expect(await page.locator('#go-on').getAttribute('href')).toMatch(
      /^https:\/\/app\.example\.com\/in\?qHash=0x[0-9a-f]{64}$/,
    )
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('xyzzy')

    await page.reload()
    await page.getByText('You passed this gate before').waitFor()
    await press(page, 'Show it again')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('that gives nothing but access says so, ticks what the visitor has, and lets them enter', async () => {
    await addGate(hosted.origin, { gateId: 'gate_access', name: 'Access', requirements: [requirement] })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: `0x${'c3'.repeat(32)}` })
    await visit.goto('/verify?gateId=gate_access')
    const asked = page.locator('.asked > li')
    await asked.first().waitFor()
    expect(await page.locator('.gets').allTextContents()).toEqual(['Access'])
    expect(await page.locator('.asked > li.met').count()).toBe(0)
    await prove(visit, 'access.one')
    expect(await page.locator('.asked > li.met').allTextContents()).toEqual([
      expect.stringContaining('Pseudonym you have it'),
    ])
    await judged(page, 'checkout-access')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    await page.getByText('Your wallet has access now.').waitFor()
    expect(await page.getByText('This page does not keep what you got').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('says first that a paused gate is closed, then how to see again what it gave', async () => {
    const definition = { gateId: 'gate_paused', name: 'Paused', requirements: [requirement], rewards: [reward] }
    await addGate(hosted.origin, definition)
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('6') })
    await visit.goto('/verify?gateId=gate_paused')
    await prove(visit, 'paused.one')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    await addGate(hosted.origin, { ...definition, status: 'paused' })
    await visit.goto('/verify?gateId=gate_paused')
    await page.getByText('You passed this gate before').waitFor()
    const notices = await page.locator('#work .notice').allTextContents()
    expect(notices[0]).toStartWith('This gate is paused by its owner.')
    expect(notices[1]).toStartWith('You passed this gate before.')
  })

  test('goes on by itself when the server was away for its script, too', async () => {
    const gateId = await addGate(hosted.origin, {
      gateId: 'gate_script',
      name: 'Script',
      requirements: [requirement],
      rewards: [reward],
    })
    const visit = await hosted.open()
    const { page } = visit
    let isAway = true
    await page.route('**/api/v1/profile/gates/gate_script', (route) => (isAway ? route.abort() : route.continue()))
    await page.route('**/part-*.js', async (route) => {
      const answer = await route.fetch()
      if (!isAway || !(await answer.text()).includes('/fulfill')) return route.fulfill({ response: answer })
      return route.abort()
    })
    await visit.goto(`/verify?gateId=${gateId}`)
    await page.getByText('This page tries again by itself').waitFor()
    isAway = false
    await page.getByText('Free', { exact: true }).waitFor({ timeout: 15_000 })
    expect(await page.locator('#problem').textContent()).toBe('')
  })

  test('goes on by itself when a server that did not answer is back', async () => {
    const gateId = await addGate(hosted.origin, {
      gateId: 'gate_away',
      name: 'Away',
      requirements: [requirement],
      rewards: [reward],
    })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('4') })
    let asked = 0
    await page.route('**/api/v1/profile/gates/gate_away', (route) => {
      asked++
      return asked < 3 ? route.abort() : route.continue()
    })
    await visit.goto(`/verify?gateId=${gateId}`)
    await page.getByText('This page tries again by itself').waitFor()
    await page.getByText('Free', { exact: true }).waitFor({ timeout: 15_000 })
    expect(asked).toBe(3)
    expect(await page.getByText('This page tries again by itself').count()).toBe(0)

    await page.route('**/api/v1/proofs/check?*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await choose(page)
    await page.getByText('This page tries again by itself').waitFor()
    await page.unroute('**/api/v1/proofs/check?*')
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.locator('.needs').waitFor()
    expect(await page.getByText('This page tries again by itself').count()).toBe(0)
  })

  test('says what to do when its part of the script cannot be loaded, and works after a reload', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_part',
      name: 'In parts',
      requirements: [requirement],
      rewards: [reward],
    })
    const visit = await hosted.open()
    const { page } = visit
    // The page names the parts that it needs at once. The checkout is loaded afterwards.
    const named = await (await fetch(`${hosted.origin}/verify?gateId=gate_part`)).text()
    await page.route('**/assets/part-*', (route) =>
      named.includes(new URL(route.request().url()).pathname.slice(1)) ? route.continue() : route.abort(),
    )
    await visit.goto('/verify?gateId=gate_part')
    await problem(page, 'Check your connection, then reload this page.')
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('heading', { name: 'In parts' }).waitFor()
  })

  test('does not ask again for an existing proof, and keeps its requirement fixed', async () => {
    const exact = { ...requirement, match: [{ path: 'handle', op: 'eq' as const, value: 'exact.name' }] }
    await addGate(hosted.origin, {
      gateId: 'gate_any',
      name: 'Any name',
      requirements: [requirement],
      rewards: [reward],
    })
    await addGate(hosted.origin, { gateId: 'gate_exact', name: 'One name', requirements: [exact], rewards: [reward] })
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('5') })
    await visit.goto('/verify?gateId=gate_exact')
    await choose(page)
    await press(page, /^Go on: Pseudonym/)
    expect(await page.locator('[name=pseudonymId]').inputValue()).toBe('exact.name')
    expect(await page.locator('[name=pseudonymId]').getAttribute('readonly')).not.toBeNull()
    await press(page, 'Sign and check')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()

    const asked = wallet.asked.length
    await visit.goto('/verify?gateId=gate_any')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(wallet.asked.length).toBe(asked)
    expect(visit.complaints).toEqual([])
  })

  test('where one of several proofs is enough, the page says so and asks for no second one', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_either',
      name: 'Either',
      requirements: [
        { id: 'name', verifierId: 'ownership-pseudonym' },
        { id: 'content', verifierId: 'ownership-basic' },
      ],
      rule: { any: ['name', 'content'] },
      rewards: [reward],
    })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: `0x${'16'.repeat(32)}` })
    await visit.goto('/verify?gateId=gate_either')
    await choose(page)
    await page.getByText('You may not need all of these').waitFor()
    await press(page, /^Prove: /)
    await fill(page, 'content', 'Either will do')
    await press(page, 'Sign the claim')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test.each([
    ['gate_soon', { schedule: { startsAt: '2099-01-01T00:00:00Z' } }, 'It opens on'],
    ['gate_past', { schedule: { endsAt: '2020-01-01T00:00:00Z' } }, 'This gate ended on'],
    ['gate_rest', { status: 'paused' }, 'This gate is paused by its owner'],
  ])('%s explains itself before anyone signs in, and afterwards', async (gateId, members, said) => {
    await addGate(hosted.origin, { gateId, name: gateId, requirements: [requirement], ...members })
    const visit = await hosted.open()
    await addEvmWallet(visit.context, { key: keyOf('6') })
    await visit.goto(`/verify?gateId=${gateId}`)
    await visit.page.locator('.notice.warning', { hasText: said }).waitFor()
    await visit.page.getByText('Did you pass this gate before?').waitFor()
    expect(await visit.page.locator('.choice').count()).toBe(0)
    await judged(visit.page, 'gate-closed')
    await press(visit.page, 'Show what I got')
    await choose(visit.page)
    await visit.page.locator('.needs').waitFor()
    expect(await visit.page.locator('.notice.warning', { hasText: said }).count()).toBe(1)
    expect(visit.complaints).toEqual([])
  })

  test('names what it asks for as the form of a gate does', async () => {
    const contract = `0x${'ab'.repeat(20)}`
    await addGate(hosted.origin, {
      gateId: 'gate_named',
      name: 'Named',
      requirements: [
        {
          verifierId: 'token-holding',
          match: [
            { path: 'input.contractAddress', op: 'eq', value: contract },
            { path: 'input.minBalance', op: 'gte', value: '5' },
          ],
        },
      ],
    })
    const visit = await hosted.open()
    await addEvmWallet(visit.context, { key: keyOf('c') })
    await visit.goto('/verify?gateId=gate_named')
    await choose(visit.page)
    const hint = visit.page.locator('.needs .hint').first()
    expect(await hint.textContent()).toBe(`Contract of the token: ${contract}, At least: 5`)
    expect(visit.complaints).toEqual([])
  })

  test('speaks German to a German reader, from the price to the reward', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_german',
      name: 'Treffen',
      requirements: [requirement],
      rewards: [{ ...reward, message: 'Willkommen' }],
    })
    const visit = await hosted.open()
    const { page } = visit
    await visit.context.setExtraHTTPHeaders({ 'accept-language': 'de-CH,de;q=0.9' })
    await addEvmWallet(visit.context, { key: keyOf('2') })
    await visit.goto('/verify?gateId=gate_german')
    await page.getByText('Kostenlos', { exact: true }).waitFor()
    await choose(page)
    await press(page, /^Weiter: Pseudonym/)
    await fill(page, 'pseudonymId', 'treffen.eins')
    await press(page, 'Signieren und prüfen')
    await page.getByText('Sie haben alles, was dieses Gate verlangt.').waitFor()
    await judged(page, 'checkout-german')
    await press(page, 'Jetzt abholen')
    await page.getByRole('heading', { name: 'Sie haben Zugang' }).waitFor()
    await judged(page, 'reward-german')
    expect(visit.complaints).toEqual([])
  })

  test('says so when it is sold out, and an unknown one is not blamed on the person', async () => {
    await addGate(hosted.origin, { gateId: 'gate_few', name: 'Few', requirements: [requirement], supply: 1 })
    for (const [digit, name] of [
      ['7', 'few.one'],
      ['8', 'few.two'],
    ] as const) {
      const visit = await hosted.open()
      await addEvmWallet(visit.context, { key: keyOf(digit) })
      await visit.goto('/verify?gateId=gate_few')
      if (digit === '7') {
        await prove(visit, name)
        await press(visit.page, 'Enter')
        await visit.page.getByText('Your wallet has access now').waitFor()
      } else {
        await press(visit.page, 'Show what I got')
        await choose(visit.page)
        await visit.page.getByText('Sold out. All 1 are taken').waitFor()
      }
    }
    const visit = await hosted.open({ expectsStatus: [404] })
    await visit.goto('/verify?gateId=gate_none')
    await visit.page.getByRole('heading', { level: 1, name: 'No gate here' }).waitFor()
    await visit.page.getByRole('link', { name: 'Go to the start page' }).waitFor()
    await problem(visit.page, 'Check the link, or ask the person who sent it to you.')
    await judged(visit.page, 'checkout-no-gate')
  })

  test('keeps the progress when a session ended on the way', async () => {
    await addGate(hosted.origin, { gateId: 'gate_away', name: 'Away', requirements: [requirement], rewards: [reward] })
    const visit = await hosted.open({ expectsStatus: [401, 403] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('9') })
    await visit.goto('/verify?gateId=gate_away')
    await prove(visit, 'away.one')
    await visit.context.clearCookies()
    await press(page, 'Get it now')
    await problem(page, 'Your session has ended')
    await choose(page)
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('with a name of one long word fits the screen of a phone', async () => {
    const name = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(3)
    await addGate(hosted.origin, { gateId: 'gate_long', name, requirements: [requirement] })
    const visit = await hosted.open({ width: 390 })
    await visit.goto('/verify?gateId=gate_long')
    await visit.page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await visit.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(visit.complaints).toEqual([])
  })

  test('the way back leads from a step to the list, and forward again', async () => {
    await addGate(hosted.origin, { gateId: 'gate_back', name: 'Back', requirements: [requirement] })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('a') })
    await visit.goto('/verify?gateId=gate_back')
    await choose(page)
    await press(page, /^Go on: Pseudonym/)
    await page.locator('[name=pseudonymId]').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /^Go on: Pseudonym/ }).waitFor()
    await page.goForward()
    await page.locator('[name=pseudonymId]').waitFor()
    expect(visit.complaints).toEqual([])
  })
})

describe('a gate with a price', () => {
  const price = { amountUsd: '4.99', methods: ['stablecoin' as const], recipient: shop }

  test('the connected wallet pays on the right chain, and gets the reward when the chain is sure', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_paid',
      name: 'Paid',
      requirements: [requirement],
      rewards: [reward],
      price,
    })
    await fund(addressOf('b'), 4_990_000n)
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('b'), node: anvil.url, chainId: 1 })
    await visit.goto('/verify?gateId=gate_paid')
    await page.getByText('$4.99', { exact: true }).waitFor()
    await prove(visit, 'paid.one')
    await goToPayment(page)
    await page.getByText(shop.toLowerCase()).waitFor()
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).dblclick()
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    const sent = wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')
    expect(sent).toHaveLength(1)
    expect(wallet.asked.map(({ method }) => method)).toContain('wallet_switchEthereumChain')
    expect(await contractAt(anvil, 'Erc20', usdc).read('balanceOf', [shop])).toBe(4_990_000n)
    expect(visit.complaints).toEqual([])
  })

  test('is paid in German by a German buyer, whose receipt names the way', async () => {
    await addGate(hosted.origin, { gateId: 'gate_preis', name: 'Preis', requirements: [requirement], price })
    await fund(addressOf('3'), 4_990_000n)
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    await visit.context.setExtraHTTPHeaders({ 'accept-language': 'de' })
    await addEvmWallet(visit.context, { key: keyOf('3'), node: anvil.url })
    await visit.goto('/verify?gateId=gate_preis')
    await page.getByText('4,99 $', { exact: true }).waitFor()
    await choose(page)
    await press(page, /^Weiter: Pseudonym/)
    await fill(page, 'pseudonymId', 'preis.eins')
    await press(page, 'Signieren und prüfen')
    await page.getByRole('heading', { name: '4,99 US-Dollar bezahlen' }).waitFor()
    await page.getByText('Von anderswo bezahlt?').waitFor()
    await judged(page, 'pay-german')
    await press(page, '4,99 USDC mit der Wallet bezahlen')
    await page.getByText('Ihre Wallet hat jetzt Zugang.').waitFor()
    await page.getByRole('link', { name: 'Quittung öffnen' }).click()
    await page.getByText('Überweisung eines Stablecoins').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a reload after paying pays once, and a declined transfer pays nothing', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_reload',
      name: 'Reload',
      requirements: [requirement],
      rewards: [reward],
      price,
    })
    await fund(addressOf('c'), 4_990_000n)
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, {
      key: keyOf('c'),
      node: anvil.url,
      chainId: 8453,
      refuses: { eth_sendTransaction: { code: 4001, message: 'no' } },
    })
    await visit.goto('/verify?gateId=gate_reload')
    await prove(visit, 'reload.one')
    await goToPayment(page)
    await press(page, 'Pay 4.99 USDC with the wallet')
    await problem(page, 'Nothing was paid')
    wallet.refuses = {}
    // The transfer gets one block and no second one, so it cannot settle before the reload.
    await anvil.rpc('evm_setIntervalMining', [0])
    await anvil.rpc('evm_setAutomine', [true])
    await press(page, 'Pay 4.99 USDC with the wallet')
    await page.locator('#status').filter({ hasText: 'Not confirmed yet' }).waitFor()
    await page.reload()
    await page.locator('#status').filter({ hasText: 'Not confirmed yet' }).waitFor()
    await anvil.rpc('evm_setIntervalMining', [1])
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('does not ask a payer to pay again: after giving up, after a reload, on a second visit', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_final',
      name: 'Final',
      requirements: [requirement],
      rewards: [reward],
      price: { ...price, rewardAfter: 'final' },
    })
    await fund(addressOf('e'), 9_980_000n)
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('e'), node: anvil.url, chainId: 8453 })
    await visit.goto('/verify?gateId=gate_final')
    await prove(visit, 'final.one')
    await goToPayment(page)
    await press(page, 'Pay 4.99 USDC with the wallet')
    const paysOnce = async (at: Page): Promise<void> => {
      const status = at.locator('#status')
      const step = at.locator('#work .steps > [aria-current=step]')
      await step.filter({ hasText: /^\d+ confirmations?, not final yet/ }).waitFor()
      expect(await step.textContent()).toContain('when it is final, mostly within half an hour')
      await at.getByText('Message of the server').click()
      const said = at.getByText(/The newest final block is \d+\. Nothing more is to be paid/)
      await said.waitFor()
      expect(await said.textContent()).not.toContain('repeat the same request')
      await press(at, 'Stop waiting (your payment stays)')
      await at.getByText(/^0x[0-9a-f]{64}$/).waitFor()
      await at.getByText('Do not pay again.').waitFor()
      expect(await at.getByRole('button', { name: /^Pay|Go on to the payment|Get it now/ }).count()).toBe(0)
      if (at === page) await judged(at, 'checkout-paid')
      await press(at, 'Look again')
      await status.filter({ hasText: 'Not confirmed yet' }).waitFor()
    }
    await paysOnce(page)
    await page.reload()
    await paysOnce(page)
    await page.close()
    const second = await visit.context.newPage()
    await second.goto(`${hosted.origin}/verify?gateId=gate_final`)
    await paysOnce(second)
    expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('a transaction unknown to its chain can be corrected, and one that was never sent pays nothing', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_lost',
      name: 'Lost',
      requirements: [requirement],
      rewards: [reward],
      price,
    })
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: `0x${'1e'.repeat(32)}`, node: anvil.url, chainId: 8453 })
    await visit.goto('/verify?gateId=gate_lost')
    await prove(visit, 'lost.one')
    await goToPayment(page)
    await page.getByText('Paid from elsewhere?').click()
    await fill(page, 'hash', `0x${'ab'.repeat(32)}`)
    await press(page, 'I have paid')
    await page.locator('#work').getByText('Waiting for its first block').waitFor()
    expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
    // A form that cannot be sent is not shown.
    expect(await page.locator('[name=hash]').filter({ visible: true }).count()).toBe(0)
    await press(page, 'Stop waiting (your payment stays)')
    await page.getByText('No network of this server knows this transaction yet').waitFor()
    await fill(page, 'hash', `0x${'cd'.repeat(32)}`)
    await press(page, 'Look at this one')
    await page
      .locator('#work')
      .getByText(`0x${'cd'.repeat(32)}`)
      .waitFor()
    await press(page, 'Stop waiting (your payment stays)')
    await press(page, 'It was never sent. Choose how to pay')
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
    await page.reload()
    await goToPayment(page)
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('the page says until when price and place are held, and asks again before a late payment', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_held',
      name: 'Held',
      requirements: [requirement],
      rewards: [reward],
      price,
      supply: 1,
    })
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    await page.clock.install()
    await addEvmWallet(visit.context, { key: `0x${'1f'.repeat(32)}`, node: anvil.url, chainId: 8453 })
    await visit.goto('/verify?gateId=gate_held')
    await prove(visit, 'held.one')
    await goToPayment(page)
    const held = page.getByText(/^Price and place are kept for you until \d.* \(\d+ minutes left\)\.$/)
    await held.waitFor()
    const minutes = async () => Number(/(\d+) minutes left/.exec((await held.textContent())!)![1])
    const atFirst = await minutes()
    await judged(page, 'checkout-pay')
    const other = await hosted.open()
    await other.goto('/verify?gateId=gate_held')
    await other.page.getByText('1. Someone is paying for it now. If they do not pay, it becomes free again.').waitFor()
    expect(other.complaints).toEqual([])
    await page.clock.fastForward(3 * 60_000)
    await eventually(page, async () => (await minutes()) <= atFirst - 3)
    await page.clock.fastForward((atFirst - 3) * 60_000)
    await page.getByText(/^Price and place were kept for you until/).waitFor()
    const pay = page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' })
    expect(await pay.isVisible()).toBe(false)
    // The clock of the server went on by seconds only.
    await page.clock.setSystemTime(new Date())
    await press(page, 'Reserve again')
    await pay.waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('another wallet can take over, and proves what it lacks', async () => {
    await addGate(hosted.origin, { gateId: 'gate_over', name: 'Over', requirements: [requirement], rewards: [reward] })
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: `0x${'14'.repeat(32)}` })
    await visit.goto('/verify?gateId=gate_over')
    await prove(visit, 'over.one')
    await press(page, 'Use another wallet')
    wallet.key = `0x${'15'.repeat(32)}`
    await prove(visit, 'over.two')
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a transfer from elsewhere is offered by its hash, and an insufficient one says why', async () => {
    await addGate(hosted.origin, {
      gateId: 'gate_hash',
      name: 'Hash',
      requirements: [requirement],
      rewards: [reward],
      price,
    })
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('d'), node: anvil.url, chainId: 8453 })
    await visit.goto('/verify?gateId=gate_hash')
    await prove(visit, 'hash.one')
    await goToPayment(page)
    await page.getByText('Paid from elsewhere?').click()
    await fill(page, 'hash', '0x12')
    await press(page, 'I have paid')
    await problem(page, 'must be 0x and 64 hexadecimal digits')
    const { transactionHash } = await contractAt(anvil, 'Erc20', usdc).write('mint', [addressOf('d'), 1n])
    await fill(page, 'hash', transactionHash)
    await press(page, 'I have paid')
    await page.getByText('Transfer that was refused').waitFor()
    await page.getByRole('button', { name: 'Pay 4.99 USDC with the wallet' }).waitFor()
    await page.reload()
    await goToPayment(page)
    expect(visit.complaints).toEqual([])
  })
})
