import { describe, expect, test } from 'bun:test'
import { startApp, startOfTime } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob, sol } from '../wallets.ts'

const auth = '/api/v1/auth'

describe('signing in', () => {
  test('with an EVM wallet gives a session, a profile and its DID', async () => {
    const app = await startApp()
    const prepared = await app.post(`${auth}/nonce`, { walletAddress: alice.address.toLowerCase() })
    expect(prepared.body.data).toEqual({
      nonce: expect.stringMatching(/^[0-9a-z]{65}$/),
      message: expect.any(String),
      expiresAt: startOfTime + 600_000,
      chain: 'eip155:84532',
    })
    expect(prepared.body.data.message).toBe(
      [
        'localhost:8787 wants you to sign in with your Ethereum account:',
        alice.address,
        '',
        'Sign in. This costs nothing and sends no transaction.',
        '',
        'URI: http://localhost:8787',
        'Version: 1',
        'Chain ID: 84532',
        `Nonce: ${prepared.body.data.nonce}`,
        'Issued At: 2026-01-01T00:00:00.000Z',
        'Expiration Time: 2026-01-01T00:10:00.000Z',
      ].join('\n'),
    )
    const { message } = prepared.body.data
    const answer = await app.post(`${auth}/verify`, { message, signature: await alice.sign(message) })
    expect(answer.body.data).toEqual({
      authenticated: true,
      subjectId: expect.stringMatching(/^prf_[0-9a-f]{32}$/),
      did: `did:pkh:eip155:84532:${alice.address.toLowerCase()}`,
      address: alice.address.toLowerCase(),
      csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: startOfTime + 30 * 86_400_000,
    })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^svc_session=[A-Za-z0-9_-]{43}; Path=\/; Expires=Sat, 31 Jan 2026 00:00:00 .*; HttpOnly; SameSite=Lax$/,
    )
  })

  test('with a Solana wallet', async () => {
    const app = await startApp()
    const { headers, did } = await app.signIn(sol)
    expect(did).toBe(`did:pkh:solana:mainnet:${sol.address}`)
    expect((await app.get(`${auth}/me`, headers)).body.data).toMatchObject({
      authenticated: true,
      address: sol.address,
    })
  })

  test('a nonce is valid for one sign-in', async () => {
    const app = await startApp()
    const { message } = (await app.post(`${auth}/nonce`, { walletAddress: alice.address })).body.data
    const wrong = await app.post(`${auth}/verify`, { message, signature: await bob.sign(message) })
    expectRefused(wrong, 'SIGNATURE_INVALID', new RegExp(`by ${bob.address.toLowerCase()}`))
    const body = { message, signature: await alice.sign(message) }
    expect((await app.post(`${auth}/verify`, body)).status).toBe(200)
    const again = await leavesNothing(app.parts, () => app.post(`${auth}/verify`, body))
    expectRefused(again, 'CONFLICT', /was used before/)
    expect(again.headers.get('set-cookie')).toBeNull()
  })
})

describe('me', () => {
  test('is empty without credentials, and never refuses', async () => {
    const app = await startApp()
    const nobody = { success: true, data: { authenticated: false, needsOnboarding: false } }
    expect((await app.get(`${auth}/me`)).body).toEqual(nobody)
    const unknownKey = { authorization: `Bearer npk_${'A'.repeat(43)}` }
    expect((await app.get(`${auth}/me`, unknownKey)).body).toEqual(nobody)
    expect((await app.get(`${auth}/me`, { cookie: `svc_session=${'A'.repeat(43)}` })).body).toEqual(nobody)
  })

  test('shows the person who signed in, with the token for changes', async () => {
    const app = await startApp()
    const { headers, csrf, subjectId, did } = await app.signIn(alice)
    expect((await app.get(`${auth}/me`, headers)).body.data).toEqual({
      authenticated: true,
      needsOnboarding: false,
      subjectId,
      did,
      address: alice.address.toLowerCase(),
      accounts: [{ address: alice.address.toLowerCase(), contractOn: null, isPrimary: true }],
      csrfToken: csrf,
      scopes: ['svc:core', 'svc:profile', 'svc:secrets'],
      via: 'session',
    })
  })
})

describe('signing out', () => {
  test('ends this session only, takes the cookie away, and is harmless again', async () => {
    const app = await startApp()
    const here = await app.signIn(alice)
    const there = await app.signIn(alice)
    const answer = await app.post(`${auth}/logout`, {}, here.headers)
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_session=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00/)
    expect((await app.get(`${auth}/me`, here.headers)).body.data.authenticated).toBe(false)
    expect((await app.get(`${auth}/me`, there.headers)).body.data.authenticated).toBe(true)
    expect((await app.post(`${auth}/logout`, {}, here.headers)).status).toBe(200)
    expect((await app.request(`${auth}/logout`, { method: 'POST' })).status).toBe(200)
  })

  test('is refused to a page of another origin, even without the cookie', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    for (const sent of [{}, headers])
      for (const origin of ['https://evil.example', 'null']) {
        const answer = await leavesNothing(app.parts, () => app.post(`${auth}/logout`, {}, { ...sent, origin }))
        expectRefused(answer, 'FORBIDDEN', /pages of another origin/)
        expect(answer.headers.get('set-cookie')).toBeNull()
      }
    const { cookie } = headers
    expectRefused(await app.post(`${auth}/logout`, {}, { cookie }), 'FORBIDDEN', /X-CSRF-Token/)
    expect((await app.get(`${auth}/me`, headers)).body.data.authenticated).toBe(true)
  })
})
