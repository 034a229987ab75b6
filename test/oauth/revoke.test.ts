/** Token revocation: rows V1 to V7, and people who disconnect apps themselves. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { listColumns } from '../parts/tables.ts'
import { alice, bob } from '../wallets.ts'
import { allScopes, authorizeParameters, callback, type Flow, flowOf, returnedBy } from './flow.ts'

let app: TestApp
let flow: Flow
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
})
afterAll(() => app.close())

const done = { status: 200, body: { success: true } }
const path = '/api/v1/auth/mcp/revoke'

test('V1 a revoked access token is invalid at once, and so are the refresh tokens', async () => {
  const tokens = await flow.newTokens()
  const { body } = await flow.refresh(tokens.refresh_token)
  expect(await flow.revoke(body.access_token, { token_type_hint: 'access_token' })).toMatchObject(done)
  for (const { access_token } of [tokens, body]) expect(await flow.opens(access_token)).toBe(false)
  expect((await flow.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
})

test('V2 a revoked refresh token invalidates the access tokens', async () => {
  const tokens = await flow.newTokens()
  expect(await flow.revoke(tokens.refresh_token, { token_type_hint: 'refresh_token' })).toMatchObject(done)
  expect(await flow.opens(tokens.access_token)).toBe(false)
  expect((await flow.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test.each(['nonsense', 'rt_nonsense', 'a.b.c', `rt_${'A'.repeat(43)}`, 'npk_AAAA', '\u0000'])(
  'V3 the answer does not tell whether the token existed: %p',
  async (token) => {
    expect(await flow.revoke(token)).toMatchObject(done)
  },
)

test('V4 another client gets the same answer and changes no state', async () => {
  const other = await flow.newClient()
  const tokens = await flow.newTokens()
  for (const token of [tokens.access_token, tokens.refresh_token])
    expect(await flow.revoke(token, { client_id: other })).toMatchObject(done)
  expect(await flow.opens(tokens.access_token)).toBe(true)
  expect((await flow.refresh(tokens.refresh_token)).status).toBe(200)
})

test.each([
  ['refresh_token', 'access_token'],
  ['access_token', 'refresh_token'],
  ['access_token', 'nonsense'],
  ['refresh_token', undefined],
] as const)('V5 the %s is revoked whatever the hint (%p)', async (kind, token_type_hint) => {
  const tokens = await flow.newTokens()
  expect(await flow.revoke(tokens[kind], { token_type_hint })).toMatchObject(done)
  expect(await flow.opens(tokens.access_token)).toBe(false)
})

test('V6 an access token that has expired still ends the grant', async () => {
  const tokens = await flow.newTokens()
  app.wait(3_700_000)
  await app.sweep()
  expect(await flow.opens(tokens.access_token)).toBe(false)
  expect(await flow.revoke(tokens.access_token)).toMatchObject(done)
  expect((await flow.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('V7 a forged token changes no state', async () => {
  const tokens = await flow.newTokens()
  const [header, payload, signature] = tokens.access_token.split('.') as [string, string, string]
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  for (const token of [`${header}.${payload}.${flipped}`, `${none}.${payload}.`, `${header}.${payload}.`])
    expect(await flow.revoke(token)).toMatchObject(done)
  expect(await flow.opens(tokens.access_token)).toBe(true)
})

describe('a request to revoke', () => {
  test.each([
    ['without a token', 'client_id=svc-cli', 400, 'invalid_request'],
    ['without a client', 'token=x', 400, 'invalid_request'],
    ['of a client that is not known', 'token=x&client_id=nope', 401, 'invalid_client'],
    ['with two tokens', 'token=x&token=y&client_id=svc-cli', 400, 'invalid_request'],
  ])('%s is refused', async (_, body, status, error) => {
    expect(await flow.form(path, body)).toMatchObject({ status, body: { error } })
  })
  test('by JSON or GET is refused', async () => {
    expect((await app.post(path, { token: 'x', client_id: 'svc-cli' })).status).toBe(415)
    expect((await app.get(path)).status).toBe(405)
  })
})

describe('connected apps', () => {
  async function connect(name: string): Promise<{ client: string; access_token: string; refresh_token: string }> {
    const client = await flow.newClient([callback], name)
    app.wait(1)
    const { cookie } = await app.signIn(alice)
    const asked = authorizeParameters({ client_id: client, redirect_uri: callback, scope: allScopes })
    const page = await flow.authorize(asked, { cookie })
    const answer = await flow.allow(page.body, { cookie })
    const code = returnedBy(answer).searchParams.get('code')!
    const { body } = await flow.redeem(code, { client_id: client, redirect_uri: callback })
    return { client, ...body }
  }

  test('are listed to the person, with their permissions', async () => {
    const { client } = await connect('An assistant')
    app.wait(1)
    const { cookie } = await app.signIn(alice)
    const { status, body } = await app.get('/api/v1/auth/apps', { cookie })
    expect(status).toBe(200)
    expect(body.data.apps.find((one: { clientId: string }) => one.clientId === client)).toEqual({
      clientId: client,
      name: 'An assistant',
      firstParty: false,
      hasTokens: true,
      scopes: allScopes.split(' '),
      returnsTo: ['localhost'],
      remembered: [],
      connectedAt: app.now() - 1,
      lastUsedAt: expect.any(Number),
      endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
    })
  })

  test('are listed 200 at a time, the last connected first, below two megabytes, and each can be reached', async () => {
    await connect('The first of many')
    const { db } = app.parts
    const columns = listColumns('oauth_families').filter((name) => name !== 'id')
    const values = columns.map((name) =>
      name === 'handle'
        ? "handle || '-' || ?1"
        : name === 'client'
          ? "'many-' || ?1"
          : name === 'created_at'
            ? 'created_at + CAST(?1 AS BIGINT)'
            : name,
    )
    const copies = Array.from({ length: 450 }, (_, index) => ({
      sql: `INSERT INTO oauth_families (${columns.join(', ')}) SELECT ${values.join(', ')} FROM oauth_families WHERE id = (
        SELECT id FROM oauth_families WHERE client NOT LIKE 'many-%' ORDER BY id DESC LIMIT 1)`,
      params: [index + 1],
    }))
    await db.write(copies)
    const { cookie } = await app.signIn(alice)
    const seen: string[] = []
    for (let offset = 0, truncated = true; truncated; offset += 200) {
      const { body } = await app.get(`/api/v1/auth/apps?offset=${offset}`, { cookie })
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(2_000_000)
      expect(body.data.apps.length).toBeLessThanOrEqual(200)
      seen.push(...body.data.apps.map(({ clientId }: { clientId: string }) => clientId))
      truncated = body.data.truncated
    }
    expect(seen.slice(0, 2)).toEqual(['many-450', 'many-449'])
    expect(new Set(seen.filter((id) => id.startsWith('many-'))).size).toBe(450)
    expect(new Set(seen).size).toBe(seen.length)
    expect((await app.get('/api/v1/auth/apps?limit=201', { cookie })).status).toBe(400)
    await db.write([{ sql: "DELETE FROM oauth_families WHERE client LIKE 'many-%'", params: [] }])
  })

  test('are disconnected by the person: every token ends, and the client must ask again', async () => {
    const { client, access_token, refresh_token } = await connect('To go')
    app.wait(1)
    const { headers, cookie } = await app.signIn(alice)
    const answer = await app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers })
    expect(answer).toMatchObject({ status: 200, body: { data: { clientId: client, connected: false } } })
    expect(await flow.opens(access_token)).toBe(false)
    expect((await flow.refresh(refresh_token, { client_id: client })).body.error).toBe('invalid_grant')
    const asked = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri: callback }), { cookie })
    expect(asked.status).toBe(200)
    const { body } = await app.get('/api/v1/auth/apps', { cookie })
    expect(JSON.stringify(body)).not.toContain(client)
    expect((await app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers })).status).toBe(404)
  })

  test('are hidden from other people, who cannot disconnect them', async () => {
    const { client, access_token } = await connect('Mine')
    app.wait(1)
    const { headers, cookie } = await app.signIn(bob)
    expect((await app.get('/api/v1/auth/apps', { cookie })).body.data.apps).toEqual([])
    expect((await app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers })).status).toBe(404)
    expect(await flow.opens(access_token)).toBe(true)
  })

  test('are hidden from anonymous callers, and cannot be changed by foreign pages', async () => {
    const { client } = await connect('Kept')
    expect((await app.get('/api/v1/auth/apps')).status).toBe(401)
    app.wait(1)
    const { cookie } = await app.signIn(alice)
    const withoutToken = await app.request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers: { cookie } })
    expect(withoutToken.status).toBe(403)
  })
})
