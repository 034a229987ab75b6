/** The consent question before a client gets a code, and the answers that count. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { removeClient } from '../../src/oauth/remove-client.ts'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { overtake } from '../parts/overtake.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory } from '../wallets.ts'
import {
  allScopes,
  authorizeParameters,
  callback,
  type Flow,
  flowOf,
  handleIn,
  issuer,
  type Parameters,
  returnedBy,
} from './flow.ts'

let app: TestApp
let flow: Flow
let browser: SignedInBrowser
let client: string
let asked: (changes?: Parameters) => Parameters
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
})
afterAll(() => app.close())

const webCallback = 'https://app.example/cb'

let count = 0
beforeEach(async () => {
  app.wait(1)
  browser = await app.signIn(alice)
  client = await flow.newClient([webCallback], `Client ${++count}`)
  asked = (changes) =>
    authorizeParameters({ client_id: client, redirect_uri: webCallback, scope: allScopes, ...changes })
})

const page = (changes?: Parameters, cookie = browser.cookie) =>
  flow.authorize(asked(changes), { cookie, accept: 'text/html' })
const allow = (form: string, headers: Record<string, string> = { cookie: browser.cookie }) => flow.allow(form, headers)
async function allowed(changes?: Parameters) {
  return allow((await page(changes)).body)
}
const redeem = (returned: URL) =>
  flow.redeem(returned.searchParams.get('code')!, { client_id: client, redirect_uri: webCallback })
const hasCode = (answer: Awaited<ReturnType<typeof page>>): boolean =>
  answer.status === 303 && returnedBy(answer).searchParams.has('code')

describe('A18 a client that registered itself', () => {
  test.each([undefined, 'none', 'login', 'consent'])('gets no code without consent (prompt %p)', async (prompt) => {
    const answer = await page({ prompt })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('location')).toBeNull()
    expect(handleIn(answer.body)).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('gets one once the person allows it', async () => {
    const answer = await allowed()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.fromEntries(returnedBy(answer).searchParams)).toEqual({
      code: expect.stringMatching(/^ac_/),
      state: 'a state',
      iss: issuer,
    })
    expect(answer.status).toBe(303)
  })

  test('learns that the person denied it, and nothing is remembered', async () => {
    const answer = await flow.consent(handleIn((await page()).body), 'deny', { cookie: browser.cookie })
    expect(Object.fromEntries(returnedBy(answer).searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'a state',
      iss: issuer,
    })
    expect((await page()).status).toBe(200)
  })
})

describe('consent for a program on the person’s computer', () => {
  test.each([
    'http://127.0.0.1/cb',
    'https://localhost/cb',
    'https://localhost./cb',
    'https://127.0.0.1/cb',
    'https://127.1.2.3:8443/cb',
    'https://[::1]/cb',
    'https://[::ffff:7f00:1]/cb',
    'https://0.0.0.0/cb',
    'https://[::]/cb',
    'https://app.localhost/cb',
    'cursor://host/cb',
    'vscode://host/cb',
  ])('is asked for every time: %s', async (uri) => {
    client = await flow.newClient([uri], `Program ${count}`)
    const changes = { client_id: client, redirect_uri: uri }
    const first = await page(changes)
    expect(first.body).toContain('Any program on this computer')
    expect((await allow(first.body)).status).toBe(303)
    expect((await page(changes)).status).toBe(200)
  })
})

describe('A19 consent is remembered', () => {
  test('until a later question is denied', async () => {
    await allowed()
    expect(hasCode(await page())).toBe(true)
    const again = await page({ prompt: 'consent' })
    await flow.consent(handleIn(again.body), 'deny', { cookie: browser.cookie })
    expect((await page()).status).toBe(200)
  })

  test('for the same and for less, and not for more', async () => {
    await allowed({ scope: 'svc:core svc:profile' })
    expect(hasCode(await page({ scope: 'svc:core svc:profile' }))).toBe(true)
    expect(hasCode(await page({ scope: 'svc:core' }))).toBe(true)
    const wider = await page({ scope: 'svc:core svc:secrets' })
    expect(wider.status).toBe(200)
    await allow(wider.body)
    expect(hasCode(await page({ scope: 'svc:core svc:profile svc:secrets' }))).toBe(true)
    expect((await page({ scope: allScopes })).status).toBe(200)
  })

  test('with all scopes of two answers that come at once', async () => {
    const [profile, secrets] = [await page({ scope: 'svc:core svc:profile' }), await page({ scope: 'svc:secrets' })]
    const answers = await Promise.all([profile, secrets].map(({ body }) => allow(body)))
    expect(answers.map(hasCode)).toEqual([true, true])
    expect(hasCode(await page({ scope: 'svc:core svc:profile svc:secrets' }))).toBe(true)
    const stored = await select<{ scope: string }>(
      app.parts.db,
      'SELECT scope FROM oauth_consents ORDER BY created_at DESC LIMIT 1',
    ).get()
    expect(stored?.scope.split(' ').sort()).toEqual(['svc:core', 'svc:profile', 'svc:secrets'])
  })

  test('until the client is disconnected, also in the moment of its next request', async () => {
    await allowed()
    overtake(app.parts.db, 'INSERT INTO oauth_codes', () =>
      app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers: browser.headers }),
    )
    const answer = await page()
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(hasCode(await allow(answer.body))).toBe(true)
  })

  test('it is renewed with prompt=consent', async () => {
    await allowed()
    expect((await page({ prompt: 'consent' })).status).toBe(200)
  })

  test('for the same place only', async () => {
    const both = await flow.newClient(['https://one.example/cb', 'https://two.example/cb'])
    const at = (redirect_uri: string) => page({ client_id: both, redirect_uri })
    await allow((await at('https://one.example/cb')).body)
    expect(hasCode(await at('https://one.example/cb'))).toBe(true)
    expect((await at('https://two.example/cb')).status).toBe(200)
  })

  test('for the same client and the same person only', async () => {
    await allowed()
    const other = await flow.newClient([webCallback], 'Another one')
    expect((await page({ client_id: other })).status).toBe(200)
    const { cookie } = await app.signIn(bob)
    expect((await page({}, cookie)).status).toBe(200)
  })
})

describe('A17 an answer counts', () => {
  test('once', async () => {
    const form = (await page()).body
    expect(hasCode(await allow(form))).toBe(true)
    expect(await allow(form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('once for eight simultaneous answers', async () => {
    const form = (await page()).body
    const answers = await Promise.all(Array.from({ length: 8 }, () => allow(form)))
    expect(answers.filter(hasCode)).toHaveLength(1)
  })

  test('from the browser that was asked only', async () => {
    const form = (await page()).body
    const { cookie } = await app.signIn(mallory)
    expect((await allow(form, { cookie })).status).toBe(400)
    app.wait(1)
    const again = await app.signIn(alice)
    expect((await allow(form, { cookie: again.cookie })).status).toBe(400)
    expect((await allow(form, {})).status).toBe(400)
    expect(hasCode(await allow(form))).toBe(true)
  })

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://localhost:1' }],
    [{ origin: 'null' }],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: issuer, 'sec-fetch-site': 'cross-site' }],
  ])('from a page of this server only, not with %p', async (headers: Record<string, string>) => {
    const form = (await page()).body
    const answer = await allow(form, { cookie: browser.cookie, ...headers })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('location')).toBeNull()
    expect(hasCode(await allow(form))).toBe(true)
  })

  test.each([
    [{ origin: issuer }],
    [{ origin: issuer, 'sec-fetch-site': 'same-origin' }],
    // Chromium sends this for a form on a page with Referrer-Policy: no-referrer.
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ])('with %p', async (headers: Record<string, string>) => {
    const form = (await page()).body
    expect(hasCode(await allow(form, { cookie: browser.cookie, ...headers }))).toBe(true)
  })

  test('unless the operator removes the client in the same moment', async () => {
    const form = (await page()).body
    overtake(app.parts.db, 'INSERT INTO oauth_codes', () => removeClient(app.parts, client))
    expect(await allow(form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const left = 'SELECT count(*) AS n FROM oauth_consents WHERE client = ?'
    expect((await select<{ n: number }>(app.parts.db, left).get(client))?.n).toBe(0)
  })

  test('within ten minutes', async () => {
    const form = (await page()).body
    app.wait(600_000)
    const answer = await allow(form, { cookie: browser.cookie, accept: 'text/html' })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('expired')
  })

  test.each(['', 'maybe', 'ALLOW'])('when it is one (%p)', async (decision) => {
    const form = (await page()).body
    expect((await flow.consent(handleIn(form), decision, { cookie: browser.cookie })).status).toBe(400)
    expect(hasCode(await allow(form))).toBe(true)
  })

  test('when the handle is right', async () => {
    const scope = { scope: 'svc:core' }
    expect((await flow.consent('', 'allow', { cookie: browser.cookie }, scope)).status).toBe(400)
    expect((await flow.consent('A'.repeat(43), 'allow', { cookie: browser.cookie }, scope)).status).toBe(400)
  })

  test('as long as the person is signed in', async () => {
    const form = (await page()).body
    await app.post('/api/v1/auth/logout', {}, browser.headers)
    expect((await allow(form)).status).toBe(400)
  })
})

test('A20 the request that was shown counts, whatever else the form says', async () => {
  const form = (await page({ scope: 'svc:core' })).body
  const answer = await flow.allow(
    form,
    { cookie: browser.cookie },
    { redirect_uri: 'https://evil.example/cb', client_id: 'svc-cli', state: 'another' },
  )
  const returned = returnedBy(answer)
  expect(returned.href).toStartWith(`${webCallback}?`)
  expect(returned.searchParams.get('state')).toBe('a state')
  const { body } = await redeem(returned)
  expect(body).toMatchObject({ scope: 'svc:core' })
  expect(body.refresh_token).toBeUndefined()
})

describe('the consent page', () => {
  test('D8 says that the name is unverified, where it leads, what is allowed and who is signed in', async () => {
    const local = await flow.newClient([callback], 'A local client')
    const { body } = await page({ client_id: local, redirect_uri: callback })
    expect(body).toContain('A local client')
    expect(body).toContain('Nobody has checked it')
    expect(body).toContain('localhost')
    expect(body).toContain('this computer')
    expect(body).toContain('Any program on this computer could have asked')
    expect(body).toContain(alice.address.toLowerCase())
    expect(body).toContain('Check proofs')
    expect(body).toContain('encrypted secrets')
    expect(body).toContain('Stay connected')
    const narrow = (await page({ scope: 'svc:core' })).body
    expect(narrow).not.toContain('encrypted secrets')
    expect(narrow).not.toContain('Stay connected')
    const far = (await page()).body
    expect(far).toContain('app.example')
    expect(far).not.toContain('this computer')
  })

  test('A14 A15 is in no frame, sends no referrer, is not cached and loads no foreign resources', async () => {
    const unknown = await flow.authorize(authorizeParameters({ client_id: 'nope' }), { accept: 'text/html' })
    for (const { headers, body } of [await page(), unknown]) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
      expect(body).not.toMatch(/<script(?![^>]*src=)/)
      expect(body).not.toMatch(/<style|style=|\son[a-z]+=/)
      expect(body).not.toMatch(/(src|href)="(https?:)?\/\//)
    }
  })

  test.each([
    [callback, 'http://localhost:43301'],
    ['http://127.0.0.1:43301/cb', 'http://127.0.0.1:43301'],
    ['http://[::1]:43301/cb', 'http:'],
    ['https://app.example:8443/cb', 'https://app.example:8443'],
    ['vscode://vscode.github-authentication/did-authenticate', 'vscode:'],
  ])('lets its form end at %s', async (redirect_uri, source) => {
    const one = await flow.newClient([redirect_uri])
    const { headers } = await page({ client_id: one, redirect_uri })
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${source};`)
  })

  test.each(['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "' onclick='x", '&lt;b&gt;'])(
    'A21 shows the name %p as text',
    async (name) => {
      const one = await flow.newClient([webCallback], name)
      const { body } = await page({ client_id: one })
      const escaped = name.replace(
        /[&<>"']/g,
        (mark) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[mark]};`,
      )
      expect(body).toContain(`<bdi>${escaped}</bdi>`)
    },
  )

  test('A21 fetches no logo', async () => {
    const { body } = await flow.register({
      redirect_uris: ['https://logo.example/cb'],
      logo_uri: 'https://evil.example/l.png',
    })
    const shown = await page({ client_id: body.client_id, redirect_uri: 'https://logo.example/cb' })
    expect(shown.body).not.toContain('evil.example')
  })

  test('offers to use another wallet, and comes back to the same request', async () => {
    const { body } = await page({ scope: 'svc:core' })
    const link = /href="\.\.(\/verify\?[^"]+)"/.exec(body)![1]!.replaceAll('&amp;', '&')
    const returnTo = new URL(link, issuer).searchParams.get('returnTo')!
    expect((await app.get(returnTo, { cookie: browser.cookie })).body).toContain(`Client ${count}`)
  })

  test('opened very often leaves a bounded number of questions', async () => {
    for (let times = 0; times < 40; times++) await page()
    const open = await select<{ n: number }>(
      app.parts.db,
      'SELECT max(n) AS n FROM (SELECT count(*) AS n FROM oauth_requests GROUP BY session_hash) counted',
    ).get()
    expect(open?.n).toBe(32)
  })
})
