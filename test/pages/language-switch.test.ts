/** A switch of the language loads the page anew. What the person typed and reached stays. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { evmWallet } from '../wallets.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { eventually } from './eventually.ts'
import { addGate } from './gates-here.ts'
import { choose, connect, fill, keyOf, openHosted, press, proofIds, share } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const typedAt = (page: Page, name: string) => page.locator(`#work [name=${name}]`).inputValue()
const storage = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')

test('the form of a proof keeps every field, without choosing the wallet again, and the end keeps its proof', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('5') })
  await visit.goto('/verify?verifiers=ownership-basic')
  await connect(page)
  await fill(page, 'content', 'A text that is in no address')
  await fill(page, 'proofTitle', 'My poem')
  await page.locator('#work [name=store]').check()
  await share(page)
  await press(page, 'Deutsch')
  await page.getByRole('heading', { name: 'Inhalt beanspruchen' }).waitFor()
  await page.locator('#work [name=content]').waitFor()
  expect(await typedAt(page, 'content')).toBe('A text that is in no address')
  expect(await typedAt(page, 'proofTitle')).toBe('My poem')
  expect(await page.locator('#work [name=store]').isChecked()).toBe(true)
  expect(await page.getByLabel('Mit Link').isChecked()).toBe(true)
  expect(await storage(page)).not.toContain('in no address')
  expect(page.url()).not.toContain('poem')

  await press(page, 'Aussage signieren')
  await page.getByRole('heading', { name: 'Fertig' }).waitFor()
  await page.getByRole('heading', { name: 'My poem' }).waitFor()
  const [qHash] = await proofIds(page)
  await press(page, 'English')
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  expect(await proofIds(page)).toEqual([qHash!])
  expect(await hosted.proofOf(qHash!)).toMatchObject({ title: 'My poem', privacyLevel: 'public' })
  expect(visit.complaints).toEqual([])
})

test('a form that had a file asks for it again, and one without does not', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('5') })
  await visit.goto('/verify?verifiers=ownership-basic')
  await connect(page)
  await press(page, 'Deutsch')
  await page.locator('#work input[type=file]').waitFor()
  expect(await page.getByText('Wählen Sie die Datei noch einmal.').count()).toBe(0)
  const upload = { name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
  await page.locator('#work input[type=file]').setInputFiles(upload)
  await press(page, 'English')
  await page.getByText('Choose the file again.').waitFor()
  expect(visit.complaints).toEqual([])
})

test('the step that the checkout of a gate opened stays open, with its fields', async () => {
  const gateId = await addGate(hosted.origin, {
    gateId: 'gate_switch',
    name: 'Switch',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'the word', label: 'The word' }],
  })
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('6') })
  await visit.goto(`/g/${gateId}`)
  await choose(page)
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', 'switched.one')
  await fill(page, 'displayName', 'Switched')
  await press(page, 'Deutsch')
  await page.locator('#work [name=displayName]').waitFor()
  expect(await typedAt(page, 'pseudonymId')).toBe('switched.one')
  expect(await typedAt(page, 'displayName')).toBe('Switched')
  expect(visit.complaints).toEqual([])
})

test('the draft of a gate stays in the dashboard', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('7') })
  await visit.goto('/verify?intent=login')
  await choose(page)
  await page.locator('#sign-out').waitFor()
  await visit.goto('/gates/new')
  await press(page, /^Paid guide/)
  await page.getByLabel('Name', { exact: true }).fill('Readers of both languages')
  await press(page, 'Deutsch')
  await page.getByText('Ihr Entwurf, gespeichert').first().waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Readers of both languages')
  expect(visit.complaints).toEqual([])
})

test('the form of one person is not shown to the next one who signs in', async () => {
  const visit = await hosted.open()
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('5') })
  const signIn = async () => {
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  }
  const form = '/verify?verifiers=ownership-basic'
  await signIn()
  await visit.goto(form)
  await page.locator('#work [name=proofTitle]').waitFor()
  await fill(page, 'proofTitle', 'A title of mine')
  await page.locator('#work [name=content]').focus()
  await visit.goto(form)
  await page.locator('#work [name=proofTitle]').waitFor()
  expect(await typedAt(page, 'proofTitle')).toBe('A title of mine')
  // Somebody else signs in while the first session has only ended.
  await visit.context.clearCookies()
  wallet.key = keyOf('6')
  await signIn()
  await visit.goto(form)
  await page.locator('#work [name=proofTitle]').waitFor()
  expect(await typedAt(page, 'proofTitle')).toBe('')
  expect(await storage(page)).not.toContain('A title of mine')

  await fill(page, 'proofTitle', 'Another title')
  await page.locator('#work [name=content]').focus()
  await visit.goto('/login?switch=1')
  await press(page, 'Sign out')
  // The page is loaded again, and had wallets before as well.
  await page.locator('#sign-out').waitFor({ state: 'detached' })
  await page.locator('.choice').first().waitFor()
  expect(await storage(page)).not.toContain('Another title')
})

describe('in the dashboard', () => {
  async function openAt(place: string) {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('8') })
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.locator('#sign-out').waitFor()
    await visit.goto(place)
    const asked: string[] = []
    let accepts = false
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (accepts ? dialog.accept() : dialog.dismiss())
    })
    return {
      ...visit,
      asked,
      accept: () => {
        accepts = true
      },
    }
  }
  const question = /^Switching the language loads the page anew\. What you typed and did not save is lost\./

  test.each([
    ['a key', '/keys', 'Create a key', 'Name'],
    ['a secret', '/secrets', 'Add a secret', 'Value'],
    ['a label', '/wallets', /^Label 0x/, /^Label for 0x/],
  ] as const)('the switch asks before it drops what was typed for %s, and stores none of it', async (...row) => {
    const [, place, opener, field] = row
    const { page, asked, accept, complaints } = await openAt(place)
    await page.getByRole('button', { name: opener }).first().click()
    const box = page.getByLabel(field, { exact: typeof field === 'string' })
    await box.fill('typed and not saved')
    await press(page, 'Deutsch')
    await eventually(page, async () => asked.length > 0)
    expect(asked).toEqual([expect.stringMatching(question)])
    expect(await box.inputValue()).toBe('typed and not saved')
    expect(await storage(page)).not.toContain('typed and not saved')
    accept()
    await press(page, 'Deutsch')
    await page.getByRole('form', { name: 'Sprache' }).waitFor()
    expect(await storage(page)).not.toContain('typed and not saved')
    expect(complaints).toEqual([])
  })

  test('the switch asks nothing about a search that the address keeps', async () => {
    const { page, asked } = await openAt('/?q=nothing')
    await page.getByLabel('Search your proofs').fill('nothing like it')
    await press(page, 'Deutsch')
    await page.getByRole('form', { name: 'Sprache' }).waitFor()
    expect(await page.getByLabel('Nachweise durchsuchen').inputValue()).toBe('nothing like it')
    expect(asked).toEqual([])
  })

  test('the switch asks before it drops pasted guests, though the draft of their gate is kept', async () => {
    await addGate(
      hosted.origin,
      {
        gateId: 'gate_guests_switch',
        name: 'Guests',
        requirements: [{ verifierId: 'guest-list' }],
        rewards: [{ kind: 'reveal', value: 'the word', label: 'The word' }],
      },
      evmWallet(keyOf('8')),
    )
    const { page, asked } = await openAt('/gates/gate_guests_switch')
    const guests = page.locator('textarea.address')
    await guests.fill(`0x${'12'.repeat(20)}`)
    await press(page, 'Deutsch')
    await eventually(page, async () => asked.length > 0)
    expect(await guests.inputValue()).toStartWith('0x1212')
  })
})
