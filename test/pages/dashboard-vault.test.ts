/** The view of proofs for a wallet with none, for one with a hundred thousand, and for single proofs. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { verify } from '../../src/commands/verify.ts'
import { firstPage } from '../../src/pages/vault-question.ts'
import { importProof } from '../../src/verification/import-proof.ts'
import { startApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { innerOf } from '../wallet-link.ts'
import { evmWallet } from '../wallets.ts'
import { carry, openDashboards } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { addressOf } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { manyQHash, oldestDomain, oldestTitle, writeManyProofs } from './many-proofs.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin, server } = dashboards
const owner = '4'
const count = 100_000

beforeAll(async () => {
  await writeManyProofs(server.parts, { wallet: addressOf(owner), count, newestAt: Date.now() - 60_000 })
})

const titles = (page: Page) => page.locator('.proof-title')
const standing = (page: Page, text: string | RegExp) =>
  page.locator('.vault-standing').filter({ hasText: text }).waitFor()
const search = (page: Page) => page.getByLabel('Search your proofs')
const row = (page: Page, title: string) => page.locator('.proof-open', { hasText: title })
const window = (page: Page) => page.getByRole('dialog')

const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** A key that no other test uses, and its address. */
let keys = 0
function newWallet() {
  const key = `0x${(0xabc000 + keys++).toString(16).padStart(64, '0')}` as const
  return { key, address: privateKeyToAccount(key).address }
}

/** The two steps of a claim over the API, and the id of the proof. */
async function submit(key: `0x${string}`, claim: object): Promise<string> {
  const account = privateKeyToAccount(key)
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${origin}/api/v1/verification${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data, error } = await answer.json()
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${error.message}`)
    return data
  }
  const body = { walletAddress: account.address, signedTimestamp: Date.now(), ...claim }
  const { signerString } = await post('/standardize', body)
  return (await post('', { ...body, signature: await account.signMessage({ message: signerString }) })).qHash
}

/** A proof of the wallet with that key, which keeps its content, and its id. */
const prove = (key: `0x${string}`, options: object = {}, content = `Content ${keys++}`): Promise<string> =>
  submit(key, {
    verifierIds: ['ownership-basic'],
    data: { owner: privateKeyToAccount(key).address, content },
    options: { storeOriginalContent: true, ...options },
  })

/** Both wallets say that they belong together: the second one signs inside the claim of the first. */
async function link(primary: `0x${string}`, secondary: `0x${string}`): Promise<void> {
  const wallets = { primary: evmWallet(primary), secondary: evmWallet(secondary) }
  const { accounts, signed } = await innerOf({ ...wallets, at: Date.now() })
  const { primaryAccountId, secondaryAccountId } = accounts
  await submit(primary, { verifierIds: ['wallet-link'], data: { primaryAccountId, secondaryAccountId, ...signed } })
}

const statusOf = async (qHash: string): Promise<string> => (await dashboards.proofOf(qHash)).status

describe('a wallet without proofs', () => {
  test('shows what a proof is, and how to make the first one here', async () => {
    const { page, complaints } = await dashboards.openAs('5')
    await page.getByRole('heading', { name: 'Your first proof takes a minute' }).waitFor()
    expect(await page.getByRole('link', { name: 'Make a proof with this wallet' }).getAttribute('href')).toBe(
      `${origin}/verify`,
    )
    expect(await page.locator('pre').textContent()).toBe(`npm run --silent proofgate -- demo --url ${origin}`)
    await judged(page, 'dashboard-vault-empty')
    expect(complaints).toEqual([])
  })

  test('shows that as well where the address has filters', async () => {
    const { page, complaints } = await dashboards.openAs('5', '/?q=nothing')
    await page.getByRole('heading', { name: 'No proofs match these filters' }).waitFor()
    await page.getByRole('button', { name: 'Show all proofs' }).click()
    await page.getByRole('heading', { name: 'Your first proof takes a minute' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a hundred thousand proofs', () => {
  test('are counted, and the newest of them came with the page', async () => {
    const { page, complaints } = await dashboards.openAs(owner, '/keys')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/by-wallet/') && !request.url().includes('limit=1&')) asked.push(request.url())
    })
    await page.goto(origin)
    await standing(page, '85,741 active proofs')
    await judged(page, 'dashboard-vault', { fullPage: false })
    expect(asked.filter((url) => url.includes(`limit=${firstPage}&`))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('scroll far, in order, with few of them in the page at a time', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await standing(page, '85,741 active proofs')
    const lastIndex = async () => Number(await page.locator('.rows > li').last().getAttribute('data-index'))
    await eventually(page, async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      return (await lastIndex()) > 2_000
    })
    const ids = await page.locator('.proof-open').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(ids.length).toBeLessThan(80)
    const ofIndex = new Map(Array.from({ length: 6_000 }, (_, age) => [manyQHash(count - 1 - age), age]))
    const ages = ids.map((href) => ofIndex.get(href!.slice('?proof='.length))!)
    expect(ages.every((age) => age > 2_000)).toBe(true)
    expect(ages).toEqual([...ages].sort((a, b) => a - b))
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('.rows > li[data-index="0"]').waitFor()
    expect(complaints).toEqual([])
  })

  test.each([
    ['the title of the oldest', oldestTitle],
    ['what the oldest is about', oldestDomain.toUpperCase()],
    ['the id of the oldest', manyQHash(0)],
    ['how the id of the oldest begins', manyQHash(0).slice(0, 12)],
    ['a link to the oldest', `https://elsewhere.example/proof/${manyQHash(0)}`],
  ])('are searched to the end: %s', async (_, text) => {
    const { page, complaints } = await dashboards.openAs(owner)
    await search(page).fill(text)
    await row(page, oldestTitle).waitFor()
    await standing(page, '1 found')
    expect(queryOf(page)).toEqual({ q: text })
    expect(complaints).toEqual([])
  })

  test('show that a search has no matches, once all of them were searched', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await search(page).pressSequentially('no such thing 🦉')
    await page.getByRole('heading', { name: 'No proofs match these filters' }).waitFor()
    await standing(page, 'None found')
    await judged(page, 'dashboard-vault-nothing')
    await page.goBack()
    await standing(page, '85,741 active proofs')
    expect(await search(page).inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  test('are searched by text when the input only looks like an id', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await search(page).fill(addressOf(owner).slice(0, 12))
    await row(page, 'Token balance').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('are filtered by the kinds that this server offers and those that the person has', async () => {
    const kinds = (page: Page) => page.getByLabel('Kind').locator('option').allTextContents()
    const beginner = newWallet()
    await prove(beginner.key, { meta: { title: 'The only one' } })
    const { page, complaints } = await dashboards.openAs(beginner.key, '/')
    await row(page, 'The only one').first().waitFor()
    const offered = ['Claim content', 'Pseudonym', 'Second wallet', 'Content check', 'Agent', 'Permission for an agent']
    expect(await kinds(page)).toEqual(['All kinds', ...offered])
    const keeper = await dashboards.openAs(owner)
    await keeper.page.getByLabel('Kind').locator('option', { hasText: 'Social account' }).waitFor({ state: 'attached' })
    expect(await kinds(keeper.page)).toEqual(expect.arrayContaining(['Social account', 'Claim content']))
    expect([...complaints, ...keeper.complaints]).toEqual([])
  })

  test('are filtered by the page address, which can be shared and left by the back button', async () => {
    const { page, complaints } = await dashboards.openAs(owner, '/?verifier=ownership-social&privacy=public')
    await row(page, '@keeper-').first().waitFor()
    const texts = await page.locator('.proof-open').allTextContents()
    expect(texts.length).toBeGreaterThan(10)
    expect(texts.every((text) => text.includes('Social account') && /Public|By link/.test(text))).toBe(true)
    await page.getByLabel('Status').selectOption('Revoked')
    await row(page, 'Revoked').first().waitFor()
    expect(queryOf(page)).toEqual({ verifier: 'ownership-social', privacy: 'public', status: 'revoked' })
    await page.goBack()
    await row(page, 'Verified').first().waitFor()
    expect(queryOf(page)).toEqual({ verifier: 'ownership-social', privacy: 'public' })
    await page.getByLabel('Tag').selectOption('מקהלה')
    await page
      .getByRole('heading', { name: 'No proofs match these filters' })
      .or(row(page, '@keeper-').first())
      .waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await standing(page, '85,741 active proofs')
    expect(queryOf(page)).toEqual({})
    expect(complaints).toEqual([])
  })

  test('with their history are all of them, each with its outcome', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await page.getByLabel('Show expired and revoked, too').check()
    await standing(page, '100,000 proofs')
    await row(page, 'Revoked').first().waitFor()
    // Number 14 is one of those that were claimed again and again.
    await search(page).fill(manyQHash(14))
    await row(page, 'Replaced').waitFor()
    await search(page).fill('')
    await page.getByLabel('Status').selectOption('Partly verified')
    await row(page, 'Partly verified').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('are worked through with the keyboard', async () => {
    const { page, complaints } = await dashboards.openAs(owner)
    await standing(page, '85,741 active proofs')
    const at = () => page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index")
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('vault-search')
    await page.keyboard.press('ArrowDown')
    expect(await at()).toBe('0')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('x')
    await page.getByText('2 proofs selected').waitFor()
    const reached = await at()
    await page.keyboard.press('Enter')
    await window(page).getByText('Verify it yourself').waitFor()
    expect(queryOf(page)).toHaveProperty('proof')
    await page.keyboard.press('Escape')
    await window(page).waitFor({ state: 'hidden' })
    expect(queryOf(page)).toEqual({})
    await eventually(page, async () => (await at()) === reached)
    await page.keyboard.press('End')
    await eventually(page, async () => Number(await at()) > 50)
    await page.keyboard.press('Home')
    await eventually(page, async () => (await at()) === '0')
    await page.keyboard.press('Escape')
    await page.getByText('proofs selected').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  test('have titles in their own writing direction, as text only', async () => {
    const { page, complaints } = await dashboards.openAs(owner, '/?q=%3Cb%3EBold')
    await row(page, '<b>Bold</b> claims & "quotes"').first().waitFor()
    expect(await titles(page).locator('b').count()).toBe(0)
    await search(page).fill('המקהלה')
    await page.locator('.proof-title:dir(rtl)', { hasText: 'המקהלה' }).first().waitFor()
    expect(complaints).toEqual([])
  })

  test('show their age by the clock of the server, in a browser that is a day ahead', async () => {
    const person = await dashboards.sessionOf(owner)
    const visit = await dashboards.open()
    await carry(visit, origin, person)
    await visit.page.clock.install({ time: Date.now() + 86_400_000 })
    await visit.goto('/?history=1')
    await row(visit.page, 'minute').first().waitFor()
    expect(await visit.page.locator('.proof-age').first().textContent()).toMatch(/^\d minutes? ago$/)
    expect(visit.complaints).toEqual([])
  })

  test('distinguish a server without an answer from an empty list, and ask again by themselves', async () => {
    const visit = await dashboards.openAs(owner)
    const { page } = visit
    await standing(page, '85,741 active proofs')
    await page.route('**/by-wallet/**', (route) => route.abort())
    await search(page).fill('harbour')
    await page.getByText('We could not reach the server').waitFor()
    expect(await page.getByText('No proofs match these filters').count()).toBe(0)
    // Results from before the search must not be shown as its results.
    expect(await titles(page).count()).toBe(0)
    await page.unroute('**/by-wallet/**')
    await row(page, 'harbour').first().waitFor()
  })

  test('report the end of a session, and stay in sight', async () => {
    const visit = await dashboards.openAs(owner, '/', { expectsStatus: [401] })
    const { page } = visit
    await standing(page, '85,741 active proofs')
    await fetch(`${origin}/api/v1/auth/logout`, { method: 'POST', headers: visit.person.headers })
    await search(page).fill('harbour')
    await page.getByText('Your session has ended').waitFor()
    expect(await titles(page).count()).toBeGreaterThan(10)
  })
})

describe('one proof', () => {
  const shown = 'Geheimnis 🗝️ סוד <script>alert(1)</script>'

  test('keeps its content hidden until its owner wants to see it', async () => {
    const { key } = newWallet()
    const qHash = await prove(key, { meta: { title: 'To be revealed', tags: ['a tag'] } }, shown)
    const { page, complaints } = await dashboards.openAs(key, `/?proof=${qHash}`)
    await window(page).getByRole('heading', { name: 'To be revealed' }).waitFor()
    await window(page).getByRole('button', { name: 'Show the content' }).waitFor()
    expect(await page.content()).not.toContain('Geheimnis')
    await window(page).getByRole('button', { name: 'Show the content' }).click()
    await window(page).locator('.detail-content pre', { hasText: shown }).waitFor()
    await window(page).getByRole('button', { name: 'Hide the content' }).click()
    await window(page).getByText(shown).waitFor({ state: 'hidden' })
    await judged(page, 'dashboard-vault-proof', { fullPage: false })
    await window(page).getByRole('button', { name: 'a tag' }).click()
    await window(page).waitFor({ state: 'hidden' })
    expect(queryOf(page)).toEqual({ tag: 'a tag' })
    expect(complaints).toEqual([])
  })

  test('is shown in German, with dates as its reader writes them', async () => {
    const { key } = newWallet()
    const qHash = await prove(key, { meta: { title: 'Ein Text' } }, shown)
    const { page, complaints } = await dashboards.openAs(key, '/', { locale: 'de-DE' })
    await standing(page, '1 aktiver Nachweis')
    await judged(page, 'dashboard-vault-german', { fullPage: false })
    await page.getByLabel('Status').selectOption('Widerrufen')
    await page.getByRole('heading', { name: 'Keine Nachweise passen zu diesen Filtern' }).waitFor()
    await page.goto(`${origin}/?proof=${qHash}`)
    await window(page).getByText('Sie teilen ihn mit keiner anderen Wallet.').waitFor()
    const made = window(page).locator('dl', { hasText: 'Erstellt' }).locator('dd').first()
    expect(await made.textContent()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/)
    await judged(page, 'dashboard-vault-proof-german', { fullPage: false })
    expect(complaints).toEqual([])
  })

  test('is shared with a wallet, which reads it until it is taken back', async () => {
    const { key } = newWallet()
    const friend = newWallet()
    const qHash = await prove(key, { meta: { title: 'For a friend' } }, shown)
    const { page, complaints } = await dashboards.openAs(key, `/?proof=${qHash}`)
    await window(page).getByText('You share it with no other wallet.').waitFor()
    await window(page).getByRole('button', { name: 'Share the proof' }).click()
    await window(page).getByText('Enter the address of a wallet.').waitFor()
    await window(page).getByLabel('Share with a wallet').fill('friend.eth')
    await window(page).getByRole('button', { name: 'Share the proof' }).click()
    await window(page).getByText('Names such as name.eth do not work.').waitFor()
    await window(page).getByLabel('Share with a wallet').fill(friend.address)
    await window(page).getByLabel('For how long').selectOption('Until you stop sharing')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/access/grant', (route) => promise.then(() => route.continue()))
    await window(page).getByRole('button', { name: 'Share the proof' }).click()
    await window(page).getByLabel('Share with a wallet').fill('0xnext')
    resolve()
    await window(page).getByText(friend.address.toLowerCase()).waitFor()
    expect(await window(page).getByLabel('Share with a wallet').inputValue()).toBe('0xnext')
    await window(page).getByText('You shared the proof with').waitFor()
    await window(page).getByText(`${origin}/proof/${qHash}`).waitFor()
    await window(page).getByText('Shared with', { exact: true }).scrollIntoViewIfNeeded()
    await judged(page, 'dashboard-vault-shared', { fullPage: false })

    const reader = await dashboards.openAs(friend.key, `/proof/${qHash}`)
    await reader.page.getByText(shown, { exact: true }).waitFor()
    expect(await reader.page.getByText('This proof is yours').count()).toBe(0)

    await window(page).getByRole('button', { name: 'Stop sharing' }).click()
    await window(page).getByText('You share it with no other wallet.').waitFor()
    await reader.page.reload()
    await reader.page.getByRole('heading', { name: 'A private proof' }).waitFor()
    expect([...complaints, ...reader.complaints]).toEqual([])
  })

  test('offers its link when it is public, and does not mention sharing with wallets', async () => {
    const { key } = newWallet()
    const qHash = await prove(key, { privacyLevel: 'public', meta: { title: 'For all' } })
    const { page, complaints } = await dashboards.openAs(key, `/?proof=${qHash}`)
    await window(page).getByText('Everyone with its link or id can read it.').waitFor()
    await window(page).getByText(`${origin}/proof/${qHash}`).waitFor()
    expect(await window(page).getByText('Share with a wallet').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is revoked when its owner is sure, in all tabs at once', async () => {
    const { key } = newWallet()
    const qHash = await prove(key, { meta: { title: 'Soon over' } })
    await prove(key, { meta: { title: 'Stays' } })
    const visit = await dashboards.openAs(key)
    const { page, context, complaints } = visit
    const other = await context.newPage()
    await other.goto(origin)
    await row(other, 'Soon over').waitFor()
    await row(page, 'Soon over').click()
    await window(page).getByRole('button', { name: 'Revoke this proof' }).click()
    const sure = page.getByRole('dialog', { name: 'Revoke this proof?' })
    await sure.getByText('You cannot undo this.').waitFor()
    await judged(page, 'dashboard-vault-revoke', { fullPage: false })
    await sure.getByRole('button', { name: 'Cancel' }).click()
    await sure.waitFor({ state: 'hidden' })
    expect(await statusOf(qHash)).toBe('verified')

    await window(page).getByRole('button', { name: 'Revoke this proof' }).click()
    await sure.getByRole('button', { name: 'Revoke the proof' }).click()
    await window(page).getByText('You revoked this proof').waitFor()
    expect(await statusOf(qHash)).toBe('revoked')
    await page.keyboard.press('Escape')
    for (const tab of [page, other]) {
      await row(tab, 'Soon over').waitFor({ state: 'hidden' })
      await row(tab, 'Stays').waitFor()
    }
    await standing(page, '1 active proof')
    expect(complaints).toEqual([])
  })

  test('is not shown here when it belongs to another person, and its own page is named', async () => {
    const { key } = newWallet()
    const { page, complaints } = await dashboards.openAs(key, `/?proof=${manyQHash(8)}`)
    await window(page).getByText('You have no proof with this id').waitFor()
    await window(page).getByRole('link', { name: 'Open the page of this proof' }).click()
    await page.getByRole('heading', { name: 'A private proof' }).waitFor()
    await page.goto(`${origin}/?proof=<b>`)
    await window(page).getByText('You have no proof with this id').waitFor()
    expect(complaints).toEqual([])
  })

  test('by a linked wallet stands in the same list, and can be seen alone', async () => {
    const { key, address } = newWallet()
    const second = newWallet()
    await link(key, second.key)
    await prove(second.key, { meta: { title: 'From the second wallet' } })
    const { page, complaints } = await dashboards.openAs(key)
    await row(page, 'From the second wallet').waitFor()
    await standing(page, '2 active proofs')
    await page.getByLabel('Wallet', { exact: true }).selectOption({ index: 2 })
    await standing(page, '1 active proof')
    await page.getByLabel('Wallet', { exact: true }).selectOption({ index: 1 })
    await row(page, 'From the second wallet').waitFor({ state: 'hidden' })
    expect(queryOf(page)).toEqual({ wallet: address.toLowerCase() })
    expect(complaints).toEqual([])
  })
})

describe('several proofs', () => {
  test('are revoked one after the other when selected', async () => {
    const { key } = newWallet()
    const ids = await Promise.all([1, 2, 3, 4].map((number) => prove(key, { meta: { title: `Number ${number}` } })))
    const { page, complaints } = await dashboards.openAs(key)
    for (const number of [1, 2, 3]) await page.getByLabel(`Select Number ${number}`).dispatchEvent('click')
    await page.getByText('3 proofs selected').waitFor()
    await judged(page, 'dashboard-vault-selected', { fullPage: false })
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await window(page).getByRole('button', { name: 'Revoke 3 proofs' }).click()
    await window(page).waitFor({ state: 'hidden' })
    await standing(page, '1 active proof')
    expect(await Promise.all(ids.map(statusOf))).toEqual(['revoked', 'revoked', 'revoked', 'verified'])
    expect(await page.getByText('selected').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('wait where the server asks to, and stop where their owner does', async () => {
    const { key } = newWallet()
    const ids = await Promise.all([1, 2, 3].map((number) => prove(key, { meta: { title: `Number ${number}` } })))
    const { page } = await dashboards.openAs(key, '/', { expectsStatus: [429] })
    for (const number of [1, 2, 3]) await page.getByLabel(`Select Number ${number}`).dispatchEvent('click')
    let asked = 0
    await page.route('**/revoke-self/**', (route) => {
      if (asked++ !== 1) return route.continue()
      const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests', type: 'rate_limit', details: {} }
      const body = JSON.stringify({ success: false, error, timestamp: '', requestId: 'r' })
      return route.fulfill({ status: 429, headers: { 'retry-after': '600' }, contentType: 'application/json', body })
    })
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await window(page).getByRole('button', { name: 'Revoke 3 proofs' }).click()
    await window(page).getByText('1 of 3 revoked. The server asks to wait 600 seconds').waitFor()
    await window(page).getByRole('button', { name: 'Stop' }).click()
    await window(page).getByRole('button', { name: 'Revoke 2 proofs' }).waitFor()
    expect((await Promise.all(ids.map(statusOf))).sort()).toEqual(['revoked', 'verified', 'verified'])
    await window(page).getByRole('button', { name: 'Revoke 2 proofs' }).click()
    await window(page).waitFor({ state: 'hidden' })
    expect(await Promise.all(ids.map(statusOf))).toEqual(['revoked', 'revoked', 'revoked'])
  })

  test('are exported as portable proofs, which are valid without this server', async () => {
    const { key } = newWallet()
    const kept = await Promise.all([1, 2, 3].map(() => prove(key)))
    const notKept = await prove(key, { storeOriginalContent: false, meta: { title: 'Not kept' } })
    const { page, complaints } = await dashboards.openAs(key)
    await row(page, 'Not kept').waitFor()
    const cwd = newFolder()
    const download = async () => {
      const coming = page.waitForEvent('download')
      await window(page)
        .getByRole('button', { name: /^Export/ })
        .click()
      const file = await coming
      await file.saveAs(join(cwd, file.suggestedFilename()))
      return file.suggestedFilename()
    }
    await page.getByRole('button', { name: 'Export' }).click()
    const name = await download()
    await window(page).getByText('This server keeps no portable copy of 1 proof').waitFor()
    await judged(page, 'dashboard-vault-export', { fullPage: false })
    const { code, out } = await run(verify, [name], { cwd })
    expect(out).toContain('3 of 3 valid')
    for (const qHash of kept) expect(out).toContain(qHash)
    expect(code).toBe(0)

    await window(page).getByLabel('Records').check()
    const records = (await Bun.file(join(cwd, await download())).text()).trim().split('\n')
    expect(records.map((line) => JSON.parse(line).qHash).sort()).toEqual([...kept, notKept].sort())
    expect(complaints).toEqual([])
  })

  test('are exported as records with their links and the labels of wallets', async () => {
    const { key, address } = newWallet()
    const [shared, other] = [await prove(key, { meta: { title: 'Sent to Bob' } }), await prove(key)]
    const { headers } = await dashboards.sessionOf(key)
    const send = async (path: string, body: object) =>
      (
        await fetch(`${dashboards.origin}/api/v1/profile/${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()
    const link = (await send(`share-links/${shared}`, { expiresAt: Date.now() + 3_600_000, label: 'For Bob' })).data
    const own = address.toLowerCase()
    const stranger = newWallet().address.toLowerCase()
    await send('labels', { account: own, label: 'Savings' })
    await send('labels', { account: stranger, label: 'Bob' })
    const { page, complaints } = await dashboards.openAs(key)
    const exportRecords = async () => {
      await window(page).getByLabel('Records').check()
      const coming = page.waitForEvent('download')
      await window(page).getByRole('button', { name: 'Export the proofs' }).click()
      const file = join(newFolder(), 'records.jsonl')
      await (await coming).saveAs(file)
      return (await Bun.file(file).text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    await page.getByRole('button', { name: 'Export' }).click()
    const [first, second, labels, ...more] = await exportRecords()
    expect([first, second].map(({ qHash, walletLabel, shareLinks }) => ({ qHash, walletLabel, shareLinks }))).toEqual([
      { qHash: other, walletLabel: 'Savings', shareLinks: undefined },
      {
        qHash: shared,
        walletLabel: 'Savings',
        shareLinks: [expect.objectContaining({ linkId: link.linkId, label: 'For Bob', expiresAt: link.expiresAt })],
      },
    ])
    expect(JSON.stringify(second)).not.toContain(new URL(link.url).searchParams.get('link')!)
    expect(labels.walletLabels).toHaveLength(2)
    expect(labels.walletLabels).toContainEqual({ account: stranger, label: 'Bob' })
    expect(more).toEqual([])

    // What is selected is exported alone, without the labels of other wallets.
    await page.keyboard.press('Escape')
    await page.getByLabel('Select Sent to Bob').dispatchEvent('click')
    await page.getByRole('region', { name: 'Selected proofs' }).getByRole('button', { name: 'Export' }).click()
    expect((await exportRecords()).map(({ qHash }) => qHash)).toEqual([shared])
    expect(complaints).toEqual([])
  })

  test('make no file when the window is closed before it is complete', async () => {
    const { key } = newWallet()
    await Promise.all([1, 2, 3].map((number) => prove(key, { meta: { title: `Number ${number}` } })))
    const { page, complaints } = await dashboards.openAs(key)
    for (const number of [1, 2, 3]) await page.getByLabel(`Select Number ${number}`).dispatchEvent('click')
    const downloads: unknown[] = []
    page.on('download', (download) => downloads.push(download))
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/*includePortable=1*', async (route) => {
      if (++asked > 1) await promise
      await route.continue().catch(() => undefined)
    })
    const selection = page.getByRole('region', { name: 'Selected proofs' })
    await selection.getByRole('button', { name: 'Export' }).click()
    await window(page).getByRole('button', { name: 'Export the proofs' }).click()
    await window(page).getByText('1 in the file').waitFor()
    await page.keyboard.press('Escape')
    await window(page).waitFor({ state: 'hidden' })
    resolve()
    // Another window makes a whole file, which is the only one.
    const whole = page.waitForEvent('download')
    await selection.getByRole('button', { name: 'Export' }).click()
    await window(page).getByRole('button', { name: 'Export the proofs' }).click()
    await whole
    await window(page).getByText('3 saved in portable-proofs').waitFor()
    expect(downloads).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('include a single one, whose portable form is a file as well', async () => {
    const { key } = newWallet()
    const qHash = await prove(key)
    const { page, complaints } = await dashboards.openAs(key, `/?proof=${qHash}`)
    const coming = page.waitForEvent('download')
    await window(page).getByRole('button', { name: 'Download the portable proof' }).click()
    const file = await coming
    const cwd = newFolder()
    await file.saveAs(join(cwd, file.suggestedFilename()))
    await window(page).getByText(`verify ${file.suggestedFilename()}`).waitFor()
    expect((await run(verify, [file.suggestedFilename()], { cwd })).code).toBe(0)
    expect(complaints).toEqual([])
  })

  test('all of a wallet are erased behind a word that has to be typed', async () => {
    const { key } = newWallet()
    const ids = await Promise.all([1, 2].map(() => prove(key)))
    const { page, complaints } = await dashboards.openAs(key)
    const erase = page.getByRole('button', { name: 'Erase everything …' })
    await page.locator('.proof-row').first().waitFor()
    expect(await erase.isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'More' }).click()
    await judged(page, 'dashboard-vault-more')
    await erase.click()
    // The button can be pressed before the word is typed, and then does nothing.
    await window(page).getByRole('button', { name: 'Erase everything' }).click({ force: true })
    await window(page).getByLabel('Type “erase” to continue').fill('erased')
    await window(page).getByRole('button', { name: 'Erase everything' }).click({ force: true })
    await judged(page, 'dashboard-vault-erase', { fullPage: false })
    expect(await statusOf(ids[0]!)).toBe('verified')
    await window(page).getByLabel('Type “erase” to continue').fill('erase')
    await window(page).getByRole('button', { name: 'Erase everything' }).click()
    await page.getByRole('heading', { name: 'Your first proof takes a minute' }).waitFor()
    for (const qHash of ids) expect((await fetch(`${origin}/api/v1/proofs/${qHash}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })
})

describe('a proof of another server, whose claim was not verified here', () => {
  const wallet = evmWallet(`0x${'6'.repeat(64)}`)
  const words = { list: 'Imported', window: 'Nothing of it was verified here', page: 'Imported, not verified' }

  test('says so in the list, in its window, and on its page', async () => {
    const elsewhere = await startApp({}, undefined, Date.now() - 86_400_000)
    const claim = { verifierIds: ['agent-identity'], data: { agentId: 'writer', agentWallet: wallet.address } }
    const { portableProof } = (await elsewhere.submit(wallet, claim)).body.data
    await elsewhere.close()
    const { outcome, qHash } = await importProof(server.parts, portableProof)
    expect(outcome).toBe('imported')

    const { page, complaints } = await dashboards.openAs('6')
    await page.locator('.rows').getByText(words.list, { exact: true }).waitFor()
    await page.locator('.proof-open').first().click()
    await window(page).getByText(words.window).waitFor()
    await judged(page, 'dashboard-vault-imported', { fullPage: false })
    await page.goto(`${origin}/proof/${qHash}`)
    await page.getByText(words.page).first().waitFor()
    expect(await page.getByText('Checked by').count()).toBe(0)
    await judged(page, 'proof-imported')
    expect(complaints).toEqual([])
  })
})
