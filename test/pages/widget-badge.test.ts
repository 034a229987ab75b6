/** <proof-badge> on a page of another origin: its words for each state of a proof, and after failed requests. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { evmWallet } from '../wallets.ts'
import { keyOf, openHosted } from './hosted-stage.ts'
import { proveAt, revokeAt } from './proofs-here.ts'
import type { VisitOptions } from './visit.ts'
import { hear, heard, listen, startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted
const site = startSite(origin)
const owner = evmWallet(keyOf('7'))
const basic = (content: string) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: owner.address, content },
})
const isPublic = { privacyLevel: 'public', publicDisplay: false }

const known = {
  holds: await proveAt(origin, owner, { ...basic('holds'), options: isPublic }),
  private: await proveAt(origin, owner, { ...basic('private') }),
  revoked: await proveAt(origin, owner, { ...basic('revoked'), options: isPublic }),
  revokedPrivate: await proveAt(origin, owner, { ...basic('revoked, and private') }),
  expired: await proveAt(origin, owner, {
    verifierIds: ['agent-delegation'],
    data: {
      controllerWallet: owner.address,
      agentWallet: evmWallet(keyOf('8')).address,
      expiresAt: Date.now() + 2000,
    },
    options: isPublic,
  }),
}
await revokeAt(origin, owner, known.revoked)
await revokeAt(origin, owner, known.revokedPrivate)
const nobody = `0x${'ab'.repeat(32)}`
const badge = (qHash: string, more = ''): string => `<proof-badge q-hash='${qHash}' ${more}></proof-badge>`
const markup = '"><img src=x onerror="alert(1)">'

async function visitAt(address: string, options: VisitOptions = {}) {
  const visit = await hosted.open({ alsoAt: [site.origin], ...options })
  await listen(visit.context)
  await visit.page.goto(address)
  return visit
}

const link = (page: Page) => page.locator('proof-badge a')
const word = (page: Page) => page.locator('proof-badge [data-on]').textContent()

describe('a badge', () => {
  test.each([
    ['holds', known.holds, 'Verified proof', 'verified this proof'],
    ['private', known.private, 'Private proof', 'verified this proof. Its owner keeps the content private'],
    ['revoked', known.revoked, 'Proof revoked', 'The owner revoked this proof'],
    ['revoked', known.revokedPrivate, 'Proof revoked', 'The owner revoked this proof'],
    ['unknown', nobody, 'No such proof', 'has no proof with this id'],
  ])('says %s', async (state, qHash, words, more) => {
    const visit = await visitAt(site.page(badge(qHash)), { expectsStatus: [404] })
    const { page } = visit
    expect(await hear(page, 'proofgate-state')).toEqual([{ type: 'proofgate-state', id: '', detail: { qHash, state } }])
    expect(await word(page)).toBe(words)
    // The accessible name is the visible text; the rest is its description.
    await page.getByRole('link', { name: words, exact: true }).waitFor()
    expect(await link(page).getAttribute('title')).toContain(more)
    expect(await link(page).getAttribute('href')).toBe(`${origin}/proof/${qHash}`)
    expect(await link(page).getAttribute('aria-busy')).toBe('false')
    expect(visit.complaints).toEqual([])
  })

  test('speaks the language of the page around it, even out of a shadow root', async () => {
    const visit = await visitAt(
      site.page(
        `<div lang="de-AT" id="german">${badge(known.holds)}</div><div lang="fr" id="french">${badge(known.holds)}</div>`,
      ),
    )
    const { page } = visit
    await hear(page, 'proofgate-state', 2)
    expect(await page.locator('#german [data-on]').textContent()).toBe('Bestätigter Nachweis')
    expect(await page.locator('#german a').getAttribute('lang')).toBe('de')
    expect(await page.locator('#german a').getAttribute('title')).toContain(
      'hat diesen Nachweis bestätigt. Öffnet den Nachweis.',
    )
    expect(await page.locator('#french [data-on]').textContent()).toBe('Verified proof')
    await page.evaluate(`document.querySelector('#german').attachShadow({ mode: 'open' }).append(
      Object.assign(document.createElement('proof-gate'), { verifiers: 'ownership-basic' }))`)
    await page.getByRole('button', { name: 'Mit Ihrer Wallet nachweisen' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('speaks the language of the browser where the page names none', async () => {
    const context = await hosted.browser.newContext({ locale: 'de-DE' })
    const page = await context.newPage()
    await page.goto(site.page(''))
    await page.evaluate(`document.documentElement.removeAttribute('lang')
      document.body.append(document.createElement('proof-gate'))`)
    await page.getByRole('button', { name: 'Mit Ihrer Wallet nachweisen' }).waitFor()
    await context.close()
  })

  test('says expired once the time of the proof has come, when it is asked again', async () => {
    const visit = await visitAt(site.page(badge(known.expired)))
    const { page } = visit
    await hear(page, 'proofgate-state')
    const looked = async (): Promise<string> => {
      await page.evaluate('document.querySelector("proof-badge").refresh()')
      return page.evaluate('document.querySelector("proof-badge").state')
    }
    while ((await looked()) === 'holds') await Bun.sleep(100)
    expect(await word(page)).toBe('Proof expired')
    expect(visit.complaints).toEqual([])
  })

  test('leads to the page of the proof', async () => {
    const visit = await visitAt(site.page(badge(known.holds)))
    await visit.page.getByRole('link', { name: 'Verified proof' }).click()
    await visit.page.waitForURL(`${origin}/proof/${known.holds}`)
    await visit.page.getByText('Others may have claimed it before.').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('an id with markup is no proof, and leads nowhere', async () => {
    const visit = await visitAt(site.page(badge(markup)))
    expect(await hear(visit.page, 'proofgate-state')).toMatchObject([{ detail: { state: 'unknown' } }])
    expect(await link(visit.page).getAttribute('href')).toBeNull()
    expect(visit.complaints).toEqual([])
  })

  test('an id in capitals is the same id', async () => {
    const visit = await visitAt(site.page(badge(` ${known.holds.replace(/[a-f]/g, (letter) => letter.toUpperCase())}`)))
    expect(await hear(visit.page, 'proofgate-state')).toMatchObject([
      { detail: { qHash: known.holds, state: 'holds' } },
    ])
  })
})

test('a badge of a partially verified proof says so', async () => {
  const visit = await hosted.open({ alsoAt: [site.origin] })
  await listen(visit.context)
  await visit.context.route('**/api/v1/proofs/*', (route) =>
    route.fulfill({
      body: '{"success":true,"data":{"status":"partially_verified","privacyLevel":"public"}}',
      headers: { 'access-control-allow-origin': '*' },
    }),
  )
  await visit.page.goto(site.page(badge(known.holds)))
  expect(await hear(visit.page, 'proofgate-state')).toMatchObject([{ detail: { state: 'partial' } }])
  expect(await word(visit.page)).toBe('Partly verified')
})

describe('a badge whose look-up failed says so, and links on', () => {
  const unreachable = async (page: Page): Promise<void> => {
    expect(await hear(page, 'proofgate-state')).toMatchObject([{ detail: { state: 'unreachable' } }])
    expect(await word(page)).toBe('Not checked')
    expect(await link(page).getAttribute('title')).toContain('The proof may still count')
    expect(await link(page).getAttribute('href')).toEndWith(`/proof/${known.holds}`)
  }

  test('no answer', async () => {
    const visit = await hosted.open({ alsoAt: [site.origin] })
    await listen(visit.context)
    await visit.context.route('**/api/v1/proofs/*', (route) => route.abort('connectionreset'))
    await visit.page.goto(site.page(badge(known.holds)))
    await unreachable(visit.page)
  })

  test.each([
    ['a fault of the server', 500, '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"x"}}'],
    ['too many calls', 429, '{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"x"}}'],
    ['something else that answers there with 404', 404, '<h1>Not found</h1>'],
    ['something else that answers there with 200', 200, '{"hello":"world"}'],
    ['an answer without a status', 200, '{"success":true,"data":{}}'],
  ])('%s', async (_, status, body) => {
    const visit = await hosted.open({ alsoAt: [site.origin], expectsStatus: [500, 429, 404] })
    await listen(visit.context)
    await visit.context.route('**/api/v1/proofs/*', (route) =>
      route.fulfill({ status, body, headers: { 'access-control-allow-origin': '*' } }),
    )
    await visit.page.goto(site.page(badge(known.holds)))
    await unreachable(visit.page)
    expect(visit.complaints).toEqual([])
  })

  test('a page of an origin that the operator does not list', async () => {
    const closed = await openHosted({ PROOFGATE_CORS_ORIGINS: 'https://app.example.com' })
    const other = startSite(closed.origin)
    const visit = await closed.open({ alsoAt: [other.origin] })
    await listen(visit.context)
    // The script itself comes to everybody.
    await visit.page.goto(other.page(badge(known.holds)))
    await unreachable(visit.page)
    expect(visit.complaints.every((one) => /CORS|ERR_FAILED/.test(one))).toBe(true)
  })

  test('an address that is no server', async () => {
    const visit = await visitAt(site.page(badge(known.holds, 'server="javascript:alert(1)//"')))
    expect(await hear(visit.page, 'proofgate-state')).toMatchObject([{ detail: { state: 'unreachable' } }])
    expect(await link(visit.page).getAttribute('href')).toBeNull()
  })

  test('a server that the page names instead of the one that the script came from', async () => {
    const elsewhere = `http://localhost:${hosted.server.port}`
    const visit = await visitAt(
      site.page(badge(known.holds, `server="${elsewhere}/"`), {
        policy: strictPolicy(origin).replace('connect-src', `connect-src ${elsewhere}`),
      }),
      { alsoAt: [site.origin, elsewhere] },
    )
    expect(await hear(visit.page, 'proofgate-state')).toMatchObject([{ detail: { state: 'holds' } }])
    expect(await link(visit.page).getAttribute('href')).toBe(`${elsewhere}/proof/${known.holds}`)
    expect(visit.complaints).toEqual([])
  })
})

describe('a badge whose id changes', () => {
  test('looks again, moves nothing, and never shows the answer of the id it had before', async () => {
    const visit = await visitAt(site.page(`<p>${badge(known.holds)}<i>after</i></p>`))
    const { page } = visit
    await hear(page, 'proofgate-state')
    const place = () => page.locator('i').boundingBox()
    const before = await place()

    let let_go = (): void => undefined
    const held = new Promise<void>((resolve) => {
      let_go = resolve
    })
    await visit.context.route(`**/api/v1/proofs/${known.revoked}`, async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    await page.evaluate(`document.querySelector('proof-badge').qHash = '${known.revoked}'`)
    expect(await word(page)).toBe('Checking …')
    expect(await link(page).getAttribute('aria-busy')).toBe('true')
    expect(await place()).toEqual(before)
    await page.evaluate(`document.querySelector('proof-badge').setAttribute('q-hash', '${known.private}')`)
    let_go()
    await hear(page, 'proofgate-state', 2)
    expect(await word(page)).toBe('Private proof')
    expect(await place()).toEqual(before)
    // The same id once more is no change.
    await page.evaluate(`document.querySelector('proof-badge').setAttribute('q-hash', '${known.private}')`)
    await page.evaluate(`document.querySelector('proof-badge').setAttribute('q-hash', '${known.holds}')`)
    const states = (await hear(page, 'proofgate-state', 3)).map(({ detail }) => (detail as { state: string }).state)
    expect(states).toEqual(['holds', 'private', 'holds'])
    expect(visit.complaints).toEqual([])
  })

  test('fires no more events after it was removed from the page', async () => {
    const visit = await visitAt(site.page(`${badge(known.holds)}${badge(known.revoked, 'id="rest"')}`))
    await hear(visit.page, 'proofgate-state', 2)
    await visit.page.evaluate(
      `(() => { const [one, rest] = document.querySelectorAll('proof-badge'); one.qHash = '${nobody}'; one.remove(); rest.refresh() })()`,
    )
    await hear(visit.page, 'proofgate-state', 3)
    expect((await heard(visit.page)).at(-1)).toMatchObject({ id: 'rest' })
    expect(await heard(visit.page)).toHaveLength(3)
  })
})

describe('the place of the badge', () => {
  test('on a page that runs from right to left it does too', async () => {
    const visit = await visitAt(site.page(`<p>${badge(known.holds)}</p>`, { attributes: 'dir="rtl"' }))
    const { page } = visit
    await hear(page, 'proofgate-state')
    const icon = (await page.locator('proof-badge [part=icon]').boundingBox())!
    const words = (await page.locator('proof-badge [data-on]').boundingBox())!
    const gap = icon.x - (words.x + words.width)
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(12)
    expect(visit.complaints).toEqual([])
  })

  test('the pill is small, and what can be pressed is 44 pixels high', async () => {
    const visit = await visitAt(site.page(`<p>${badge(known.holds)}</p>`))
    const { page } = visit
    await hear(page, 'proofgate-state')
    const { x, y, width, height } = (await link(page).boundingBox())!
    expect(height).toBeLessThan(40)
    for (const dy of [-7, height + 7])
      expect(await page.evaluate(`document.elementFromPoint(${x + width / 2}, ${y + dy}).localName`)).toBe(
        'proof-badge',
      )
  })
})
