/** The state of a connection after an answer: on the wire, with bytes that no HTTP client would send. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { getRequest, listen, postHead } from './socket.ts'

setDefaultTimeout(60_000)

const server = await listen({ PROOFGATE_LIMITS_ENABLED: 'false' })
afterAll(() => server.stop())

const standardize = '/api/v1/verification/standardize'
const live = '/api/v1/health/live'
const next = `GET ${live} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const piece = 'a'.repeat(65_536)

interface Exchange {
  readonly answers: readonly string[]
  readonly sentBytes: number
}

/** Sends the head and then `endless` again and again, until the server ends the connection. */
function sendUntilClosed(head: string, endless: string): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  let sentBytes = 0
  let isClosed = false
  const pump = (): void => {
    while (!isClosed) {
      sentBytes += endless.length
      if (!socket.write(endless)) return void socket.once('drain', pump)
    }
  }
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    resolve({ answers: splitAnswers(received), sentBytes })
  })
  socket.write(head)
  if (endless !== '') pump()
  return promise
}

/** Sends on a connection that is kept, until so many answers have come. */
function sendUntilAnswered(bytes: string, count: number): Promise<{ answers: readonly string[]; isClosed: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ answers: readonly string[]; isClosed: boolean }>()
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  let isClosed = false
  socket.on('data', (more) => {
    received += more
    if (splitAnswers(received).length < count) return
    // One that follows would come now.
    setTimeout(() => {
      resolve({ answers: splitAnswers(received), isClosed })
      socket.destroy()
    }, 100)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(bytes)
  return promise
}

const splitAnswers = (text: string): string[] =>
  text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer.startsWith('HTTP/1.1') && !answer.startsWith('HTTP/1.1 100'))
const statusOf = (answer: string | undefined): number => Number(answer?.split(' ')[1])

/** Bytes in the system's buffers at both ends, and bytes discarded while the answer is sent. */
const fewBytes = 64 * 1_048_576
const aGigabyte = 1_000_000_000

describe('an upload that is refused ends with its connection', () => {
  const plain = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`
  const announced = `Content-Length: ${aGigabyte}\r\n\r\n`
  const inChunks = 'Transfer-Encoding: chunked\r\n\r\n'

  test.each([
    ['too large (413), as announced', postHead(standardize, announced), piece, 413],
    ['too large (413), in chunks', postHead(standardize, inChunks), `10000\r\n${piece}\r\n`, 413],
    ['in too many chunks (400)', postHead(standardize, inChunks), '1\r\n \r\n'.repeat(10_000), 400],
    ['of a wrong type (415)', plain(standardize) + announced, piece, 415],
    ['of a wrong type (415), in chunks', plain(standardize) + inChunks, `10000\r\n${piece}\r\n`, 415],
    ['at an unknown path (404)', postHead('/nothing', announced), piece, 404],
    ['with too large headers (431)', postHead(standardize, `X-A: ${'a'.repeat(33_000)}\r\n${announced}`), piece, 431],
    ['with a Host that is none (400)', postHead(standardize, announced).replace('localhost', 'a b'), piece, 400],
    ['at /mcp without a credential (401)', postHead('/mcp', announced), piece, 401],
    ['with a GET that needs no body (200)', next.replace('\r\n\r\n', `\r\n${announced}`), piece, 200],
  ])('%s', async (_, head, endless, status) => {
    const { answers, sentBytes } = await sendUntilClosed(head, endless)
    expect(answers.map(statusOf)).toEqual([status])
    expect(answers[0]).toMatch(/\r\nConnection: close\r\n/i)
    expect(sentBytes).toBeLessThan(fewBytes)
  })

  test('a client that stops sending gets the whole answer and the end', async () => {
    const { answers } = await sendUntilClosed(postHead(standardize, announced), '')
    expect(answers.map(statusOf)).toEqual([413])
    expect(answers[0]).toContain('"PAYLOAD_TOO_LARGE"')
  })

  test('an HTTP client that sends everything before it reads gets the answer', async () => {
    const response = await fetch(server.url + standardize, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'a'.repeat(3_000_000),
    })
    expect(response.status).toBe(413)
    expect((await response.json()).error.code).toBe('PAYLOAD_TOO_LARGE')
  })
})

describe('an unread small body is skipped, and never parsed as a request', () => {
  const wrongType = `POST ${standardize} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`
  const body = `Content-Length: ${next.length}\r\n\r\n${next}`
  const small: [string, string, number][] = [
    ['refused by its type', wrongType + body, 415],
    ['refused by its path', postHead('/nothing', body), 404],
    ['refused by its page', postHead(standardize, `Origin: null\r\nCookie: a=b\r\n${body}`), 403],
    ['of a GET', next.replace('\r\n\r\n', `\r\n${body}`), 200],
    ['of a DELETE', postHead('/api/v1/auth/me', body).replace('POST', 'DELETE'), 401],
  ]
  test.each(small)('%s', async (_, request, status) => {
    const { answers, isClosed } = await sendUntilAnswered(request + next, 2)
    expect(answers.map(statusOf)).toEqual([status, 200])
    expect(isClosed).toBe(false)
  })
})

describe('Connection: close', () => {
  test.each([
    ['close', next],
    ['Close', next],
    ['keep-alive, close', next],
    ['close', next.replace(live, '/nothing')],
    ['close', next.replace('GET', 'HEAD')],
    ['close', next.replace('GET', 'OPTIONS')],
    ['close', next.replace(live, '/verify')],
    ['close', next.replace(live, '/openapi.json')],
    ['close', postHead(standardize, 'Content-Length: 2\r\n\r\n{}')],
  ])('as %p is said back, and the connection ends', async (option, request) => {
    const answer = await server.raw(request.replace('\r\n', `\r\nConnection: ${option}\r\n`), 5_000)
    expect([answer.headers.get('connection'), answer.isClosed]).toEqual(['close', true])
  })

  test('is sent only when the client asked for it, and else the connection stays', async () => {
    const { answers, isClosed } = await sendUntilAnswered(next + next, 2)
    expect(answers.map(statusOf)).toEqual([200, 200])
    expect(answers.join('')).not.toMatch(/\r\nconnection:/i)
    expect(isClosed).toBe(false)
  })

  test('ends the connection without serving the next request on it', async () => {
    const answer = await server.raw(getRequest(live) + next, 5_000)
    expect(answer).toMatchObject({ status: 200, isClosed: true })
    expect(answer.text.match(/"alive"/g)).toHaveLength(1)
  })

  test('an HTTP/1.0 connection ends after its answer', async () => {
    const answer = await server.raw(`GET ${live} HTTP/1.0\r\nHost: localhost\r\n\r\n`, 5_000)
    expect(answer).toMatchObject({ status: 200, isClosed: true })
  })
})
