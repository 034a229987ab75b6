import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing, rowCounts } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { settleWrites } from '../parts/settle-writes.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const me = async (app: TestApp, headers: Record<string, string>) => (await app.get(`${auth}/me`, headers)).body.data
/** An empty write waits for the queue: requests do not wait until a key's last use is stored. */
const noted = (app: TestApp) => settleWrites(app.parts.db)
const revoke = (app: TestApp, keyId: string, headers: Record<string, string>) =>
  app.request(`${auth}/profile-keys/${keyId}`, { method: 'DELETE', headers })

async function withKey(body: object = { name: 'Nightly report' }, env: Record<string, string> = {}) {
  const app = await startApp(env)
  const browser = await app.signIn(alice)
  const { data } = (await app.post(`${auth}/profile-keys`, body, browser.headers)).body
  return { app, browser, ...data } as {
    app: TestApp
    browser: typeof browser
    key: string
    keyId: string
    scopes: string[]
  }
}

describe('an access key', () => {
  test('is shown once, gives the access of its owner, and is listed by its first characters', async () => {
    const { app, browser, key, keyId, scopes } = await withKey()
    expect(key).toMatch(/^npk_[A-Za-z0-9_-]{43}$/)
    expect(scopes).toEqual(['svc:core', 'svc:profile', 'svc:secrets'])
    const { subjectId, did } = browser
    expect(await me(app, bearer(key))).toEqual({
      authenticated: true,
      needsOnboarding: false,
      subjectId,
      did,
      address: alice.address.toLowerCase(),
      accounts: [{ address: alice.address.toLowerCase(), contractOn: null, isPrimary: true }],
      scopes,
      via: 'access-key',
    })
    await noted(app)
    const { body } = await app.get(`${auth}/profile-keys`, browser.headers)
    expect(body.data.keys).toEqual([
      {
        keyId,
        prefix: key.slice(0, 10),
        name: 'Nightly report',
        scopes,
        createdAt: startOfTime,
        lastUsedAt: startOfTime,
        revokedAt: null,
        endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
      },
    ])
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test('has the scopes that were asked for, with or without the brand', async () => {
    const { app, key, scopes, browser } = await withKey(
      { name: 'x', scopes: ['profile', 'acme:core', 'core'] },
      { PROOFGATE_BRAND: 'acme' },
    )
    expect(scopes).toEqual(['acme:core', 'acme:profile'])
    expect((await me(app, bearer(key))).scopes).toEqual(scopes)
    for (const wrong of [['svc:core'], ['all'], ['core', 'core '], ['Core'], []])
      expectRefused(
        await leavesNothing(app.parts, () =>
          app.post(`${auth}/profile-keys`, { name: 'x', scopes: wrong }, browser.headers),
        ),
        'VALIDATION_ERROR',
        /scopes: ("[^"]*" is not a scope|name at least one)/,
      )
  })

  test.each(['a\u202eb', 'a\u200bb', '\u0301', 'a\nb'])('has no name that nobody can read: %j', async (name) => {
    const { app, browser } = await withKey()
    expectRefused(
      await leavesNothing(app.parts, () =>
        app.post(`${auth}/profile-keys`, { name, scopes: ['core'] }, browser.headers),
      ),
      'VALIDATION_ERROR',
      /name/,
    )
  })

  test('says to the minute when it was last used', async () => {
    const { app, key, browser } = await withKey()
    const lastUsed = async () => {
      await noted(app)
      return (await app.get(`${auth}/profile-keys`, browser.headers)).body.data.keys[0].lastUsedAt
    }
    expect(await lastUsed()).toBeNull()
    await me(app, bearer(key))
    expect(await lastUsed()).toBe(startOfTime)
    app.wait(59_999)
    await me(app, bearer(key))
    expect(await lastUsed()).toBe(startOfTime)
    app.wait(1)
    await me(app, bearer(key))
    expect(await lastUsed()).toBe(startOfTime + 60_000)
  })

  test('stops working the moment it is revoked, stays in the list, and a second revocation changes nothing', async () => {
    const { app, key, keyId, browser } = await withKey()
    app.wait(5)
    expect((await revoke(app, keyId, browser.headers)).body.data).toMatchObject({ keyId, revokedAt: startOfTime + 5 })
    expect((await me(app, bearer(key))).authenticated).toBe(false)
    expectRefused(await app.get(`${auth}/profile-keys`, bearer(key)), 'WALLET_AUTH_REQUIRED', /unknown or revoked/)
    app.wait(5)
    const again = await leavesNothing(app.parts, () => revoke(app, keyId, browser.headers))
    expect(again.body.data.revokedAt).toBe(startOfTime + 5)
  })

  test('revokes itself once (src/guides/wire.md, "Access keys")', async () => {
    const { app, key, keyId } = await withKey()
    const disconnect = (headers: Record<string, string>) =>
      app.request(`${auth}/profile-key`, { method: 'DELETE', headers })
    expect((await disconnect(bearer(key))).body).toMatchObject({
      success: true,
      data: { keyId, revokedAt: startOfTime },
    })
    expectRefused(await disconnect(bearer(key)), 'WALLET_AUTH_REQUIRED', /unknown or revoked/)
    expectRefused(await disconnect({}), 'WALLET_AUTH_REQUIRED')
    for (const wrong of ['npk_', `npk_${'A'.repeat(42)}`, `npk_${'A'.repeat(44)}`, `NPK_${'A'.repeat(43)}`, 'x'])
      expectRefused(await disconnect(bearer(wrong)), 'WALLET_AUTH_REQUIRED')
  })

  test('is its owner’s only: other people neither see nor revoke it', async () => {
    const { app, key, keyId } = await withKey()
    const { headers } = await app.signIn(bob)
    expect((await app.get(`${auth}/profile-keys`, headers)).body.data.keys).toEqual([])
    const refused = await leavesNothing(app.parts, () => revoke(app, keyId, headers))
    expectRefused(refused, 'NOT_FOUND', /does not exist/)
    expect((await me(app, bearer(key))).authenticated).toBe(true)
  })

  test('cannot make keys, end sessions or delete people', async () => {
    const { app, key } = await withKey()
    const headers = bearer(key)
    await leavesNothing(app.parts, async () => {
      for (const answer of [
        await app.post(`${auth}/profile-keys`, { name: 'more' }, headers),
        await app.get(`${auth}/profile-keys`, headers),
        await app.get(`${auth}/sessions`, headers),
        await app.post(`${auth}/logout-everywhere`, {}, headers),
        await app.request(`${auth}/me`, { method: 'DELETE', headers }),
      ])
        expectRefused(answer, 'FORBIDDEN', /access key may not do this/)
    })
  })

  test('counts before a cookie that is sent along', async () => {
    const { app, key, browser } = await withKey()
    const both = { ...(await app.signIn(bob)).headers, ...bearer(key) }
    expect((await me(app, both)).subjectId).toBe(browser.subjectId)
    expect((await me(app, both)).csrfToken).toBeUndefined()
  })
})

describe('the number of access keys', () => {
  test('is limited for each person, also when all are asked for at once; a revoked one makes room', async () => {
    const app = await startApp({ PROOFGATE_AUTH_KEYS_PER_PROFILE: '3' })
    const { headers } = await app.signIn(alice)
    const create = () => app.post(`${auth}/profile-keys`, { name: 'x' }, headers)
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(3)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefused(answer, 'CONFLICT', /3 access keys, the limit of auth\.keys_per_profile/)
    await revoke(app, made[0]!.body.data.keyId, headers)
    expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(409)
    expect((await app.post(`${auth}/profile-keys`, { name: 'x' }, (await app.signIn(bob)).headers)).status).toBe(200)
  })

  test('is bounded for revoked keys as well', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const { headers } = await app.signIn(alice)
    for (let at = 0; at < 60; at++) {
      app.wait(1)
      const { keyId } = (await app.post(`${auth}/profile-keys`, { name: `${at}` }, headers)).body.data
      await revoke(app, keyId, headers)
    }
    await app.post(`${auth}/profile-keys`, { name: 'last' }, headers)
    expect((await rowCounts(app.parts)).access_keys).toBe(51)
    const { keys } = (await app.get(`${auth}/profile-keys`, headers)).body.data
    expect(keys.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual(['last', '59', '58'])
  })
})

describe('a new key', () => {
  test.each<[string, object]>([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a long name', { name: 'x'.repeat(81) }],
    ['a name of two lines', { name: 'a\nb' }],
    ['scopes that are no list', { name: 'x', scopes: 'core' }],
    ['too many scopes', { name: 'x', scopes: Array(17).fill('core') }],
  ])('with %s is refused', async (_, body) => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    expectRefused(
      await leavesNothing(app.parts, () => app.post(`${auth}/profile-keys`, body, headers)),
      'VALIDATION_ERROR',
    )
  })

  test('is not made by a session that ends in the same moment', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    overtake(app.parts.db, 'INSERT INTO access_keys', () => app.post(`${auth}/logout-everywhere`, {}, headers))
    const refused = await app.post(`${auth}/profile-keys`, { name: 'too late' }, headers)
    expectRefused(refused, 'WALLET_AUTH_REQUIRED', /nothing was stored/)
    expect(await rowCounts(app.parts)).toMatchObject({ access_keys: 0 })
  })

  test('is not made without a session, nor for a browser without its token', async () => {
    const app = await startApp()
    const { cookie, headers } = await app.signIn(alice)
    await leavesNothing(app.parts, async () => {
      expectRefused(await app.post(`${auth}/profile-keys`, { name: 'x' }), 'WALLET_AUTH_REQUIRED')
      expectRefused(await app.post(`${auth}/profile-keys`, { name: 'x' }, { cookie }), 'FORBIDDEN', /X-CSRF-Token/)
      const foreign = { ...headers, origin: 'https://evil.example' }
      expectRefused(
        await app.post(`${auth}/profile-keys`, { name: 'x' }, foreign),
        'FORBIDDEN',
        /pages of another origin/,
      )
    })
  })
})
