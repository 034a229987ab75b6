/** Access to the MCP endpoint, and its refusals. Rows M1 to M15 of the checklist, over HTTP. */
import { describe, expect, spyOn, test } from 'bun:test'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createApp } from '../../src/app.ts'
import { createKey, endKey } from '../../src/auth/access-keys/access-keys.ts'
import { loadConfig } from '../../src/config/load.ts'
import { revokeFamily } from '../../src/oauth/family-store.ts'
import { rotateSigningKey } from '../../src/oauth/signing-key.ts'
import { dropProfile } from '../../src/profiles/store.ts'
import { openParts } from '../../src/start.ts'
import { type Answer, startOfTime } from '../app.ts'
import { grantTo, type TestGrant } from '../oauth/grant.ts'
import { alice, bob } from '../wallets.ts'
import { bearer, handshake, messageOf, modern, startMcp, type TestMcp } from './mcp.ts'

const metadataUrl = 'http://localhost:8787/.well-known/oauth-protected-resource'
const noCredentials = `Bearer resource_metadata="${metadataUrl}"`
const badToken = `Bearer error="invalid_token", resource_metadata="${metadataUrl}"`

const challengeIn = ({ status, headers }: Answer) => ({ status, challenge: headers.get('www-authenticate') })
const versions = [modern, ...handshake]

/** The first message of each era, and those that others let pass without a token. */
const messages: readonly [string, string, Record<string, unknown>][] = [
  [modern, 'server/discover', {}],
  [modern, 'tools/list', {}],
  [modern, 'tools/call', { name: 'svc_context' }],
  [
    '2025-11-25',
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  ],
  ['2025-11-25', 'ping', {}],
  ['2025-11-25', 'tools/list', {}],
  ['2025-06-18', 'tools/call', { name: 'svc_context' }],
  ['2025-03-26', 'tools/list', {}],
]

describe('M1 without credentials', () => {
  test.each(messages)('%s %s gets 401 and a challenge without an error', async (version, method, params) => {
    const app = await startMcp()
    const answer = await app.send(undefined, method, params, { version })
    expect(challengeIn(answer)).toEqual({ status: 401, challenge: noCredentials })
  })

  test('the body is not read, whatever it is', async () => {
    const app = await startMcp()
    for (const body of ['', '{', 'x'.repeat(300_000)])
      expect(challengeIn(await app.post('/mcp', body))).toEqual({ status: 401, challenge: noCredentials })
  })

  test('the address in the challenge answers, and names the endpoint as it was called', async () => {
    const app = await startMcp()
    const { status, body } = await app.get(new URL(metadataUrl).pathname)
    expect(status).toBe(200)
    expect(body).toEqual({
      resource: 'http://localhost:8787/mcp',
      authorization_servers: ['http://localhost:8787'],
      scopes_supported: ['svc:core', 'svc:profile', 'svc:secrets', 'offline_access'],
      bearer_methods_supported: ['header'],
      resource_name: 'Proofgate',
      resource_documentation: 'http://localhost:8787/',
    })
  })

  test('the challenge names the scopes where the metadata leaves offline_access out', async () => {
    const app = await startMcp({ PROOFGATE_MCP_ADVERTISE_OFFLINE_ACCESS: 'false' })
    expect(challengeIn(await app.send(undefined, 'tools/list'))).toEqual({
      status: 401,
      challenge: `Bearer scope="svc:core svc:profile svc:secrets", resource_metadata="${metadataUrl}"`,
    })
    const { body } = await app.get('/.well-known/oauth-protected-resource')
    expect(body.scopes_supported).toEqual(['svc:core', 'svc:profile', 'svc:secrets'])
  })

  test('another scheme is no credential, and a Bearer without a token is a bad one', async () => {
    const app = await startMcp()
    const send = (authorization: string) => app.send(undefined, 'tools/list', {}, { headers: { authorization } })
    expect(challengeIn(await send('Basic YTpi'))).toEqual({ status: 401, challenge: noCredentials })
    for (const text of ['Bearer', 'Bearer a b', 'bearer '])
      expect(challengeIn(await send(text))).toEqual({ status: 401, challenge: badToken })
  })
})

describe('M2 the metadata', () => {
  const addresses = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/mcp/.well-known/oauth-protected-resource',
  ]

  test.each(addresses)('is at %s, for every page, and may be kept', async (path) => {
    const app = await startMcp()
    const { status, body, headers } = await app.get(path, { origin: 'https://host.example' })
    expect({ status, resource: body.resource }).toEqual({ status: 200, resource: 'http://localhost:8787/mcp' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })

  test.each(['/.well-known/mcp.json', '/.well-known/mcp/server-card.json'])(
    '%s describes the endpoint',
    async (path) => {
      const app = await startMcp({ PROOFGATE_BRAND: 'acme' })
      const { body } = await app.get(path)
      expect(body).toMatchObject({
        name: 'acme',
        title: 'Proofgate',
        endpoint: 'http://localhost:8787/mcp',
        transport: { type: 'streamable-http', url: 'http://localhost:8787/mcp' },
        remotes: [{ type: 'streamable-http', url: 'http://localhost:8787/mcp' }],
        protocolVersions: versions,
        authorization: { type: 'oauth2', resource_metadata_url: metadataUrl, resourceMetadataUrl: metadataUrl },
        capabilities: { tools: { supported: true, listChanged: false } },
      })
      expect(body.tools).toHaveLength(12)
      expect(body.tools[0]).toEqual({
        name: 'acme_context',
        title: expect.any(String),
        description: expect.any(String),
      })
      expect(JSON.stringify(body)).not.toContain('{brand}')
    },
  )

  test('stands at the path of mcp_url too, where a proxy leaves that on', async () => {
    const config = await loadConfig({ env: { PROOFGATE_MCP_URL: 'https://example.com/agents' }, cwd: '/nonexistent' })
    const opened = await openParts(config, undefined, () => startOfTime)
    const own = 'https://example.com'
    opened.setAddresses({ baseUrl: own, authUrl: own, mcpUrl: `${own}/agents` })
    const whole = createApp(opened.parts)
    for (const path of [
      '/.well-known/oauth-protected-resource/agents/mcp',
      '/agents/.well-known/oauth-protected-resource',
      '/agents/mcp/.well-known/oauth-protected-resource',
      '/agents/.well-known/mcp.json',
    ]) {
      const answer = await whole.handle(new Request(`http://localhost${path}`))
      expect(answer.status).toBe(200)
    }
    for (const url of ['http://example.com/agents/mcp', 'http://example.com/mcp', 'http://EXAMPLE.com:443/mcp'])
      expect((await whole.handle(new Request(url, { method: 'POST' }))).status).toBe(401)
    expect((await whole.handle(new Request('http://other.example/agents/mcp', { method: 'POST' }))).status).toBe(403)
  })

  test('is gone with the endpoint where mcp.enabled is false; keys and signing in stay', async () => {
    const app = await startMcp({ PROOFGATE_MCP_ENABLED: 'false' })
    for (const path of [...addresses, '/.well-known/mcp.json']) expect((await app.request(path)).status).toBe(404)
    const raw = await app.request('/.well-known/mcp/server-card.json')
    expect(raw.status).toBe(404)
    expect((await app.signIn(alice)).subjectId).toBeString()
  })

  test('X1 never repeats the host and proxy headers of a request', async () => {
    const app = await startMcp()
    const { body } = await app.get('/.well-known/oauth-protected-resource', {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    })
    expect(JSON.stringify(body)).not.toContain('evil')
  })
})

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())

function signed(header: object, claims: object, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
const foreignKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

async function granted(): Promise<{ app: TestMcp; grant: TestGrant }> {
  const app = await startMcp()
  return { app, grant: await grantTo(app.parts, alice) }
}

describe('M3 a forged token is refused:', () => {
  const forgeries: Record<string, (token: string, app: TestMcp) => Promise<string> | string> = {
    'alg none': (token) => `${encoded({ ...headerOf(token), alg: 'none' })}.${token.split('.')[1]}.`,
    'HS256 under the public key': async (token, app) => {
      const { keys } = (await app.get('/.well-known/jwks.json')).body
      const text = `${encoded({ ...headerOf(token), alg: 'HS256' })}.${token.split('.')[1]}`
      return `${text}.${createHmac('sha256', JSON.stringify(keys[0])).update(text).digest('base64url')}`
    },
    'an altered payload': (token) => {
      const [header, , signature] = token.split('.')
      return `${header}.${encoded({ ...claimsOf(token), sub: 'sub-of-bob' })}.${signature}`
    },
    'a foreign kid': (token) =>
      signed({ ...headerOf(token), kid: 'foreign' }, claimsOf(token), foreignKey().privateKey),
    'a foreign key under our kid': (token) => signed(headerOf(token), claimsOf(token), foreignKey().privateKey),
    'its own jwk': (token) => {
      const { privateKey, publicKey } = foreignKey()
      return signed({ ...headerOf(token), jwk: publicKey.export({ format: 'jwk' }) }, claimsOf(token), privateKey)
    },
    'its own jku': (token) =>
      signed({ ...headerOf(token), jku: 'https://evil.example/jwks.json' }, claimsOf(token), foreignKey().privateKey),
    'no JWT at all': () => 'x',
    'an access key that nobody has': () => `npk_${'A'.repeat(43)}`,
    'an access key cut short': () => 'npk_',
    'sixteen thousand letters': () => 'e'.repeat(16_000),
  }

  test.each(Object.keys(forgeries))('%s', async (name) => {
    const { app, grant } = await granted()
    const answer = await app.send(await forgeries[name]!(grant.token, app), 'tools/list')
    expect(challengeIn(answer)).toEqual({ status: 401, challenge: badToken })
  })
})

describe('M4 a token', () => {
  test('in the query is ignored', async () => {
    const { app, grant } = await granted()
    const { body, headers } = messageOf(modern, 'tools/list')
    const answer = await app.post(`/mcp?access_token=${grant.token}`, body, headers)
    expect(challengeIn(answer)).toEqual({ status: 401, challenge: noCredentials })
  })

  test('in the body is ignored', async () => {
    const { app, grant } = await granted()
    const { body, headers } = messageOf(modern, 'tools/list')
    expect(challengeIn(await app.post('/mcp', { ...body, access_token: grant.token }, headers)).status).toBe(401)
    const form = await app.post('/mcp', `access_token=${grant.token}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(challengeIn(form)).toEqual({ status: 401, challenge: noCredentials })
  })
})

describe('M5 a call beyond the granted scopes', () => {
  const beyond: [string, object, string, string][] = [
    ['svc_secret_list', {}, 'svc:core', 'svc:core svc:secrets'],
    ['svc_secret_create', {}, 'svc:core svc:profile', 'svc:core svc:profile svc:secrets'],
    ['svc_secret_revoke', {}, 'svc:core offline_access', 'svc:core svc:secrets offline_access'],
    ['svc_agent_mount', {}, 'svc:core', 'svc:core svc:profile'],
    ['svc_agent_create', {}, 'svc:core', 'svc:core svc:profile'],
    ['svc_agent_link', {}, 'svc:core svc:secrets', 'svc:core svc:profile svc:secrets'],
    ['svc_proofs_get', {}, 'svc:core', 'svc:core svc:profile'],
    ['svc_proofs_get', { identifier: alice.address }, 'svc:core', 'svc:core svc:profile'],
    ['svc_context', {}, 'svc:profile', 'svc:core svc:profile'],
    ['svc_verify', {}, 'offline_access', 'svc:core offline_access'],
  ]

  test.each(beyond)('%s %o with %s gets the missing scopes', async (name, args, scope, needed) => {
    const app = await startMcp()
    const token = await app.tokenOf(alice, scope)
    for (const version of [modern, '2025-11-25']) {
      const answer = await app.send(token, 'tools/call', { name, arguments: args }, { version })
      expect(challengeIn(answer)).toEqual({
        status: 403,
        challenge: `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadataUrl}"`,
      })
    }
  })

  test('a call names the scope that is missing, and none that was granted', async () => {
    const app = await startMcp()
    const answer = await app.send(await app.tokenOf(alice, 'svc:core'), 'tools/call', {
      name: 'svc_secret_list',
      arguments: {},
    })
    expect(JSON.stringify(answer.body)).toContain('this needs svc:secrets, which was not granted')
  })

  test.each([['tools/list'], ['server/discover'], ['ping']])('%s needs svc:core', async (method) => {
    const app = await startMcp()
    const answer = await app.send(await app.tokenOf(alice, 'svc:secrets'), method)
    expect(challengeIn(answer)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('svc:core svc:secrets'),
    })
  })

  test('keeps public data open: proofs of others, a check, the context without its profile part', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice, 'svc:core')
    expect((await app.tool(token, 'svc_proofs_get', { identifier: bob.address })).data.data.proofs).toEqual([])
    expect((await app.tool(token, 'svc_proofs_check', { verifiers: ['ownership-basic'] })).data).toMatchObject({
      privateProofsCounted: false,
      hint: expect.stringContaining('profile'),
    })
    const { profileContext, profileSummary } = (await app.tool(token, 'svc_context')).data
    expect(profileSummary).toBeUndefined()
    expect(profileContext).toEqual({ status: 'scope_required', hint: expect.stringContaining('svc:profile') })
  })

  test('an access key without the scope gets the same', async () => {
    const app = await startMcp()
    await app.tokenOf(alice)
    const { key } = await createKey(app.parts, { primary: alice.address.toLowerCase(), name: 'k', scopes: ['core'] })
    const answer = await app.send(key, 'tools/call', { name: 'svc_secret_list' })
    expect(challengeIn(answer)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('svc:core svc:secrets'),
    })
  })
})

describe('M6 a request', () => {
  const ask = (app: TestMcp, headers: Record<string, string>, token?: string) =>
    app.send(token, 'tools/list', {}, { headers })

  test.each(['evil.example', 'evil.example:8787', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0:8787'])(
    'to the host %s gets 403, before a token is requested',
    async (host) => {
      const { app, grant } = await granted()
      for (const token of [undefined, grant.token]) {
        const answer = await ask(app, { host }, token)
        expect(challengeIn(answer)).toEqual({ status: 403, challenge: null })
      }
    },
  )

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost:8787.evil.example',
    'null',
    'file://',
    'chrome-extension://abc',
    'http://evil@localhost.example',
  ])('from a page of %s gets 403', async (origin) => {
    const { app, grant } = await granted()
    expect(challengeIn(await ask(app, { origin }, grant.token))).toEqual({ status: 403, challenge: null })
    expect(challengeIn(await ask(app, { origin }))).toEqual({ status: 403, challenge: null })
  })

  test.each(['http://localhost:8787', 'http://localhost:6274', 'http://127.0.0.1:3000', 'http://[::1]:5173'])(
    'from a page of %s is answered',
    async (origin) => {
      const { app, grant } = await granted()
      expect((await ask(app, { origin }, grant.token)).status).toBe(200)
    },
  )

  test.each(['localhost:8787', 'localhost', '127.0.0.1:8787', '[::1]:8787', 'LOCALHOST:8787'])(
    'to the host %s is answered',
    async (host) => {
      const { app, grant } = await granted()
      expect((await ask(app, { host }, grant.token)).status).toBe(200)
    },
  )

  test('from a configured page, to the configured host, is answered', async () => {
    const app = await startMcp({ PROOFGATE_MCP_ALLOWED_ORIGINS: 'https://inspector.example.com' })
    const token = await app.tokenOf()
    expect((await ask(app, { origin: 'https://inspector.example.com' }, token)).status).toBe(200)
    expect((await ask(app, { origin: 'https://inspector.example.com.evil.example' }, token)).status).toBe(403)
  })

  test('in the other methods is checked in the same way', async () => {
    const { app, grant } = await granted()
    const answer = await app.get('/mcp', { ...bearer(grant.token), origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
  })
})

describe('M8 a page', () => {
  const origin = 'http://localhost:6274'

  test('may send Authorization and the headers of MCP, which the preflight names one by one', async () => {
    const app = await startMcp()
    const { status, headers } = await app.request('/mcp', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-protocol-version,mcp-method,mcp-name',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
    for (const name of [
      'authorization',
      'content-type',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
    ])
      expect(allowed).toContain(name)
    expect(headers.get('access-control-allow-methods')).toContain('POST')
  })

  test.each([
    ['401', undefined, 'tools/list', {}],
    ['403', 'svc:core', 'tools/call', { name: 'svc_secret_list' }],
    ['200', 'svc:core', 'tools/list', {}],
  ])('can read the %s and its challenge', async (status, scope, method, params) => {
    const app = await startMcp()
    const token = scope === undefined ? undefined : await app.tokenOf(alice, scope)
    const answer = await app.send(token, method, params, { headers: { origin } })
    expect(answer.status).toBe(Number(status))
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('M9', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s without credentials gets 401, with them 405', async (method) => {
    const { app, grant } = await granted()
    const accept = { accept: 'text/event-stream' }
    expect(challengeIn(await app.request('/mcp', { method, headers: accept }))).toEqual({
      status: 401,
      challenge: noCredentials,
    })
    const answer = await app.request('/mcp', { method, headers: { ...accept, ...bearer(grant.token) } })
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })
})

describe('M10 a token that we signed is refused with', () => {
  const changes: Record<string, object> = {
    'another audience': { aud: 'http://localhost:8787' },
    'another issuer': { iss: 'http://localhost:9999' },
    'another use': { token_use: 'id' },
    'a time that is over': { exp: 1_767_225_600 - 1 },
    'a jti that we do not know': { jti: 'AAAAAAAAAAAAAAAAAAAAAA' },
  }
  test.each(Object.keys(changes))('%s', async (name) => {
    const { app, grant } = await granted()
    const { privateKey } = await grant.tokens.keys.current()
    const token = signed(headerOf(grant.token), { ...claimsOf(grant.token), ...changes[name] }, privateKey)
    expect(challengeIn(await app.send(token, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })

  test('another type', async () => {
    const { app, grant } = await granted()
    const { privateKey } = await grant.tokens.keys.current()
    const token = signed({ ...headerOf(grant.token), typ: 'JWT' }, claimsOf(grant.token), privateKey)
    expect(challengeIn(await app.send(token, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })

  test('unchanged claims, never: it is accepted until its hour is over', async () => {
    const { app, grant } = await granted()
    const { privateKey } = await grant.tokens.keys.current()
    const token = signed(headerOf(grant.token), claimsOf(grant.token), privateKey)
    expect((await app.send(token, 'tools/list')).status).toBe(200)
    app.wait(3_600_000)
    expect(challengeIn(await app.send(token, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })
})

describe('M11 refused at once is the token of', () => {
  test('a revoked grant', async () => {
    const { app, grant } = await granted()
    expect((await app.send(grant.token, 'tools/list')).status).toBe(200)
    await app.parts.db.write([revokeFamily(grant.family, 'revoked_by_person', app.now())])
    expect(challengeIn(await app.send(grant.token, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })

  test('a person who deleted their profile', async () => {
    const { app, grant } = await granted()
    await app.parts.db.write([dropProfile(grant.profile)].flat())
    expect(challengeIn(await app.send(grant.token, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })

  test('a revoked access key', async () => {
    const { app } = await granted()
    const primary = alice.address.toLowerCase()
    const { key, listed } = await createKey(app.parts, { primary, name: 'k', scopes: ['core'] })
    expect((await app.send(key, 'tools/list')).status).toBe(200)
    await endKey(app.parts, listed.keyId)
    expect(challengeIn(await app.send(key, 'tools/list'))).toEqual({ status: 401, challenge: badToken })
  })
})

test('M13 a token from before a key rotation stays valid, and one from after it too', async () => {
  const { app, grant } = await granted()
  await rotateSigningKey(app.parts)
  app.wait(301_000)
  const { token } = await grantTo(app.parts, alice)
  expect(headerOf(token).kid).not.toBe(headerOf(grant.token).kid)
  for (const one of [token, grant.token]) expect((await app.send(one, 'tools/list')).status).toBe(200)
})

describe('M14 the session of a browser', () => {
  test('gives no access here, with its token for changes or without', async () => {
    const app = await startMcp()
    const { headers } = await app.signIn(alice)
    expect((await app.get('/api/v1/auth/me', headers)).body.data.authenticated).toBe(true)
    expect(challengeIn(await app.send(undefined, 'tools/list', {}, { headers }))).toEqual({
      status: 401,
      challenge: noCredentials,
    })
  })

  test('has an id that is no token', async () => {
    const app = await startMcp()
    const { cookie } = await app.signIn(alice)
    const answer = await app.send(cookie.split('=')[1], 'tools/list')
    expect(challengeIn(answer)).toEqual({ status: 401, challenge: badToken })
  })
})

describe('M15 an error message', () => {
  test('holds no token, no stack and no SQL, nor does its log line', async () => {
    const lines: string[] = []
    const write = spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    try {
      const app = await startMcp({ PROOFGATE_LOG_LEVEL: 'debug' })
      const grant = await grantTo(app.parts, alice)
      const secret = { alias: 'K', secretType: 'single', content: 'xyzzy-the-secret' }
      const said = [
        await app.send(`${grant.token}x`, 'tools/list'),
        await app.send(grant.token, 'tools/burn'),
        await app.send(grant.token, 'tools/call', { name: 'svc_secret_create', arguments: { ...secret, alias: '!' } }),
        await app.send(grant.token, 'tools/call', { name: 'svc_secret_create', arguments: secret }),
        await app.send(grant.token, 'tools/call', { name: 'svc_secret_create', arguments: secret }),
        await app.send(grant.token, 'tools/list', {}, { headers: { 'mcp-method': 'x' } }),
      ]
      await app.parts.db.close()
      said.push(await app.send(grant.token, 'tools/call', { name: 'svc_context' }))
      const whole = `${JSON.stringify(said.map(({ body }) => body))}\n${lines.join('')}`
      for (const word of [grant.token, grant.token.split('.')[2]!, 'xyzzy']) expect(whole).not.toContain(word)
      const answers = JSON.stringify(said.map(({ body }) => body))
      for (const word of ['SELECT', 'INSERT', '.ts:', 'node_modules']) expect(answers).not.toContain(word)
    } finally {
      write.mockRestore()
    }
  })
})
