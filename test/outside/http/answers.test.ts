/** Requests and answers through real sockets, with servers that misbehave byte by byte. */
import { afterEach, describe, expect, test } from 'bun:test'
import { parseJson } from '../../../src/outside/http/endpoint.ts'
import type { OutsideAnswer } from '../../../src/outside/http/message.ts'
import { httpAnswer, rawServer, stopRawServers } from '../../parts/http-server.ts'
import { calling, failureOf, get } from './calling.ts'

afterEach(stopRawServers)

describe('a request', () => {
  async function echoed(url: string, send: Parameters<ReturnType<typeof calling>['send']>[0]) {
    let seen: { url: string; method: string; headers: Record<string, string>; body: Uint8Array } | undefined
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const headers = Object.fromEntries(request.headers)
        seen = { url: pathname + search, method: request.method, headers, body: await request.bytes() }
        return new Response('ok', { headers: { 'x-seen': 'yes' } })
      },
    })
    try {
      const answer = await calling(url.replace('PORT', String(server.port))).send(send)
      return { seen: seen!, answer }
    } finally {
      await server.stop(true)
    }
  }

  test('carries bytes unharmed, also those of a part of a larger buffer', async () => {
    const all = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
    const { seen } = await echoed('http://127.0.0.1:PORT', { method: 'POST', body: all.subarray(3, 69_001) })
    expect(seen.body).toEqual(all.slice(3, 69_001))
    expect(seen.headers['content-length']).toBe('68998')
  })

  test('carries text as UTF-8, with its length in bytes', async () => {
    const { seen } = await echoed('http://127.0.0.1:PORT', { method: 'POST', body: 'Grüße 🎟' })
    expect(new TextDecoder().decode(seen.body)).toBe('Grüße 🎟')
    expect(seen.headers['content-length']).toBe('12')
  })

  test('carries its method and headers, asks for no compression, and gets status, headers and body back', async () => {
    const { seen, answer } = await echoed('http://127.0.0.1:PORT/a', {
      method: 'DELETE',
      headers: { authorization: 'Bearer x' },
    })
    expect(seen.method).toBe('DELETE')
    expect(seen.headers).toMatchObject({
      authorization: 'Bearer x',
      'accept-encoding': 'identity',
      'user-agent': 'proofgate',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-seen']).toBe('yes')
    expect(new TextDecoder().decode(answer.body)).toBe('ok')
  })

  test.each([
    ['', undefined, '/'],
    ['/', undefined, '/'],
    ['/v2/key', undefined, '/v2/key'],
    ['/v2/', undefined, '/v2/'],
    ['', '/pins', '/pins'],
    ['/psa', '/pins', '/psa/pins'],
    ['/psa/', '/pins?limit=1', '/psa/pins?limit=1'],
    ['/psa?key=a%20b+c', '/pins', '/psa/pins?key=a%20b+c'],
    ['/psa?key=a%20b', '/pins?cid=x%2By?z', '/psa/pins?key=a%20b&cid=x%2By?z'],
    ['/dns-query', '?dns=AAAB', '/dns-query?dns=AAAB'],
    ['/a%2Fb', '/c%2Fd', '/a%2Fb/c%2Fd'],
  ])('to %p for %p goes to %s', async (configured, path, expected) => {
    const { seen } = await echoed(`http://127.0.0.1:PORT${configured}`, {
      ...get,
      ...(path === undefined ? {} : { path }),
    })
    expect(seen.url).toBe(expected)
  })

  test.each(['@evil.example/', 'pins', ':8080/', '/../admin', '/a/%2e%2E/b', '/.', '/a#b', '/a b', '/a\n', '\\evil'])(
    'with the path %p is an internal fault, and is not sent',
    async (path) => {
      const server = await rawServer((socket) => socket.write(httpAnswer(200)))
      await expect(calling(`${server.url}/key`).send({ ...get, path })).rejects.toThrow('a path of ours is not escaped')
      expect(server.connections()).toBe(0)
    },
  )
})

describe('could not look:', () => {
  const ok = httpAnswer(200, '{"result":"yes"}')
  const compressed = (coding: string, body: Uint8Array) => ({
    head: `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`,
    body,
  })
  const bomb = compressed('gzip', Bun.gzipSync(new Uint8Array(50 * 1024 * 1024)))

  test.each<[string, string, RegExp, Parameters<typeof rawServer>[0]]>([
    ['no answer at all', 'timeout', /within 0.5 s/, () => undefined],
    ['headers, and then nothing', 'timeout', /within 0.5 s/, (socket) => socket.write(ok.slice(0, 40))],
    ['half a body, and then nothing', 'timeout', /within 0.5 s/, (socket) => socket.write(ok.slice(0, -5))],
    [
      'headers, one byte at a time',
      'timeout',
      /within 0.5 s/,
      (socket) => {
        const bytes = [...ok]
        const timer = setInterval(() => (bytes.length > 0 ? socket.write(bytes.shift()!) : clearInterval(timer)), 50)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'a body, one byte at a time',
      'timeout',
      /within 0.5 s/,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n')
        const timer = setInterval(() => socket.write(' '), 50)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'interim answers without end',
      'timeout',
      /within 0.5 s/,
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    ['a connection that ends at once', 'unreachable', /ECONNRESET/, (socket) => socket.end()],
    ['half a body, and the end', 'unreachable', /broke off/, (socket) => socket.end(ok.slice(0, -5))],
    [
      'half a body, and a reset',
      'unreachable',
      /broke off/,
      (socket) => {
        socket.write(ok.slice(0, -5))
        setTimeout(() => socket.resetAndDestroy(), 50)
      },
    ],
    [
      'half a chunked body, and the end',
      'unreachable',
      /broke off/,
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    ],
    ['another protocol', 'malformed', /not answer in HTTP/, (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['text without a head', 'malformed', /not answer in HTTP/, (socket) => socket.end('{"result":"yes"}')],
    [
      'a change of protocol',
      'malformed',
      /not answer in HTTP/,
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'two lengths',
      'malformed',
      /not answer in HTTP/,
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'),
    ],
    [
      'a length and chunks',
      'malformed',
      /not answer in HTTP/,
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    ],
    [
      'one huge header',
      'malformed',
      /more headers/,
      (socket) => socket.write(httpAnswer(200, 'ok', { 'x-huge': 'a'.repeat(20_000) })),
    ],
    [
      'thousands of headers',
      'malformed',
      /more headers/,
      (socket) =>
        socket.write(
          httpAnswer(200, 'ok', Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`x-${at}`, 'a']))),
        ),
    ],
    ['2 MB', 'malformed', /more than 1048576 bytes/, (socket) => socket.write(httpAnswer(200, 'a'.repeat(2_000_000)))],
    [
      'a body without end',
      'malformed',
      /more than 1048576 bytes/,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const more = (): void => {
          while (!socket.destroyed && socket.write('a'.repeat(65_536)));
        }
        socket.on('drain', more)
        more()
      },
    ],
    [
      'gzip that stands for 50 MiB',
      'malformed',
      /compressed/,
      (socket) => {
        socket.write(bomb.head)
        socket.write(bomb.body)
      },
    ],
    [
      'any other compression',
      'malformed',
      /compressed/,
      (socket) => socket.write(httpAnswer(200, 'x', { 'content-encoding': 'br' })),
    ],
  ])('%s', async (_, fault, happened, answer) => {
    const server = await rawServer(answer)
    const failure = await failureOf(calling(server.url, fault === 'timeout' ? { timeoutMs: 500 } : {}).send(get))
    expect(failure.fault).toBe(fault as typeof failure.fault)
    expect(failure.happened).toMatch(happened)
    expect(failure.source).toBe('test.url')
    expect(failure.happened + failure.mend).not.toContain('127.0.0.1')
  })

  test('the server does not listen', async () => {
    const server = await rawServer(() => undefined)
    stopRawServers()
    const failure = await failureOf(calling(server.url).send(get))
    expect(failure.fault).toBe('unreachable')
    expect(failure.happened).toContain('ECONNREFUSED')
  })

  test('a body of the size that is allowed is taken, and one byte more is not', async () => {
    const server = await rawServer((socket) => socket.write(httpAnswer(200, 'a'.repeat(1000))))
    expect((await calling(server.url).send({ ...get, maxBytes: 1000 })).body).toHaveLength(1000)
    expect((await failureOf(calling(server.url).send({ ...get, maxBytes: 999 }))).fault).toBe('malformed')
  })

  test('a service that sends too much is disconnected', async () => {
    const closed = Promise.withResolvers<void>()
    const server = await rawServer((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n${'a'.repeat(2000)}`)
    })
    await failureOf(calling(server.url).send({ ...get, maxBytes: 1000 }))
    await closed.promise
  })

  test('bytes behind an answer never become part of it, nor the next answer', async () => {
    const evil = httpAnswer(200, 'evil')
    const server = await rawServer((socket) => socket.write(`${httpAnswer(200, 'good')}${evil}`))
    const endpoint = calling(server.url)
    for (let round = 0; round < 3; round++) {
      const { body } = await endpoint.send(get)
      expect(new TextDecoder().decode(body)).toBe('good')
    }
    expect(server.requests).toHaveLength(3)
  })
})

describe('a status', () => {
  const answering = (status: number, headers: Record<string, string> = {}) =>
    rawServer((socket) => socket.write(httpAnswer(status, 'text', headers)))

  test.each([200, 201, 202, 204, 400, 404, 405, 409, 422])('%i belongs to the caller', async (status) => {
    const server = await rawServer((socket) => socket.write(httpAnswer(status)))
    expect((await calling(server.url).send(get)).status).toBe(status)
  })

  test.each<[number, string]>([
    [401, 'credentials'],
    [402, 'credentials'],
    [403, 'credentials'],
    [429, 'rate-limited'],
    [500, 'unreachable'],
    [502, 'unreachable'],
    [503, 'unreachable'],
    [504, 'unreachable'],
  ])('%i means %s', async (status, fault) => {
    const failure = await failureOf(calling((await answering(status)).url).send(get))
    expect(failure.fault).toBe(fault as typeof failure.fault)
    expect(failure.happened).toContain(String(status))
  })

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const elsewhere = await answering(200)
    const server = await answering(status, { location: elsewhere.url })
    const failure = await failureOf(calling(server.url).send(get))
    expect(failure.fault).toBe('malformed')
    expect(failure.happened).toContain('redirects')
    expect(elsewhere.connections()).toBe(0)
  })

  const sent = 'Sun, 06 Nov 1994 08:49:37 GMT'
  test.each<[number, string, Record<string, string>, number]>([
    [429, 'is not there', {}, 30],
    [429, 'is a number of seconds', { 'retry-after': '7' }, 7],
    [503, 'is a number of seconds', { 'retry-after': '7' }, 7],
    [429, 'is zero', { 'retry-after': '0' }, 1],
    [429, 'is longer than a minute', { 'retry-after': '86400' }, 60],
    [429, 'has more digits than a number', { 'retry-after': '9'.repeat(400) }, 60],
    [429, 'is a date', { date: sent, 'retry-after': 'Sun, 06 Nov 1994 08:50:00 GMT' }, 23],
    [429, 'is a date in the form of RFC 850', { date: sent, 'retry-after': 'Sunday, 06-Nov-94 08:50:00 GMT' }, 23],
    [429, 'is a date in the form of asctime', { date: sent, 'retry-after': 'Sun Nov  6 08:50:00 1994' }, 23],
    [429, 'is a date that is over', { date: sent, 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' }, 1],
    [429, 'is a date without one to measure it by', { 'retry-after': 'Sun, 06 Nov 1994 08:50:00 GMT' }, 30],
    [429, 'is negative', { 'retry-after': '-5' }, 30],
    [429, 'is a fraction', { 'retry-after': '1.5' }, 30],
    [429, 'is nonsense', { date: sent, 'retry-after': 'soon' }, 30],
  ])('%i whose Retry-After %s', async (status, _, headers, seconds) => {
    const failure = await failureOf(calling((await answering(status, headers)).url).send(get))
    expect([failure.fault, failure.retryAfterSeconds]).toEqual(['rate-limited', seconds])
  })
})

describe('JSON', () => {
  const answerOf = (body: string | Uint8Array): OutsideAnswer => ({
    status: 200,
    headers: {},
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  })
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

  test('is read, with or without a byte order mark', () => {
    expect(parseJson('test.url', answerOf('{"a":[1,"ü"]}'))).toEqual({ a: [1, 'ü'] })
    expect(parseJson('test.url', answerOf('\uFEFF{"a":1}'))).toEqual({ a: 1 })
    expect(parseJson('test.url', answerOf(nested(64)))).toEqual(JSON.parse(nested(64)))
  })

  test.each<[string, string | Uint8Array]>([
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['half a document', '{"result": "0x0000'],
    ['two documents', '{}{}'],
    ['nothing', ''],
    ['another encoding', Uint8Array.of(0x22, 0xe9, 0x22)],
    ['a level too many', nested(65)],
    ['endless nesting', '['.repeat(1_000_000)],
  ])('is not %s', async (_, body) => {
    const failure = await failureOf(
      (async () => {
        parseJson('test.url', answerOf(body))
      })(),
    )
    expect(failure.fault).toBe('malformed')
    expect(failure.message).toBe('test.url: answered 200 with something that is not JSON')
  })
})
