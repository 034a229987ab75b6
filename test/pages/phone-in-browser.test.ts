/** A computer without a wallet, and a phone with one: two real browsers, and the strangers between them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { pairingLimits } from '../../src/pairing/pairing.ts'
import { addEvmWallet, addSolanaWallet } from './browser-wallets.ts'
import { eventually } from './eventually.ts'
import { addGate } from './gates-here.ts'
import {
  addressOf,
  choose,
  fill,
  finished,
  keyOf,
  openHosted,
  press,
  problem,
  proofIds,
  share,
} from './hosted-stage.ts'
import { judged } from './looks.ts'
import { code, connectBoth, heading, number, openPhoneAt, showCodeAt } from './phone-stage.ts'
import { readQr } from './read-qr.ts'
import type { VisitOptions } from './visit.ts'

setDefaultTimeout(90_000)

const hosted = await openHosted()
const limited = await openHosted({ PROOFGATE_LIMITS_ENABLED: 'true' })

const showCode = (path: string, options: VisitOptions = {}) => showCodeAt(hosted, path, options)
const openPhone = (address: string, options: VisitOptions = {}) => openPhoneAt(hosted, address, options)

/** The date of the text that is signed, as the reader writes it. */
async function expectDate(page: Page, name: string): Promise<void> {
  const text = await page.locator('.pair pre').textContent()
  const signedTimestamp = Number(/Timestamp: (\d{13})$/.exec(text!)![1])
  const shown = await page.evaluate(
    (at) =>
      new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' }).format(at),
    signedTimestamp,
  )
  expect(await page.locator('.pair .facts').textContent()).toContain(`${name}${shown}`)
}

describe('a computer without a wallet', () => {
  test('signs in with the wallet of a phone, and the phone is done', async () => {
    const { visit, address } = await showCode('/verify?intent=login')
    const { page } = visit
    expect(address).toMatch(new RegExp(`^${hosted.origin}/pair#[A-Za-z0-9_-]{43}$`))
    await judged(page, 'phone-code')
    const phone = await openPhone(address)
    await phone.page.getByText('Signing in on the computer').waitFor()
    expect(await phone.page.locator('.facts').textContent()).toContain(new URL(hosted.origin).host)
    expect(phone.page.url()).toBe(`${hosted.origin}/pair`)
    await judged(phone.page, 'pair-asked')
    await connectBoth(page, phone.page)
    await phone.page.getByText('This signs the computer in at').waitFor()
    expect(phone.wallet.asked.map(({ method }) => method)).not.toContain('personal_sign')
    const text = await phone.page.locator('.pair pre').textContent()
    expect(text).toStartWith(
      `${new URL(hosted.origin).host} wants you to sign in with your Ethereum account:\n${addressOf('1')}`,
    )
    await judged(phone.page, 'pair-text')
    await press(phone.page, 'Sign with Test Wallet')
    await heading(page, 'You are signed in')
    expect((await page.locator('.facts .address').first().textContent())?.toLowerCase()).toBe(
      addressOf('1').toLowerCase(),
    )
    await phone.page.getByText('The computer is done.').waitFor()
    const [asked] = phone.wallet.asked.filter(({ method }) => method === 'personal_sign')
    expect(Buffer.from((asked!.params as string[])[0]!.slice(2), 'hex').toString()).toBe(text!)
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('makes a proof that the phone signs, and names the site that asked', async () => {
    const { visit, address } = await showCode('/verify?preset=basic&returnUrl=https://shop.example/done')
    const { page } = visit
    const phone = await openPhone(address)
    await phone.page.getByText('Making a proof on the computer').waitFor()
    expect(await phone.page.locator('.facts').textContent()).toContain('shop.example')
    await connectBoth(page, phone.page)
    await page.getByText('Your phone is connected.').waitFor()
    await judged(page, 'phone-connected')
    await phone.page.getByText('Go on at the computer. Keep this page open.').waitFor()
    await judged(phone.page, 'pair-lent')
    await fill(page, 'content', 'Signed on a \u202e\u3164\u2800phone')
    await share(page)
    await press(page, 'Sign the claim')
    await phone.page.getByText('This makes a proof in the name of your wallet.').waitFor()
    expect(await phone.page.locator('.pair pre').textContent()).toContain(
      '"content":"Signed on a \\u{202e}\\u{3164}\\u{2800}phone"',
    )
    await expectDate(phone.page, 'Date')
    await judged(phone.page, 'pair-claim')
    await press(phone.page, 'Sign with Test Wallet')
    await finished(page)
    const [qHash] = await proofIds(page)
    expect((await hosted.proofOf(qHash!)).walletAddress).toBe(addressOf('1').toLowerCase())
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('passes a gate: one code for signing in and for the proof that is missing', async () => {
    const gateId = await addGate(hosted.origin, {
      gateId: 'gate_by_phone',
      name: 'By phone',
      requirements: [{ verifierId: 'ownership-pseudonym' }],
      rewards: [{ kind: 'reveal', value: 'the word is xyzzy', label: 'The word' }],
    })
    const { visit, address } = await showCode(`/g/${gateId}`)
    const { page } = visit
    const phone = await openPhone(address)
    await phone.page.getByText('Passing a gate on the computer').waitFor()
    await connectBoth(page, phone.page)
    await phone.page.getByText('This signs the computer in at').waitFor()
    await press(phone.page, 'Sign with Test Wallet')
    await press(page, /^Go on: Pseudonym/)
    await fill(page, 'pseudonymId', 'by.phone')
    await press(page, 'Sign and check')
    await phone.page.getByText('This makes a proof in the name of your wallet.').waitFor()
    await press(phone.page, 'Sign with Test Wallet')
    await page.getByText('You have everything that this gate asks for').waitFor()
    await press(page, 'Get it now')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(phone.wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(2)
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('is told when the phone declines, and can ask once more without a new code', async () => {
    const { visit, address } = await showCode('/verify?intent=login')
    const { page } = visit
    const phone = await openPhone(address)
    await connectBoth(page, phone.page)
    await press(phone.page, 'Do not sign')
    await problem(page, 'declined')
    await press(page, 'Use a wallet on my phone')
    await press(phone.page, 'Sign with Test Wallet')
    await heading(page, 'You are signed in')
  })

  test('does not have a declined text offered again by an answer that was on its way', async () => {
    const { visit, address } = await showCode('/verify?preset=basic')
    const phone = await openPhone(address)
    await connectBoth(visit.page, phone.page)
    await visit.page.getByText('Your phone is connected.').waitFor()
    await fill(visit.page, 'content', 'Declined')
    await press(visit.page, 'Sign the claim')
    await heading(phone.page, 'Sign for the computer?')
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    await phone.page.route('**/pairings/phone', async (route) => {
      const isAnswer = route.request().postData()?.includes('"answer"')
      const response = await route.fetch()
      if (!isAnswer) {
        held.resolve()
        await release.promise
      }
      await route.fulfill({ response })
    })
    await held.promise
    await press(phone.page, 'Do not sign')
    await phone.page.getByText('Not signed. The computer was told.').waitFor()
    const late = phone.page.waitForResponse('**/pairings/phone')
    release.resolve()
    await late
    await phone.page.waitForTimeout(300)
    expect(await phone.page.getByRole('heading', { name: 'Sign for the computer?' }).count()).toBe(0)
    expect(phone.wallet.asked.map(({ method }) => method)).not.toContain('personal_sign')
  })

  test('has a text that replaces another one read before it can be signed', async () => {
    const { visit, address } = await showCode('/verify?preset=basic')
    const { page } = visit
    const phone = await openPhone(address)
    await connectBoth(page, phone.page)
    await page.getByText('Your phone is connected.').waitFor()
    await fill(page, 'content', 'First')
    await press(page, 'Sign the claim')
    await phone.page.locator('.pair pre', { hasText: 'First' }).waitFor()
    await phone.page.clock.install()
    await phone.page.clock.pauseAt(Date.now() + 60_000)
    await press(page, 'Cancel')
    await fill(page, 'content', 'Second')
    await press(page, 'Sign the claim')
    const sign = phone.page.getByRole('button', { name: 'Sign with Test Wallet' })
    // Not on the phone, whose clock stands still.
    await eventually(page, async () => {
      await phone.page.clock.runFor(500)
      return (await phone.page.locator('.pair pre').textContent())?.includes('Second') ?? false
    })
    await phone.page.getByText('The computer asks for something else now.').waitFor()
    expect(await sign.getAttribute('aria-disabled')).toBe('true')
    await phone.page.clock.runFor(1000)
    expect(await sign.getAttribute('aria-disabled')).toBeNull()
  })

  test('links two wallets that are both on the phone, with a new code for each', async () => {
    const { visit, address } = await showCode('/verify?preset=wallet-link')
    const { page } = visit
    const phone = await openPhone(address)
    await addEvmWallet(phone.visit.context, { name: 'Other Wallet', rdns: 'example.other', key: keyOf('2') })
    await phone.page.reload()
    await connectBoth(page, phone.page)
    const connectNext = async (wallet: string) => {
      await press(page, 'Use a wallet on my phone')
      const next = await readQr(code(page))
      // The other wallet was wanted, and the page does not blame anybody for it.
      expect(await page.locator('#problem').textContent()).toBe('')
      await phone.page.getByText('The computer is done.').waitFor()
      await phone.page.goto('about:blank')
      await phone.page.goto(next)
      await connectBoth(page, phone.page, wallet)
    }
    await page.getByText('Now the second wallet signs').waitFor()
    await connectNext('Other Wallet')
    await phone.page.getByText('This links your wallet to another wallet.').waitFor()
    await press(phone.page, 'Sign with Other Wallet')
    await page.getByText('Now the first wallet signs').waitFor()
    await connectNext('Test Wallet')
    await press(page, 'Sign with the first wallet')
    await phone.page.getByText('This links your wallet to another wallet.').waitFor()
    await press(phone.page, 'Sign with Test Wallet')
    await finished(page)
    expect(await proofIds(page)).toHaveLength(1)
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('signs in, and makes a proof, with a Solana wallet of the phone', async () => {
    for (const path of ['/verify?intent=login', '/verify?preset=basic']) {
      const { visit, address } = await showCode(path)
      const { page } = visit
      const phone = await hosted.open({ phone: true })
      const sun = await addSolanaWallet(phone.context)
      await phone.page.goto(address)
      await connectBoth(page, phone.page, 'Sun Wallet')
      if (path !== '/verify?intent=login') {
        await page.getByText('Your phone is connected.').waitFor()
        await fill(page, 'content', 'From the sun')
        await share(page)
        await press(page, 'Sign the claim')
      }
      expect(await phone.page.locator('.pair pre').textContent()).toContain(sun.address)
      await press(phone.page, 'Sign with Sun Wallet')
      if (path === '/verify?intent=login') {
        await heading(page, 'You are signed in')
        expect(await page.locator('.facts .address').first().textContent()).toBe(sun.address)
      } else {
        await finished(page)
        expect(await hosted.proofOf((await proofIds(page))[0]!)).toMatchObject({
          walletAddress: sun.address,
          chain: 'solana:mainnet',
        })
      }
      expect([...visit.complaints, ...phone.complaints]).toEqual([])
    }
  })

  test('reads it all in German', async () => {
    const visit = await hosted.open({ locale: 'de-DE' })
    await visit.goto('/login')
    await press(visit.page, 'Wallet auf meinem Telefon verwenden')
    await heading(visit.page, 'Scannen Sie diesen Code mit Ihrem Telefon')
    const address = await readQr(visit.page.getByRole('img', { name: 'QR-Code, der Ihr Telefon verbindet' }))
    const phone = await openPhone(address, { locale: 'de-DE' })
    await phone.page.getByText('Am Computer anmelden').waitFor()
    await press(phone.page, 'Zahl zeigen')
    await heading(visit.page, 'Zahlen vergleichen')
    await judged(phone.page, 'pair-number-de')
    await judged(visit.page, 'phone-number-de')
  })
})

describe('a stranger', () => {
  test('who scans the code first is found out by the number, and gets nothing', async () => {
    const { visit, address } = await showCode('/login')
    const stranger = await openPhone(address)
    await press(stranger.page, 'Show the number')
    const mine = await openPhone(address, { expectsStatus: [409] })
    await mine.page.getByText('Another phone opened this code already.').waitFor()
    await press(visit.page, 'No, or no number')
    await problem(visit.page, 'the numbers differ')
    await stranger.page.getByText('Stopped. The computer got nothing.').waitFor()
    expect(stranger.wallet.asked).toEqual([])
  })

  test('who takes the code second stops both', async () => {
    const { visit, address } = await showCode('/login')
    const [mine, stranger] = [await openPhone(address), await openPhone(address, { expectsStatus: [409] })]
    await press(mine.page, 'Show the number')
    await heading(visit.page, 'Compare the numbers')
    await press(stranger.page, 'Show the number')
    await stranger.page.getByText('Another phone opened this code already.').waitFor()
    await problem(visit.page, 'Two phones opened the code')
    await mine.page.getByText('A second phone opened the same code').waitFor()
  })

  test('who relays a code to a phone is named no differently, so the phone warns, and stopping gives nothing', async () => {
    const { visit, address } = await showCode('/login')
    const victim = await openPhone(address)
    await victim.page.getByText('Did someone send you the code, or this page? Then stop').waitFor()
    await press(victim.page, 'Show the number')
    await heading(visit.page, 'Compare the numbers')
    await press(visit.page, 'Yes, the same number')
    await visit.page.getByText('Now confirm the number on your phone.').waitFor()
    await press(victim.page, 'No, or no number')
    await problem(visit.page, 'the numbers differ')
    expect(victim.wallet.asked).toEqual([])
  })
})

describe('when one side goes', () => {
  test('the phone learns that the computer closed its page', async () => {
    const { visit, address } = await showCode('/login')
    const phone = await openPhone(address)
    await press(phone.page, 'Show the number')
    await visit.page.goto('about:blank')
    await phone.page.getByText('The computer is done. You can close this page.').waitFor()
  })

  test('canceling on the computer takes the code back', async () => {
    const { visit, address } = await showCode('/login')
    await press(visit.page, 'Cancel')
    await code(visit.page).waitFor({ state: 'detached' })
    const phone = await openPhone(address, { expectsStatus: [404] })
    await phone.page.getByText('This code was used or is too old.').waitFor()
  })

  test('the computer learns that the phone disconnected, and goes on with another wallet', async () => {
    const { visit, address } = await showCode('/verify?preset=basic')
    const phone = await openPhone(address)
    await connectBoth(visit.page, phone.page)
    await visit.page.getByText('Connected through your phone’s wallet.').waitFor()
    await press(phone.page, 'Disconnect from the computer')
    await problem(visit.page, 'This page lost its connection to your phone’s wallet.')
    await visit.page.getByRole('button', { name: 'Use a wallet on my phone' }).waitFor()
  })

  test('too many codes of one address are refused with words, and nothing else breaks', async () => {
    const visit = await limited.open({ expectsStatus: [429] })
    const open = () =>
      fetch(`${limited.origin}/api/v1/auth/pairings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ purpose: 'verify' }),
      })
    for (let opened = 0; opened < pairingLimits.mostPerClient; opened++) expect((await open()).status).toBe(200)
    await visit.goto('/login')
    await press(visit.page, 'Use a wallet on my phone')
    await problem(visit.page, 'Too many')
    expect(visit.complaints).toEqual([])
  })

  test('both pages ask again when the server said, and a press of the phone is not lost', async () => {
    const { visit, address } = await showCode('/verify?intent=login', { expectsStatus: [429] })
    const phone = await openPhone(address, { expectsStatus: [429] })
    await press(phone.page, 'Show the number')
    await heading(visit.page, 'Compare the numbers')
    for (const { page, side, button } of [
      { page: visit.page, side: 'computer', button: 'Yes, the same number' },
      { page: phone.page, side: 'phone', button: 'Yes, the same number' },
    ]) {
      const askedAt: number[] = []
      const presses: number[] = []
      await page.route(`**/pairings/${side}`, (route) => {
        const at = performance.now()
        const times = route.request().postData()!.includes('confirm') ? presses : askedAt
        times.push(at)
        if (times.length > 1) return route.continue()
        const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests', details: {} }
        return route.fulfill({ status: 429, headers: { 'retry-after': '5' }, json: { success: false, error } })
      })
      await press(page, button)
      await eventually(page, async () => askedAt.length >= 2 && presses.length >= 2)
      expect(askedAt[1]! - askedAt[0]!).toBeGreaterThan(4_800)
      expect(presses[1]! - presses[0]!).toBeGreaterThan(4_800)
      await page.unroute(`**/pairings/${side}`)
    }
    await choose(phone.page)
    await press(phone.page, 'Sign with Test Wallet')
    await heading(visit.page, 'You are signed in')
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('a code that the server forgot is said to be gone, and another one can be shown', async () => {
    const { visit } = await showCode('/login', { expectsStatus: [404] })
    const { page } = visit
    // The answer is the server's own, to a secret from before its restart.
    await page.route('**/pairings/computer', (route) =>
      route.continue({ postData: JSON.stringify({ secret: 'x'.repeat(43) }) }),
    )
    await problem(page, 'This code has ended.')
    await page.unroute('**/pairings/computer')
    await press(page, 'Use a wallet on my phone')
    await code(page).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a phone with a wrong account is asked again with a new code', async () => {
    const { visit, address } = await showCode(`/verify?preset=agent-pack&agentId=one&agentWallet=${addressOf('2')}`)
    const { page } = visit
    const phone = await openPhone(address)
    await connectBoth(page, phone.page)
    await problem(page, `This step needs the account ${addressOf('2')}`)
    await phone.page.getByText('The computer is done.').waitFor()
    await press(page, 'Use a wallet on my phone')
    const again = await readQr(code(page))
    expect(again).not.toBe(address)
    phone.wallet.key = keyOf('2')
    await phone.page.goto('about:blank')
    await phone.page.goto(again)
    await connectBoth(page, phone.page)
    await page.getByText('Connected through your phone’s wallet.').waitFor()
  })

  test('a wallet that refuses or fails on the phone is named, and can be chosen again', async () => {
    const { visit, address } = await showCode('/verify?intent=login')
    const phone = await openPhone(address)
    phone.wallet.refuses = { eth_requestAccounts: { code: 4001, message: 'User rejected the request.' } }
    await connectBoth(visit.page, phone.page)
    await problem(phone.page, 'You declined')
    await judged(phone.page, 'pair-refused')
    phone.wallet.refuses = { eth_requestAccounts: { code: -32002, message: 'Already processing' } }
    await choose(phone.page)
    await problem(phone.page, 'Test Wallet already shows a request')
    phone.wallet.refuses = {}
    phone.wallet.noAccounts = true
    await choose(phone.page)
    await problem(phone.page, 'Test Wallet gave no account')
    phone.wallet.noAccounts = false
    expect(await visit.page.getByText('Now choose the wallet on your phone.').isVisible()).toBe(true)
    await choose(phone.page)
    await press(phone.page, 'Sign with Test Wallet')
    await heading(visit.page, 'You are signed in')
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('an account that the server did not take ends nothing, and another one can be chosen', async () => {
    const { visit, address } = await showCode('/verify?intent=login')
    const phone = await openPhone(address, { expectsStatus: [500] })
    await phone.page.route('**/pairings/phone', (route) => {
      if (!route.request().postData()!.includes('account')) return route.continue()
      const error = { code: 'INTERNAL_ERROR', message: 'something failed', details: {} }
      return route.fulfill({ status: 500, json: { success: false, error } })
    })
    await connectBoth(visit.page, phone.page)
    await phone.page.locator('#problem .notice').waitFor()
    await phone.page.unroute('**/pairings/phone')
    phone.wallet.key = keyOf('2')
    await phone.wallet.emit('accountsChanged', [addressOf('2')])
    await choose(phone.page)
    await phone.page.getByText('This signs the computer in at').waitFor()
    await press(phone.page, 'Sign with Test Wallet')
    await heading(visit.page, 'You are signed in')
    expect((await visit.page.locator('.facts .address').first().textContent())?.toLowerCase()).toBe(
      addressOf('2').toLowerCase(),
    )
    expect([...visit.complaints, ...phone.visit.complaints]).toEqual([])
  })

  test('a page of the phone that is loaded again, in another language, goes on', async () => {
    const { visit, address } = await showCode('/login')
    const phone = await openPhone(address)
    await press(phone.page, 'Deutsch')
    await press(phone.page, 'Zahl zeigen')
    await heading(phone.page, 'Zahlen vergleichen')
    await press(phone.page, 'English')
    await heading(phone.page, 'Compare the numbers')
    await heading(visit.page, 'Compare the numbers')
    expect(await number(phone.page)).toBe(await number(visit.page))
  })
})

describe('a phone without a wallet in its browser', () => {
  const links = (page: Page) =>
    page.locator('#wallet-apps a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))

  test('offers the browsers inside wallet apps, and no advice about computers', async () => {
    const visit = await hosted.open({ phone: true })
    await visit.goto('/login?switch=1')
    await visit.page.getByText('Open this page in the browser inside your wallet app.').waitFor()
    expect(await visit.page.getByText('as an extension').isVisible()).toBe(false)
    expect(await visit.page.getByText('with the command line').count()).toBe(0)
    expect(await visit.page.getByRole('button', { name: 'Use a wallet on my phone' }).count()).toBe(0)
    expect(await visit.page.getByText('A phone cannot open').isVisible()).toBe(false)
    // The links are loaded by themselves.
    await visit.page.locator('#wallet-apps a').first().waitFor()
    const { host } = new URL(hosted.origin)
    const whole = encodeURIComponent(`${hosted.origin}/login?switch=1`)
    expect(await links(visit.page)).toEqual([
      `https://metamask.app.link/dapp/${host}/login?switch=1`,
      `https://go.cb-w.com/dapp?cb_url=${whole}`,
      `https://link.trustwallet.com/open_url?coin_id=60&url=${whole}`,
      `https://phantom.app/ul/browse/${whole}?ref=${encodeURIComponent(hosted.origin)}`,
    ])
    await judged(visit.page, 'sign-in-wallet-apps')
    expect(visit.complaints).toEqual([])
  })

  test('keeps the code of a computer for the wallet app, and does not use it up', async () => {
    const { visit, address } = await showCode('/login')
    const bare = await hosted.open({ phone: true })
    await bare.page.goto(address)
    await bare.page.getByText('Open this page in the browser inside your wallet app.').waitFor()
    expect(await bare.page.getByRole('button', { name: 'Show the number' }).isVisible()).toBe(false)
    const [metaMask] = await links(bare.page)
    await judged(bare.page, 'pair-wallet-apps')
    const inApp = await openPhone(metaMask!.replace('https://metamask.app.link/dapp/', 'http://'))
    await connectBoth(visit.page, inApp.page)
    await inApp.page.getByText('This signs the computer in at').waitFor()
    expect(inApp.page.url()).toBe(`${hosted.origin}/pair`)
  })

  test('says so when the code is missing', async () => {
    const visit = await hosted.open({ phone: true })
    await visit.goto('/pair')
    await problem(visit.page, 'The code is missing.')
  })
})
