/** Gates in the dashboard: from the empty list to a paid gate that another person passes. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../src/client/client.ts'
import { loadConfig } from '../../src/config/load.ts'
import { readTokenSettings } from '../../src/payments/token-transfers/settings.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { usdc } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { carry, judged, openDashboards, type SignedIn } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { addressOf, choose, fill, goToPayment, keyOf, press, review } from './hosted-stage.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(90_000)

const { anvil, env, fund } = await startCoinChain()
const dashboards = await openDashboards(env)
const bare = await openDashboards()
const { origin } = dashboards
const secret = 'the word is xyzzy-plugh-4711'

/** Publishes over HTTP, as the person of a dashboard. */
async function publish({ headers }: SignedIn, definition: object, members: object = {}) {
  const answer = await fetch(`${origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ definition, ...members }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
}

const listUnmatched = async ({ headers }: SignedIn) => {
  const answer = await fetch(`${origin}/api/v1/profile/payments/unmatched?side=received`, { headers })
  return (await answer.json()).data.payments
}

const gateOf = (gateId: string, members: object = {}) => ({
  gateId,
  name: `Gate ${gateId}`,
  requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'reveal', value: secret, label: 'The word' }],
  ...members,
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const ready = (page: Page) => page.getByText('Ready to publish.').waitFor()
const published = (page: Page, version: number) => page.getByText(`Published as version ${version}.`).waitFor()
/** The link to a new gate is offered at once. */
async function firstPublished(page: Page): Promise<void> {
  await published(page, 1)
  await page.getByRole('button', { name: 'Copy the link' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('a new owner', () => {
  test('goes from the empty list to a paid gate; another person passes it; the owner sees the payment and the pass', async () => {
    const { page, complaints } = await dashboards.openAs(`0x${'a1'.repeat(32)}`, '/gates')
    await page.getByRole('heading', { name: 'You have no gate yet' }).waitFor()
    expect(await page.locator('.empty pre').textContent()).toContain(
      'npm run --silent proofgate -- gates apply gates.toml --yes',
    )
    // One way to go on; what is for the command line is folded.
    expect(await page.locator('.empty pre').isVisible()).toBe(false)
    expect(await page.locator('.empty .button').count()).toBe(1)
    await judged(page, 'dashboard-gates-empty')
    await page.getByText('From the command line').click()
    await judged(page, 'dashboard-gates-empty-command')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Build your first gate' }).click()
    await heading(page, 'A new gate').waitFor()
    await judged(page, 'dashboard-gates-templates')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: /^Paid guide/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('My guide')
    await page.getByLabel('Id', { exact: true }).fill('my-guide')
    await page.getByLabel('Price in US dollars').fill('4.99')
    await page.getByLabel('Stablecoin (USDC)').uncheck()
    await page.locator('.gate-form').getByText('Choose at least one way to pay').waitFor()
    await page.getByLabel('Stablecoin (USDC)').check()
    expect(await page.getByLabel('Paid to').inputValue()).toMatch(/^0x[0-9a-f]{40}$/)
    await page.getByLabel('Secret text', { exact: true }).fill(secret)
    // A text shown once cannot be taken back, so by default it comes when the payment is final. The buyer of this test
    // does not wait for so long.
    const moment = page.getByLabel('When they get it, paid on a chain')
    expect(await moment.inputValue()).toBe('final')
    await moment.selectOption('confirmations')
    await ready(page)
    const words = page.locator('.preview .plain-words')
    expect(await words.textContent()).toContain(
      'Anyone who holds a pseudonym and pays 4.99 USD (Stablecoin) gets a secret text (“The guide”).',
    )
    await judged(page, 'dashboard-gates-builder')
    await page.setViewportSize({ width: 1280, height: 900 })
    await review(page)
    await page.getByRole('dialog').getByText('Its id is').waitFor()
    await page.getByRole('dialog').getByText('It costs 4.99 USD. Ways to pay: Stablecoin.').waitFor()
    await judged(page, 'dashboard-gates-publish')
    await press(page, 'Publish the gate')
    await firstPublished(page)
    await heading(page, /^My guide/).waitFor()
    expect(new URL(page.url()).pathname).toBe('/gates/my-guide')
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => !key.includes('first-steps'))`)).toEqual([])

    const buyer = await dashboards.open({ expectsStatus: [402] })
    await addEvmWallet(buyer.context, { key: keyOf('7'), node: anvil.url, chainId: 8453 })
    await fund(addressOf('7'), 4_990_000n)
    await buyer.goto('/verify?gateId=my-guide')
    await choose(buyer.page)
    await press(buyer.page, /^Go on: Pseudonym/)
    await fill(buyer.page, 'pseudonymId', 'my.buyer')
    await press(buyer.page, 'Sign and check')
    await goToPayment(buyer.page)
    await press(buyer.page, 'Pay 4.99 USDC with the wallet')
    await buyer.page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(await buyer.page.locator('#reward pre').textContent()).toBe(secret)

    await openTab(page, 'Passes')
    await page.getByRole('list', { name: 'Passes' }).getByText('4.99 USD').waitFor()
    await page.locator('.totals').getByText('4.99 USDC').waitFor()
    await page.getByLabel('24 hours').check()
    await page.getByRole('figure', { name: 'Passes over time' }).getByText('24 hours').waitFor()
    await judged(page, 'dashboard-gate-totals')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Payments' }).click()
    await page.locator('.totals').getByText('4.99 USD').waitFor()
    const saved = page.waitForEvent('download')
    await press(page, 'Save as CSV')
    const file = await (await saved).path()
    expect(await Bun.file(file).text()).toMatch(
      /my-guide,My guide,1,0x[0-9a-f]{40},paid.*,4\.99,usdc,tx:eip155:8453:0x/,
    )
    await judged(page, 'dashboard-payments')
    await page.setViewportSize({ width: 1280, height: 900 })
    await openTab(page, 'Owed')
    await page.getByText('Every payment at your gates bought something.').waitFor()
    await judged(page, 'dashboard-payments-unmatched')
    await page.setViewportSize({ width: 1280, height: 900 })
    await openTab(page, 'Received')
    await page.getByRole('button', { name: 'My guide' }).click()
    await page.getByRole('dialog').getByText('Transaction on Base (eip155:8453)').waitFor()
    expect(await page.content()).not.toContain(secret)
    await judged(page, 'dashboard-payment')
    expect(complaints).toEqual([])

    const german = await dashboards.openAs(`0x${'a1'.repeat(32)}`, '/payments', { locale: 'de-DE' })
    await german.page.locator('.totals').getByText('4,99 USD').waitFor()
    await german.page.getByRole('button', { name: 'My guide' }).click()
    await german.page.getByRole('dialog').getByText('Transaktion auf Base (eip155:8453)').waitFor()
    await german.page
      .getByRole('dialog')
      .getByText(/^4,99 USD · .* · \d\d\.\d\d\.\d{4}, /)
      .waitFor()
    await judged(german.page, 'dashboard-payment-german')
    expect(german.complaints).toEqual([])

    const bought = await dashboards.sessionOf('7')
    await carry(buyer, origin, bought)
    await buyer.goto('/payments?tab=bought')
    await buyer.page.getByRole('button', { name: 'My guide' }).click()
    await press(buyer.page, 'Show what I got')
    await buyer.page.getByText(secret).waitFor()
    await buyer.goto('/payments')
    await openTab(buyer.page, 'What I paid')
    await buyer.page.getByRole('list', { name: 'What I paid' }).getByText('4.99 USD').waitFor()
    await judged(buyer.page, 'dashboard-payments-paid')
    expect(buyer.complaints).toEqual([])
  })

  test('seller and buyer see payments without a purchase, page after page', async () => {
    const seller = `0x${'a7'.repeat(32)}` as const
    const owner = await dashboards.sessionOf(seller)
    const price = { amountUsd: '4.99', methods: ['stablecoin'], recipient: owner.address, rewardAfter: 'first_block' }
    await publish(owner, gateOf('few', { name: 'Few of them', supply: 1, price }))
    const account = privateKeyToAccount(`0x${'a8'.repeat(32)}`)
    const signer = { address: account.address, sign: (message: string) => account.signMessage({ message }) }
    const client = createClient({ url: origin })
    const spent = 4_990_000n
    await fund(account.address, 3n * spent)
    await anvil.rpc('anvil_impersonateAccount', [account.address])
    const outcomes: string[] = []
    for (const name of ['few.one', 'few.two', 'few.three']) {
      const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: name } }
      const { qHash } = await client.prove(signer, claim)
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [owner.address as `0x${string}`, spent],
      })
      const paymentTxHash = (await anvil.rpc('eth_sendTransaction', [
        { from: account.address, to: usdc, data },
      ])) as string
      const outcome = () =>
        client
          .fulfil('few', { qHash, paymentTxHash }, { signer })
          .then(({ fulfilled }) => (fulfilled ? 'fulfilled' : 'waits'))
          .catch(({ code }: { code: string }) => code)
      let said = await outcome()
      for (let looks = 0; said === 'waits' && looks < 20; looks++) {
        await Bun.sleep(500)
        said = await outcome()
      }
      outcomes.push(said)
    }
    expect(outcomes).toEqual(['fulfilled', 'GATE_SOLD_OUT', 'GATE_SOLD_OUT'])

    for (const [key, title] of [
      [seller, 'At your gates'],
      [`0x${'a8'.repeat(32)}`, 'By your wallets'],
    ] as const) {
      const { page, complaints } = await dashboards.openAs(key, '/payments')
      // Two rows are two pages.
      await page.route('**/unmatched?*', (route) => route.continue({ url: `${route.request().url()}&limit=1` }))
      // The page may have read the list before the route was set.
      await page.reload()
      await openTab(page, 'Owed')
      const list = page.locator('section', { has: page.getByRole('heading', { name: title }) })
      await list.getByText('The gate was sold out when it arrived.').waitFor()
      await list.getByText(/that costs no more/).waitFor()
      await list.getByRole('link', { name: 'Few of them' }).waitFor()
      await list.getByRole('button', { name: 'Show more' }).click()
      await eventually(page, async () => (await list.getByRole('article').count()) === 2)
      expect(await list.getByRole('button', { name: 'Show more' }).count()).toBe(0)
      await judged(page, `dashboard-payments-unmatched-${key === seller ? 'seller' : 'buyer'}`)
      expect(complaints).toEqual([])
    }

    const { page, complaints } = await dashboards.openAs(seller, '/payments', { expectsStatus: [409] })
    await openTab(page, 'Owed')
    const rows = page.locator('section', { has: page.getByRole('heading', { name: 'At your gates' }) })
    const [first, second] = [rows.getByRole('article').nth(0), rows.getByRole('article').nth(1)]
    const ask = (row: Locator) => row.getByRole('button', { name: 'I am sending it back' }).click()
    const dialog = page.getByRole('dialog')
    await ask(first)
    await dialog.getByText('Press this before you send the money').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await first.getByText('Owed', { exact: true }).waitFor()
    await ask(first)
    await press(page, 'Mark it as given back')
    await first.getByText('Refunded', { exact: true }).waitFor()
    await first.getByText('You said that you gave it back. Nobody can use it any more.').waitFor()
    expect(await first.getByRole('button', { name: 'I am sending it back' }).count()).toBe(0)
    await second.getByText('Owed', { exact: true }).waitFor()

    // The second payment changes elsewhere: the next press is refused, and the page shows the new state.
    const identity = await listUnmatched(owner).then(
      (payments) => payments.find(({ state }: { state: string }) => state === 'owed').identity,
    )
    await fetch(`${origin}/api/v1/profile/payments/unmatched/returned`, {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ identity }),
    })
    await ask(second)
    await press(page, 'Mark it as given back')
    await dialog.getByText('this payment was given back already: do not send it back again').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await second.getByText('Refunded', { exact: true }).waitFor()
    expect((await listUnmatched(owner)).map(({ state }: { state: string }) => state)).toEqual(['refunded', 'refunded'])
    expect(complaints).toEqual([])

    const buyer = await dashboards.openAs(`0x${'a8'.repeat(32)}`, '/payments')
    await openTab(buyer.page, 'Owed')
    await buyer.page.getByText('The seller says that it was given back.').first().waitFor()
    expect(await buyer.page.getByRole('button', { name: 'I am sending it back' }).count()).toBe(0)
    expect(buyer.complaints).toEqual([])
  })
})

describe('an existing gate', () => {
  test('is changed without its secret, shows what changes, keeps its draft over a reload, and is brought back', async () => {
    const person = await dashboards.sessionOf('b')
    await publish(person, gateOf('changed', { name: '👩‍👧 مرحبا <b>bold</b>', supply: 9 }))
    const { page, complaints } = await dashboards.openAs('b', '/gates/changed')
    await heading(page, /مرحبا <b>bold<\/b>/).waitFor()
    await page.getByText('stays as in version 1').waitFor()
    await page.locator('.preview').getByText('Nothing changes.').waitFor()
    expect(await page.getByText('Ready to publish.').count()).toBe(0)
    await page.getByLabel('Total limit').fill('12')
    await page.getByText('Draft kept in this browser').waitFor()
    await page.reload()
    await page.getByText('This is your draft from').waitFor()
    expect(await page.getByLabel('Total limit').inputValue()).toBe('12')
    await ready(page)
    const difference = page.locator('.preview').getByRole('list', { name: 'What changes' })
    expect(await difference.textContent()).toMatch(/Total limit\s+9\s+12/)
    expect(await difference.getByRole('listitem').count()).toBe(1)
    await review(page)
    await press(page, 'Publish the changes')
    await published(page, 2)
    await page.getByText('version 2', { exact: false }).first().waitFor()
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => !key.includes('first-steps'))`)).toEqual([])

    await openTab(page, 'Versions')
    await press(page, 'Show Version 2')
    await page.getByRole('list', { name: 'Differences' }).getByText('Total limit').waitFor()
    await judged(page, 'dashboard-gates-versions')
    await page.setViewportSize({ width: 1280, height: 900 })
    await press(page, 'Restore Version 1')
    await page.getByRole('dialog').getByText('Total limit').waitFor()
    await page.getByRole('button', { name: 'Restore the version', exact: true }).click()
    await page.getByText('It is now version 3.').waitFor()
    await openTab(page, 'Form')
    expect(await page.getByLabel('Total limit').inputValue()).toBe('9')
    expect(await page.content()).not.toContain(secret)
    expect(complaints).toEqual([])
  })

  test('is edited in two tabs: the later one is warned, sees both sides, and publishes on top, without loss', async () => {
    const person = await dashboards.sessionOf('c')
    await publish(person, gateOf('shared', { name: 'Shared' }))
    const visit = await dashboards.openAs('c', '/gates/shared')
    const one = visit.page
    const other = await visit.context.newPage()
    await other.goto(`${origin}/gates/shared`)
    for (const page of [one, other]) await heading(page, /^Shared/).waitFor()
    await one.getByLabel('Total limit').fill('5')
    await other.getByLabel('Description').fill('From the other tab')
    await ready(one)
    await ready(other)
    await review(one)
    await press(one, 'Publish the changes')
    await published(one, 2)

    await review(other)
    await press(other, 'Publish the changes')
    await other.getByRole('heading', { name: 'Version 2 was published in the meantime' }).waitFor()
    expect(await other.getByRole('list', { name: 'What changed there' }).textContent()).toMatch(/Total limit\s+5/)
    const mine = other.getByRole('list', { name: 'What your draft would change' })
    await mine.getByText('From the other tab').waitFor()
    expect(await mine.textContent()).toMatch(/Total limit\s+5/)
    expect(await other.getByLabel('Description').inputValue()).toBe('From the other tab')
    await judged(other, 'dashboard-gates-conflict')
    await other.setViewportSize({ width: 1280, height: 900 })

    await press(other, 'Take version 2, keep mine as a draft')
    await other.getByText('This browser has another draft').waitFor()
    expect(await other.getByLabel('Total limit').inputValue()).toBe('5')
    expect(await other.getByLabel('Description').inputValue()).toBe('')
    await press(other, 'Open this draft')
    await other.getByRole('heading', { name: 'Version 2 was published in the meantime' }).waitFor()
    await press(other, 'Merge both')
    await eventually(other, async () => (await other.getByLabel('Total limit').inputValue()) === '5')
    await ready(other)
    await review(other)
    await press(other, 'Publish the changes')
    await published(other, 3)
    expect(await other.getByLabel('Total limit').inputValue()).toBe('5')
    expect(await other.getByLabel('Description').inputValue()).toBe('From the other tab')
    const versions = await fetch(`${origin}/api/v1/profile/gates/shared/versions`, { headers: person.headers })
    expect((await versions.json()).data.versions).toHaveLength(3)
    expect(await other.evaluate('localStorage.length')).toBe(0)

    await one.getByLabel('Total limit').fill('6')
    await one.evaluate('dispatchEvent(new Event("focus"))')
    await one.getByRole('heading', { name: 'Version 3 was published in the meantime' }).waitFor()
    await one.getByRole('button', { name: 'Publish mine on top of version 3', disabled: false }).click()
    await published(one, 4)
    const newest = await fetch(`${origin}/api/v1/profile/gates/shared/versions/4`, { headers: person.headers })
    expect((await newest.json()).data.definition).toMatchObject({ supply: 6, rewards: [{ label: 'The word' }] })
    expect(visit.complaints).toEqual([])
  })

  test('blocks typing while a version is being published', async () => {
    const person = await dashboards.sessionOf(`0x${'a2'.repeat(32)}`)
    await publish(person, gateOf('slow'))
    const { page, complaints } = await dashboards.openAs(`0x${'a2'.repeat(32)}`, '/gates/slow')
    const description = page.getByLabel('Description')
    await description.fill('Mine')
    await ready(page)
    await publish(person, gateOf('slow', { supply: 3 }))
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await page.getByRole('heading', { name: 'Version 2 was published in the meantime' }).waitFor()
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/v1/profile/gates', async (route) => {
      if (route.request().method() === 'POST') await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Publish mine on top of version 2', disabled: false }).click()
    await description.focus()
    await page.keyboard.type(' and lost')
    expect(await description.inputValue()).toBe('Mine')
    resolve()
    await published(page, 3)
    expect(await description.inputValue()).toBe('Mine')
    await description.focus()
    await page.keyboard.type(' and kept')
    expect(await description.inputValue()).toContain(' and kept')
    expect(complaints).toEqual([])
  })

  test('keeps the edits when the session ends, and the same person goes on', async () => {
    const person = await dashboards.sessionOf('d')
    await publish(person, gateOf('ended'))
    const visit = await dashboards.openAs('d', '/gates/ended', { expectsStatus: [401, 403] })
    const { page } = visit
    await page.getByLabel('Description').fill('Before the end')
    await ready(page)
    await fetch(`${origin}/api/v1/auth/logout-everywhere`, { method: 'POST', headers: visit.person.headers })
    await page.getByLabel('Description').fill('Before the end, and after it')
    await page.getByText('Your session has ended').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Before the end, and after it')
    await carry(visit, origin, await dashboards.sessionOf('d'))
    await page.reload()
    await page.getByText('This is your draft from').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Before the end, and after it')
    await ready(page)
    expect(visit.complaints).toEqual([])
  })

  test('is tried against wallets before it is published, and shows only public data of others', async () => {
    const person = await dashboards.sessionOf('e')
    await publish(person, gateOf('tried'))
    const { page, complaints } = await dashboards.openAs('e', '/gates/tried?tab=try')
    await press(page, 'Test the gate')
    await page.getByText('would not get in yet.').waitFor()
    await page.getByText('This wallet has no such proof.').waitFor()
    await judged(page, 'dashboard-gates-try')
    await page.setViewportSize({ width: 1280, height: 900 })
    await fetch(`${origin}/api/v1/profile/gates/tried/status`, {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'paused' }),
    })
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Review and publish', disabled: true }).waitFor()
    await page.getByLabel('Wallet', { exact: true }).fill('not a wallet')
    await page.getByText('Only public proofs of this wallet count here.').waitFor()
    expect(complaints).toEqual([])
  })

  test('that is sold without a name says what buyers see, and leads to the name', async () => {
    const person = await dashboards.sessionOf('a')
    const price = { amountUsd: '4.99', methods: ['stablecoin'], recipient: addressOf('a') }
    await publish(person, gateOf('nameless', { name: 'Nameless', price }))
    const { page } = await dashboards.openAs('a', '/gates')
    await press(page, 'Share Nameless')
    const nameless = page.getByText('Buyers see your address, because this gate names no seller.')
    await nameless.waitFor()
    await page.getByRole('link', { name: 'Add your name and logo' }).click()
    await page.getByLabel('Your name').fill('The Bakery')
    await press(page, 'Save the appearance')
    await page.getByText('The page of the gate has its new look.').waitFor()
    await page.goto(`${origin}/gates`)
    await press(page, 'Share Nameless')
    await page.getByRole('heading', { name: 'On your own page' }).waitFor()
    expect(await nameless.count()).toBe(0)
  })

  test('asks visitors for something in words that speak of visitors', async () => {
    const person = await dashboards.sessionOf('a')
    await publish(person, gateOf('spoken'))
    const { page } = await dashboards.openAs('a', '/gates/spoken')
    await page.getByText('Visitors prove: “This wallet has this name, and no other wallet has it here.”').waitFor()
  })

  test('is paused, published again, shared and deleted from the list', async () => {
    const person = await dashboards.sessionOf('9')
    await publish(person, gateOf('listed', { name: 'Listed', price: undefined }))
    await publish(person, gateOf('second', { name: 'Second', status: 'draft' }))
    const { page, complaints } = await dashboards.openAs('9', '/gates')
    const row = page.getByRole('list', { name: 'Your gates' }).getByRole('listitem').filter({ hasText: 'listed' })
    await judged(page, 'dashboard-gates')
    await page.setViewportSize({ width: 1280, height: 900 })
    await press(page, 'Pause Listed')
    await row.getByText('Paused', { exact: true }).waitFor()
    await press(page, 'Activate Listed')
    await row.getByText('Active', { exact: true }).waitFor()
    await press(page, 'Share Listed')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'On your own page' }).waitFor()
    expect(await dialog.locator('pre').allTextContents()).toEqual([
      expect.stringMatching(/\/g\/listed$/),
      expect.stringMatching(
        /<script type="module" src="http.*\/widget\.js"><\/script>\n<proof-gate gate-id="listed"><\/proof-gate>/,
      ),
    ])
    await judged(page, 'dashboard-gates-share')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.keyboard.press('Escape')
    await eventually(page, async () => (await page.evaluate('document.activeElement.textContent')) === 'Share Listed')
    await press(page, 'Delete Listed')
    await press(page, 'Delete the gate')
    await row.waitFor({ state: 'detached' })
    expect((await fetch(`${origin}/api/v1/profile/gates/listed`)).status).toBe(404)
    expect(complaints).toEqual([])
  })
})

describe('the list of admitted wallets', () => {
  test('waits to be asked again when it cannot go on', async () => {
    const owner = await dashboards.sessionOf(`0x${'a3'.repeat(32)}`)
    await publish(owner, gateOf('three'))
    const client = createClient({ url: origin })
    for (const digit of ['4', '5', '6']) {
      const account = privateKeyToAccount(keyOf(digit))
      const signer = { address: account.address, sign: (message: string) => account.signMessage({ message }) }
      const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: `three.${digit}` } }
      const { qHash } = await client.prove(signer, claim)
      expect((await client.fulfil('three', { qHash }, { signer })).fulfilled).toBe(true)
    }
    const { page } = await dashboards.openAs(`0x${'a3'.repeat(32)}`, '/gates/three')
    let failed = 0
    await page.route('**/fulfillments?*', (route) => {
      const address = route.request().url()
      if (!address.includes('cursor=')) return route.continue({ url: address.replace('limit=100', 'limit=1') })
      failed++
      return route.abort()
    })
    await openTab(page, 'Passes')
    await page.getByText('We could not reach the server').waitFor()
    await page.waitForTimeout(300)
    expect(failed).toBe(1)
    await page.unroute('**/fulfillments?*')
    await eventually(
      page,
      async () => (await page.getByRole('list', { name: 'Passes' }).getByRole('listitem').count()) === 3,
    )
  })
})

describe('the form', () => {
  test('publishes no text with the check of an earlier one', async () => {
    const person = await dashboards.sessionOf(`0x${'a4'.repeat(32)}`)
    await publish(person, gateOf('earlier'))
    const { page } = await dashboards.openAs(`0x${'a4'.repeat(32)}`, '/gates/earlier')
    await page.getByLabel('Description').fill('First')
    await ready(page)
    await page.route('**/gates/preview*', (route) => route.abort())
    await page.getByLabel('Description').fill('Second')
    await page.getByText('We could not reach the server').waitFor()
    expect(await page.getByText('Ready to publish.').count()).toBe(0)
    await review(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('We could not reach the server').waitFor()
    expect(await dialog.getByRole('button', { name: 'Publish the changes' }).getAttribute('aria-disabled')).toBe('true')
    await page.unroute('**/gates/preview*')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('Second').waitFor()
    await press(page, 'Publish the changes')
    await published(page, 2)
  })

  test('for a list of wallets gets the wallets that were written before it was published', async () => {
    const { page, complaints } = await dashboards.openAs(`0x${'ab'.repeat(32)}`, '/gates/new')
    await press(page, /^Free, for a list of wallets/)
    await page.getByLabel('Id', { exact: true }).fill('listed-first')
    await page.getByLabel('Wallets', { exact: true }).fill(addressOf('8'))
    await page.getByText('Draft kept in this browser').waitFor()
    await page.reload()
    await page.getByText('They are added as soon as the gate is published.').waitFor()
    expect(await page.getByLabel('Wallets', { exact: true }).inputValue()).toBe(addressOf('8'))
    await judged(page, 'dashboard-gate-first-guests')
    await page.setViewportSize({ width: 1280, height: 900 })
    await ready(page)
    await review(page)
    await page.getByRole('dialog').getByText('The gate is free.').waitFor()
    await press(page, 'Publish the gate')
    await firstPublished(page)
    await page.getByText('1 wallet is on the list.').waitFor()
    expect(await page.getByLabel('Wallets', { exact: true }).inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  test('stays published when its wallets cannot be listed, keeps their text, and says that nothing was added', async () => {
    const { page, complaints } = await dashboards.openAs(`0x${'ac'.repeat(32)}`, '/gates/new', { expectsStatus: [400] })
    await press(page, /^Free, for a list of wallets/)
    await page.getByLabel('Id', { exact: true }).fill('listed-wrong')
    await page.getByLabel('Wallets', { exact: true }).fill(`${addressOf('8')}\nhello world`)
    await ready(page)
    await review(page)
    await press(page, 'Publish the gate')
    await published(page, 1)
    await page.getByText('The gate is published. The wallets below are not on its list yet.').waitFor()
    await page.getByText('Nothing was added. Line 2 is not a wallet address. Copy it whole').waitFor()
    expect(
      await page
        .getByText('The wallets below are not on its list yet.')
        .evaluate(
          (notice) => notice.getBoundingClientRect().bottom <= innerHeight && notice.getBoundingClientRect().top >= 0,
        ),
    ).toBe(true)
    expect(await page.getByLabel('Wallets', { exact: true }).inputValue()).toBe(`${addressOf('8')}\nhello world`)
    await page.getByText('No wallet is on the list. Nobody gets in.').waitFor()
    await judged(page, 'dashboard-gate-unsent-guests')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByLabel('Wallets', { exact: true }).fill(addressOf('8'))
    await press(page, 'Add to the list')
    await page.getByText('1 wallet is on the list.').waitFor()
    expect(await page.getByText('are not on its list yet').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('that the server refuses, although the form took it, says why: at publishing, activating and restoring', async () => {
    const folder = newFolder()
    const owner = `0x${'ad'.repeat(32)}`
    const paying = await openDashboards(env, folder)
    const { headers, address } = await paying.sessionOf(owner)
    const post = async (definition: object) => {
      const answer = await fetch(`${paying.origin}/api/v1/profile/gates`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ definition }),
      })
      expect(await answer.json()).toMatchObject({ success: true })
    }
    const price = { amountUsd: '4.99', methods: ['stablecoin'], recipient: address, rewardAfter: 'final' }
    await post(gateOf('paid-paused', { status: 'paused', price }))
    await post(gateOf('paid-before', { price }))
    await post(gateOf('paid-before'))
    const { page, complaints } = await paying.openAs(owner, '/gates/new', { expectsStatus: [400, 409, 503] })
    await press(page, /^Paid guide/)
    await page.getByLabel('Id', { exact: true }).fill('paid-new')
    await page.getByLabel('Price in US dollars').fill('4.99')
    await page.getByLabel('Secret text', { exact: true }).fill(secret)
    await ready(page)
    await review(page)
    await page.getByRole('dialog').getByText('Its id is').waitFor()
    // The operator takes the payments away meanwhile.
    await paying.server.stop()
    await openDashboards({ PROOFGATE_PORT: new URL(paying.origin).port }, folder)
    const why = page.getByText(/This server cannot take .* now\./)
    await press(page, 'Publish the gate')
    await page.getByRole('dialog').getByRole('alert').filter({ has: why }).waitFor()
    await page.getByRole('dialog').getByText('Please correct this first:').waitFor()

    await page.goto(`${paying.origin}/gates`)
    await press(page, 'Activate Gate paid-paused')
    await page.getByRole('alert').filter({ has: why }).waitFor()
    await judged(page, 'dashboard-gates-refused-status')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${paying.origin}/gates/paid-before?tab=versions`)
    await press(page, 'Restore Version 1')
    await press(page, 'Restore the version')
    await page.getByRole('dialog').getByRole('alert').filter({ has: why }).waitFor()
    expect(complaints).toEqual([])
  })

  test('keeps the first typed letter, and shows the payment methods from the start', async () => {
    const { page, complaints } = await dashboards.openAs('2', '/gates/new')
    await heading(page, 'A new gate').waitFor()
    // Types before the next frame is drawn, as it can happen on a slow machine.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('Stablecoin (USDC)')) return
      observer.disconnect()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        const name = document.querySelector('#form-what ~ .field input')
        name.value = 'Typed at once'
        name.dispatchEvent(new Event('input', { bubbles: true }))
      }
      port2.postMessage(undefined)
    }).observe(document.body, { childList: true, subtree: true })`)
    await press(page, /^Paid guide/)
    await heading(page, 'Typed at once').waitFor()
    expect(await page.getByLabel('Stablecoin (USDC)').isChecked()).toBe(true)
    expect(await page.getByLabel('Paid to').inputValue()).toMatch(/^0x[0-9a-f]{40}$/)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed at once')
    expect(complaints).toEqual([])
  })

  test('asks for proofs by their verifier, one of them, all of them, or by groups', async () => {
    const { page, complaints } = await dashboards.openAs('3', '/gates/new')
    await press(page, /^Token holders/)
    const words = page.locator('.preview .plain-words')
    await page.getByLabel('Contract of the token').fill(usdc)
    await page.getByLabel('Chain', { exact: true }).selectOption('8453')
    await page.getByLabel('At least').fill('2.5')
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/in')
    await ready(page)
    await words.getByText(`at least 2.5 of the token ${usdc.toLowerCase()} on`).waitFor()
    await words.getByText('by a proof of the last day').waitFor()
    await press(page, 'Add a requirement')
    expect(await page.getByLabel('Requirement', { exact: true }).last().inputValue()).toBe('')
    await page.getByLabel('Requirement', { exact: true }).last().selectOption('ownership-pseudonym')
    await press(page, 'Add a requirement')
    await page.getByLabel('Requirement', { exact: true }).last().selectOption('agent-identity')
    await page.getByLabel('Id of the agent').fill('bot-1')
    await page.getByRole('combobox', { name: 'Who gets in' }).selectOption('any')
    await words.getByText('or has shown the agent bot-1').waitFor()
    await page.getByRole('combobox', { name: 'Who gets in' }).selectOption('groups')
    await words.getByText(/^Anyone who \(holds .* or holds a pseudonym\) and has shown the agent/).waitFor()
    await ready(page)
    await page.evaluate(`document.querySelector('#form-who').scrollIntoView()`)
    await judged(page, 'dashboard-gates-requirements')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.evaluate(`document.querySelector('.rule-group').scrollIntoView()`)
    await judged(page, 'dashboard-gates-groups')
    await page.setViewportSize({ width: 1280, height: 900 })
    await press(page, 'Remove Pseudonym')
    await words.getByText(/^Anyone who holds at least .* and has shown the agent/).waitFor()
    await page.getByLabel('Total limit').fill('many')
    await page.getByLabel('Total limit').blur()
    await page.locator('.gate-form').getByText('Enter a whole number, such as 10.').waitFor()
    expect(complaints).toEqual([])
  })

  test('offers final blocks and a recheck for claims that are read from a chain', async () => {
    const { page, complaints } = await dashboards.openAs('4', '/gates/new')
    await press(page, /^Token holders/)
    await page.getByLabel('Contract of the token').fill(usdc)
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/in')
    await page.getByText('More conditions').first().click()
    await page.getByLabel('Only in blocks that are final').check()
    await page.getByLabel('Check again when they pass').check()
    const words = page.locator('.preview .plain-words')
    await words.getByText('in a block that is final, checked again when they pass').waitFor()
    await ready(page)
    await page.getByLabel('Requirement', { exact: true }).first().selectOption('agent-identity')
    expect(await page.getByLabel('Check again when they pass').count()).toBe(0)
    await words.getByText(/^Anyone who has shown an agent/).waitFor()
    await ready(page)
    expect(complaints).toEqual([])
  })
})

describe('the fields of a judged wallet', () => {
  test('ask for the provider and the checks, and are published as they were filled in', async () => {
    const { page, complaints, person } = await dashboards.openAs('5', '/gates/new')
    await press(page, /^Token holders/)
    await page.getByLabel('Id', { exact: true }).fill('judged-wallets')
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/in')
    await page.getByLabel('Requirement', { exact: true }).first().selectOption('wallet-risk')
    await page.getByLabel('Sanctions', { exact: true }).selectOption('false')
    await page.getByLabel('What was checked').selectOption('activity')
    await page.getByLabel('Checked by').fill('embedded')
    await page.getByLabel('Highest risk score (0 to 100)').fill('40')
    const words = page.locator('.preview .plain-words')
    await words.getByText('passed the risk check by embedded with a look at activity').waitFor()
    await ready(page)
    await review(page)
    await press(page, 'Publish the gate')
    await firstPublished(page)
    const definition = async () => {
      const path = `${origin}/api/v1/profile/gates/judged-wallets/versions/1`
      return (await (await fetch(path, { headers: person.headers })).json()).data.definition
    }
    const match = [
      { path: 'sanctioned', op: 'eq', value: 'false' },
      { path: 'checked', op: 'eq', value: 'activity' },
      { path: 'provider', op: 'eq', value: 'embedded' },
      { path: 'overallRisk', op: 'lte', value: '40' },
    ]
    const [requirement, ...others] = (await definition()).requirements
    expect([requirement.verifierId, others.length]).toEqual(['wallet-risk', 0])
    expect(requirement.match).toEqual(expect.arrayContaining(match))
    expect(requirement.match).toHaveLength(match.length)

    await page.reload()
    await page.locator('.preview').getByText('Nothing changes.').waitFor()
    expect(await page.getByLabel('What was checked').inputValue()).toBe('activity')
    expect(await page.getByLabel('Checked by').inputValue()).toBe('embedded')
    // Emptied fields ask for nothing.
    await page.getByLabel('Checked by').fill('')
    await page.getByLabel('What was checked').selectOption('')
    await words.getByText('passed the risk check (').waitFor()
    expect(complaints).toEqual([])
  })

  test('ask for the provider of judged content', async () => {
    const { page, complaints } = await dashboards.openAs('6', '/gates/new')
    await press(page, /^Token holders/)
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/in')
    await page.getByLabel('Requirement', { exact: true }).first().selectOption('ai-content-moderation')
    await page.getByLabel('Checked by').fill('openai')
    await page.locator('.preview .plain-words').getByText('judged harmless by openai').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a draft', () => {
  test('stays when its gate is deleted meanwhile, or its id is taken', async () => {
    const person = await dashboards.sessionOf('8')
    await publish(person, gateOf('gone', { name: 'Gone' }))
    await publish(person, gateOf('there', { name: 'There' }))
    const { page, complaints } = await dashboards.openAs('8', '/gates/gone')
    await page.getByLabel('Description').fill('Written while it went')
    await ready(page)
    const path = `${origin}/api/v1/profile/gates/gone`
    expect((await fetch(path, { method: 'DELETE', headers: person.headers })).status).toBe(200)
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await page.getByText('You have no gate with the id').waitFor()
    await press(page, 'Open it as a new gate')
    await page.getByText('This is your draft from').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Written while it went')

    await page.getByLabel('Id', { exact: true }).fill('there')
    await page.getByText('stays as in version 1').waitFor()
    await press(page, 'Replace it')
    await page.getByLabel('Secret text', { exact: true }).fill('another word')
    await ready(page)
    await review(page)
    await page.getByText('You already have a gate with the id there').waitFor()
    await press(page, 'Keep editing')
    await page.getByLabel('Id', { exact: true }).fill('gone')
    await ready(page)
    await review(page)
    await press(page, 'Publish the gate')
    await published(page, 2)
    expect(complaints).toEqual([])
  })
})

describe('the source', () => {
  const drop = (page: Page, name: string, text: string) =>
    page.getByLabel(/^Import a gate file/).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

  test('takes a file, names the wrong line of a bad one, and keeps the previous text', async () => {
    const { page, complaints } = await dashboards.openAs('1', '/gates/new')
    await press(page, /^Empty gate/)
    await openTab(page, 'Source')
    await drop(page, 'one.json', JSON.stringify(gateOf('from_file', { name: 'From a file' })))
    await page.getByText('The file is in your draft').waitFor()
    await heading(page, 'From a file').waitFor()
    await ready(page)

    const refused = page.getByRole('alert')
    await drop(page, 'bad.toml', '[[gates]]\ngate_idd = "x"\nname = "Bad"\nrequirements = []\n')
    await refused.getByText('A gate has no such field. Did you mean gate_id?').waitFor()
    await refused.getByText('Line 2').waitFor()
    await drop(page, 'huge.json', 'x'.repeat(1_048_576))
    await refused.getByText('It has 1,048,576 bytes').waitFor()
    await drop(page, 'none.json', '<html>')
    await refused.getByText('This text cannot be read.').waitFor()
    await judged(page, 'dashboard-gates-source')
    await page.setViewportSize({ width: 1280, height: 900 })
    await heading(page, 'From a file').waitFor()

    const area = page.getByLabel('The definition as JSON')
    await area.fill('{"gateId": ')
    await page.getByText('It is not JSON yet').waitFor()
    await openTab(page, 'Form')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('From a file')
    await openTab(page, 'Source')
    expect(await area.inputValue()).toBe('{"gateId": ')
    await area.fill(JSON.stringify({ gateId: 'x', name: 'By hand', requirements: 'all' }))
    await openTab(page, 'Form')
    await page.getByText('The form cannot show this source').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a person without a mouse', () => {
  test('builds and publishes a gate by keyboard alone', async () => {
    const { page, complaints } = await dashboards.openAs('2', '/gates')
    const focused = (): Promise<string> =>
      page.evaluate(`(({ activeElement: { labels, textContent, nodeName } }) =>
        nodeName === 'BODY' ? '' : (labels?.[0]?.textContent ?? textContent))(document)`)
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let turns = 0; turns < 80; turns++) {
        if (name.test(await focused())) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`nothing is called ${name}`)
    }
    await page.getByRole('heading', { name: 'You have no gate yet' }).waitFor()
    await tabTo(/Build your first gate/)
    await page.keyboard.press('Enter')
    await heading(page, 'A new gate').waitFor()
    await tabTo(/Empty gate/)
    await page.keyboard.press('Enter')
    await tabTo(/^Name/)
    await page.keyboard.type('By keyboard')
    // Nothing was touched but the name: no field is marked, and what is left is no mistake.
    expect(await page.locator('.wrong').count()).toBe(0)
    await page.locator('.preview').getByText('Add at least one requirement.').waitFor()
    await page.locator('.preview').getByRole('heading', { name: 'Still to do' }).waitFor()
    expect(await page.getByText(/to correct|Please correct/).count()).toBe(0)
    await tabTo(/Add a requirement/)
    await page.keyboard.press('Enter')
    await page.locator('.preview').getByText('Choose what to ask for.').waitFor()
    await tabTo(/^Requirement/)
    await page.keyboard.type('Pseudonym')
    await ready(page)
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('by-keyboard')
    await tabTo(/^Review and publish/)
    await page.keyboard.press('Enter')
    await tabTo(/Publish the gate/)
    await page.keyboard.press('Enter')
    await firstPublished(page)
    await heading(page, /^By keyboard/).waitFor()
    await tabTo(/^Form/)
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Source')
    await page.getByLabel('The definition as JSON').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a server that takes no payments', () => {
  test('says which setting is missing, and what the gate needs', async () => {
    const { page, complaints } = await bare.openAs('1', '/gates/new')
    await press(page, /^Paid guide/)
    await page.getByText('This server has no way to pay yet, so').waitFor()
    const setup = page.locator('pre', { hasText: '[payments.stablecoin.usdc-base]' })
    const folder = newFolder()
    await Bun.write(join(folder, 'proofgate.toml'), (await setup.textContent())!)
    expect(readTokenSettings(await loadConfig({ env: {}, cwd: folder }))['usdc-base']?.symbol).toBe('USDC')
    await page.getByRole('heading', { name: 'Still to do' }).waitFor()
    await page.locator('.gate-findings').getByText('This server has no way to pay yet.').waitFor()
    await page.getByText('This server has no way to pay yet, so').scrollIntoViewIfNeeded()
    await judged(page, 'dashboard-gates-no-payments')
    expect(complaints).toEqual([])
  })
})
