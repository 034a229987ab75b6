/** The authorization endpoint before consent: its refusals, where they go, and the codes that it issues. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'
import {
  allScopes,
  authorizeParameters,
  cliCallback,
  type Flow,
  flowOf,
  issuer,
  type Parameters,
  resource,
  returnedBy,
} from './flow.ts'

let app: TestApp
let flow: Flow
let cookie: string
let client: string
beforeAll(async () => {
  app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_OAUTH_REDIRECT_SCHEMES: 'cursor,com.example.app',
  })
  flow = flowOf(app)
  client = await flow.newClient(['http://localhost:43301/callback?from=app', 'https://app.example/cb'])
})
beforeEach(async () => {
  app.wait(1)
  cookie = (await app.signIn(alice)).cookie
})
afterAll(() => app.close())

const stored = async (table: string): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${table}`).get())?.n ?? -1

describe('A1 an address that the client did not register', () => {
  test('is not redirected to: a program gets JSON, a browser a page', async () => {
    const asked = authorizeParameters({ client_id: client, redirect_uri: 'https://evil.example/cb' })
    const json = await flow.authorize(asked, { cookie })
    expect(json.status).toBe(400)
    expect(json.headers.get('location')).toBeNull()
    expect(json.body).toMatchObject({ error: 'invalid_request', success: false })
    const page = await flow.authorize(asked, { cookie, accept: 'text/html,*/*' })
    expect(page.status).toBe(400)
    expect(page.headers.get('location')).toBeNull()
    expect(page.headers.get('content-type')).toStartWith('text/html')
    expect(page.body).toContain('redirect_uri')
    expect(page.body).not.toContain('evil.example')
  })

  test.each([undefined, ''])('is not guessed when it is %p', async (redirect_uri) => {
    const answer = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri }), { cookie })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })
})

describe('A2 an address that only looks like the registered one is refused:', () => {
  test.each([
    'http://localhost:43301/a/../callback?from=app',
    'http://localhost:43301/Callback?from=app',
    'http://localhost:43301/callback',
    'http://localhost:43301/callback?from=app&more=1',
    'http://localhost:43301/callback?from=app#part',
    'http://user@localhost:43301/callback?from=app',
    'http://localhost:43301@evil.example/callback?from=app',
    'https://localhost:43301/callback?from=app',
    'http://localhost.evil.example:43301/callback?from=app',
    'http://localhost:43301/%63allback?from=app',
    'http://localhost:43301\\callback?from=app',
    ' http://localhost:43301/callback?from=app',
    'http://127.0.0.1:43301/callback?from=app',
    'http://2130706433:43301/callback?from=app',
    'http://[::1]:43301/callback?from=app',
    'http://localhost:99999/callback?from=app',
    'http://localhost:043301/callback?from=app',
    'HTTP://localhost:43301/callback?from=app',
    'http://app.example/cb',
    'https://app.example:443/cb',
    'https://app.example:8443/cb',
    'https://app.example/cb/',
    'https://app.example/cb%2f',
    'https://app.example./cb',
    'https://app.example.evil.example/cb',
    'https://sub.app.example/cb',
  ])('%s', async (redirect_uri) => {
    const answer = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri }), { cookie })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test.each([
    'http://127.0.0.1:43301/other',
    'http://localhost:43301/callback',
    'http://[::1]:43301/callback',
    'https://127.0.0.1:43301/callback',
    'http://127.0.0.1:43301/callback?x=1',
    'http://127.0.0.1:43301/callback/',
    'http://127.0.0.2:43301/callback',
  ])('for the command-line client: %s', async (redirect_uri) => {
    const answer = await flow.authorize(authorizeParameters({ redirect_uri }), { cookie })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })
})

describe('A3 on this computer', () => {
  test('the port may be another one than was registered', async () => {
    const native = await flow.newClient(['http://127.0.0.1:43301/cb', 'http://[::1]:43301/cb'], 'Native')
    for (const host of ['127.0.0.1', '[::1]']) {
      const redirect_uri = `http://${host}:50999/cb`
      const page = await flow.authorize(authorizeParameters({ client_id: native, redirect_uri, prompt: 'consent' }), {
        cookie,
      })
      const answer = await flow.allow(page.body, { cookie })
      expect(returnedBy(answer).href).toStartWith(`http://${host}:50999/cb?code=ac_`)
    }
  })

  test('A3b a code returns to the exact address that requested it', async () => {
    const code = await flow.newCode({ redirect_uri: 'http://127.0.0.1:50999/callback' })
    const answer = await flow.redeem(code, { redirect_uri: 'http://127.0.0.1:43301/callback' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await flow.redeem(code, { redirect_uri: 'http://127.0.0.1:50999/callback' })).status).toBe(200)
  })
})

describe('A4 an unknown client', () => {
  test.each(['nope', 'c_AAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(5000), 'https://client.example/metadata.json'])(
    'such as %s is reported only to the person, with the remedy',
    async (client_id) => {
      const asked = authorizeParameters({ client_id })
      const page = await flow.authorize(asked, { accept: 'text/html' })
      expect(page.status).toBe(400)
      expect(page.headers.get('location')).toBeNull()
      expect(page.body).toContain('Remove this server')
      expect(page.body).toContain('http://localhost:8787/mcp')
      expect((await flow.authorize(asked)).body).toMatchObject({ error: 'invalid_client' })
    },
  )

  test('is refused in the same way when the request has no client_id', async () => {
    expect((await flow.authorize(authorizeParameters({ client_id: undefined }))).status).toBe(400)
  })
})

/** Errors go to the client: of the command-line client, at an address of this computer. */
const faults: readonly (readonly [string, Parameters, string])[] = [
  ['A5 no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['A5 an empty challenge', { code_challenge: '' }, 'invalid_request'],
  ['A6 the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['A6 no method', { code_challenge_method: undefined }, 'invalid_request'],
  ['A6 a short challenge', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['A6 a long challenge', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
  ['A6 a challenge with padding', { code_challenge: `${'a'.repeat(42)}=` }, 'invalid_request'],
  ['A7 the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
  ['A7 the hybrid flow', { response_type: 'code token' }, 'unsupported_response_type'],
  ['A7 an id token', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['A7 no response type', { response_type: undefined }, 'invalid_request'],
  ['A9 another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['A9 the resource with a slash', { resource: `${resource}/` }, 'invalid_target'],
  ['A9 the resource with a query', { resource: `${resource}?a=1` }, 'invalid_target'],
  ['A9 the resource with a fragment', { resource: `${resource}#a` }, 'invalid_target'],
  ['A9 the issuer as the resource', { resource: issuer }, 'invalid_target'],
  ['A9 a path that leads to the resource', { resource: 'http://localhost:8787/x/../mcp' }, 'invalid_target'],
  ['A9b no resource', { resource: undefined }, 'invalid_target'],
  ['A12 a scope that does not exist', { scope: 'svc:root' }, 'invalid_scope'],
  ['A12 a scope of another brand', { scope: 'other:core' }, 'invalid_scope'],
]

describe.each(faults)('%s', (_, changes, error) => {
  test.each([true, false])('is reported to the client, with state and iss (signed in: %p)', async (isSignedIn) => {
    const before = await stored('oauth_codes')
    const answer = await flow.authorize(authorizeParameters(changes), isSignedIn ? { cookie } : {})
    const returned = returnedBy(answer)
    expect(returned.href).toStartWith(`${cliCallback}?error=`)
    expect(Object.fromEntries(returned.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: 'a state',
      iss: issuer,
    })
    expect(await stored('oauth_codes')).toBe(before)
  })
})

describe('A8 a parameter that is given twice', () => {
  const query = () => new URLSearchParams(authorizeParameters() as Record<string, string>)

  test.each(['scope', 'state', 'response_type', 'code_challenge', 'code_challenge_method'])(
    '%s is an invalid request',
    async (name) => {
      const parameters = query()
      parameters.append(name, parameters.get(name) ?? 'svc:core')
      parameters.append(name, 'svc:core')
      const returned = returnedBy(await app.get(`/oauth/authorize?${parameters}`, { cookie }))
      expect(returned.searchParams.get('error')).toBe('invalid_request')
      expect(returned.searchParams.has('state')).toBe(name !== 'state')
    },
  )

  test.each(['client_id', 'redirect_uri'])('%s is not redirected', async (name) => {
    const parameters = query()
    parameters.append(name, name === 'client_id' ? client : 'https://evil.example/cb')
    const answer = await app.get(`/oauth/authorize?${parameters}`, { cookie })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('A9c resource may be, when it is the same', async () => {
    const parameters = query()
    parameters.append('resource', resource)
    expect(returnedBy(await app.get(`/oauth/authorize?${parameters}`, { cookie })).searchParams.has('code')).toBe(true)
  })

  test('A9d resource may not be, when it differs', async () => {
    const parameters = query()
    parameters.append('resource', 'https://other.example/mcp')
    const returned = returnedBy(await app.get(`/oauth/authorize?${parameters}`, { cookie }))
    expect(returned.searchParams.get('error')).toBe('invalid_target')
  })
})

test('A9e the resource may be spelled with capitals and the standard port, and is stored as we write it', async () => {
  const spelled = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
  const itsFlow = flowOf(spelled)
  const code = await itsFlow.newCode({ resource: 'HTTP://LocalHost:8787/mcp' })
  const { body } = await itsFlow.redeem(code, { resource: 'HTTP://LOCALHOST:8787/mcp' })
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString())
  expect(claims.aud).toBe(resource)
  expect(await itsFlow.opens(body.access_token)).toBe(true)
  await spelled.close()
})

describe('A10 the state', () => {
  test.each(['a b', 'a+b', 'a%2Fb', '"quoted"', "it's", 'zażółć 🦉', 'a&b=c', '#frag', '<script>'])(
    '%s comes back as it was',
    async (state) => {
      const returned = returnedBy(await flow.authorize(authorizeParameters({ state }), { cookie }))
      expect(returned.searchParams.get('state')).toBe(state)
      const refused = returnedBy(await flow.authorize(authorizeParameters({ state, scope: 'no' }), { cookie }))
      expect(refused.searchParams.get('state')).toBe(state)
    },
  )

  test.each([undefined, ''])('A10b may not be %p', async (state) => {
    const returned = returnedBy(await flow.authorize(authorizeParameters({ state }), { cookie }))
    expect(returned.searchParams.get('error')).toBe('invalid_request')
    expect(returned.searchParams.has('state')).toBe(false)
  })

  test('is refused above the length limit', async () => {
    const returned = returnedBy(await flow.authorize(authorizeParameters({ state: 'x'.repeat(4097) }), { cookie }))
    expect(returned.searchParams.get('error')).toBe('invalid_request')
  })
})

describe('a valid request', () => {
  test('A11 A13 gives the command-line client a code, by 303, with state and iss alone', async () => {
    const answer = await flow.authorize(authorizeParameters(), { cookie })
    expect(answer.status).toBe(303)
    expect(answer.body).toBeUndefined()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const returned = returnedBy(answer)
    expect(returned.href).toStartWith(`${cliCallback}?code=`)
    expect(Object.fromEntries(returned.searchParams)).toEqual({
      code: expect.stringMatching(/^ac_[A-Za-z0-9_-]{43}$/),
      state: 'a state',
      iss: issuer,
    })
  })

  test('keeps the query of the registered address', async () => {
    const redirect_uri = 'http://localhost:50001/callback?from=app'
    const page = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri }), { cookie })
    const answer = await flow.allow(page.body, { cookie })
    expect(returnedBy(answer).href).toStartWith(`${redirect_uri}&code=ac_`)
  })

  test('sends an anonymous visitor to sign in, and back here', async () => {
    const answer = await flow.authorize(authorizeParameters({ state: 'a b&c' }))
    expect(answer.status).toBe(303)
    const to = returnedBy(answer)
    expect(to.origin + to.pathname).toBe('http://localhost:8787/verify')
    expect(to.searchParams.get('intent')).toBe('login')
    const returnTo = to.searchParams.get('returnTo')!
    expect(returnTo).toStartWith('/oauth/authorize?')
    expect(Object.fromEntries(new URLSearchParams(returnTo.split('?')[1]))).toEqual(
      authorizeParameters({ state: 'a b&c' }) as Record<string, string>,
    )
    expect(returnedBy(await app.get(returnTo, { cookie })).searchParams.has('code')).toBe(true)
  })

  test.each([
    ['all', undefined, allScopes],
    ['all', '', allScopes],
    ['one', 'svc:core', 'svc:core'],
    ['two, in our order', 'offline_access svc:core', 'svc:core offline_access'],
    ['A12 those that there are', 'openid svc:core svc:root', 'svc:core'],
    ['one, said twice', 'svc:core  svc:core', 'svc:core'],
  ])('grants %s of the scopes in %p', async (_, scope, granted) => {
    const { scope: given } = await flow.newTokens({ scope })
    expect(given).toBe(granted)
  })

  test('A24 tolerates prompt, login_hint and unknown parameters', async () => {
    const parameters = authorizeParameters({ prompt: 'consent', login_hint: 'me@example.com', unknown: 'x', ui: '1' })
    expect(returnedBy(await flow.authorize(parameters, { cookie })).searchParams.has('code')).toBe(true)
  })
})

test('A22 a refusal is not sent to a web address that the person never allowed', async () => {
  const asked = { client_id: client, redirect_uri: 'https://app.example/cb' }
  const wrong = authorizeParameters({ ...asked, scope: 'no-such' })
  for (const headers of [{}, { cookie }]) {
    const answer = await flow.authorize(wrong, headers)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(answer.headers.get('location')).toBeNull()
  }
  const page = await flow.authorize(authorizeParameters(asked), { cookie })
  await flow.allow(page.body, { cookie })
  expect(returnedBy(await flow.authorize(wrong, { cookie })).searchParams.get('error')).toBe('invalid_scope')
  expect((await flow.authorize(wrong)).headers.get('location')).toBeNull()
})

test('A23 pages of other origins cannot read the answers of the endpoint', async () => {
  const answer = await flow.authorize(authorizeParameters(), { cookie, origin: 'https://client.example' })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

test('a request without parameters is refused on this page', async () => {
  expect((await app.get('/oauth/authorize')).body).toMatchObject({ error: 'invalid_request' })
  expect((await app.post('/oauth/authorize', {})).body).toMatchObject({ error: 'invalid_request', success: false })
})

test('a client with a private scheme gets its code at that scheme', async () => {
  const cursor = await flow.newClient(['cursor://anysphere.cursor-mcp/oauth/callback'], 'An editor')
  const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const page = await flow.authorize(authorizeParameters({ client_id: cursor, redirect_uri }), { cookie })
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' cursor:;")
  const answer = await flow.allow(page.body, { cookie })
  expect(answer.headers.get('location')).toStartWith(`${redirect_uri}?code=ac_`)
})

test('R9 a person who signs out everywhere leaves no code behind, in either order', async () => {
  const open = select<{ n: number }>(
    app.parts.db,
    'SELECT count(*) AS n FROM oauth_codes c WHERE c.consumed_at IS NULL AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.profile = c.profile)',
  )
  for (let round = 0; round < 10; round++) {
    app.wait(1)
    const signedIn = await app.signIn(bob)
    const out = () => app.post('/api/v1/auth/logout-everywhere', '', signedIn.headers)
    const ask = () => flow.authorize(authorizeParameters(), { cookie: signedIn.cookie })
    const answers = await Promise.all(round % 2 ? [ask(), out(), ask()] : [out(), ask(), ask()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 303, 303])
    expect((await open.get())?.n).toBe(0)
  }
})
