/** The consent to tell a site the wallet of a visitor: in a real browser, asked each time. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { addEvmWallet } from '../pages/browser-wallets.ts'
import { addGate } from '../pages/gates-here.ts'
import { addressOf, choose, connect, fill, finished, keyOf, openHosted, press, problem } from '../pages/hosted-stage.ts'
import { hear, listen, openedBy, passGate, startSite } from '../pages/widget-stage.ts'

setDefaultTimeout(60_000)

const { origin, open } = await openHosted({ PROOFGATE_PAGES_HANDOVER_SITES: 'http://localhost' })
const site = startSite(origin)
const backAtSite = '<!doctype html><title>Back</title><link rel="icon" href="data:,">Back at the site'
site.serve('/done', () => new Response(backAtSite, { headers: { 'content-type': 'text/html' } }))
const gateId = await addGate(origin, {
  gateId: 'gate_told',
  name: 'A gate',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'reveal', value: 'xyzzy', label: 'The word' }],
})
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const wallet = addressOf('1').toLowerCase()

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function exchange(body: object): Promise<any> {
  const answer = await fetch(`${origin}/api/v1/auth/code/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()).data
}

const loginFor = (returnUrl: string, more: Record<string, string> = {}) =>
  `/verify?${new URLSearchParams({ intent: 'login', returnUrl, ...more })}`
const pictures = process.env.HANDOVER_PICTURES

test('signing in: the site is named, and gets a code and its state once the person agrees', async () => {
  const visit = await open({ alsoAt: [site.origin], width: 360 })
  const { page } = visit
  await addEvmWallet(visit.context)
  const state = 'a b+c%2F=&"'
  await visit.goto(
    loginFor(`${site.origin}/done?next=%2Fa%20b`, { state, code_challenge: challenge, code_challenge_method: 'S256' }),
  )
  await page.getByText('asks who you are. It gets the answer only if you agree').waitFor()
  await choose(page)
  const agree = page.getByRole('button', { name: /^Tell localhost:\d+ who I am$/ })
  await agree.waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/login-small.png`, fullPage: true })
  await Bun.sleep(300)
  expect(page.url()).toStartWith(origin)
  await agree.click()
  await page.waitForURL(`${site.origin}/**`)
  const back = new URL(page.url())
  expect(back.searchParams.get('next')).toBe('/a b')
  expect(back.searchParams.get('state')).toBe(state)
  const code = back.searchParams.get('code')!
  const told = await exchange({ code, code_verifier: verifier, origin: site.origin })
  expect(told).toMatchObject({ walletAddress: wallet, origin: site.origin, gate: null, proofs: [] })

  // Signed in already: nothing goes by itself.
  await visit.goto(loginFor(`${site.origin}/done`, { state: 's' }))
  await agree.waitFor()
  await page.getByRole('link', { name: 'Go on without telling' }).click()
  await page.waitForURL(`${site.origin}/**`)
  expect(new URL(page.url()).search).toBe('?error=access_denied&state=s')
  expect(visit.complaints).toEqual([])
})

test('a site that is not registered is not told, and the page says so', async () => {
  const visit = await open()
  await addEvmWallet(visit.context)
  await visit.goto(loginFor('https://unknown.example/done', { state: 's' }))
  await choose(visit.page)
  await visit.page.getByText('has not registered it').waitFor()
  const link = visit.page.getByRole('link', { name: 'Go on to unknown.example' })
  expect(await link.getAttribute('href')).toBe('https://unknown.example/done?state=s')
  expect(await visit.page.getByRole('button', { name: /^Tell/ }).count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

async function atSite(attributes: string, key: string) {
  const visit = await open({ alsoAt: [site.origin] })
  await addEvmWallet(visit.context, { key: keyOf(key) })
  await listen(visit.context)
  await visit.page.goto(site.page(`<proof-gate ${attributes}></proof-gate>`))
  return visit
}

test('the widget: its window asks at the end, and the server of the site learns who passed the gate', async () => {
  const visit = await atSite(`gate-id="${gateId}" code-challenge="${challenge}" link-state="abc"`, '2')
  const popup = await openedBy(visit.page, 'Verify with your wallet')
  await passGate(popup, 'told.one', { isPublic: false })
  if (pictures) await popup.screenshot({ path: `${pictures}/checkout.png`, fullPage: true })
  await press(popup, /^Tell localhost:\d+ who I am$/)
  const [done] = await hear(visit.page, 'proofgate-done')
  const { code, state, qHash } = done!.detail as { code: string; state: string; qHash: string }
  expect(state).toBe('abc')
  expect(await exchange({ code, code_verifier: verifier, origin: site.origin })).toMatchObject({
    walletAddress: addressOf('2').toLowerCase(),
    gate: { gateId, qHash, passed: true },
    proofs: [{ qHash, verifierIds: ['ownership-pseudonym'] }],
  })
  expect(visit.complaints).toEqual([])
})

test('the widget: a visitor who closes the window without an answer has passed all the same, and is not reported', async () => {
  const visit = await atSite(`gate-id="${gateId}"`, '3')
  const popup = await openedBy(visit.page, 'Verify with your wallet')
  await passGate(popup, 'told.two')
  await popup.getByRole('button', { name: /^Tell/ }).waitFor()
  await popup.close({ runBeforeUnload: true })
  const [done] = await hear(visit.page, 'proofgate-done')
  expect(done!.detail).toMatchObject({ eligible: true, gateId })
  expect(done!.detail).not.toHaveProperty('code')
})

test('the widget, in this tab: the code comes back in the address, and is taken out of it', async () => {
  const visit = await atSite(`gate-id="${gateId}" mode="redirect" link-state="abc"`, '4')
  const { page } = visit
  await press(page, 'Verify with your wallet')
  await passGate(page, 'told.three')
  await press(page, /^Tell localhost:\d+ who I am$/)
  await page.waitForURL(`${site.origin}/**`)
  const [done] = await hear(page, 'proofgate-done')
  const { code, state } = done!.detail as { code: string; state: string }
  expect(state).toBe('abc')
  expect(await exchange({ code, origin: site.origin })).toMatchObject({
    walletAddress: addressOf('4').toLowerCase(),
    gate: { gateId },
  })
  expect(new URL(page.url()).search).toBe('')
  expect(visit.complaints).toEqual([])
})

const signInAndTell = /^Sign in and tell localhost:\d+$/
const signatures = ({ asked }: { asked: readonly { method: string }[] }) =>
  asked.filter(({ method }) => method === 'personal_sign').length

/** Makes a proof that the wallet signs, without a session here. */
async function prove(page: Page, content: string): Promise<void> {
  await connect(page)
  await fill(page, 'content', content)
  await press(page, 'Sign the claim')
  await finished(page)
}

test('the widget: a visitor who proved without signing in signs once more, and the server of the site learns the wallet', async () => {
  const visit = await open({ alsoAt: [site.origin] })
  const wallet = await addEvmWallet(visit.context, { key: keyOf('5') })
  await listen(visit.context)
  await visit.page.goto(
    site.page(`<proof-gate verifiers="ownership-basic" code-challenge="${challenge}" link-state="abc"></proof-gate>`),
  )
  const popup = await openedBy(visit.page, 'Verify with your wallet')
  await prove(popup, 'Mine')
  await popup.getByText('your wallet signs one more text').waitFor()
  expect(signatures(wallet)).toBe(1)
  await press(popup, signInAndTell)
  const [done] = await hear(visit.page, 'proofgate-done')
  const { code, state, qHash } = done!.detail as { code: string; state: string; qHash: string }
  expect(state).toBe('abc')
  const told = await exchange({ code, code_verifier: verifier, origin: site.origin })
  expect(told).toMatchObject({
    walletAddress: addressOf('5').toLowerCase(),
    gate: null,
    proofs: [{ qHash, verifierIds: ['ownership-basic'] }],
  })
  expect(told.subjectId).toBeString()
  expect(signatures(wallet)).toBe(2)
  expect(visit.complaints).toEqual([])
})

const proving = `/verify?${new URLSearchParams({ verifiers: 'ownership-basic', returnUrl: `${site.origin}/done`, state: 's' })}`

test('by redirect: a visitor who proved without signing in may decline, and the site gets the id of the proof', async () => {
  const visit = await open({ alsoAt: [site.origin] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context)
  await visit.goto(proving)
  await prove(page, 'Declined')
  await press(page, 'Send only the id of the proof')
  await page.waitForURL(`${site.origin}/**`)
  expect(new URL(page.url()).search).toMatch(/^\?qHash=0x[0-9a-f]{64}&state=s$/)
  expect(signatures(wallet)).toBe(1)
  expect(visit.complaints).toEqual([])
})

test('by redirect: another account of the wallet is hidden; the one that proved is reported, after a reload too', async () => {
  const visit = await open({ alsoAt: [site.origin] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('6') })
  await visit.goto(proving)
  await prove(page, 'Of the sixth')
  wallet.key = keyOf('7')
  await wallet.emit('accountsChanged', [addressOf('7')])
  await press(page, signInAndTell)
  await choose(page)
  await problem(page, `but Test Wallet gave ${addressOf('7')}`)
  expect(signatures(wallet)).toBe(1)
  wallet.key = keyOf('6')
  await page.reload()
  await press(page, signInAndTell)
  await choose(page)
  await page.waitForURL(`${site.origin}/**`)
  const told = await exchange({ code: new URL(page.url()).searchParams.get('code'), origin: site.origin })
  expect(told).toMatchObject({
    walletAddress: addressOf('6').toLowerCase(),
    proofs: [{ verifierIds: ['ownership-basic'] }],
  })
  expect(visit.complaints).toEqual([])
})

test('a person who is signed in with another wallet sees which one the site gets', async () => {
  const visit = await open({ alsoAt: [site.origin] })
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('8') })
  await visit.goto('/verify?intent=login')
  await choose(page)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  wallet.key = keyOf('9')
  await visit.goto(proving)
  await prove(page, 'Of the ninth')
  const question = page.locator('#hand-over')
  await question.getByText(`You are signed in as ${addressOf('8').toLowerCase()}`).waitFor()
  await press(page, signInAndTell)
  await page.waitForURL(`${site.origin}/**`)
  const told = await exchange({ code: new URL(page.url()).searchParams.get('code'), origin: site.origin })
  expect(told.walletAddress).toBe(addressOf('9').toLowerCase())
  expect(visit.complaints).toEqual([])
})

test('the widget: a session that ended during a checkout begins again for the code', async () => {
  const visit = await open({ alsoAt: [site.origin], expectsStatus: [401] })
  await addEvmWallet(visit.context, { key: keyOf('a') })
  await listen(visit.context)
  await visit.page.goto(site.page(`<proof-gate gate-id="${gateId}"></proof-gate>`))
  const popup = await openedBy(visit.page, 'Verify with your wallet')
  await passGate(popup, 'told.ended')
  await visit.context.clearCookies()
  await press(popup, /^Tell localhost:\d+ who I am$/)
  await problem(popup, 'Your session has ended')
  await press(popup, signInAndTell)
  const [done] = await hear(visit.page, 'proofgate-done')
  const { code } = done!.detail as { code: string }
  expect(await exchange({ code, origin: site.origin })).toMatchObject({
    walletAddress: addressOf('a').toLowerCase(),
    gate: { gateId, passed: true },
  })
  expect(visit.complaints).toEqual([])
})

test.each([
  ['small', { width: 360 }],
  ['small-dark', { width: 360, dark: true }],
  ['wide', { width: 1280 }],
] as const)('the question fits its window: %s', async (name, look) => {
  const visit = await open({ alsoAt: [site.origin], ...look })
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.goto(proving)
  await prove(page, name)
  await page.getByRole('button', { name: signInAndTell }).waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/sign-in-${name}.png`, fullPage: true })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
