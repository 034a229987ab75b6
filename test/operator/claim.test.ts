/** The operators of a server, and the ways to become one. */

import { describe, expect, test } from 'bun:test'
import { readSession } from '../../src/auth/sessions/session.ts'
import { StorageError } from '../../src/db/db.ts'
import { linkAtStart, makeLink } from '../../src/operator/link.ts'
import { isOperator } from '../../src/operator/operator.ts'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { tableNames } from '../parts/tables.ts'
import { alice, bob, sol } from '../wallets.ts'
import { api, printedToken, seen } from './stage.ts'

const isOperatorHere = async ({ parts }: TestApp, { cookie }: SignedInBrowser) =>
  isOperator(parts, await readSession(parts, new Headers({ cookie })))

const claim = (app: TestApp, browser: SignedInBrowser, token: unknown) =>
  app.post(`${api}/claim`, { token }, browser.headers)

const events = ({ parts }: TestApp) =>
  select<{ event: string; details: string }>(
    parts.db,
    "SELECT event, details FROM audit_events WHERE event LIKE 'operator%' ORDER BY id",
  ).all()

describe('operators of the configuration', () => {
  test('are those whose primary wallet is listed, in any spelling', async () => {
    const app = await startApp({ PROOFGATE_OPERATOR_WALLETS: `${alice.address.toLowerCase()},${sol.address}` })
    expect(await isOperatorHere(app, await app.signIn(alice))).toBe(true)
    expect(await isOperatorHere(app, await app.signIn(sol))).toBe(true)
    expect(await isOperatorHere(app, await app.signIn(bob))).toBe(false)
    expect(await isOperator(app.parts, undefined)).toBe(false)
  })

  test('a wallet linked to a person is operator there only if that person is', async () => {
    const app = await startApp({ PROOFGATE_OPERATOR_WALLETS: bob.address })
    const before = await app.signIn(bob)
    expect(await isOperatorHere(app, before)).toBe(true)
    const session = (await readSession(app.parts, new Headers({ cookie: before.cookie })))!
    const asAlice = (await readSession(app.parts, new Headers({ cookie: (await app.signIn(alice)).cookie })))!
    expect(await isOperator(app.parts, { ...session, profile: asAlice.profile })).toBe(false)
  })
})

test('a server whose disk is full starts without a link', async () => {
  const { parts } = await startApp()
  const logged: string[] = []
  const log = { ...parts.log, error: (line: string) => void logged.push(line) }
  const db = { ...parts.db, write: () => Promise.reject(new StorageError('database or disk is full')) }
  expect(await linkAtStart({ ...parts, log, db })).toBeUndefined()
  expect(logged).toEqual(['no link for an operator could be stored'])
})

describe('POST /api/v1/operator/claim', () => {
  test('the link of the start makes the signed-in person operator, once', async () => {
    const app = await startApp()
    const token = await printedToken(app)
    const [first, second] = [await app.signIn(alice), await app.signIn(bob)]
    expect(await isOperatorHere(app, first)).toBe(false)

    const answer = await claim(app, first, token)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: { operator: true, wallet: alice.address.toLowerCase() } },
    })
    expect(await isOperatorHere(app, first)).toBe(true)

    expect((await claim(app, second, token)).status).toBe(404)
    expect(await isOperatorHere(app, second)).toBe(false)
    expect(await events(app)).toEqual([
      { event: 'operator_link_made', details: '{"by":"start"}' },
      { event: 'operator_claimed', details: JSON.stringify({ wallet: alice.address.toLowerCase() }) },
    ])
  })

  test('lets one of two simultaneous callers become operator', async () => {
    const app = await startApp()
    const token = await printedToken(app)
    const browsers = [await app.signIn(alice), await app.signIn(bob)]
    const answers = await Promise.all(browsers.map((browser) => claim(app, browser, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const operators = await Promise.all(browsers.map((browser) => isOperatorHere(app, browser)))
    expect(operators.filter(Boolean)).toHaveLength(1)
  })

  test('a link of an earlier start is invalid, and one that the command made is valid until it is too old', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const old = await printedToken(app)
    const printed = await printedToken(app)
    expect((await claim(app, browser, old)).status).toBe(404)
    const { token } = await makeLink(app.parts)
    expect((await claim(app, browser, printed)).status).toBe(404)
    app.wait(86_400_001)
    expect((await claim(app, browser, token)).status).toBe(404)
    const { token: fresh } = await makeLink(app.parts)
    expect((await claim(app, browser, fresh)).status).toBe(200)
  })

  test('the token is nowhere in the database', async () => {
    const app = await startApp()
    const token = await printedToken(app)
    for (const name of tableNames)
      expect(JSON.stringify(await select<object>(app.parts.db, `SELECT * FROM "${name}"`).all())).not.toContain(token)
  })

  test('is 403 without its CSRF token or from another origin, and the link stays valid', async () => {
    const app = await startApp()
    const token = await printedToken(app)
    const { cookie, headers, ...browser } = await app.signIn(alice)
    expect((await app.post(`${api}/claim`, { token }, { cookie })).status).toBe(403)
    const foreign = { ...headers, origin: 'https://evil.example' }
    expect((await app.post(`${api}/claim`, { token }, foreign)).status).toBe(403)
    expect(await isOperatorHere(app, { cookie, headers, ...browser })).toBe(false)
    expect((await claim(app, { cookie, headers, ...browser }, token)).status).toBe(200)
  })

  const unknown = '/api/v1/operator/nothing'
  test.each<[string, boolean, (token: string) => unknown]>([
    ['nobody who is signed in', false, (token) => ({ token })],
    ['a wrong token', true, (token) => ({ token: `${token.slice(1)}x` })],
    ['a token that is no text', true, (token) => ({ token: [token] })],
    ['no token', true, () => ({})],
    ['a body that is null', true, () => 'null'],
    ['a body that is no JSON', true, () => '{'],
    ['a body of a megabyte', true, (token) => ({ token, more: 'x'.repeat(1_000_000) })],
  ])('%s: the answer of an address that there is not', async (_, isSignedIn, bodyWith) => {
    const app = await startApp()
    const body = bodyWith(await printedToken(app))
    const headers = isSignedIn ? (await app.signIn(alice)).headers : {}
    const path = `${api}/claim`
    expect(seen(await app.post(path, body, headers), path)).toEqual(
      seen(await app.post(unknown, body, headers), unknown),
    )
  })

  test('is an unknown address for everybody when there is no link', async () => {
    const app = await startApp({ PROOFGATE_OPERATOR_WALLETS: alice.address })
    const path = `${api}/claim`
    for (const { headers } of [await app.signIn(alice), await app.signIn(bob)])
      expect(seen(await app.post(path, { token: 'x'.repeat(43) }, headers), path)).toEqual(
        seen(await app.post(unknown, {}, headers), unknown),
      )
  })

  test('an access key claims nothing', async () => {
    const app = await startApp()
    const token = await printedToken(app)
    const browser = await app.signIn(alice)
    const made = await app.post('/api/v1/auth/profile-keys', { name: 'a' }, browser.headers)
    const key = { authorization: `Bearer ${made.body.data.key}` }
    expect((await app.post(`${api}/claim`, { token }, key)).status).toBe(404)
    expect((await app.post(`${api}/claim`, { token }, { ...browser.headers, ...key })).status).toBe(404)
    expect(await isOperatorHere(app, browser)).toBe(false)
  })

  test('after too many attempts everybody hears when to try again, with any token and without a link', async () => {
    const settings = { PROOFGATE_LIMITS_RATES_SESSIONS: '5/1m' }
    const [open, closed] = [
      await startApp(settings),
      await startApp({ ...settings, PROOFGATE_OPERATOR_WALLETS: alice.address }),
    ]
    const token = await printedToken(open)
    const refusals: unknown[] = []
    for (const app of [open, closed]) {
      const browser = await app.signIn(bob)
      app.wait(60_000)
      for (let attempt = 0; attempt < 5; attempt++) expect((await claim(app, browser, 'x'.repeat(43))).status).toBe(404)
      for (const headers of [browser.headers, {}])
        for (const body of [{ token }, { token: 'x'.repeat(43) }, '{']) {
          const { status, headers: answered, body: text } = await app.post(`${api}/claim`, body, headers)
          const names = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'cache-control']
          refusals.push({ status, text: { ...text, requestId: '' }, headers: names.map((name) => answered.get(name)) })
        }
    }
    expect(refusals[0]).toMatchObject({ status: 429, text: { error: { code: 'RATE_LIMIT_EXCEEDED' } } })
    for (const one of refusals) expect(one).toEqual(refusals[0])
    open.wait(60_000)
    expect((await claim(open, await open.signIn(alice), token)).status).toBe(200)
  })
})

test.each([
  ['GET', api],
  ['GET', `${api}/`],
  ['GET', `${api}/claim`],
  ['PUT', `${api}/claim`],
  ['DELETE', api],
  ['POST', api],
])('%s %s answers a stranger like an unknown address', async (method, path) => {
  const app = await startApp({ PROOFGATE_OPERATOR_WALLETS: alice.address })
  const stranger = await app.signIn(bob)
  const made = await app.post('/api/v1/auth/profile-keys', { name: 'a' }, (await app.signIn(alice)).headers)
  const unknown = '/api/v1/nothing'
  for (const headers of [{}, stranger.headers, { authorization: `Bearer ${made.body.data.key}` }])
    expect(seen(await app.request(path, { method, headers }), path)).toEqual(
      seen(await app.request(unknown, { method, headers }), unknown),
    )
})
