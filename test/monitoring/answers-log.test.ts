/** The lines about answers: who asked for what in which kind, and who was refused. */
import { describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { makeLog } from '../../src/log.ts'
import { type SignedInBrowser, startApp } from '../app.ts'
import { alice } from '../wallets.ts'

type Line = Readonly<Record<string, unknown>>

/** The server of a test app, whose log the test reads. */
async function start(env: Record<string, string>) {
  const app = await startApp(env)
  const lines: Line[] = []
  const log = makeLog({ level: 'debug', format: 'json', now: app.now, write: (line) => lines.push(JSON.parse(line)) })
  const server = createApp({ ...app.parts, log })
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    server.handle(new Request(`http://localhost${path}`, init))
  const select = (event: string): Line[] => lines.filter((line) => line.event === event)
  return { app, lines, ask, select }
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function makeKey(ask: (path: string, init?: RequestInit) => Promise<Response>, browser: SignedInBrowser) {
  const answer = await ask(
    '/api/v1/auth/profile-keys',
    post({ name: 'test', scopes: ['core', 'profile'] }, browser.headers),
  )
  return answer.json()
}

describe('log.access', () => {
  test('writes one line for each answer, with the pattern of the route and the kind of caller', async () => {
    const { app, ask, select } = await start({ PROOFGATE_LOG_ACCESS: 'true' })
    const answer = await ask(`/api/v1/proofs/by-wallet/${alice.address}?limit=5&secret=abc`)
    await ask('/nothing/at/all')
    await ask('/api/v1/auth/me', { headers: (await app.signIn(alice)).headers })
    await ask(
      '/api/v1/verification',
      post(
        await app.signed(alice, {
          verifierIds: ['ownership-basic'],
          data: { owner: alice.address, content: 'Private words' },
        }),
      ),
    )
    expect(select('answer-given').map(({ method, route, status, caller }) => [method, route, status, caller])).toEqual([
      ['GET', '/api/v1/proofs/by-wallet/:address', answer.status, 'anonymous'],
      ['GET', 'unknown', 404, 'anonymous'],
      ['GET', '/api/v1/auth/me', 200, 'session'],
      ['POST', '/api/v1/verification', 200, 'signature'],
    ])
    expect(select('answer-given')[0]).toEqual({
      time: expect.any(String),
      level: 'info',
      event: 'answer-given',
      message: 'a request was answered',
      requestId: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/api/v1/proofs/by-wallet/:address',
      status: answer.status,
      ms: expect.any(Number),
      caller: 'anonymous',
    })
  })

  test('holds no wallet, no value of a query, no header and no content', async () => {
    const { app, ask, lines } = await start({ PROOFGATE_LOG_ACCESS: 'true', PROOFGATE_LOG_REFUSALS: 'true' })
    const body = await app.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'Private words' },
    })
    await ask('/api/v1/verification', post(body))
    await ask('/api/v1/verification', post({ ...body, signature: `0x${'11'.repeat(65)}` }))
    await ask(`/api/v1/proofs/by-wallet/${alice.address}?secret=abc`, {
      headers: { authorization: 'Bearer npk_secret', cookie: 'svc_session=abc' },
    })
    const written = JSON.stringify(lines).toLowerCase()
    expect(lines.length).toBeGreaterThan(3)
    for (const kept of [alice.address.toLowerCase(), String(body.signature), '1111', 'abc', 'npk_', 'private words'])
      expect(written).not.toContain(kept)
  })

  test('names the caller with an access key', async () => {
    const { app, ask, select } = await start({ PROOFGATE_LOG_ACCESS: 'true' })
    const { data } = await makeKey(ask, await app.signIn(alice))
    await ask('/api/v1/profile/gates', { headers: { authorization: `Bearer ${data.key}` } })
    expect(select('answer-given').at(-1)).toMatchObject({
      route: '/api/v1/profile/gates',
      status: 200,
      caller: 'access-key',
    })
  })

  test('is off unless it is set', async () => {
    const { ask, lines } = await start({})
    await ask('/api/v1/health')
    expect(lines).toEqual([])
  })
})

describe('log.refusals', () => {
  const env = { PROOFGATE_LOG_REFUSALS: 'true' }

  test('names the credential that was refused, and the address of its sender', async () => {
    const { app, ask, select } = await start(env)
    await ask('/api/v1/profile/gates', { headers: { authorization: 'Bearer npk_wrong' } })
    await ask('/mcp', post({}, { authorization: 'Bearer wrong' }))
    const { message } = (await (await ask('/api/v1/auth/nonce', post({ walletAddress: alice.address }))).json()).data
    await ask('/api/v1/auth/verify', post({ message, signature: `0x${'11'.repeat(65)}` }))
    const { walletAddress: _, ...unsigned } = await app.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'x' },
    })
    await ask(
      '/api/v1/verification',
      post({ ...unsigned, walletAddress: alice.address, signature: `0x${'11'.repeat(65)}` }),
    )
    const grant = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'svc-cli',
      refresh_token: 'wrong',
      resource: 'http://localhost:8787/mcp',
    })
    await ask('/api/v1/auth/mcp/token', { method: 'POST', body: grant })
    expect(select('credential-refused').map(({ credential, address, route }) => [credential, address, route])).toEqual([
      ['access-key', 'local', '/api/v1/profile/gates'],
      ['access-token', 'local', '/mcp'],
      ['signature', 'local', '/api/v1/auth/verify'],
      ['signature', 'local', '/api/v1/verification'],
      ['grant', 'local', '/api/v1/auth/mcp/token'],
    ])
  })

  test('writes nothing for a request without a credential, nor for one that is accepted', async () => {
    const { app, ask, lines } = await start(env)
    await ask('/api/v1/auth/me')
    await ask('/mcp', post({}))
    await ask('/api/v1/auth/me', { headers: (await app.signIn(alice)).headers })
    expect(lines).toEqual([])
  })

  test('tells at most 50 refusals a second one by one', async () => {
    const { app, ask, select } = await start({ ...env, PROOFGATE_LIMITS_RATES_HEALTH: '1/1m' })
    for (let request = 0; request < 101; request++) await ask('/api/v1/health')
    expect(select('rate-limited')).toHaveLength(50)
    expect(select('rate-limited')[0]).toMatchObject({
      address: 'local',
      policy: 'health',
      route: '/api/v1/health',
      status: 429,
    })
    expect(select('refusals-untold').length).toBe(50)
    app.wait(1_000)
    await ask('/api/v1/health')
    expect(select('rate-limited')).toHaveLength(51)
  })
})
