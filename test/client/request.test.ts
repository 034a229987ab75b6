import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createClient, ProofgateError } from '../../src/client/client.ts'

let asked: { method: string; path: string; headers: Headers; body: string }[] = []
let answer: (request: Request) => Response | Promise<Response> = () => Response.json({ success: true })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    asked.push({
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.clone().text(),
    })
    return answer(request)
  },
})
const base = `http://127.0.0.1:${server.port}`
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = []
  answer = () => Response.json({ success: true, data: 1 })
})

const refusal = (status: number, error: object, headers: Record<string, string> = {}, more: object = {}) =>
  Response.json({ success: false, error, timestamp: '2026-01-01T00:00:00.000Z', ...more }, { status, headers })

const errorOf = async (work: Promise<unknown>): Promise<ProofgateError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProofgateError)
  return error as ProofgateError
}

const factsOf = ({ code, status, retryable, retryAfterSeconds, details, requestId }: ProofgateError) => ({
  code,
  status,
  retryable,
  retryAfterSeconds,
  details,
  requestId,
})

describe('a call', () => {
  test('returns the whole answer, and sends JSON, query and headers', async () => {
    const client = createClient({ url: `${base}/below/`, headers: { authorization: 'Bearer npk_x' } })
    const got = await client.request<{ data: number }>('POST', '/api/v1/x', {
      query: { a: 'é&', list: ['b', 'c'], none: undefined, flag: true },
      body: { text: '\u{1f39f}' },
      headers: { 'x-one': '1' },
    })
    expect(got).toEqual({ success: true, data: 1 } as never)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/below/api/v1/x?a=%C3%A9%26&list=b%2Cc&flag=true',
      body: '{"text":"\u{1f39f}"}',
    })
    const { headers } = asked[0]!
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('accept')).toBe('application/json')
    expect([headers.get('authorization'), headers.get('x-one')]).toEqual(['Bearer npk_x', '1'])
  })

  test('adds the query to one that the path has already', async () => {
    await createClient({ url: base }).request('GET', '/api/v1/x?side=paid', { query: { limit: 2 } })
    expect(asked[0]!.path).toEndWith('/api/v1/x?side=paid&limit=2')
  })

  test('asks a headers function each time, and says nothing of JSON where it sends none', async () => {
    let count = 0
    const client = createClient({ url: base, headers: () => ({ 'x-count': String(++count) }) })
    await client.request('GET', '/api/v1/x')
    await client.request('DELETE', '/api/v1/x')
    expect(asked.map(({ headers }) => headers.get('x-count'))).toEqual(['1', '2'])
    expect(asked.map(({ headers }) => headers.get('content-type'))).toEqual([null, null])
  })

  test('goes through the fetch it is given', async () => {
    const urls: string[] = []
    const client = createClient({
      url: 'https://nowhere.example/',
      fetch: async (url) => {
        urls.push(url)
        return Response.json({ success: true })
      },
    })
    await client.request('GET', '/api/v1/health')
    expect(urls).toEqual(['https://nowhere.example/api/v1/health'])
  })

  test('takes an empty answer for a yes', async () => {
    answer = () => new Response(null, { status: 204 })
    expect(await createClient({ url: base }).request('DELETE', '/api/v1/x')).toEqual({ success: true } as never)
  })

  test.each(['', 'example.com', 'ftp://example.com', 'javascript:alert(1)'])('is not made to "%s"', (url) => {
    expect(() => createClient({ url })).toThrow(TypeError)
  })
})

describe('a mistake of the caller', () => {
  test.each(['', 'api/v1/x', '@elsewhere.example/', '.elsewhere.example/x', ':1/x'])(
    'leads to no call: "%s" is the path of another server',
    async (path) => {
      const error = await createClient({ url: base })
        .request('GET', path)
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect(asked).toEqual([])
    },
  )

  test('is thrown as it is, and not reported as silence of the server', async () => {
    const circle: Record<string, unknown> = {}
    circle.circle = circle
    const client = createClient({ url: base })
    const unsaid = await client.request('POST', '/api/v1/x', { body: circle }).catch((thrown: unknown) => thrown)
    expect(unsaid).not.toBeInstanceOf(ProofgateError)
    const why = new Error('no token')
    const headers = () => {
      throw why
    }
    const failed = createClient({ url: base, headers }).request('GET', '/api/v1/x')
    expect(await failed.catch((thrown: unknown) => thrown)).toBe(why)
  })
})

describe('a refusal', () => {
  test('says code, status, details and request', async () => {
    answer = () =>
      refusal(
        401,
        { code: 'EXPIRED_SIGNATURE', message: 'too old', details: { serverTime: 5 } },
        {},
        { requestId: 'req_1' },
      )
    const error = await errorOf(createClient({ url: base }).request('GET', '/api/v1/x'))
    expect(error.message).toBe('too old')
    expect(error.name).toBe('ProofgateError')
    expect(factsOf(error)).toEqual({
      code: 'EXPIRED_SIGNATURE',
      status: 401,
      retryable: false,
      retryAfterSeconds: undefined,
      details: { serverTime: 5 },
      requestId: 'req_1',
    })
  })

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', true],
    [503, 'VERIFIER_UNAVAILABLE', true],
    [500, 'INTERNAL_ERROR', true],
    [400, 'GATE_NOT_STARTED', true],
    [400, 'VALIDATION_ERROR', false],
    [409, 'CONFLICT', false],
    [402, 'PAYMENT_REQUIRED', false],
  ])('%i %s: retryable is %p', async (status, code, retryable) => {
    answer = () => refusal(status, { code, message: 'no' })
    expect(await errorOf(createClient({ url: base }).request('GET', '/api/v1/x'))).toMatchObject({
      code,
      status,
      retryable,
    })
  })

  test('is uncertain where the server does not know whether it stored something, and nowhere else', async () => {
    answer = ({ url }) =>
      refusal(503, { code: 'X', message: 'x', details: url.endsWith('doubt') ? { uncertain: true } : {} })
    const client = createClient({ url: base })
    expect((await errorOf(client.request('GET', '/api/v1/doubt'))).uncertain).toBe(true)
    expect((await errorOf(client.request('GET', '/api/v1/no'))).uncertain).toBe(false)
  })

  test('is retryable where the server says so, and not where it says not', async () => {
    answer = ({ url }) =>
      refusal(url.endsWith('yes') ? 409 : 503, { code: 'X', message: 'x', retryable: url.endsWith('yes') })
    const client = createClient({ url: base })
    expect((await errorOf(client.request('GET', '/api/v1/yes'))).retryable).toBe(true)
    expect((await errorOf(client.request('GET', '/api/v1/no'))).retryable).toBe(false)
  })

  test.each([
    ['the header', { 'retry-after': '7' }, {}, 7],
    ['the details', {}, { retryAfterSeconds: 3 }, 3],
    ['neither', {}, {}, undefined],
    ['a date', { 'retry-after': 'Fri, 20 Nov 2026 16:00:00 GMT' }, {}, undefined],
  ])('waits as %s says', async (_, headers, details, seconds) => {
    answer = () => refusal(429, { code: 'RATE_LIMIT_EXCEEDED', message: 'slow', details }, headers)
    const error = await errorOf(createClient({ url: base }).request('GET', '/api/v1/x'))
    expect(error.retryAfterSeconds).toBe(seconds)
  })
})

describe('silence', () => {
  test('from a server that is down', async () => {
    const gone = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const url = `http://127.0.0.1:${gone.port}`
    await gone.stop(true)
    const error = await errorOf(createClient({ url }).request('GET', '/api/v1/x'))
    expect(factsOf(error)).toMatchObject({ code: 'NO_ANSWER', status: 0, retryable: true, details: {} })
    expect(error.message).toStartWith(`no server answers at ${url} (`)
    expect(error.cause).toBeDefined()
  })

  test('from a server that takes too long, in its head or in its body', async () => {
    const client = createClient({ url: base, timeoutMs: 30 })
    answer = () => new Promise(() => {})
    expect(factsOf(await errorOf(client.request('GET', '/api/v1/x')))).toMatchObject({
      code: 'TIMEOUT',
      status: 0,
      retryable: true,
    })
    answer = () => new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode('{')) }))
    expect((await errorOf(client.request('GET', '/api/v1/x'))).message).toBe(
      `no server answers at ${base} (no answer within 0.03 seconds)`,
    )
  })

  test('after the caller ends the call: the reason of the signal, and no error of ours', async () => {
    answer = () => new Promise(() => {})
    const why = new Error('changed my mind')
    const end = new AbortController()
    const call = createClient({ url: base }).request('GET', '/api/v1/x', { signal: end.signal })
    end.abort(why)
    expect(await call.catch((error: unknown) => error)).toBe(why)
  })
})

describe('an answer that is not of the API', () => {
  test.each([
    ['a page', () => new Response('<p>hello', { headers: { 'content-type': 'text/html' } }), 200, false],
    ['other JSON', () => Response.json(['x']), 200, false],
    ['JSON that does not say success', () => Response.json({ data: 1 }), 200, false],
    ['a gateway', () => new Response('<p>bad gateway', { status: 502 }), 502, true],
    ['a page that is missing', () => new Response('nope', { status: 404 }), 404, false],
  ])('%s', async (_, response, status, retryable) => {
    answer = response
    const error = await errorOf(createClient({ url: base }).request('GET', '/api/v1/x'))
    expect(error).toMatchObject({ code: 'NOT_PROOFGATE', status, retryable })
    expect(error.message).toContain(`the server at ${base} is not Proofgate (status ${status})`)
  })

  test('a redirect is not followed, because what was sent is for one server', async () => {
    answer = () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/api' } })
    const error = await errorOf(createClient({ url: base }).request('POST', '/api/v1/x', { body: {} }))
    expect(factsOf(error)).toMatchObject({
      code: 'REDIRECTED',
      status: 307,
      retryable: false,
      details: { location: 'https://elsewhere.example/api' },
    })
    expect(asked).toHaveLength(1)
  })
})
