/** The sessions of a person: seeing them, ending them, ending everything. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mapInOrder } from '../../src/in-order.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing, rowCounts } from '../http/refused.ts'
import { grantTo } from '../oauth/grant.ts'
import { overtake } from '../parts/overtake.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { settleWrites } from '../parts/settle-writes.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const oneDay = 86_400_000
const isSignedIn = async (app: TestApp, headers: Record<string, string>): Promise<boolean> =>
  (await app.get(`${auth}/me`, headers)).body.data.authenticated
const events = (app: TestApp) =>
  select<{ event: string; profile: number | null; details: string }>(
    app.parts.db,
    'SELECT event, profile, details FROM audit_events ORDER BY id',
  ).all()

describe('a session', () => {
  test('ends after auth.session_days, to the millisecond, and is swept away', async () => {
    const app = await startApp({ PROOFGATE_AUTH_SESSION_DAYS: '1' })
    const { headers } = await app.signIn(alice)
    app.wait(oneDay - 1)
    expect(await isSignedIn(app, headers)).toBe(true)
    app.wait(1)
    expect(await isSignedIn(app, headers)).toBe(false)
    await app.sweep()
    expect(await rowCounts(app.parts)).toMatchObject({ sessions: 0, profiles: 1 })
  })

  test('is replaced by the next sign-in of the same browser, also by another person', async () => {
    const app = await startApp()
    const before = await app.signIn(alice)
    const { message } = (await app.post(`${auth}/nonce`, { walletAddress: bob.address })).body.data
    const answer = await app.post(
      `${auth}/verify`,
      { message, signature: await bob.sign(message) },
      { cookie: before.cookie },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).not.toStartWith(before.cookie)
    expect(await isSignedIn(app, before.headers)).toBe(false)
    expect((await rowCounts(app.parts)).sessions).toBe(1)
  })

  test('planted in the browser by another person is not adopted by signing in', async () => {
    const app = await startApp()
    const planted = `svc_session=${'A'.repeat(43)}`
    const { message } = (await app.post(`${auth}/nonce`, { walletAddress: alice.address })).body.data
    const answer = await app.post(
      `${auth}/verify`,
      { message, signature: await alice.sign(message) },
      { cookie: planted },
    )
    expect(answer.headers.get('set-cookie')).not.toContain('A'.repeat(43))
    expect(await isSignedIn(app, { cookie: planted })).toBe(false)
  })

  test('beyond the hundredth ends the session that was used longest ago', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const first = await app.signIn(alice)
    app.wait(1)
    const second = await app.signIn(alice)
    for (let at = 0; at < 99; at++) {
      app.wait(1)
      await app.signIn(alice)
    }
    expect(await isSignedIn(app, first.headers)).toBe(false)
    expect(await isSignedIn(app, second.headers)).toBe(true)
    expect((await rowCounts(app.parts)).sessions).toBe(100)
  })
})

describe('the list of sessions', () => {
  test('describes each, marks the current one, and contains no credential', async () => {
    const app = await startApp()
    const { message } = (await app.post(`${auth}/nonce`, { walletAddress: alice.address })).body.data
    const agent = `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${'x'.repeat(300)}`
    await app.post(`${auth}/verify`, { message, signature: await alice.sign(message) }, { 'user-agent': agent })
    await app.signIn(bob)
    app.wait(2 * 3_600_000)
    const { cookie, headers } = await app.signIn(alice)
    app.wait(3_600_000)
    await app.get(`${auth}/me`, headers)
    await settleWrites(app.parts.db)
    const { sessions } = (await app.get(`${auth}/sessions`, headers)).body.data
    const id = expect.stringMatching(/^[0-9a-f]{16}$/)
    expect(sessions).toEqual([
      {
        id,
        agent: null,
        browser: null,
        wallet: alice.address.toLowerCase(),
        linked: false,
        createdAt: startOfTime + 2 * 3_600_000,
        seenAt: startOfTime + 3 * 3_600_000,
        expiresAt: startOfTime + 2 * 3_600_000 + 30 * oneDay,
        current: true,
      },
      {
        id,
        agent: agent.slice(0, 200),
        browser: 'Firefox on Linux',
        wallet: alice.address.toLowerCase(),
        linked: false,
        createdAt: startOfTime,
        seenAt: startOfTime,
        expiresAt: startOfTime + 30 * oneDay,
        current: false,
      },
    ])
    expect(JSON.stringify(sessions)).not.toContain(cookie.split('=')[1]!)
  })

  test('lets a person end one of their own', async () => {
    const app = await startApp()
    const [here, there, ofBob] = [await app.signIn(alice), await app.signIn(alice), await app.signIn(bob)]
    const idOf = async (headers: Record<string, string>): Promise<string> =>
      (await app.get(`${auth}/sessions`, headers)).body.data.sessions.find((one: { current: boolean }) => one.current)
        .id
    const end = (id: string, headers: Record<string, string>) =>
      app.request(`${auth}/sessions/${id}`, { method: 'DELETE', headers })
    const [idHere, idThere, idOfBob] = [await idOf(here.headers), await idOf(there.headers), await idOf(ofBob.headers)]

    const refused = await leavesNothing(app.parts, () => end(idOfBob, here.headers))
    expectRefused(refused, 'NOT_FOUND', /session does not exist/)
    expectRefused(await end('x', here.headers), 'VALIDATION_ERROR')
    const ended = await end(idThere, here.headers)
    expect(ended.body.data).toEqual({ id: idThere, ended: true })
    expect(ended.headers.get('set-cookie')).toBeNull()
    expect(await isSignedIn(app, there.headers)).toBe(false)
    expectRefused(await end(idThere, here.headers), 'NOT_FOUND')
    expect((await end(idHere, here.headers)).headers.get('set-cookie')).toStartWith('svc_session=;')
    expect(await isSignedIn(app, here.headers)).toBe(false)
    expect(await isSignedIn(app, ofBob.headers)).toBe(true)
  })
})

describe('signing out everywhere', () => {
  test('ends all sessions, withdraws consent from clients, and keeps access keys and other people', async () => {
    const app = await startApp()
    const [here, there, ofBob] = [await app.signIn(alice), await app.signIn(alice), await app.signIn(bob)]
    const { key } = (await app.post(`${auth}/profile-keys`, { name: 'x' }, here.headers)).body.data
    const [granted, others] = [await grantTo(app.parts, alice), await grantTo(app.parts, bob)]
    expect(await granted.tokens.verify(granted.token)).toBeDefined()
    const { profile } = granted
    const code = (hash: string, consumed: number | null, family: number | null, of = profile) => ({
      sql: `INSERT INTO oauth_codes (hash, profile, client, account, redirect_uri, challenge, scope, resource, signed_in_at, expires_at, consumed_at, family)
            VALUES (unhex(?1), ?2, 'c', 'a', 'r', 'x', 's', 'r', 1, 9e15, ?3, ?4)`,
      params: [hash.repeat(32), of, consumed, family],
    })
    await app.parts.db.write([
      code('0a', null, null),
      code('0b', 1, granted.family),
      code('0c', null, null, others.profile),
    ])

    const answer = await app.post(`${auth}/logout-everywhere`, {}, here.headers)
    expect(answer.body.data).toEqual({ authenticated: false })
    expect(answer.headers.get('set-cookie')).toStartWith('svc_session=;')
    for (const { headers } of [here, there]) expect(await isSignedIn(app, headers)).toBe(false)
    expect(await granted.tokens.verify(granted.token)).toBeUndefined()
    const codes = await select<{ hash: string }>(app.parts.db, 'SELECT lower(hex(hash)) AS hash FROM oauth_codes').all()
    expect(codes.map(({ hash }) => hash.slice(0, 2)).sort()).toEqual(['0b', '0c'])
    expect(
      await select(app.parts.db, 'SELECT revoked_at AS at, reason FROM oauth_families WHERE profile = ?1').all(profile),
    ).toEqual([{ at: app.now(), reason: 'signed out everywhere' }])

    expect(await isSignedIn(app, { authorization: `Bearer ${key}` })).toBe(true)
    expect(await isSignedIn(app, ofBob.headers)).toBe(true)
    expect(await others.tokens.verify(others.token)).toBeDefined()
    expect((await events(app)).at(-1)).toMatchObject({ event: 'signed_out_everywhere', profile })
  })

  test('needs a session', async () => {
    const app = await startApp()
    expectRefused(await app.post(`${auth}/logout-everywhere`, {}), 'WALLET_AUTH_REQUIRED', /verify\?intent=login/)
  })
})

test('signing out everywhere leaves the person alone who got the number of a profile that was deleted', async () => {
  const app = await startApp()
  const { headers } = await app.signIn(alice)
  let ofBob: Awaited<ReturnType<typeof app.signIn>> | undefined
  overtake(app.parts.db, 'DELETE FROM sessions WHERE profile', async () => {
    await app.request(`${auth}/me`, { method: 'DELETE', headers })
    ofBob = await app.signIn(bob)
  })
  expect((await app.post(`${auth}/logout-everywhere`, {}, headers)).status).toBe(200)
  expect(await isSignedIn(app, ofBob!.headers)).toBe(true)
})

describe('deleting a profile', () => {
  test('deletes the data that belongs to it, and keeps proofs and other people', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    const ofBob = await app.signIn(bob)
    const untouched = await rowCounts(app.parts)
    const { headers, subjectId } = await app.signIn(alice)
    const { key } = (await app.post(`${auth}/profile-keys`, { name: 'Diary' }, headers)).body.data
    const granted = await grantTo(app.parts, alice)

    const answer = await app.request(`${auth}/me`, { method: 'DELETE', headers })
    expect(answer.body.data).toEqual({ deleted: true, traces: { pending: false } })
    expect(answer.headers.get('set-cookie')).toStartWith('svc_session=;')
    expect(await isSignedIn(app, headers)).toBe(false)
    expect(await isSignedIn(app, { authorization: `Bearer ${key}` })).toBe(false)
    expect(await granted.tokens.verify(granted.token)).toBeUndefined()
    expect(await isSignedIn(app, ofBob.headers)).toBe(true)
    expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(200)
    const { audit_events, spent_signatures, oauth_keys, taken_away, ...left } = await rowCounts(app.parts)
    const { audit_events: _, spent_signatures: __, oauth_keys: ___, taken_away: ____, ...before } = untouched
    expect(left).toEqual(before)
    // Key, grant and profile, for a restore: by names that mean nobody.
    expect(taken_away).toBe(3)
    const taken = await select<{ thing: string; detail: string }>(
      app.parts.db,
      'SELECT thing, detail FROM taken_away',
    ).all()
    expect(JSON.stringify(taken)).not.toContain(alice.address.toLowerCase().slice(2))
    const told = JSON.stringify(await events(app))
    expect(told).toContain('profile_deleted')
    expect(told).not.toContain(alice.address.toLowerCase())
    expect(told).toContain(bob.address.toLowerCase())

    const again = await app.signIn(alice)
    expect(again.subjectId).not.toBe(subjectId)
  })

  test('leaves no data to the profile that gets its number next', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    await app.request(`${auth}/me`, { method: 'DELETE', headers })
    await app.signIn(bob)
    const { profile } = (await events(app)).at(-1)!
    expect((await events(app)).filter((one) => one.profile === profile).map(({ event }) => event)).toEqual([
      'signed_in',
    ])
  })

  test.each(['clearing its history', 'deleting it'])(
    'twice at once leaves the person alone who gets its number before the second %s',
    async (step) => {
      const app = await startApp()
      const { headers } = await app.signIn(alice)
      const deleteIt = () => app.request(`${auth}/me`, { method: 'DELETE', headers })
      let ofBob: Awaited<ReturnType<typeof app.signIn>> | undefined
      overtake(app.parts.db, step === 'deleting it' ? 'DELETE FROM profiles' : 'DELETE FROM secrets', async () => {
        await deleteIt()
        ofBob = await app.signIn(bob)
      })
      expect((await deleteIt()).body.data).toMatchObject({ deleted: true })
      expect(await isSignedIn(app, ofBob!.headers)).toBe(true)
      const told = await events(app)
      expect(told.map(({ event }) => event)).toEqual(['signed_in', 'profile_deleted', 'signed_in'])
      expect(told.at(-1)!.details).toContain(bob.address.toLowerCase())
    },
  )

  test('is for a browser with its token', async () => {
    const app = await startApp()
    const { cookie } = await app.signIn(alice)
    const refused = await leavesNothing(app.parts, () =>
      app.request(`${auth}/me`, { method: 'DELETE', headers: { cookie } }),
    )
    expectRefused(refused, 'FORBIDDEN', /X-CSRF-Token/)
    expectRefused(await app.request(`${auth}/me`, { method: 'DELETE' }), 'WALLET_AUTH_REQUIRED')
  })
})

test('the audit log records what happened, without credentials', async () => {
  const app = await startApp()
  const { cookie, csrf, headers } = await app.signIn(alice)
  const { key, keyId } = (await app.post(`${auth}/profile-keys`, { name: 'x', scopes: ['core'] }, headers)).body.data
  await app.request(`${auth}/profile-keys/${keyId}`, { method: 'DELETE', headers })
  await app.post(`${auth}/logout`, {}, headers)
  const session = expect.stringMatching(/^[0-9a-f]{16}$/)
  expect((await events(app)).map(({ event, details }) => [event, JSON.parse(details)])).toEqual([
    ['signed_in', { account: alice.address.toLowerCase(), session }],
    ['access_key_created', { keyId, scopes: 'core' }],
    ['access_key_revoked', { keyId }],
    ['signed_out', { session }],
  ])
  const told = JSON.stringify(await events(app))
  for (const secret of [cookie.split('=')[1]!, csrf, key]) expect(told).not.toContain(secret)
})

test('a profile with a long history is deleted in slices, and completely', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  const { db } = app.parts
  const numbers = countTo(5_000)
  await db.write([
    {
      sql: `${numbers} INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at, revoked_at)
            SELECT ${randomHash}, profiles.id, '0x', 'S' || i, 'single', NULL, 1, 2 FROM n, profiles`,
      params: [],
    },
    {
      sql: `${numbers} INSERT INTO audit_events (at, event, profile, details)
            SELECT 1, 'signed_in', profiles.id, '{"account":"x"}' FROM n, profiles`,
      params: [],
    },
  ])
  const count = async (rows: string) => (await select<{ n: number }>(db, `SELECT count(*) AS n FROM ${rows}`).get())!.n
  const [seen, seenEvents] = [new Set<number>(), new Set<number>()]
  let isDone = false
  const deleting = app.request('/api/v1/auth/me', { method: 'DELETE', headers }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await Bun.sleep(0)
    seen.add(await count('secrets'))
    seenEvents.add(await count("audit_events WHERE details <> '{}'"))
  }
  expect((await deleting).status).toBe(200)
  expect(seen.size).toBeGreaterThan(5)
  expect(seenEvents.size).toBeGreaterThan(5)
  const left = ['profiles', 'secrets', 'audit_events WHERE profile IS NOT NULL', "audit_events WHERE details <> '{}'"]
  expect(await mapInOrder(left, count)).toEqual([0, 0, 0, 0])
})
