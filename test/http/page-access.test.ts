/** Tests which host names and web pages a server on loopback answers. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { flowOf } from '../oauth/flow.ts'
import { expectRefused, leavesNothing, rowCounts } from './refused.ts'
import { getRequest, listen, type TestServer } from './socket.ts'

/** The real app as it listens by default. */
const startLocal = (env: Record<string, string> = {}) => startApp({ PROOFGATE_HOST: '127.0.0.1', ...env })

const live = '/api/v1/health/live'
const check = '/api/v1/proofs/check?verifierIds=ownership-basic&address=0x1111111111111111111111111111111111111111'
const evil = 'https://evil.example'

describe('the Host header of a server on loopback', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await listen({
      PROOFGATE_BASE_URL: 'https://proofs.example.com',
      PROOFGATE_MCP_URL: 'https://mcp.example.com',
    })
  })
  afterAll(() => server.stop())

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.8.8.8:8787', '[::1]', '[::1]:80'])(
    '%s is its own',
    async (host) => expect((await server.raw(getRequest(live, host))).body).toMatchObject({ alive: true }),
  )

  test.each(['proofs.example.com', 'proofs.example.com:443', 'mcp.example.com'])(
    '%s is a configured address, as a proxy in front passes it on',
    async (host) => expect((await server.raw(getRequest(live, host))).status).toBe(200),
  )

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.7', 'example.com', 'nas'])(
    '%s is refused on every route, with what to configure',
    async (host) => {
      for (const path of [
        '/',
        live,
        check,
        '/openapi.json',
        '/verify',
        '/docs',
        '/client.js',
        '/nothing',
        '/.well-known/oauth-protected-resource/mcp',
        '/api/v1/proofs/by-wallet/mcp',
      ])
        expectRefused(await server.raw(getRequest(path, host)), 'FORBIDDEN', /Host header.*base_url/)
      expect((await server.raw(getRequest('/mcp', host))).status).toBe(403)
    },
  )

  test('pages of the configured addresses work, and read the answers', async () => {
    const from = (origin: string) => server.raw(getRequest(check, 'proofs.example.com', `Origin: ${origin}\r\n`))
    for (const origin of ['https://proofs.example.com', 'https://mcp.example.com', `http://127.0.0.1:${server.port}`]) {
      const { status, headers } = await from(origin)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
    }
    expect((await from('http://proofs.example.com.evil.example')).status).toBe(403)
  })

  test('is unrestricted where the server listens on all addresses', async () => {
    const open = await startApp({ PROOFGATE_HOST: '0.0.0.0' })
    expect((await open.get(live, { host: 'nas.local' })).status).toBe(200)
  })
})

describe('pages of other sites, at a server on loopback', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startLocal({ PROOFGATE_LIMITS_ENABLED: 'false' })
  })
  const post = (headers: Record<string, string>) =>
    app.request('/api/v1/auth/nonce', {
      method: 'POST',
      headers,
      body: '{"walletAddress":"0x1111111111111111111111111111111111111111"}',
    })

  test.each([
    ['a simple request', { origin: evil, 'content-type': 'text/plain' }],
    ['a request with JSON', { origin: evil, 'content-type': 'application/json' }],
    ['a sandboxed frame', { origin: 'null', 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }],
    [
      'a form',
      {
        origin: evil,
        'content-type': 'application/json',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    ],
    ['a name that resembles loopback', { origin: 'http://localhost.evil.example', 'content-type': 'application/json' }],
    ['another scheme', { origin: 'ftp://localhost', 'content-type': 'application/json' }],
  ])('%s is refused before work is done, and the answer cannot be read', async (_, headers) => {
    const answer = await leavesNothing(app.parts, () => post(headers))
    expectRefused(answer, 'FORBIDDEN', /loopback.*cors\.origins/)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each([
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a fetch', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', origin: evil }],
    ['an old browser', { origin: evil }],
  ])('a GET by %s is refused', async (_, headers) => {
    for (const path of [check, '/verify', '/nothing', '/.well-known/oauth-authorization-server'])
      expect((await app.get(path, headers as unknown as Record<string, string>)).status).toBe(403)
  })

  test('a pre-flight is refused, and the script of the widget is not', async () => {
    const preflight = await app.request(check, { method: 'OPTIONS', headers: { origin: evil } })
    expectRefused(preflight, 'FORBIDDEN')
    const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
    expect((await app.get('/widget.js', script)).status).toBe(200)
  })

  test('OAuth refuses in its own form, and MCP in its own', async () => {
    const registration = { method: 'POST', headers: { origin: evil, 'content-type': 'application/json' }, body: '{}' }
    const refused = await app.request('/oauth/register', registration)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('cors.origins'),
    })
    expect((await app.request('/mcp', registration)).body).toMatchObject({ jsonrpc: '2.0' })
  })

  test('refusals do not use up the rate of the person', async () => {
    const own = await startLocal({ PROOFGATE_LIMITS_RATES_API: '1/1h' })
    for (let turn = 0; turn < 3; turn++) expect((await own.get(live, { origin: evil })).status).toBe(403)
    expect((await own.get(live)).status).toBe(200)
  })

  test.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:5173',
    'http://127.9.9.9',
    'http://[::1]:8080',
  ])('a page of %s works as before', async (origin) => {
    const answer = await post({ origin, 'content-type': 'application/json' })
    expect(answer.status).toBe(200)
    const read = await app.get(check, { origin })
    expect(read.headers.get('access-control-allow-origin')).toBe(origin)
    expect(read.headers.get('vary')).toBe('Origin')
    const metadata = await app.get('/.well-known/oauth-authorization-server', { origin })
    expect(metadata.headers.get('access-control-allow-origin')).toBe(origin)
  })

  const link = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    accept: 'text/html',
  }

  test.each([
    check,
    '/api/v1/proofs/by-wallet/0x1111111111111111111111111111111111111111',
    '/api/v1/profile/gates/discoverable',
    '/api/v1/auth/oauth/providers',
    '/api/v1/auth/oauth/callback/github/more?code=x&state=y',
    '/api/v1/nothing',
    '/api',
    '/openapi.json',
    '/oauth/consent',
    '/.well-known/oauth-authorization-server',
  ])('a link to %s is refused before work is done, because its answer is no page', async (path) => {
    const { 'sec-fetch-dest': _, ...withoutDestination } = link
    for (const headers of [link, withoutDestination]) expect((await app.get(path, headers)).status).toBe(403)
    const answer = await leavesNothing(app.parts, () => app.get(path, link))
    expect(JSON.stringify(answer.body)).toContain('cors.origins')
  })

  test('a link to the MCP endpoint is refused, and a client without a page is asked to sign in', async () => {
    expect((await app.get('/mcp', link)).status).toBe(403)
    expect((await app.get('/mcp')).status).toBe(401)
  })

  test.each(['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip'])(
    'prefetches of another site are refused everywhere: Sec-Purpose %s',
    async (purpose) => {
      for (const path of ['/', '/verify', '/docs', '/oauth/authorize?client_id=x', '/client.js', check, '/mcp'])
        expect((await app.get(path, { ...link, 'sec-purpose': purpose })).status).toBe(403)
    },
  )

  test('prefetches of our own pages and of the address bar are answered', async () => {
    for (const site of ['same-origin', 'none'])
      expect((await app.get('/', { ...link, 'sec-fetch-site': site, 'sec-purpose': 'prefetch' })).status).toBe(200)
  })

  test.each([
    ['a link', '/verify', 'cross-site'],
    ['a link to a proof', `/proof/0x${'1'.repeat(64)}`, 'cross-site'],
    ['a link to a view of the dashboard', '/gates', 'cross-site'],
    ['a link to the reference', '/docs', 'cross-site'],
    ['a checkout that is over', '/verify?gateId=a&session=b', 'cross-site'],
    ['the redirect of an OAuth client', '/oauth/authorize?client_id=x', 'cross-site'],
    ['the redirect of a social provider', '/api/v1/auth/oauth/callback/github?code=x&state=y', 'cross-site'],
    ['the address bar', '/', 'none'],
  ])('%s opens a page', async (_, path, site) => {
    const headers = {
      'sec-fetch-site': site,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
    }
    expect((await app.get(path, headers)).status).not.toBe(403)
  })

  test('our own pages send forms without a readable origin', async () => {
    const answer = await post({ origin: 'null', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' })
    expect(answer.status).toBe(200)
  })

  test('programs, which send no Origin, are not concerned', async () => {
    expect((await post({ 'content-type': 'application/json' })).status).toBe(200)
    expect((await app.get(check)).status).toBe(200)
  })
})

describe('cors.origins at a server on loopback', () => {
  test('as a list leaves out other pages of this machine, whose images send no Origin', async () => {
    const image = { host: 'localhost', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    const unset = await startApp({ PROOFGATE_HOST: '127.0.0.1' })
    expect((await unset.get('/api/v1/health/live', image)).status).toBe(200)
    const listed = await startApp({ PROOFGATE_HOST: '127.0.0.1', PROOFGATE_CORS_ORIGINS: 'https://app.example.com' })
    expectRefused(await listed.get('/api/v1/health/live', image), 'FORBIDDEN', /cors\.origins/)
  })

  test('"*" opens it for every page', async () => {
    const app = await startLocal({ PROOFGATE_CORS_ORIGINS: '*' })
    const answer = await app.get(check, { origin: evil, 'sec-fetch-site': 'cross-site' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test('a list opens it for these pages, and closes it for other ones of loopback', async () => {
    const app = await startLocal({ PROOFGATE_CORS_ORIGINS: 'https://app.example' })
    const listed = await app.get(check, { origin: 'https://app.example' })
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
    expect((await app.get(check, { origin: 'http://localhost:3000' })).status).toBe(403)
  })

  test('tokens and registration are for listed pages, pages of mcp.allowed_origins and those of loopback', async () => {
    const app = await startLocal({
      PROOFGATE_CORS_ORIGINS: 'https://app.example',
      PROOFGATE_MCP_ALLOWED_ORIGINS: 'https://host.example',
    })
    const { form } = flowOf(app)
    for (const origin of ['https://app.example', 'https://host.example', 'http://localhost:6274']) {
      const answer = await form('/api/v1/auth/mcp/token', '', { origin })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, origin])
    }
    expect((await form('/api/v1/auth/mcp/token', '', { origin: evil })).status).toBe(403)
    expect((await rowCounts(app.parts)).oauth_clients ?? 0).toBe(0)
  })
})

describe('OPTIONS', () => {
  test('has a share of its own: pre-flights take nothing from the requests that they announce', async () => {
    const app = await startLocal({ PROOFGATE_LIMITS_RATES_API: '2/1h', PROOFGATE_LIMITS_RATES_PREFLIGHT: '2/1h' })
    const page = { origin: 'http://localhost:3000' }
    for (let turn = 0; turn < 2; turn++) {
      expect((await app.request(check, { method: 'OPTIONS', headers: page })).status).toBe(204)
      expect((await app.get(check, page)).status).toBe(200)
    }
    const refused = await app.request(check, { method: 'OPTIONS', headers: page })
    expectRefused(refused, 'RATE_LIMIT_EXCEEDED', /per client address/)
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })
})

describe('a request that is refused before its route counts for the rate limit', () => {
  test.each([
    ['for a page of another site', 'FOREIGN', 403, `GET ${check} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${evil}\r\n`],
    ['for an unknown name', 'FOREIGN', 403, `GET ${check} HTTP/1.1\r\nHost: evil.example\r\n`],
    ['for an unknown name at /mcp', 'FOREIGN', 403, 'GET /mcp HTTP/1.1\r\nHost: evil.example\r\n'],
    ['as a preflight', 'FOREIGN', 403, `OPTIONS ${check} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${evil}\r\n`],
    ['for two names', 'API', 400, `GET ${check} HTTP/1.1\r\nHost: a\r\nHost: b\r\n`],
    ['for its query', 'API', 400, `GET ${check}&tag=a${'%CC%81'.repeat(31)} HTTP/1.1\r\nHost: localhost\r\n`],
    ['for its headers', 'API', 431, `GET ${check} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(40_000)}\r\n`],
  ])('%s', async (_, policy, status, request) => {
    const server = await listen({ [`PROOFGATE_LIMITS_RATES_${policy}`]: '2/1m' })
    const statuses = []
    for (let times = 0; times < 3; times++)
      statuses.push((await server.raw(`${request}Connection: close\r\n\r\n`)).status)
    expect(statuses).toEqual([status, status, 429])
    // A page of a stranger takes nothing from the person at the same address.
    const ofPerson = await server.raw(getRequest(check, 'localhost'))
    expect(ofPerson.status).toBe(policy === 'FOREIGN' ? 200 : 429)
    await server.stop()
  })
})
