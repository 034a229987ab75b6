/** What a person ticks on the consent page is what the client gets, and what is remembered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import {
  allScopes,
  authorizeParameters,
  choicesIn,
  type Flow,
  flowOf,
  handleIn,
  type Parameters,
  returnedBy,
  tickedIn,
} from './flow.ts'

const web = 'https://app.example/cb'
let app: TestApp
let flow: Flow
let browser: SignedInBrowser
let client: string
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
})
afterAll(() => app.close())

let count = 0
beforeEach(async () => {
  app.wait(1)
  browser = await app.signIn(alice)
  client = await flow.newClient([web], `Client ${++count}`)
})

const open = (changes: Parameters = {}) =>
  flow.authorize(authorizeParameters({ client_id: client, redirect_uri: web, ...changes }), {
    cookie: browser.cookie,
    accept: 'text/html',
  })
const answer = (page: Answer, scope: string | undefined, headers: Record<string, string> = {}) =>
  flow.consent(handleIn(page.body), 'allow', { cookie: browser.cookie, accept: 'text/html', ...headers }, { scope })
const isAsked = ({ status, body }: Answer): boolean => status === 200 && handleIn(body) !== ''
const hasCode = (answered: Answer): boolean => answered.status === 303 && returnedBy(answered).searchParams.has('code')
async function redeem(answered: Answer, redirect_uri = web, client_id = client) {
  const code = returnedBy(answered).searchParams.get('code') ?? ''
  return (await flow.redeem(code, { client_id, redirect_uri })).body
}
const readRemembered = async (): Promise<string | undefined> =>
  (await select<{ scope: string }>(app.parts.db, 'SELECT scope FROM oauth_consents WHERE client = ?').get(client))
    ?.scope

describe('at first', () => {
  test('everything that was asked for by name is ticked, and staying connected is no choice', async () => {
    const { body } = await open({ scope: allScopes })
    expect(choicesIn(body)).toBe('svc:core svc:profile svc:secrets')
    expect(tickedIn(body)).toBe('svc:core svc:profile svc:secrets')
    expect(body).toContain('Stay connected while you are away')
  })

  test('a request without scopes offers the four, and does not tick what opens secrets', async () => {
    const { body } = await open()
    expect(choicesIn(body)).toBe('svc:core svc:profile svc:secrets')
    expect(tickedIn(body)).toBe('svc:core svc:profile')
    expect(body).toContain('Stay connected while you are away')
  })

  test('"Use another wallet" keeps a request without scopes one without scopes', async () => {
    const { body } = await open()
    const link = /href="\.\.(\/verify\?[^"]+)"/.exec(body)![1]!.replaceAll('&amp;', '&')
    const returnTo = new URL(link, 'http://localhost').searchParams.get('returnTo')!
    const again = await app.get(returnTo, { cookie: browser.cookie, accept: 'text/html' })
    expect(tickedIn(again.body)).toBe('svc:core svc:profile')
  })
})

describe('the client gets', () => {
  test('only what is ticked, with both of its tokens, now and after a refresh', async () => {
    const tokens = await redeem(await answer(await open({ scope: allScopes }), 'svc:core'))
    expect(tokens.scope).toBe('svc:core offline_access')
    const [, claims] = tokens.access_token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).scope).toBe('svc:core offline_access')
    const wider = await flow.refresh(tokens.refresh_token, { client_id: client, scope: 'svc:core svc:secrets' })
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    const refreshed = await flow.refresh(tokens.refresh_token, { client_id: client })
    expect(refreshed.body.scope).toBe('svc:core offline_access')
  })

  test('the four scopes of a request without scopes, where the person ticks them all', async () => {
    const tokens = await redeem(await answer(await open(), 'svc:core svc:profile svc:secrets'))
    expect(tokens.scope).toBe(allScopes)
  })

  test('nothing where nothing is ticked: the page says so, and can be answered again', async () => {
    const page = await open({ scope: allScopes })
    const refused = await answer(page, undefined)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('Nothing is ticked')
    expect(refused.body).toContain('Tick at least one line')
    expect(handleIn(refused.body)).toBe(handleIn(page.body))
    expect(tickedIn(refused.body)).toBe('')
    expect(refused.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
    expect(hasCode(await answer(refused, 'svc:core'))).toBe(true)
  })

  test('nothing where nothing is ticked: a program is told in the form of OAuth', async () => {
    const page = await open({ scope: allScopes })
    const refused = await answer(page, undefined, { accept: 'application/json' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(hasCode(await answer(page, 'svc:core'))).toBe(true)
  })

  test('a way to stay connected, where that alone was asked for', async () => {
    const page = await open({ scope: 'offline_access' })
    expect(choicesIn(page.body)).toBe('')
    expect((await redeem(await answer(page, undefined))).scope).toBe('offline_access')
  })

  test.each(['svc:core svc:secrets', 'offline_access svc:core', 'svc:core svc:root', '*'])(
    'nothing for a form with %p, of which not all was asked for',
    async (scope) => {
      const page = await open({ scope: 'svc:core svc:profile' })
      const refused = await answer(page, scope, { accept: 'application/json' })
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
      expect(await readRemembered()).toBeUndefined()
      expect(hasCode(await answer(page, 'svc:core'))).toBe(true)
    },
  )
})

describe('remembered is', () => {
  test('what was granted: a later request for what was unticked asks again', async () => {
    await answer(await open({ scope: 'svc:core svc:profile' }), 'svc:core')
    expect(hasCode(await open({ scope: 'svc:core' }))).toBe(true)
    expect(isAsked(await open({ scope: 'svc:core svc:profile' }))).toBe(true)
    expect(isAsked(await open({ scope: 'svc:profile' }))).toBe(true)
  })

  test('no scope that was remembered before, and is unticked now', async () => {
    await answer(await open({ scope: 'svc:core svc:profile' }), 'svc:core svc:profile')
    await answer(await open({ scope: 'svc:core svc:profile svc:secrets' }), 'svc:core svc:secrets')
    expect(await readRemembered()).toBe('svc:core svc:secrets')
    expect(isAsked(await open({ scope: 'svc:profile' }))).toBe(true)
  })

  test('nothing after signing out everywhere', async () => {
    await answer(await open({ scope: 'svc:core' }), 'svc:core')
    await app.post('/api/v1/auth/logout-everywhere', {}, browser.headers)
    expect(await readRemembered()).toBeUndefined()
    app.wait(1)
    browser = await app.signIn(alice)
    expect(isAsked(await open({ scope: 'svc:core' }))).toBe(true)
  })
})

describe('a client on this computer is asked about every time', () => {
  test.each(['http://127.0.0.1:43301/cb', 'http://localhost:43301/cb', 'http://[::1]:43301/cb'])(
    'at %s',
    async (redirect_uri) => {
      client = await flow.newClient([redirect_uri], `Local client ${count}`)
      const asked = { redirect_uri, scope: 'svc:core offline_access' }
      const page = await open(asked)
      expect(page.body).toContain('so we ask you every time')
      const tokens = await redeem(await answer(page, 'svc:core'), redirect_uri)
      expect(tokens.scope).toBe('svc:core offline_access')
      expect(await readRemembered()).toBeUndefined()
      expect(isAsked(await open(asked))).toBe(true)
    },
  )

  test('also where an older version has remembered a consent', async () => {
    const redirect_uri = 'http://127.0.0.1:43301/cb'
    client = await flow.newClient([redirect_uri], `Local client ${count}`)
    await answer(await open({ redirect_uri }), 'svc:core')
    await app.parts.db.write([
      {
        sql: `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at)
              SELECT id, ?1, '127.0.0.1', ?2, 1 FROM profiles`,
        params: [client, allScopes],
      },
    ])
    expect(isAsked(await open({ redirect_uri, scope: 'svc:core' }))).toBe(true)
  })

  test('and the command line of this server is asked about never', async () => {
    const answered = await flow.authorize(authorizeParameters(), { cookie: browser.cookie, accept: 'text/html' })
    expect(hasCode(answered)).toBe(true)
  })
})

describe('connected apps list', () => {
  const readApp = async () =>
    (await app.get('/api/v1/auth/apps', browser.headers)).body.data.apps.find(
      ({ clientId }: { clientId: string }) => clientId === client,
    )

  test('what is remembered, beside what its tokens may do', async () => {
    await redeem(await answer(await open({ scope: 'svc:core svc:profile' }), 'svc:core'))
    expect(await readApp()).toMatchObject({
      hasTokens: true,
      scopes: ['svc:core'],
      returnsTo: ['app.example'],
      remembered: [{ returnsTo: 'app.example', scopes: ['svc:core'], allowedAt: app.now() }],
    })
  })

  test('a remembered consent without any token, which can be taken back', async () => {
    await answer(await open({ scope: 'svc:core offline_access' }), 'svc:core')
    expect(await readApp()).toEqual({
      clientId: client,
      name: `Client ${count}`,
      firstParty: false,
      hasTokens: false,
      scopes: [],
      returnsTo: ['app.example'],
      remembered: [{ returnsTo: 'app.example', scopes: ['svc:core', 'offline_access'], allowedAt: app.now() }],
      connectedAt: app.now(),
      lastUsedAt: app.now(),
      endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
    })
    const taken = await app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers: browser.headers })
    expect(taken.status).toBe(200)
    expect(await readApp()).toBeUndefined()
    expect(isAsked(await open({ scope: 'svc:core' }))).toBe(true)
  })

  test('where a client on this computer returns to, with nothing remembered', async () => {
    const redirect_uri = 'http://localhost:43301/cb'
    client = await flow.newClient([redirect_uri], `Local client ${count}`)
    await redeem(await answer(await open({ redirect_uri, scope: 'svc:core' }), 'svc:core'), redirect_uri)
    expect(await readApp()).toMatchObject({ hasTokens: true, returnsTo: ['localhost'], remembered: [] })
  })
})
