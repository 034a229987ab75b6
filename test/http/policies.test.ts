import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type PolicyName, policies } from '../../src/http/rate-policies.ts'
import { startApp, type TestApp } from '../app.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'
import { listen } from './socket.ts'

setDefaultTimeout(60_000)

const qHash = `0x${'ab'.repeat(32)}`
const rate = (policy: PolicyName, rate: string) => ({ [`PROOFGATE_LIMITS_RATES_${policy.toUpperCase()}`]: rate })
const claim = (wallet: typeof alice, content = 'words') => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content },
})

/** Each surface, one way to meet it. Requests that are refused for their content count as well. */
const surfaces: readonly [PolicyName, string, (app: TestApp) => Promise<unknown>][] = [
  ['api', '/nothing', (app) => app.get('/nothing')],
  ['preflight', 'OPTIONS', (app) => app.request('/api/v1/proofs/check', { method: 'OPTIONS' })],
  ['health', '/api/v1/health', (app) => app.get('/api/v1/health')],
  ['health', '/api/v1/health/ready', (app) => app.get('/api/v1/health/ready')],
  ['health', '/api/v1/health/live', (app) => app.get('/api/v1/health/live')],
  ['reads', 'the catalog', (app) => app.get('/api/v1/verification/verifiers')],
  ['reads', 'a proof', (app) => app.get(`/api/v1/proofs/${qHash}`)],
  ['reads', 'a proof by the older path', (app) => app.get(`/api/v1/verification/status/${qHash}`)],
  ['reads', 'a list', (app) => app.get(`/api/v1/proofs/by-wallet/${alice.address}`)],
  ['reads', 'a list by the older path', (app) => app.get(`/api/v1/proofs/byWallet/${alice.address}`)],
  ['reads', 'statuses', (app) => app.post('/api/v1/verification/status-batch', { qHashes: [qHash] })],
  ['reads', 'a DID', (app) => app.post('/api/v1/profile/did/resolve', { walletAddress: alice.address })],
  [
    'prepare',
    'standardize',
    (app) =>
      app.post('/api/v1/verification/standardize', {
        walletAddress: alice.address,
        signedTimestamp: app.now(),
        ...claim(alice),
      }),
  ],
  [
    'prepare',
    'diagnose',
    (app) =>
      app.post('/api/v1/verification/diagnose', {
        walletAddress: alice.address,
        signedTimestamp: app.now(),
        signature: '0x12',
        ...claim(alice),
      }),
  ],
  [
    'owner',
    'revoke',
    async (app) => app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'x' })),
  ],
  [
    'owner',
    'revoke by the older path',
    async (app) => app.post(`/api/v1/proofs/${qHash}/revoke-self`, await app.ownerBody(alice, { action: 'x' })),
  ],
  ['owner', 'erase', async (app) => app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, { action: 'x' }))],
  [
    'owner',
    'grant',
    async (app) => {
      const { walletAddress: ownerWallet, ...signed } = await app.ownerBody(alice, { action: 'x' })
      return app.post('/api/v1/verification/access/grant', { ...signed, ownerWallet, viewerWallet: bob.address, qHash })
    },
  ],
  ['sessions', 'a sign-in message', (app) => app.post('/api/v1/auth/nonce', { walletAddress: alice.address })],
  ['sessions', 'a nonce', (app) => app.get('/api/v1/auth/nonce')],
  ['sessions', 'a sign-in', (app) => app.post('/api/v1/auth/verify', { message: 'x', signature: 'y' })],
  ['create', 'a new proof', (app) => app.submit(alice, claim(alice))],
]

/**
 * Surfaces that refuse in the form of their own protocol are tested with it: test/oauth, test/mcp. Connected phones are tested in
 * test/pairing, pictures in test/pages/preview.test.ts. Stored bytes are tested in written-bytes.test.ts, requests for
 * other hosts in page-access.test.ts.
 */
const elsewhere: readonly PolicyName[] = [
  'foreign',
  'pairing',
  'pictures',
  'token',
  'register',
  'mcp',
  'written_by_network',
  'written_by_owner',
]

test('every policy has a surface here or with its protocol', () => {
  const found = new Set([...surfaces.map(([policy]) => policy), ...elsewhere])
  expect(found).toEqual(new Set(Object.keys(policies) as PolicyName[]))
})

describe('above its rate', () => {
  test.each(surfaces)('%s: %s is refused with 429, Retry-After and the current rate', async (policy, _, send) => {
    const app = await startApp(rate(policy, '2/1m'))
    const answers = [await send(app), await send(app)] as Awaited<ReturnType<TestApp['get']>>[]
    for (const { status } of answers) expect(status).not.toBe(429)
    if (policy !== 'api' && policy !== 'preflight') {
      const carrying = answers.filter(({ status }) => status < 300)
      for (const { headers } of carrying) expect(headers.get('ratelimit-limit')).toBe('2')
    }

    const refused = await leavesNothing(app.parts, () => send(app) as ReturnType<TestApp['get']>)
    expectRefused(refused, 'RATE_LIMIT_EXCEEDED', /2 per 60 s are allowed per .* Try again in 30 s/)
    expect(refused.body.error.details).toEqual({
      policy,
      limit: 2,
      windowSeconds: 60,
      retryAfterSeconds: 30,
      alias: 'RATE_LIMITED',
    })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '30',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    })

    app.wait(30_000)
    expect(((await send(app)) as { status: number }).status).not.toBe(429)
  })

  test('limits.enabled = false admits every request, and sends no limit headers', async () => {
    const app = await startApp({ ...rate('health', '1/1h'), PROOFGATE_LIMITS_ENABLED: 'false' })
    for (let turn = 0; turn < 5; turn++) {
      const { status, headers } = await app.get('/api/v1/health')
      expect(status).toBe(200)
      expect(headers.get('ratelimit-limit')).toBeNull()
    }
  })
})

describe('proofs of one signer', () => {
  test('are counted only after a valid signature, so a stranger cannot use up the share of a wallet', async () => {
    const app = await startApp(rate('create', '1/1h'))
    for (let turn = 0; turn < 5; turn++) {
      const body = { walletAddress: alice.address, signedTimestamp: app.now(), ...claim(alice) }
      const { signerString } = (await app.post('/api/v1/verification/standardize', body)).body.data
      const forged = { ...body, signature: await mallory.sign(signerString) }
      expectRefused(await app.post('/api/v1/verification', forged), 'SIGNATURE_INVALID')
    }

    const first = await app.submit(alice, claim(alice))
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-remaining')).toBe('0')
    expectRefused(await app.submit(alice, claim(alice, 'more')), 'RATE_LIMIT_EXCEEDED', /per signer/)
    expect((await app.submit(bob, claim(bob))).status).toBe(200)
  })

  test('are counted by the wallet, however it spells its address', async () => {
    const app = await startApp(rate('create', '1/1h'))
    expect((await app.submit(alice, claim(alice))).status).toBe(200)
    app.wait(1)
    const shouting = `0x${alice.address.slice(2).toUpperCase()}`
    expectRefused(await app.submit(alice, { ...claim(alice, 'more'), walletAddress: shouting }), 'RATE_LIMIT_EXCEEDED')
  })
})

describe('the client of a request', () => {
  test('is the socket address without a proxy, and X-Forwarded-For is ignored', async () => {
    const server = await listen(rate('health', '2/1h'))
    const ask = (forwarded: string) =>
      fetch(`${server.url}/api/v1/health`, { headers: { 'x-forwarded-for': forwarded } })
    expect((await ask('1.1.1.1')).status).toBe(200)
    expect((await ask('2.2.2.2')).status).toBe(200)
    expect((await ask('3.3.3.3')).status).toBe(429)
    await server.stop()
  })

  test('behind a configured proxy has its own share, whatever it claims to the left', async () => {
    const server = await listen({ ...rate('health', '2/1h'), PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32,10.0.0.0/8' })
    const ask = async (forwarded: string) =>
      (await fetch(`${server.url}/api/v1/health`, { headers: { 'x-forwarded-for': forwarded } })).status
    expect(await ask('1.1.1.1')).toBe(200)
    expect(await ask('9.9.9.9, 1.1.1.1')).toBe(200)
    expect(await ask('8.8.8.8, 1.1.1.1, 10.0.0.7')).toBe(429)
    expect(await ask('2.2.2.2')).toBe(200)
    await server.stop()
  })
})
