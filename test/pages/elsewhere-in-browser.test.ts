/** Steps of /verify that lead elsewhere and back: to a real OpenID provider, and to a payment page. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { oidcProvider, stopProviders } from '../parts/oidc-provider.ts'
import { startStripe, stripeKey } from '../parts/stripe-server.ts'
import { localSettings, socialSettings } from '../social/person.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { addGate } from './gates-here.ts'
import {
  choose,
  connect,
  fill,
  finished,
  goToPayment,
  keyOf,
  linkSecond,
  openHosted,
  press,
  problem,
  proofIds,
  share,
} from './hosted-stage.ts'

setDefaultTimeout(60_000)

const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const found = (probe.address() as { readonly port: number }).port
    probe.close(() => resolve(found))
  })
})
const provider = await oidcProvider({
  backTo: `http://127.0.0.1:${port}`,
  claims: (login) => ({
    preferred_username: login,
    ...(login === 'worker' ? { hd: 'example.com', email: 'worker@example.com' } : {}),
  }),
})
afterAll(stopProviders)
const stripe = startStripe(() => Date.now())
const hosted = await openHosted({
  PROOFGATE_PORT: String(port),
  ...localSettings(provider, { label: 'Acme' }),
  ...socialSettings('google', { provider: 'google', issuer: provider.issuer }),
  PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: stripeKey,
  PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false',
  PROOFGATE_PAYMENTS_STRIPE_URL: stripe.url,
})

async function signInThere(page: Page, login = 'alice'): Promise<void> {
  await page.fill('[name=login]', login)
  await page.fill('[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
}

describe('an account at another service', () => {
  test('the person goes there, comes back, signs, and has a proof', async () => {
    // The pages of the provider have no icon.
    const visit = await hosted.open({ alsoAt: [provider.origin], expectsStatus: [404] })
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=social&returnUrl=https://app.example.com/x')
    await connect(page)
    await page.locator('#work select[name=provider]').selectOption('local')
    await press(page, 'Go there and sign in')
    await signInThere(page)
    await page.waitForURL(/oauthState=/)
    await connect(page)
    await page.getByText('You are back from Acme').waitFor()
    await share(page)
    await press(page, 'Finish with Acme')
    await finished(page)
    const { verifiedVerifiers, status } = await hosted.proofOf((await proofIds(page))[0]!)
    expect(status).toBe('verified')
    expect(verifiedVerifiers[0]).toMatchObject({ verifierId: 'ownership-social', data: { provider: 'local' } })
    expect(JSON.stringify(verifiedVerifiers)).not.toContain('internalSocialToken')
    expect(visit.complaints).toEqual([])
  })

  test.each([
    ['worker', 'example.com', undefined],
    ['alice', undefined, 'The check failed'],
    ['worker', 'other.example', 'The check failed'],
  ])('an organization: %s, where %p is asked for', async (login, domain, refused) => {
    const visit = await hosted.open({ alsoAt: [provider.origin], expectsStatus: [400, 404] })
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto(`/verify?preset=org&oauthProvider=google${domain ? `&expectedOrgDomain=${domain}` : ''}`)
    await connect(page)
    await press(page, 'Go there and sign in')
    await signInThere(page, login)
    await page.waitForURL(/oauth(State|Error)=|callback/)
    await connect(page)
    await share(page)
    await press(page, /^Finish with/)
    if (refused) await problem(page, refused)
    else {
      await finished(page)
      const { verifiedVerifiers } = await hosted.proofOf((await proofIds(page))[0]!)
      expect(verifiedVerifiers[0].data).toMatchObject({ provider: 'google', domain: 'example.com' })
    }
    expect(visit.complaints).toEqual([])
  })

  test('a person who declines there sees that, and can try again', async () => {
    const visit = await hosted.open({ alsoAt: [provider.origin], expectsStatus: [400] })
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=social&oauthProvider=github')
    await connect(page)
    await page.locator('#work select[name=provider]').selectOption('local')
    await press(page, 'Go there and sign in')
    await page.getByRole('link', { name: /cancel/i }).click()
    // The page of the callback goes on by itself.
    await page.waitForURL(/oauthError=/)
    await connect(page)
    await page.getByText('You did not agree to sign in').waitFor()
    await page.getByRole('button', { name: 'Go there and sign in' }).waitFor()
  })
})

test('the pack of a workspace: an account elsewhere, a claim, an agent, and a second wallet', async () => {
  const visit = await hosted.open({ alsoAt: [provider.origin], expectsStatus: [404] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
  await visit.goto('/verify?preset=workspace-pack&oauthProvider=github')
  await connect(page)
  await page.getByRole('heading', { name: '1 of 4: Social account' }).waitFor()
  await page.locator('#work select[name=provider]').selectOption('local')
  await press(page, 'Go there and sign in')
  await signInThere(page)
  await page.waitForURL(/oauthState=/)
  await connect(page)
  await press(page, 'Finish with Acme')
  await page.getByRole('heading', { name: '2 of 4: Claim content' }).waitFor()
  await fill(page, 'content', 'Of the workspace')
  await press(page, 'Sign the claim')
  await page.getByRole('heading', { name: '3 of 4: Agent' }).waitFor()
  await fill(page, 'agentId', 'workspace agent')
  await press(page, 'Sign as the agent')
  await page.getByRole('heading', { name: '4 of 4: Second wallet' }).waitFor()
  await linkSecond(page, wallet, '1', '2')
  expect(await proofIds(page)).toHaveLength(4)
  expect(visit.complaints).toEqual([])
})

describe('a gate that is paid by card', () => {
  const reward = { kind: 'reveal' as const, value: 'the word is xyzzy' }

  async function toThePayment(gateId: string, name: string, digit: string) {
    await addGate(hosted.origin, {
      gateId,
      name: 'By card',
      requirements: [{ verifierId: 'ownership-pseudonym' }],
      price: { amountUsd: '4.99', methods: ['card'] },
      rewards: [reward],
    })
    const visit = await hosted.open({ alsoAt: ['https://checkout.stripe.com'], expectsStatus: [402] })
    const { page } = visit
    await page.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Pay</title><link rel="icon" href="data:,">',
      }),
    )
    await addEvmWallet(visit.context, { key: keyOf(digit) })
    await visit.goto(`/verify?gateId=${gateId}&returnUrl=https://app.example.com/in`)
    await choose(page)
    await press(page, /^Go on: Pseudonym/)
    await fill(page, 'pseudonymId', name)
    await press(page, 'Sign and check')
    await goToPayment(page)
    await press(page, 'Pay by card')
    await page.waitForURL('https://checkout.stripe.com/**')
    const id = /cs_test_[A-Za-z0-9]+/.exec(page.url())![0]
    return { visit, page, id }
  }

  test('pays on the page of payment, comes back, and gets the reward', async () => {
    const { visit, page, id } = await toThePayment('gate_card', 'card.one', '6')
    stripe.pay(id)
    await page.goto(stripe.session(id).success_url!.replace('{CHECKOUT_SESSION_ID}', id))
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(await page.locator('#reward pre').textContent()).toBe(reward.value)
    expect(await page.locator('#go-on').getAttribute('href')).toStartWith('https://app.example.com/in?qHash=0x')
    expect(visit.complaints).toEqual([])
  })

  test('a buyer who returns without paying gets no reward, and can pay', async () => {
    const { visit, page, id } = await toThePayment('gate_unpaid', 'card.two', '7')
    await page.goto(stripe.session(id).cancel_url!)
    await goToPayment(page)
    await page.getByRole('button', { name: 'Pay by card' }).waitFor()
    await page.goto(stripe.session(id).success_url!.replace('{CHECKOUT_SESSION_ID}', id))
    await page.locator('#work .notice').filter({ hasText: 'The checkout session is open and not paid yet' }).waitFor()
    await page.getByRole('button', { name: 'Pay by card' }).waitFor()
    expect(await page.locator('#reward').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('in another browser the default way back claims the payment', async () => {
    const { id } = await toThePayment('gate_back', 'card.three', '8')
    stripe.pay(id)
    const visit = await hosted.open({ expectsStatus: [402] })
    await addEvmWallet(visit.context, { key: keyOf('8') })
    await visit.goto(`/verify?gateId=gate_back&paymentCheckoutSessionId=${id}`)
    await choose(visit.page)
    await visit.page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })
})
