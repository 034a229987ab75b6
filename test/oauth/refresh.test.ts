/** Refresh tokens: rows R1 to R10 (the crash of R10 is in test/durability). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { select } from '../parts/select.ts'
import { openRun, openTwo, passSeconds } from '../processes/share.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob } from '../wallets.ts'
import { allScopes, type Flow, flowOf, type Parameters } from './flow.ts'

const newFolder = temporaryFolders()
let app: TestApp
let flow: Flow
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
})
afterAll(() => app.close())

const oneDayMs = 86_400_000
const invalidGrant = { status: 400, body: { error: 'invalid_grant', success: false } }
const audited = async (event: string): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM audit_events WHERE event = ?').get(event))!.n
const scopeIn = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).scope

test('R1 a refresh token gives a new one each time, and the old one is refused', async () => {
  const first = await flow.newTokens()
  const second = await flow.refresh(first.refresh_token)
  const { access_token, refresh_token, ...rest } = second.body
  expect([second.status, rest]).toEqual([200, { token_type: 'Bearer', expires_in: 3600, scope: allScopes }])
  expect(access_token).toStartWith('ey')
  expect(refresh_token).toMatch(/^rt_[A-Za-z0-9_-]{22}\.[0-9a-z]+\.[A-Za-z0-9_-]{43}$/)
  expect(second.headers.get('cache-control')).toBe('no-store')
  const third = await flow.refresh(second.body.refresh_token)
  const seen = new Set([first.refresh_token, second.body.refresh_token, third.body.refresh_token])
  expect(seen.size).toBe(3)
  for (const tokens of [first, second.body, third.body]) expect(await flow.opens(tokens.access_token)).toBe(true)
  expect(await flow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
})

test('R2 an old one that comes again ends the grant with all its tokens', async () => {
  const first = await flow.newTokens()
  const { body: second } = await flow.refresh(first.refresh_token)
  const before = await audited('refresh_reused')
  expect(await flow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
  expect(await audited('refresh_reused')).toBe(before + 1)
  expect(await flow.refresh(second.refresh_token)).toMatchObject(invalidGrant)
  for (const { access_token } of [first, second]) expect(await flow.opens(access_token)).toBe(false)
})

describe('R3 processes that refresh at the same moment', () => {
  test('get one and the same answer, and the grant goes on', async () => {
    const { refresh_token } = await flow.newTokens()
    const answers = await Promise.all(Array.from({ length: 5 }, () => flow.refresh(refresh_token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify([body.access_token, body.refresh_token]))).size).toBe(1)
    expect((await flow.refresh(answers[0]!.body.refresh_token)).status).toBe(200)
  })

  test('with different scopes get the same refresh token, and access tokens as they asked', async () => {
    const { refresh_token } = await flow.newTokens()
    const [all, core] = await Promise.all([
      flow.refresh(refresh_token),
      flow.refresh(refresh_token, { scope: 'svc:core' }),
    ])
    expect(core.body.refresh_token).toBe(all.body.refresh_token)
    expect([scopeIn(all.body.access_token), scopeIn(core.body.access_token)]).toEqual([allScopes, 'svc:core'])
    expect(await flow.opens(core.body.access_token)).toBe(true)
  })

  test('from different clients are told apart', async () => {
    const other = await flow.newClient()
    const { refresh_token } = await flow.newTokens()
    const [own, foreign] = await Promise.all([
      flow.refresh(refresh_token),
      flow.refresh(refresh_token, { client_id: other }),
    ])
    expect([own.status, foreign.status]).toEqual([200, 400])
    expect((await flow.refresh(own.body.refresh_token)).status).toBe(200)
  })
})

const refreshAt = (request: TestApp['request'], token: string, changes: Parameters = {}) =>
  request('/api/v1/auth/mcp/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(flow.refreshParameters(token, changes) as Record<string, string>)),
  })

describe('two processes of the server on one store', () => {
  test('make one exchange of a token that comes to both at the same moment, and both answer with it', async () => {
    const { refresh_token } = await flow.newTokens()
    const two = await openTwo(app)
    const answers = await Promise.all(two.map(({ request }) => refreshAt(request, refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [next, same] = answers.map(({ body }) => body.refresh_token)
    expect(same).toBe(next)
    expect((await flow.refresh(next)).status).toBe(200)
    for (const { processes } of two) await processes.leave()
  })

  test('end the grant of a token that one exchanged and that comes again to the other, while the first one lives', async () => {
    const { refresh_token } = await flow.newTokens()
    const two = await openTwo(app)
    const [one, other] = two
    const { body } = await refreshAt(one.request, refresh_token)
    await passSeconds(app, 2, two)
    const again = refreshAt(other.request, refresh_token)
    await passSeconds(app, 2, two)
    expect(await again).toMatchObject(invalidGrant)
    expect(await flow.refresh(body.refresh_token)).toMatchObject(invalidGrant)
    for (const { processes } of two) await processes.leave()
  })

  test('repeat the answer of one that died, whose client may have lost it', async () => {
    const { refresh_token } = await flow.newTokens()
    const [one, other] = await openTwo(app)
    const { body } = await refreshAt(one.request, refresh_token)
    const again = refreshAt(other.request, refresh_token)
    await passSeconds(app, 12, [other])
    expect(await again).toMatchObject({ status: 200, body: { refresh_token: body.refresh_token } })
    await other.processes.leave()
  })

  test('repeat the answer of each other within the grace, however long they have been running', async () => {
    const lenient = await startApp({
      PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: '30',
      PROOFGATE_LIMITS_ENABLED: 'false',
    })
    const { refresh_token } = await flowOf(lenient).newTokens()
    const two = await openTwo(lenient)
    await passSeconds(lenient, 60, two)
    const { body } = await refreshAt(two[0].request, refresh_token)
    lenient.wait(29_000)
    expect(await refreshAt(two[1].request, refresh_token)).toMatchObject({
      status: 200,
      body: { refresh_token: body.refresh_token },
    })
    await lenient.close()
  })

  test('repeat the answer of one that stopped, at once', async () => {
    const { refresh_token } = await flow.newTokens()
    const [one, other] = await openTwo(app)
    const { body } = await refreshAt(one.request, refresh_token)
    await one.processes.leave()
    expect(await refreshAt(other.request, refresh_token)).toMatchObject({
      status: 200,
      body: { refresh_token: body.refresh_token },
    })
    await other.processes.leave()
  })
})

test('R4 another client gets no token, and changes no state', async () => {
  const other = await flow.newClient()
  const { refresh_token } = await flow.newTokens()
  expect(await flow.refresh(refresh_token, { client_id: other })).toMatchObject(invalidGrant)
  const { body } = await flow.refresh(refresh_token)
  expect(await flow.refresh(refresh_token, { client_id: other })).toMatchObject(invalidGrant)
  expect((await flow.refresh(body.refresh_token)).status).toBe(200)
})

describe('R5 the scope', () => {
  test('can be narrowed, for that access token only', async () => {
    const { refresh_token } = await flow.newTokens()
    const narrow = await flow.refresh(refresh_token, { scope: 'svc:core' })
    expect(narrow.body.scope).toBe('svc:core')
    expect(scopeIn(narrow.body.access_token)).toBe('svc:core')
    expect((await flow.refresh(narrow.body.refresh_token)).body.scope).toBe(allScopes)
  })

  test.each(['svc:core svc:secrets', 'svc:root', 'svc:core other'])('cannot be widened to %s', async (scope) => {
    const { refresh_token } = await flow.newTokens({ scope: 'svc:core offline_access' })
    expect(await flow.refresh(refresh_token, { scope })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    expect((await flow.refresh(refresh_token)).status).toBe(200)
  })
})

test.each([undefined, 'https://other.example/mcp'])(
  'R6 the resource %p is refused, and the token not used up',
  async (resource) => {
    const { refresh_token } = await flow.newTokens()
    expect(await flow.refresh(refresh_token, { resource })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    })
    expect((await flow.refresh(refresh_token)).status).toBe(200)
  },
)

describe('R7 a grant ends', () => {
  test('30 days after it was last used', async () => {
    const { refresh_token } = await flow.newTokens()
    app.wait(30 * oneDayMs - 1)
    const { body } = await flow.refresh(refresh_token)
    app.wait(30 * oneDayMs)
    expect(await flow.refresh(body.refresh_token)).toMatchObject(invalidGrant)
  })

  test('after the days that the operator allows, however often it is used', async () => {
    const strict = await startApp({ PROOFGATE_OAUTH_GRANT_DAYS: '2', PROOFGATE_OAUTH_REFRESH_IDLE_DAYS: '1' })
    const itsFlow = flowOf(strict)
    let { refresh_token } = await itsFlow.newTokens()
    for (let half = 0; half < 3; half++) {
      strict.wait(oneDayMs / 2)
      const { body } = await itsFlow.refresh(refresh_token)
      refresh_token = body.refresh_token
    }
    strict.wait(oneDayMs / 2)
    expect(await itsFlow.refresh(refresh_token)).toMatchObject(invalidGrant)
    await strict.close()
  })
})

describe('with a grace of 30 seconds', () => {
  async function withGrace(story: (app: TestApp, flow: Flow) => Promise<void>): Promise<void> {
    const lenient = await startApp({ PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: '30' })
    await story(lenient, flowOf(lenient))
    await lenient.close()
  }

  test('the token before the current one gives the current one again', () =>
    withGrace(async (lenient, itsFlow) => {
      const first = await itsFlow.newTokens()
      const { body: second } = await itsFlow.refresh(first.refresh_token)
      lenient.wait(29_999)
      const again = await itsFlow.refresh(first.refresh_token)
      expect(again.body.refresh_token).toBe(second.refresh_token)
      expect(again.body.access_token).not.toBe(second.access_token)
      for (const { access_token } of [second, again.body]) expect(await itsFlow.opens(access_token)).toBe(true)
      expect((await itsFlow.refresh(second.refresh_token)).status).toBe(200)
    }))

  test('the token before the current one ends the grant after the grace', () =>
    withGrace(async (lenient, itsFlow) => {
      const first = await itsFlow.newTokens()
      const { body: second } = await itsFlow.refresh(first.refresh_token)
      lenient.wait(30_000)
      expect(await itsFlow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
      expect(await itsFlow.refresh(second.refresh_token)).toMatchObject(invalidGrant)
    }))

  test('R8 the token before that ends the grant', () =>
    withGrace(async (_, itsFlow) => {
      const first = await itsFlow.newTokens()
      const { body: second } = await itsFlow.refresh(first.refresh_token)
      const { body: third } = await itsFlow.refresh(second.refresh_token)
      expect(await itsFlow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
      expect(await itsFlow.refresh(third.refresh_token)).toMatchObject(invalidGrant)
      expect(await itsFlow.opens(third.access_token)).toBe(false)
    }))
})

describe('an answer that was lost on its way', () => {
  async function withGrace(story: (app: TestApp, flow: Flow) => Promise<void>): Promise<void> {
    const lenient = await startApp({ PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: '30', PROOFGATE_LIMITS_ENABLED: 'false' })
    await story(lenient, flowOf(lenient))
    await lenient.close()
  }

  test('is named as a possible cause by a sign-out without a grace, in the answer, the log and the audit log', async () => {
    const logged: [string, object | undefined][] = []
    const log = { ...app.parts.log, warn: (line: string, fields?: object) => void logged.push([line, fields]) }
    const server = createApp({ ...app.parts, log })
    const { refresh_token } = await flow.newTokens()
    await flow.refresh(refresh_token)
    app.wait(7_000)
    const body = new URLSearchParams(flow.refreshParameters(refresh_token) as Record<string, string>)
    const request = new Request('http://localhost/api/v1/auth/mcp/token', { method: 'POST', body })
    const answer = await (await server.handle(request)).json()
    expect(answer).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringMatching(/If the first answer was lost.*oauth\.refresh_grace_seconds/),
    })
    expect(logged).toEqual([
      [
        'a refresh token was used twice, and its grant ended',
        {
          event: 'refresh-token-reused',
          client: expect.any(String),
          usedSecondsAgo: 7,
          mend: expect.stringMatching(/refresh_grace_seconds = 30/),
        },
      ],
    ])
    const last = await select<{ details: string }>(
      app.parts.db,
      "SELECT details FROM audit_events WHERE event = 'refresh_reused' ORDER BY id DESC LIMIT 1",
    ).get()
    expect(JSON.parse(last!.details)).toMatchObject({ usedSecondsAgo: 7 })
    // Now it is known no more than any other one that is dead.
    expect((await flow.refresh(refresh_token)).body.error_description).not.toMatch(/lost/)
  })

  test('with a grace, another client gets no token for the old one, and does not end the grant', () =>
    withGrace(async (_, itsFlow) => {
      const other = await itsFlow.newClient()
      const first = await itsFlow.newTokens()
      const { body: second } = await itsFlow.refresh(first.refresh_token)
      expect(await itsFlow.refresh(first.refresh_token, { client_id: other })).toMatchObject(invalidGrant)
      expect((await itsFlow.refresh(first.refresh_token)).body.refresh_token).toBe(second.refresh_token)
    }))

  test('with a grace, a narrowed scope is narrowed again, and a wider one refused without ending anything', () =>
    withGrace(async (_, itsFlow) => {
      const first = await itsFlow.newTokens({ scope: 'svc:core svc:profile offline_access' })
      const { body: second } = await itsFlow.refresh(first.refresh_token, { scope: 'svc:core' })
      const wider = await itsFlow.refresh(first.refresh_token, { scope: 'svc:core svc:secrets' })
      expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
      const again = await itsFlow.refresh(first.refresh_token, { scope: 'svc:core' })
      expect(again.body.refresh_token).toBe(second.refresh_token)
      expect(scopeIn(again.body.access_token)).toBe('svc:core')
    }))

  test('with a grace, the second of two clients that use the same next token ends the grant', () =>
    withGrace(async (lenient, itsFlow) => {
      const first = await itsFlow.newTokens()
      const { body: owners } = await itsFlow.refresh(first.refresh_token)
      const { body: thiefs } = await itsFlow.refresh(first.refresh_token)
      const { body: third } = await itsFlow.refresh(thiefs.refresh_token)
      lenient.wait(31_000)
      expect(await itsFlow.refresh(owners.refresh_token)).toMatchObject(invalidGrant)
      for (const { access_token } of [owners, thiefs, third]) expect(await itsFlow.opens(access_token)).toBe(false)
    }))

  test('with a grace, the old token after the next one was used ends the grant', () =>
    withGrace(async (_, itsFlow) => {
      const first = await itsFlow.newTokens()
      const { body: second } = await itsFlow.refresh(first.refresh_token)
      const { body: third } = await itsFlow.refresh(second.refresh_token)
      expect(await itsFlow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
      expect(await itsFlow.opens(third.access_token)).toBe(false)
    }))

  test('with a grace, an even older token ends the grant', () =>
    withGrace(async (lenient, itsFlow) => {
      const first = await itsFlow.newTokens()
      await itsFlow.refresh(first.refresh_token)
      lenient.wait(31_000)
      expect((await itsFlow.refresh(first.refresh_token)).status).toBe(400)
    }))

  describe.each([3_600_000, -3_600_000])('with a grace, a clock that is set by %d ms', (ms) => {
    test('ends no grant', () =>
      withGrace(async (lenient, itsFlow) => {
        const first = await itsFlow.newTokens()
        const { body: second } = await itsFlow.refresh(first.refresh_token)
        lenient.setClock(ms)
        lenient.wait(29_999)
        const again = await itsFlow.refresh(first.refresh_token)
        expect([again.status, again.body.refresh_token]).toEqual([200, second.refresh_token])
      }))

    test('makes no old token young', () =>
      withGrace(async (lenient, itsFlow) => {
        const first = await itsFlow.newTokens()
        await itsFlow.refresh(first.refresh_token)
        lenient.setClock(ms)
        lenient.wait(30_000)
        // Moves the clock to the moment of the exchange.
        lenient.setClock(-ms - 30_000)
        expect(await itsFlow.refresh(first.refresh_token)).toMatchObject(invalidGrant)
      }))
  })

  describe.each([0, 86_400_000, -86_400_000])(
    'over a restart with a grace, and a clock that was set by %d ms',
    (ms) => {
      const settings = { PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: '30', PROOFGATE_LIMITS_ENABLED: 'false' }
      /**
       * Restarts over the same folder as another run, which begins a second later. `stored`: by a stop, not after a
       * crash.
       */
      async function overRestart(
        stored: boolean,
        story: (app: TestApp, flow: Flow, tokens: string[]) => Promise<void>,
      ) {
        const folder = newFolder()
        const before = await startApp(settings, folder)
        await before.clock.look()
        before.wait(40_000)
        const itsFlow = flowOf(before)
        const first = await itsFlow.newTokens()
        const { body: second } = await itsFlow.refresh(first.refresh_token)
        if (stored) await before.clock.store()
        await before.close()
        const after = await startApp(settings, folder, before.now() + 1_000 + ms)
        await after.clock.look()
        await story(after, flowOf(after), [first.refresh_token, second.refresh_token])
        await after.close()
      }

      test.each([true, false])('ends no grant (stored before: %p)', (stored) =>
        overRestart(stored, async (after, itsFlow, [first, second]) => {
          after.wait(60_000)
          const again = await itsFlow.refresh(first!)
          expect([again.status, again.body.refresh_token]).toEqual([200, second])
        }),
      )

      test.each([true, false])('makes no old token young (stored before: %p)', (stored) =>
        overRestart(stored, async (after, itsFlow, [first]) => {
          after.wait(120_000)
          // Moves the clock to the moment of the exchange.
          after.setClock(-121_000 - ms)
          expect(await itsFlow.refresh(first!)).toMatchObject(invalidGrant)
        }),
      )
    },
  )

  test('a token older than all clocks of this run stays old after the clock was set back', async () => {
    const settings = { PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: '30', PROOFGATE_LIMITS_ENABLED: 'false' }
    const folder = newFolder()
    const before = await startApp(settings, folder)
    await before.clock.look()
    const itsFlow = flowOf(before)
    const first = await itsFlow.newTokens()
    await itsFlow.refresh(first.refresh_token)
    // The steady clock itself was wrong, and went back when the clock of the machine was believed again.
    await before.parts.db.write([
      { sql: 'UPDATE oauth_families SET refreshed_at = refreshed_at + 3600000', params: [] },
    ])
    await before.clock.store()
    await before.close()
    const after = await startApp(settings, folder, before.now() + 1_000)
    await after.clock.look()
    expect(await flowOf(after).refresh(first.refresh_token)).toMatchObject(invalidGrant)
    await after.close()
  })
})

describe('R9 a grant ends with', () => {
  test('signing out everywhere', async () => {
    const tokens = await flow.newTokens()
    app.wait(1)
    const { headers } = await app.signIn(alice)
    expect((await app.post('/api/v1/auth/logout-everywhere', {}, headers)).status).toBe(200)
    expect(await flow.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect(await flow.opens(tokens.access_token)).toBe(false)
  })

  test('the revoked link of the wallet that signed in', async () => {
    const qHash = await linkWallets(app, alice, bob)
    const tokens = await flow.newTokens({}, bob)
    const { body } = await flow.refresh(tokens.refresh_token)
    expect(body.scope).toBe(allScopes)
    await flow.revokeProof(alice, qHash)
    expect(await flow.refresh(body.refresh_token)).toMatchObject(invalidGrant)
    expect(await flow.opens(body.access_token)).toBe(false)
  })

  test('no sign-out of the browser, which is a separate permission', async () => {
    const tokens = await flow.newTokens()
    app.wait(1)
    const { headers } = await app.signIn(alice)
    await app.post('/api/v1/auth/logout', {}, headers)
    expect(await flow.opens(tokens.access_token)).toBe(true)
  })
})

describe('R10 when the answer was lost because the server ended', () => {
  /** Opens the same database as another run of the server. */
  const nextRun = (run: string): TestApp['request'] => openRun(app.parts, run, { isShared: false }).request

  test('the next run gives the same refresh token again', async () => {
    const first = await flow.newTokens()
    const { body: lost } = await flow.refresh(first.refresh_token)
    const request = nextRun('b')
    app.wait(119_999)
    const again = await refreshAt(request, first.refresh_token)
    expect(again).toMatchObject({ status: 200, body: { refresh_token: lost.refresh_token } })
    expect((await refreshAt(request, lost.refresh_token)).status).toBe(200)
    // The successor was used, so the old token is now refused as reused.
    expect(await refreshAt(request, first.refresh_token)).toMatchObject(invalidGrant)
  })

  test('the next run refuses the old token two minutes later', async () => {
    const first = await flow.newTokens()
    await flow.refresh(first.refresh_token)
    app.wait(120_000)
    expect(await refreshAt(nextRun('c'), first.refresh_token)).toMatchObject(invalidGrant)
  })
})

test.each(['', 'rt_', 'rt_AAAA', 'nonsense', 'ac_x', '<script>'])(
  'a malformed token (%p) is refused',
  async (token) => {
    expect((await flow.refresh(token)).status).toBe(400)
  },
)

test('the token of a deleted person is refused', async () => {
  const { refresh_token } = await flow.newTokens()
  app.wait(1)
  const { headers } = await app.signIn(alice)
  await app.request('/api/v1/auth/me', { method: 'DELETE', headers })
  expect(await flow.refresh(refresh_token)).toMatchObject(invalidGrant)
})

test('a refresh token that was changed, made up or taken from another generation is refused and ends no grant', async () => {
  const { access_token, refresh_token } = await flow.newTokens()
  const [, handle, , mac] = /^rt_(.{22})\.(\w+)\.(.+)$/.exec(refresh_token)!
  for (const forged of [
    `rt_${handle}.1.${mac}`,
    `rt_${handle}.00.${mac}`,
    `rt_${'A'.repeat(22)}.0.${mac}`,
    `rt_${handle}.0.${'A'.repeat(43)}`,
    `${refresh_token}A`,
    refresh_token.slice(0, -1),
    refresh_token.toUpperCase(),
  ])
    expect(await flow.refresh(forged)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await flow.opens(access_token)).toBe(true)
  expect((await flow.refresh(refresh_token)).status).toBe(200)
})

test('X5 a refresh token from before an old backup was restored is refused, and ends no grant', async () => {
  const first = await flow.newTokens()
  const { body: second } = await flow.refresh(first.refresh_token)
  const { body: third } = await flow.refresh(second.refresh_token)
  await app.parts.db.write([{ sql: 'UPDATE oauth_families SET generation = generation - 1', params: [] }])
  expect(await flow.refresh(third.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await flow.opens(third.access_token)).toBe(false)
  expect((await flow.refresh(second.refresh_token)).status).toBe(200)
})
