/** In a real browser, operations of /docs are found, read, tried and copied, without complaints of visit.ts. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { operationsOf } from '../openapi/published.ts'
import { bob } from '../wallets.ts'
import { openHosted } from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit, VisitOptions } from './visit.ts'

// A browser on a busy machine, or one that is unpacked first.
setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

async function open(path = '/docs', options: VisitOptions = {}): Promise<Visit> {
  const visit = await hosted.open(options)
  await visit.page.goto(`${origin}${path}`)
  if (!options.withoutScripts) await visit.page.getByRole('searchbox').waitFor()
  return visit
}

const results = (page: Page) => page.locator('.operation-list a[data-operation]')
const ids = (page: Page): Promise<string[]> =>
  results(page).evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.operation!))
const search = (page: Page, text: string) => page.getByRole('searchbox', { name: 'Search operations' }).fill(text)
const found = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor()
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()
const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the server' })
const answered = async (page: Page, status: string): Promise<string> => {
  await answer(page).locator('.came', { hasText: status }).waitFor()
  return (await answer(page).locator('pre').textContent())!
}
const fillIn = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Fill with a throw-away wallet' }).click()
  await page.getByRole('status').filter({ hasText: 'Filled in' }).waitFor({ state: 'attached' })
}
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.dataset.operation ?? document.activeElement.id')
const isWiderThanTheScreen = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** A person of this browser, whose wallet signed in over HTTP. */
async function signIn({ context }: Visit): Promise<void> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${origin}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { data: (await response.json()).data, cookie: response.headers.get('set-cookie') }
  }
  const { message } = (await post('nonce', { walletAddress: bob.address })).data
  const { cookie } = await post('verify', { message, signature: await bob.sign(message) })
  const [name, value] = cookie!.split(';', 1)[0]!.split('=') as [string, string]
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

describe('finding an operation', () => {
  test('lists every operation by its tag, older paths folded', async () => {
    const { page, complaints } = await open()
    const document = await (await fetch(`${origin}/openapi.json`)).json()
    const operations = operationsOf(document)
    expect((await ids(page)).length).toBe(operations.filter(({ operation }) => !operation.deprecated).length)
    for (const fold of await page.locator('.older summary').all()) await fold.click()
    await page.locator('.older li').nth(5).waitFor()
    expect((await ids(page)).sort()).toEqual(operations.map(({ operation }) => operation.operationId).sort())
    expect(await page.title()).toBe('Proofgate API reference')
    expect(complaints).toEqual([])
  })

  test.each([
    ['revoke-self', 'revokeProof'],
    ['FULFILLMENT_SUSPENDED', 'fulfillGate'],
    ['expiresInSeconds', 'grantAccess'],
    ['includePrivate proofs/check', 'checkProofs'],
    ['resolveDid', 'resolveDid'],
    ['tells apart nothing and status', undefined],
  ])('a search for "%s" finds %s first, and says how many there are', async (text, first) => {
    const { page } = await open()
    await search(page, text)
    await found(page, first ? /^\d+ found for/ : /^Nothing found for/)
    expect((await ids(page))[0]).toBe(first as string)
  })

  test('an older path is found, after the newer ones, and leads to the newer one', async () => {
    const { page } = await open()
    await search(page, 'byWallet')
    await found(page, /^\d+ found/)
    expect(await ids(page)).toContain('listProofsOlder')
    await page.locator('[data-operation=listProofsOlder]').click()
    await heading(page, 'Proofs of a wallet (older path)')
    await page.getByRole('link', { name: 'GET /api/v1/proofs/by-wallet/{address}', exact: true }).click()
    await heading(page, 'Proofs of a wallet')
  })

  test('an address leads to its operation, so does one of the earlier page, and an unknown one says so', async () => {
    const { page } = await open('/docs#getProof')
    await heading(page, 'A proof by its id')
    expect(await page.title()).toBe('A proof by its id – Proofgate API reference')
    await page.goto(`${origin}/docs#/gates/getGate`)
    await heading(page, 'A gate by its id')
    await page.goto(`${origin}/docs#nothing%20here`)
    await page.getByRole('alert').filter({ hasText: 'nothing here' }).waitFor()
    await page.goto(`${origin}/docs#nothing%`)
    await page.getByRole('alert').filter({ hasText: 'nothing%' }).waitFor()
  })

  test('works by keyboard alone: / to search, arrows through the results, Escape, and on to the answer', async () => {
    const { page, complaints } = await open()
    await page.locator('h1').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('health')
    await found(page, /^\d+ found/)
    expect(await focused(page)).toBe('search')
    const listed = await ids(page)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe(listed[0]!)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe('search')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    await page.keyboard.type('live')
    await page.keyboard.press('Enter')
    await heading(page, 'Whether the process lives')
    await page.locator('#operation-title:focus').waitFor()
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === 'Run') break
    }
    await page.keyboard.press('Enter')
    expect(await answered(page, '200')).toContain('"alive": true')
    expect(complaints).toEqual([])
  })
})

describe('reading', () => {
  test('says who may call, the input with its bounds, and the output with its codes', async () => {
    const { page } = await open('/docs#fulfillGate')
    await heading(page, 'Get the reward of a gate')
    const text = (await page.locator('.operation-text').textContent())!
    expect(text).toContain('by a signature in the members signature and signedTimestamp of the body')
    expect(text).toContain('Authorization: Bearer npk_…')
    expect(text).toMatch(/gateId\s+string, 1 to 80 characters\s+path\s+required/)
    expect(text).toContain('GATE_SOLD_OUT')
    const refused = page.locator('.answer', { hasText: 'GATE_SOLD_OUT' })
    await refused.locator('> summary').click()
    await refused.getByText('"CONFLICT"', { exact: true }).waitFor()
  })

  test('opens nested values: the data of a verifier, several levels down', async () => {
    const { page } = await open('/docs#verify')
    const body = page.getByRole('region', { name: 'Body' })
    await body.getByText('ownership-basic', { exact: true }).click()
    const reference = body.locator('.member', {
      has: page.locator('> .member-line .member-name', { hasText: /^reference$/ }),
    })
    await reference.locator('summary').first().click()
    await reference.getByText('ethereum-tx').waitFor()
  })
})

describe('trying an operation', () => {
  // The configured address is 127.0.0.1; a page may call no other server than the one it came from.
  test.each(['127.0.0.1', 'localhost'])('an example runs, from http://%s', async (host) => {
    const here = `http://${host}:${hosted.server.port}`
    const visit = await hosted.open({ alsoAt: [here] })
    await visit.page.goto(`${here}/docs#getLiveness`)
    await run(visit.page)
    expect(await answered(visit.page, '200 OK')).toContain('"alive": true')
    expect(await answer(visit.page).textContent()).toContain('x-request-id')
    expect(await visit.page.locator('#tab-panel pre').textContent()).toContain(`curl '${here}/api/v1/health/live'`)
    expect(visit.complaints).toEqual([])
  })

  test('a throw-away wallet makes a proof that is stored, reads it, and revokes it after being asked', async () => {
    const { page, complaints } = await open('/docs#verify')
    await fillIn(page)
    await run(page)
    const { data } = JSON.parse(await answered(page, '200'))
    expect(await hosted.proofOf(data.qHash)).toMatchObject({ status: 'verified', qHash: data.qHash })
    const wallet = JSON.parse(await page.locator('#body').inputValue()).walletAddress
    expect(data.walletAddress).toBe(wallet.toLowerCase())

    // Other operations use the new proof as their example.
    await page.goto(`${origin}/docs#getProof`)
    await heading(page, 'A proof by its id')
    expect(await page.locator('#field-path-qHash').inputValue()).toBe(data.qHash)
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.walletAddress).toBe(wallet.toLowerCase())

    await page.goto(`${origin}/docs#revokeProof`)
    await heading(page, 'Revoke a proof')
    await fillIn(page)
    await run(page)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect((await hosted.proofOf(data.qHash)).status).toBe('verified')
    await run(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Run it' }).click()
    expect(JSON.parse(await answered(page, '200')).alreadyRevoked).toBe(false)
    expect((await hosted.proofOf(data.qHash)).status).toBe('revoked')
    expect(complaints).toEqual([])
  })

  test('an edit during the signature of the wallet is kept', async () => {
    const { page, complaints } = await open('/docs#verify')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/verification/standardize', (route) => promise.then(() => route.continue()))
    await page.getByRole('button', { name: 'Fill with a throw-away wallet' }).click()
    await page.getByRole('status').filter({ hasText: 'Signing' }).waitFor()
    await page.locator('#body').fill('{"mine": true}')
    resolve()
    await page.getByText('Not filled in: something was changed while it was signed').waitFor()
    expect(await page.locator('#body').inputValue()).toBe('{"mine": true}')
    expect(complaints).toEqual([])
  })

  test('signs the headers with the same wallet, and for a gate with the digest of its definition', async () => {
    const { page, complaints } = await open('/docs#applyGate')
    await fillIn(page)
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.outcome).toBe('created')
    await page.goto(`${origin}/docs#listGates`)
    await heading(page, 'Gates of a wallet')
    await fillIn(page)
    await page.getByText('(3 filled in)').waitFor()
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.gates[0].gateId).toBe('authors')

    // Its own private proofs count in a check that it signs.
    await page.goto(`${origin}/docs#checkProofs`)
    await heading(page, 'Whether a wallet may pass, by a gate or by criteria')
    await fillIn(page)
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.criteria.includePrivate).toBe('true')
    expect(complaints).toEqual([])
  })

  test('refusals of the server are shown as they are', async () => {
    const { page } = await open('/docs#verify', { expectsStatus: [401] })
    await run(page)
    const { error } = JSON.parse(await answered(page, '401 Unauthorized'))
    expect(error.code).toBe('EXPIRED_SIGNATURE')
  })

  test('a missing parameter is requested before anything is sent', async () => {
    const { page, complaints } = await open('/docs#getProof')
    await page.locator('#field-path-qHash').fill('')
    await run(page)
    await page.getByRole('alert').filter({ hasText: 'Fill in qHash.' }).waitFor()
    expect(await focused(page)).toBe('field-path-qHash')
    expect(complaints).toEqual([])
  })

  test('a body is checked as it is typed, and the fault is shown with its place', async () => {
    const { page } = await open('/docs#resolveDid', { expectsStatus: [400] })
    await page.locator('#body').fill('{\n  "walletAddress": "0x1",\n  oops\n}')
    await page.getByText('Not JSON: line 3, column 3: a name in double quotes expected, found o.').waitFor()
    await run(page)
    expect(JSON.parse(await answered(page, '400')).error.code).toBe('VALIDATION_ERROR')
    await page.getByRole('tab', { name: 'client' }).click()
    await page.getByText('there is no code for it').waitFor()
    await page.getByRole('button', { name: 'Reset to the example' }).click()
    expect(await page.locator('#body').inputValue()).toContain('0x2682F1')
  })

  test('a signed-in person changes data, with the token of our page', async () => {
    const visit = await hosted.open()
    await signIn(visit)
    const { page, complaints } = visit
    await page.goto(`${origin}/docs#createAccessKey`)
    await page.getByLabel('Send it as').filter({ hasText: 'signed in here' }).waitFor()
    await run(page)
    const { key } = JSON.parse(await answered(page, '200')).data
    expect(key).toStartWith('npk_')

    // A key opens its operations, is kept in the page, and stays out of copied code.
    await page.goto(`${origin}/docs#getMe`)
    await heading(page, 'Who is signed in')
    await page.getByLabel('Send it as').selectOption('key')
    await page.getByLabel('Access key', { exact: true }).fill(key)
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.via).toBe('access-key')
    expect(await page.locator('#tab-panel').textContent()).toContain('$PROOFGATE_KEY')
    expect(await page.locator('body').innerHTML()).not.toContain(key)
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)

    await page.goto(`${origin}/docs#signOut`)
    await heading(page, 'Sign this browser out')
    await page.getByLabel('Send it as').selectOption('session')
    await run(page)
    await answered(page, '200')
    await page.getByText('signed in here').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a throw-away wallet signs in, so that operations of a session can be tried', async () => {
    const { page, complaints } = await open('/docs#signIn')
    await fillIn(page)
    await run(page)
    await answered(page, '200')
    await page.getByLabel('Send it as').filter({ hasText: 'signed in here' }).waitFor()
    await page.goto(`${origin}/docs#listSessions`)
    await heading(page, 'Browsers that are signed in')
    await run(page)
    expect(JSON.parse(await answered(page, '200')).data.sessions).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('markup, right-to-left text and a large answer stay text', async () => {
    const { page, complaints } = await open('/docs#standardize')
    const nasty = '<img src=x onerror=alert(1)> \u202E שלום 😀'
    const { data, ...claim } = JSON.parse(await page.locator('#body').inputValue())
    const body = { ...claim, data: { ...data, content: `${nasty}${'a long word שלום 😀 '.repeat(400)}` } }
    await page.locator('#body').fill(JSON.stringify(body))
    await run(page)
    const shown = await answered(page, '200')
    expect(shown).toContain(nasty)
    expect(shown).toMatch(/… and [\d,]+ more characters, which Copy takes\n/)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await isWiderThanTheScreen(page)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('a body of extreme depth or length gets a verdict, and the page stays usable', async () => {
    const { page, complaints } = await open('/docs#diagnose', { expectsStatus: [413] })
    await page.locator('#body').fill(`{"data": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    await page.getByText('nested deeper than 100 levels').waitFor()
    await page.locator('#body').fill(JSON.stringify({ data: { content: 'a word '.repeat(150_000) } }))
    await page.getByText('nested deeper').waitFor({ state: 'detached' })
    await run(page)
    expect(JSON.parse(await answered(page, '413')).error.code).toBe('PAYLOAD_TOO_LARGE')
    expect(complaints).toEqual([])
  })

  test('a page below the path of a proxy asks that proxy', async () => {
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url, method, headers }) =>
        fetch(`${origin}${new URL(url).pathname.slice('/below'.length)}`, { method, headers, decompress: false }),
    })
    try {
      const here = `http://127.0.0.1:${proxy.port}`
      const { page, complaints } = await hosted.open({ alsoAt: [here] })
      await page.goto(`${here}/below/docs#getLiveness`)
      await run(page)
      expect(await answered(page, '200')).toContain('"alive": true')
      expect(await page.locator('#tab-panel pre').textContent()).toBe(`curl '${here}/below/api/v1/health/live'`)
      expect(complaints).toEqual([])
    } finally {
      await proxy.stop(true)
    }
  })

  test('a server without an answer is distinguished from one that refuses', async () => {
    const { page, context } = await open('/docs#getLiveness')
    await context.route('**/api/v1/health/live', (route) => route.abort())
    await run(page)
    await answer(page).getByText('The server did not answer').waitFor()
  })
})

describe('copying', () => {
  test('puts the current form on the clipboard, as curl and as client code', async () => {
    const { page, context, complaints } = await open('/docs#getProof')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await page.locator('#field-path-qHash').fill("o'hara")
    await page.getByRole('button', { name: 'Copy curl line' }).click()
    await page.getByRole('button', { name: 'Copy curl line' }).filter({ hasText: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`curl '${origin}/api/v1/proofs/o'\\''hara'`)
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight')
    await page.getByRole('button', { name: 'Copy client code' }).click()
    await page.getByRole('button', { name: 'Copy client code' }).filter({ hasText: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`client.proof('o\\'hara')`)
    expect(complaints).toEqual([])
  })
})

describe('loading', () => {
  test('explains a missing description, and gets it when asked again', async () => {
    const { page, context } = await hosted.open()
    await context.route('**/openapi.json', (route) => route.fulfill({ status: 429, body: '{}' }))
    await page.goto(`${origin}/docs`)
    await page.getByRole('alert').filter({ hasText: 'the server answered 429' }).waitFor()
    await context.unroute('**/openapi.json')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('searchbox').waitFor()
  })

  test.each([
    ['<html>a proxy speaks</html>', 'not an API description'],
    ['{"no":"paths"}', 'not an API description'],
  ])('reports another answer: %s', async (body, words) => {
    const { page, context } = await hosted.open()
    await context.route('**/openapi.json', (route) => route.fulfill({ status: 200, body }))
    await page.goto(`${origin}/docs`)
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
  })

  test('names the address of the description when there is no JavaScript', async () => {
    const { page } = await open('/docs', { withoutScripts: true })
    await page.locator('noscript p').filter({ hasText: 'The reference needs JavaScript' }).waitFor()
    expect(await page.locator('.needs-script').isVisible()).toBe(false)
    expect(await page.locator('noscript a').getAttribute('href')).toBe('openapi.json')
  })
})

describe('on a phone', () => {
  test('the list is away until it is asked for, and nothing is wider than the screen', async () => {
    const { page, complaints } = await open('/docs', { width: 390 })
    expect(await results(page).first().isVisible()).toBe(false)
    await page.getByRole('button', { name: /^All \d+ operations$/ }).click()
    await results(page).filter({ hasText: 'A gate by its id' }).first().click()
    await heading(page, 'A gate by its id')
    expect(await results(page).first().isVisible()).toBe(false)
    expect(await isWiderThanTheScreen(page)).toBe(false)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('#try-title:focus').waitFor()
    await search(page, 'sign in')
    await results(page).first().click()
    await page.locator('#search:placeholder-shown').waitFor()
    expect(await isWiderThanTheScreen(page)).toBe(false)
    expect(complaints).toEqual([])
  })
})

describe('how it looks', () => {
  test.each(['', '#verify', '#checkProofs', '#getStatus', '#fulfillGate'])(
    '/docs%s in light and dark, on a phone and a desktop, with nothing for axe to say',
    async (hash) => {
      const { page } = await open(`/docs${hash}`)
      await page.locator('h1').waitFor()
      await judged(page, `reference-${hash.slice(1) || 'start'}`, { fullPage: false })
    },
  )

  test('a result, opened folds and a search are as accessible', async () => {
    const { page } = await open('/docs#verify')
    await fillIn(page)
    await run(page)
    await answered(page, '200')
    await search(page, 'minBalance')
    await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    await judged(page, 'reference-tried', { fullPage: false })
  })

  test('a question that waits is as accessible', async () => {
    const { page } = await open('/docs#eraseAll')
    await run(page)
    await page.getByRole('dialog').waitFor()
    await judged(page, 'reference-sure', { fullPage: false })
  })
})
