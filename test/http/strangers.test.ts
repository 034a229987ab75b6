/** Routes whose credential comes without the body: it is judged first, and callers without it learn nothing of the shape. */
import { describe, expect, test } from 'bun:test'
import { listRoutes } from '../../src/app.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const session = await app.signIn(alice)

const routes = listRoutes(app.parts)
  .filter(
    ({ callers, needs, refusalFormat, operation, bodyFormat, shapes }) =>
      (Object.keys(shapes).length > 0 || needs !== undefined) &&
      !callers.includes('anyone') &&
      !(callers.includes('signature') && shapes.body?.properties?.signature) &&
      refusalFormat === 'envelope' &&
      operation !== 'hidden' &&
      bodyFormat !== 'handler',
  )
  .map(({ method, path, ...facts }) => ({ ...facts, method, path: path.replaceAll(/:\w+/g, '!') }))

const keyHeaders = async (scopes: readonly string[]): Promise<Record<string, string>> => {
  const made = await app.post('/api/v1/auth/profile-keys', { name: 'A program', scopes }, session.headers)
  return { authorization: `Bearer ${made.body.data.key}` }
}
const coreKey = await keyHeaders(['core'])
const fullKey = await keyHeaders(['core', 'profile', 'secrets'])
const { cookie } = session.headers as { cookie: string }

/** A query, headers and a body that no shape accepts. */
const requests: readonly [string, string, RequestInit][] = [
  ['without a body', '', {}],
  ['with an empty body', '', { headers: { 'content-type': 'application/json' }, body: '' }],
  ['with a text', '', { headers: { 'content-type': 'text/plain' }, body: 'hello' }],
  ['with half of an object', '', { headers: { 'content-type': 'application/json' }, body: '{"a":' }],
  ['with an empty object', '', { headers: { 'content-type': 'application/json' }, body: '{}' }],
  ['with a body above the limit', '', { headers: { 'content-type': 'application/json' }, body: 'x'.repeat(600_000) }],
  ['with a wrong query', '?limit=many&offset=-1', {}],
]

const unknownKey = `Bearer npk_${'a'.repeat(43)}`
const credentials: readonly [string, Record<string, string>][] = [
  ['no credential', {}],
  ['an unknown access key', { authorization: unknownKey }],
  ['the cookie of no session', { cookie: `svc_session=${'a'.repeat(43)}` }],
]

type Found = (typeof routes)[number]

/** Sends every request that no shape accepts. */
async function expectJudgedFirst(
  { method, path }: Found,
  sent: Record<string, string>,
  code: ErrorCode,
  hint: RegExp,
): Promise<void> {
  for (const [, query, { body, headers }] of requests) {
    const init = method === 'GET' || body === undefined ? {} : { body }
    const answer = await leavesNothing(app.parts, () =>
      app.request(path + query, { method, ...init, headers: { ...(headers as object), ...sent } }),
    )
    expectRefused(answer, code, hint)
    expect(answer.body.error.details.in).toBeUndefined()
  }
}

const byName = (some: readonly Found[]) => some.map((one) => [`${one.method} ${one.path}`, one] as const)

test('these routes are found', () => {
  expect(routes.length).toBeGreaterThan(18)
  expect(routes.filter(({ bodyFormat }) => bodyFormat === 'json').length).toBeGreaterThan(4)
})

describe.each(byName(routes))('%s', (_, one) => {
  test.each(credentials)('with %s, the answer is about the credential', (_, sent) =>
    expectJudgedFirst(one, sent, 'WALLET_AUTH_REQUIRED', /sign in|signed in|access key is unknown/),
  )
})

describe.each(byName(routes.filter(({ needs }) => needs !== undefined && needs !== 'core')))('%s', (_, one) => {
  test('with an access key that lacks the scope, the answer is about the scope', async () => {
    await expectJudgedFirst(one, coreKey, 'FORBIDDEN', new RegExp(`^this access key lacks the scope "${one.needs}"`))
    const answer = await app.request(one.path, { method: one.method, headers: coreKey })
    expect(answer.body.error.details).toEqual({ missingScope: one.needs })
  })
})

describe.each(byName(routes.filter(({ callers }) => !callers.includes('access-key'))))('%s', (_, one) => {
  test('with a good access key, the answer is that no key may do this', () =>
    expectJudgedFirst(one, fullKey, 'FORBIDDEN', /^an access key may not do this/))
})

describe.each(byName(routes.filter(({ method }) => method !== 'GET')))('%s', (_, one) => {
  test.each([
    ['without the CSRF token', {}],
    ['with another CSRF token', { 'x-csrf-token': 'another' }],
  ])('with a session %s, the answer is about the token', (_, more) =>
    expectJudgedFirst(one, { cookie, ...more } as Record<string, string>, 'FORBIDDEN', /X-CSRF-Token/),
  )
})

describe.each(byName(routes.filter(({ callers }) => callers.includes('signature'))))('%s', (_, one) => {
  test('with a part of the headers of a signature, the answer is about the headers', () =>
    expectJudgedFirst(one, { 'x-signature': '0x00' }, 'WALLET_AUTH_REQUIRED', /x-wallet-address, x-signature and/))
})

describe.each(byName(routes.filter(({ callers, shapes }) => callers.includes('signature') && shapes.body)))(
  '%s',
  (_, one) => {
    test('with a signature that does not hold, the answer is about the signature', () =>
      expectJudgedFirst(
        one,
        {
          'x-wallet-address': alice.address,
          'x-signature': `0x${'11'.repeat(65)}`,
          'x-signed-timestamp': String(app.parts.now()),
        },
        'SIGNATURE_INVALID',
        /the owner signature is not accepted/,
      ))
  },
)

test('a route for people and their access keys names the scope that a key needs', () => {
  const silent = listRoutes(app.parts).filter(
    ({ callers, needs }) => callers.join() === 'session,access-key' && needs === undefined,
  )
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('beside a good session, the refusal of an access key says that the key was judged', async () => {
  const judged = /access key was judged in its place: leave out the header Authorization to use the session$/
  for (const path of ['/api/v1/auth/sessions', '/api/v1/auth/apps', '/api/v1/profile/gates']) {
    const unknown = await app.get(path, { ...session.headers, authorization: unknownKey })
    expectRefused(unknown, 'WALLET_AUTH_REQUIRED', judged)
    expect((await app.get(path, { authorization: unknownKey })).body.error.message).not.toMatch(judged)
  }
  expectRefused(await app.get('/api/v1/auth/sessions', { ...session.headers, ...fullKey }), 'FORBIDDEN', judged)
  expectRefused(await app.get('/api/v1/auth/apps', { ...session.headers, ...coreKey }), 'FORBIDDEN', judged)
})

test('the sessions of a person are refused to an unknown access key as to a stranger', async () => {
  const unknown = await app.get('/api/v1/auth/sessions', { authorization: unknownKey })
  expectRefused(unknown, 'WALLET_AUTH_REQUIRED', /access key is unknown or revoked/)
  expectRefused(await app.get('/api/v1/auth/sessions', fullKey), 'FORBIDDEN', /^an access key may not do this/)
})

test('a session is told that only an access key revokes itself, and how a person revokes one', async () => {
  for (const headers of [{}, session.headers])
    expectRefused(
      await app.request('/api/v1/auth/profile-key', { method: 'DELETE', headers }),
      'WALLET_AUTH_REQUIRED',
      /^only an access key itself can do this.*DELETE \/api\/v1\/auth\/profile-keys\/\{keyId\}/,
    )
})

test('somebody who is signed in is told what is wrong with the body', async () => {
  const answer = await app.post('/api/v1/auth/profile-keys', {}, session.headers)
  expectRefused(answer, 'VALIDATION_ERROR', /^body name: is missing/)
})

test('strangers use up the rate limit of such a route', async () => {
  const limited = await startApp()
  const statuses: number[] = []
  for (let turn = 0; turn < 80; turn++)
    statuses.push((await limited.request('/api/v1/auth/profile-keys', { method: 'POST' })).status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})

describe('a query parameter plan', () => {
  test.each([
    ['POST', '/api/v1/profile/gates/club/status'],
    ['DELETE', '/api/v1/profile/gates/club'],
    ['POST', `/api/v1/proofs/revoke-self/0x${'ab'.repeat(32)}`],
    ['POST', '/api/v1/proofs/erase-all'],
  ])('is refused by %s %s, which would make the change', async (method, path) => {
    for (const value of ['true', '1', 'yes', '']) {
      const json = method === 'POST' ? { 'content-type': 'application/json' } : undefined
      const init = { headers: { ...session.headers, ...json }, ...(json && { body: '{}' }) }
      const answer = await leavesNothing(app.parts, () => app.request(`${path}?plan=${value}`, { method, ...init }))
      expectRefused(answer, 'VALIDATION_ERROR', /^query parameter plan: this operation cannot be planned/)
    }
  })
})
