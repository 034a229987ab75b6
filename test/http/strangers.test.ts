/** Routes for signed-in people and access keys alone: strangers learn that they must sign in, and nothing of the shape. */
import { describe, expect, test } from 'bun:test'
import { listRoutes } from '../../src/app.ts'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const session = await app.signIn(alice)

const routes = listRoutes(app.parts)
  .filter(
    ({ callers, refusalFormat, operation, bodyFormat, shapes }) =>
      Object.keys(shapes).length > 0 &&
      callers.every((caller) => caller === 'session' || caller === 'access-key') &&
      refusalFormat === 'envelope' &&
      operation !== 'hidden' &&
      bodyFormat !== 'handler',
  )
  .map(({ method, path, ...facts }) => ({ ...facts, method, path: path.replaceAll(/:\w+/g, 'x') }))

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

test('these routes are found', () => {
  expect(routes.length).toBeGreaterThan(7)
  expect(routes.filter(({ bodyFormat }) => bodyFormat === 'json').length).toBeGreaterThan(2)
})

describe.each(routes.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s',
  (_, { method, path, callers }) => {
    test.each(credentials)('with %s, the answer is about the credential', async (_, sent) => {
      for (const [, query, { body, headers }] of requests) {
        const init = method === 'GET' || body === undefined ? {} : { body }
        const answer = await leavesNothing(app.parts, () =>
          app.request(path + query, { method, ...init, headers: { ...(headers as object), ...sent } }),
        )
        const isForbiddenKey = 'authorization' in sent && !callers.includes('access-key')
        expectRefused(
          answer,
          isForbiddenKey ? 'FORBIDDEN' : 'WALLET_AUTH_REQUIRED',
          /sign in|signed in|access key is unknown/,
        )
      }
    })
  },
)

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
      const init = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
      const answer = await leavesNothing(app.parts, () => app.request(`${path}?plan=${value}`, { method, ...init }))
      expectRefused(answer, 'VALIDATION_ERROR', /^query parameter plan: this operation cannot be planned/)
    }
  })
})
