import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectRefused, leavesNothing } from './refused.ts'
import { getRequest, listen, postHead } from './socket.ts'

setDefaultTimeout(60_000)

const server = await listen()
afterAll(() => server.stop())

const standardize = '/api/v1/verification/standardize'
const body = '{"a":1}'
const unchanged = <T>(requests: () => Promise<T>): Promise<T> => leavesNothing(server.parts, requests)

async function expectAlive(): Promise<void> {
  expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200)
}

describe('the length of a body', () => {
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`

  test('one that is announced as too large is refused before it is sent', async () => {
    const answer = await unchanged(() =>
      server.raw(postHead(standardize, `Content-Length: ${600 * 1024}\r\n\r\n${body}`)),
    )
    expectRefused(answer, 'PAYLOAD_TOO_LARGE', /larger than 524288 bytes.*contentHash/)
    expect(answer.body.error.details).toEqual({ limitBytes: 524_288 })
  })

  test('one that comes in chunks is refused as soon as it is too large, long before its end', async () => {
    const answer = await unchanged(() =>
      server.raw([postHead(standardize, 'Transfer-Encoding: chunked\r\n\r\n'), chunk.repeat(9)]),
    )
    expectRefused(answer, 'PAYLOAD_TOO_LARGE', /limits\.body_bytes/)
  })

  test('one that comes in very many small chunks is refused, with what to do', async () => {
    const answer = await unchanged(() =>
      server.raw([postHead(standardize, 'Transfer-Encoding: chunked\r\n\r\n'), '1\r\n \r\n'.repeat(20_000)]),
    )
    expectRefused(answer, 'VALIDATION_ERROR', /more than 5000 chunks.*Content-Length/)
  })

  test('one that comes in chunks below the limit is read whole', async () => {
    const half = `${body.slice(0, 3).length.toString(16)}\r\n${body.slice(0, 3)}\r\n`
    const rest = `${body.slice(3).length.toString(16)}\r\n${body.slice(3)}\r\n0\r\n\r\n`
    const answer = await server.raw([postHead(standardize, 'Transfer-Encoding: chunked\r\n\r\n'), half, rest])
    expectRefused(answer, 'VALIDATION_ERROR', /walletAddress, verifierIds, data and signedTimestamp are missing/)
  })

  test('fetch with a stream, which has no length to announce, meets the same limit', async () => {
    const response = await fetch(server.url + standardize, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
          await Bun.sleep(1)
        },
      }),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ success: false, error: { code: 'PAYLOAD_TOO_LARGE' } })
  })

  test('one shorter than announced is awaited, without keeping others waiting', async () => {
    const waiting = server.raw(postHead(standardize, `Content-Length: 30\r\n\r\n${body}`), 300)
    await expectAlive()
    expect(await waiting).toMatchObject({ status: 0, isClosed: false })
  })

  test('one longer than announced counts only to the announced length', async () => {
    const answer = await unchanged(() => server.raw(postHead(standardize, `Content-Length: 3\r\n\r\n${body}`)))
    expect(answer).toMatchObject({ status: 400, isClosed: true })
    await expectAlive()
  })

  test('a body that never ends is read bit by bit, and others are served meanwhile', async () => {
    const text = JSON.stringify({ walletAddress: 'x'.repeat(200) })
    const slow = new Promise<number>((resolve) => {
      const pieces = (text.match(/.{1,8}/g) ?? []).values()
      const stream = new ReadableStream({
        async pull(controller) {
          const { value, done } = pieces.next()
          if (done) return controller.close()
          controller.enqueue(new TextEncoder().encode(value))
          await Bun.sleep(2)
        },
      })
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: stream }
      void fetch(server.url + standardize, request).then(({ status }) => resolve(status))
    })
    for (let turn = 0; turn < 5; turn++) await expectAlive()
    expect(await slow).toBe(400)
  })
})

describe('no body and no type', () => {
  test('a POST without a body says that it is empty', async () => {
    expectRefused(
      await server.raw(postHead(standardize, 'Connection: close\r\n\r\n')),
      'VALIDATION_ERROR',
      /it is empty/,
    )
  })

  test.each(['x', "{'a': 1}", '{a: 1}', '{"a":1', 'a=1&b=2'])(
    'a body of %s is answered with the required form',
    async (text) => {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }
      const answer = await (await fetch(server.url + standardize, request)).json()
      expect(answer.error.code).toBe('VALIDATION_ERROR')
      expect(answer.error.message).toMatch(
        /^the body is not JSON: .+\. Send one JSON object, with its names and texts in double quotes$/,
      )
    },
  )

  test('a POST without a type says which one to send', async () => {
    const answer = await server.raw(
      `POST ${standardize} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nConnection: close\r\n\r\n${body}`,
    )
    expectRefused(answer, 'UNSUPPORTED_MEDIA_TYPE', /Content-Type: application\/json/)
  })

  test('a GET with a body is answered as one without', async () => {
    const answer = await server.raw(
      getRequest('/api/v1/health/live', 'localhost', 'Content-Type: application/json\r\nContent-Length: 3\r\n').concat(
        '{{{',
      ),
    )
    expect(answer.body).toMatchObject({ alive: true })
  })

  test('Expect: 100-continue is answered, then the body is read', async () => {
    const answer = await server.raw(
      postHead(standardize, `Expect: 100-continue\r\nContent-Length: 7\r\nConnection: close\r\n\r\n${body}`),
    )
    expectRefused(answer, 'VALIDATION_ERROR', /walletAddress/)
  })
})

describe('the size of headers', () => {
  const live = '/api/v1/health/live'
  const long = 'a'.repeat(33_000)

  test.each([
    ['one header', getRequest(live, 'localhost', `X-A: ${long}\r\n`)],
    ['many headers', getRequest(live, 'localhost', `X-Abcdefgh: ${'a'.repeat(300)}\r\n`.repeat(110))],
    ['the path', getRequest(`/${long}`)],
    ['the query', getRequest(`${live}?q=${long}`)],
    ['a signature in x-signature', getRequest(live, 'localhost', `X-Signature: 0x${long}\r\n`)],
  ])('above 32 KB it is refused with the limit named: %s', async (_, request) => {
    const answer = await unchanged(() => server.raw(request))
    expectRefused(answer, 'HEADERS_TOO_LARGE', /larger than 32768 bytes: send fewer or shorter/)
    expect(answer.body.error.details).toEqual({ limitBytes: 32_768 })
  })

  test('within it goes through, the longest signature included', async () => {
    const answer = await server.raw(getRequest(live, 'localhost', `X-Signature: 0x${'1'.repeat(16_382)}\r\n`))
    expect(answer.status).toBe(200)
  })
})

/**
 * Bun's own parser answers these before our code sees them. Its answer is a status line alone, without the envelope and
 * without a request id. The test is the documentation of exactly that, and of the server living on.
 */
describe('requests that Bun rejects before our handlers', () => {
  const head = 'GET /api/v1/health/live HTTP/1.1\r\nHost: localhost\r\n'
  test.each<[string, string | Uint8Array, number]>([
    ['a TLS handshake on the plain port', Uint8Array.fromHex('1603010200010001fc03030d0a0d0a'), 400],
    ['a line that is no request', 'hello\r\n\r\n', 400],
    ['no Host at all in HTTP/1.1', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a target that is no path', 'GET api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['an unknown version of HTTP', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 505],
    ['line feeds alone', 'GET / HTTP/1.1\nHost: a\n\n', 505],
    ['a header of 70 KB', `${head}X-A: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['300 headers', `${head}${'X-A: 1\r\n'.repeat(300)}\r\n`, 431],
    ['a path of 70 KB', getRequest(`/${'a'.repeat(70_000)}`), 431],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a folded header', `${head}X: a\r\n b\r\n\r\n`, 400],
    ['a zero byte in a header', `${head}X: a\0b\r\n\r\n`, 400],
    [
      'length and chunks at once (request smuggling)',
      postHead(standardize, 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n'),
      400,
    ],
    ['two lengths', postHead(standardize, `Content-Length: 7\r\nContent-Length: 8\r\n\r\n${body}x`), 400],
    ['a negative length', postHead(standardize, `Content-Length: -7\r\n\r\n${body}`), 400],
    ['a length beyond every number', postHead(standardize, `Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`), 400],
    ['a length beyond the socket limit of 1 GiB', postHead(standardize, 'Content-Length: 2000000000\r\n\r\n'), 413],
    ['chunks that are none', postHead(standardize, `Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n`), 400],
  ])('%s', async (_, bytes, status) => {
    const answer = await unchanged(() => server.raw(bytes))
    expect({ status: answer.status, text: answer.text, isClosed: answer.isClosed }).toEqual({
      status,
      text: '',
      isClosed: true,
    })
    await expectAlive()
  })

  test('an unknown method is not answered at all: the connection ends', async () => {
    expect(await server.raw('BREW /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatchObject({
      status: 0,
      isClosed: true,
    })
    await expectAlive()
  })
})
