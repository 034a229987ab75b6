import { describe, expect, test } from 'bun:test'
import { OptionalKind } from '@sinclair/typebox'
import { createApp, listRoutes } from '../../src/app.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const qHash = `0x${'ab'.repeat(32)}`

/** Every route of the API with parameters that fit, by path. */
const paths = new Map<string, Set<string>>()
/** Paths that only operators know. */
const hidden = new Set<string>()
const routes = listRoutes(app.parts)
const { findRefusalFormat } = makeRouteTable(routes)
for (const { method, path, operation } of routes) {
  if (operation === 'hidden') hidden.add(path)
  if (!path.startsWith('/api/') || operation === 'hidden') continue
  const filled = path.replace(':qHash', qHash).replace(':address', alice.address)
  paths.set(filled, (paths.get(filled) ?? new Set()).add(method))
}

/** A path that is written out may also be that of a parameter: `gates/discoverable` is a gate to those who delete. */
const methodsAt = (path: string): ReadonlySet<string> =>
  new Set(
    [...paths].flatMap(([pattern, methods]) =>
      new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path) ? [...methods] : [],
    ),
  )

test('the routes under test are the ones of the interface', () => {
  expect(paths.size).toBeGreaterThanOrEqual(17)
})

test('every described header may be left out and takes any text, because no step checks it', () => {
  const headers = routes.flatMap(({ shapes }) => Object.values(shapes.headers?.properties ?? {}))
  const checked = headers.filter(
    (header) => !(OptionalKind in header) || Object.keys(header).sort().join() !== 'description,type',
  )
  expect(checked).toEqual([])
  expect(new Set(headers.map(({ type }) => type))).toEqual(new Set(['string']))
})

test('a request is read by the steps of its route alone, and Elysia adds no work of its own', () => {
  const compiled = createApp(app.parts).routes.map((one) => `${one.path}: ${one.compile()}`)
  const isWorking = /parseCookie|headers\.toJSON|defineProperty|ParseError|validator\.|afterHandle/
  expect(compiled.length).toBeGreaterThan(100)
  expect(compiled.filter((text) => isWorking.test(text))).toEqual([])
})

test('every query that a route describes says whether it takes unknown parameters', () => {
  const unsure = routes.filter(({ shapes }) => shapes.query && shapes.query.additionalProperties === undefined)
  expect(unsure.map(({ path }) => path)).toEqual([])
})

describe('a wrong method', () => {
  test.each([...paths.keys()])('at %s is refused with 405, and Allow names the right ones', async (path) => {
    const wrong = ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'POST'].filter((method) => !methodsAt(path).has(method))
    await leavesNothing(app.parts, async () => {
      for (const method of wrong) {
        const answer = await app.request(path, { method })
        const isOAuth = findRefusalFormat(path) === 'oauth'
        if (isOAuth) expect(answer).toMatchObject({ status: 405, body: { error: 'invalid_request', success: false } })
        else expectRefused(answer, 'METHOD_NOT_ALLOWED', /use (GET|POST|DELETE)/)
        const allowed = answer.headers.get('allow')?.split(', ') ?? []
        for (const right of methodsAt(path)) expect(allowed).toContain(right)
        expect(allowed).toContain('OPTIONS')
        expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'))
        if (!isOAuth) expect(answer.body.error.details.allowed).toEqual(allowed.filter((one) => one !== 'OPTIONS'))
      }
    })
  })
})

describe('an address of operators', () => {
  test.each([...hidden])('%s is hidden from everybody else, by any method and with any body', async (path) => {
    const seen = async (at: string, method: string, body: string | undefined) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await app.request(at, { method, headers, ...(body === undefined ? {} : { body }) })
      expectRefused(answer, 'NOT_FOUND', /nothing at/)
      return { status: answer.status, names: [...answer.headers.keys()].sort() }
    }
    await leavesNothing(app.parts, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        for (const body of method === 'GET' ? [undefined] : [undefined, '{}', '{"half":', '[1]'])
          expect(await seen(path, method, body)).toEqual(await seen('/api/v1/nothing', method, body))
    })
  })
})

describe('an unknown path', () => {
  test.each([
    '/api',
    '/api/v1',
    '/api/v2/health',
    '/API/v1/health',
    '/api/v1/nothing',
    '//api/v1/health',
    '/api/v1//health',
    '/api/v1/health/live/more',
    '/api/v1/health/live%00',
    '/api/v1/health%2Flive',
    '/api/v1/proofs',
    '/.env',
    '/%zz',
  ])('%s is 404 with the envelope, by any method', async (path) => {
    await leavesNothing(app.parts, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH'])
        expectRefused(await app.request(path, { method }), 'NOT_FOUND', /there is nothing at .*GET \/openapi.json/)
    })
  })

  test('the message shows no more of a long path than helps', async () => {
    const { body } = await app.get(`/${'x'.repeat(5000)}`)
    expect(body.error.message.length).toBeLessThan(300)
  })
})

describe('HEAD', () => {
  test.each(['/api/v1/health', '/api/v1/verification/verifiers', `/api/v1/proofs/by-wallet/${alice.address}`])(
    '%s answers as GET does, without the body',
    async (path) => {
      const head = await app.request(path, { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(head.body).toBeUndefined()
    },
  )

  test('has the status of GET for a missing resource', async () => {
    expect((await app.request('/api/v1/nothing', { method: 'HEAD' })).status).toBe(404)
    expect((await app.request(`/api/v1/proofs/${qHash}`, { method: 'HEAD' })).status).toBe(404)
    expect((await app.request('/api/v1/verification', { method: 'HEAD' })).status).toBe(405)
  })
})

describe('OPTIONS', () => {
  test.each(['/api/v1/verification', '/api/v1/health', '/api/v1/nothing'])(
    '%s is a pre-flight: 204, no body, and the headers that a page may send',
    async (path) => {
      const answer = await app.request(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      })
      expect(answer.status).toBe(204)
      expect(answer.body).toBeUndefined()
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
      expect(answer.headers.get('access-control-allow-headers')).toContain('X-Signed-Timestamp')
      expect(answer.headers.get('access-control-max-age')).toBe('86400')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  test('a page of an unlisted origin cannot read answers, refusals included', async () => {
    const own = await startApp({ PROOFGATE_CORS_ORIGINS: 'https://app.example' })
    for (const path of ['/api/v1/health', '/api/v1/nothing']) {
      const from = async (origin: string) => (await own.get(path, { origin })).headers
      expect((await from('https://app.example')).get('access-control-allow-origin')).toBe('https://app.example')
      expect((await from('https://other.example')).get('access-control-allow-origin')).toBeNull()
      expect((await from('null')).get('access-control-allow-origin')).toBeNull()
      expect((await from('https://other.example')).get('vary')).toBe('Origin')
    }
  })

  test('a refusal carries the CORS headers too, so that a page can read why', async () => {
    const answer = await app.post('/api/v1/verification', '{', { origin: 'https://app.example' })
    expectRefused(answer, 'VALIDATION_ERROR')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  })
})

describe('paths and queries', () => {
  test.each(['/api/v1/health', '/api/v1/health/live', '/api/v1/verification/verifiers'])(
    '%s means the same with a slash at its end',
    async (path) => {
      const [bare, slashed] = [await app.get(path), await app.get(`${path}/`)]
      expect(slashed.status).toBe(200)
      expect(slashed.body).toEqual(bare.body)
    },
  )

  test.each(['%2F', '%zz', '%00', '%', 'a%2Fb', `${qHash}%00`, `${qHash}00`, qHash.slice(0, -1), '0X', '..%2Fx'])(
    'the proof id %p is refused, and the message shows the pattern',
    async (id) => {
      const answer = await app.get(`/api/v1/proofs/${id}`)
      expectRefused(answer, 'VALIDATION_ERROR', /path parameter qHash: must be 0x and 64/)
      expect(answer.body.error.details).toEqual({ in: 'params', path: '/qHash' })
    },
  )

  test('with an unknown query parameter mean the same, whatever its name', async () => {
    const list = `/api/v1/proofs/by-wallet/${alice.address}`
    const plain = await app.get(list)
    for (const query of ['?utm_source=x', '?__proto__=1', '?constructor=1', '?limitation=1', '?=', '?&&', '?%zz=%zz'])
      expect((await app.get(list + query)).body).toEqual(plain.body)
  })

  test('an unknown member in a body is ignored', async () => {
    const answer = await app.post('/api/v1/profile/did/resolve', { walletAddress: alice.address, fromTheFuture: 1 })
    expect(answer.status).toBe(200)
  })
})
