/** A real server on a loopback port, and bytes sent to it without an HTTP client in between. */
import { connect } from 'node:net'
import { startTestServer } from '../parts/test-server.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  /** Whether the server ended the connection before the wait was over. */
  readonly isClosed: boolean
}

export type TestServer = Awaited<ReturnType<typeof listen>>

/** Keeps its data in memory, unless `env` says otherwise. */
export async function listen(env: Record<string, string> = {}) {
  const folder = env.PROOFGATE_DATA
  const server = await startTestServer({ PROOFGATE_LOG_LEVEL: 'error', ...env }, folder === undefined ? {} : { folder })
  const { port } = server
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    /**
     * Sends the parts one after the other, and returns what came until the connection or the wait ended. The wait takes
     * `waitMs`; without it, it ends when an answer has begun and nothing more comes.
     */
    raw: (parts: string | Uint8Array | readonly (string | Uint8Array)[], waitMs?: number) =>
      exchange(port, parts, waitMs),
  }
}

/** Long enough for a busy machine: only a server that never answers makes a test wait for it. */
const firstBytesMs = 20_000
const quietMs = 400

function exchange(
  port: number,
  parts: string | Uint8Array | readonly (string | Uint8Array)[],
  waitMs: number | undefined,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parse(Buffer.concat(received), isClosed))
    }
    timer = setTimeout(() => finish(false), waitMs ?? firstBytesMs)
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes)
      if (waitMs !== undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => finish(false), quietMs)
    })
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
    const pieces = typeof parts === 'string' || parts instanceof Uint8Array ? [parts] : parts
    for (const piece of pieces) socket.write(piece)
  })
}

/** The last answer among those received; status 0 when nothing came. */
function parse(bytes: Buffer, isClosed: boolean): RawAnswer {
  const answers = bytes.toString('utf8').split(/(?=HTTP\/1\.1 \d{3} )/)
  const answer = answers.findLast((one) => !one.startsWith('HTTP/1.1 100')) ?? ''
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const [name, ...value] = line.split(':')
    if (name) headers.append(name, value.join(':').trim())
  }
  const text = headers.get('transfer-encoding') === 'chunked' ? joinChunks(rest.join('\r\n\r\n')) : (rest[0] ?? '')
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
    isClosed,
  }
}

/** Joins the chunks that have come so far. */
function joinChunks(text: string): string {
  const [, size = '0', after = ''] = /^([0-9a-f]+)\r\n([\s\S]*)$/i.exec(text) ?? []
  const bytes = Number.parseInt(size, 16)
  const rest = Buffer.from(after)
  return bytes === 0 ? '' : rest.toString('utf8', 0, bytes) + joinChunks(rest.toString('utf8', bytes + 2))
}

/** One whole request, closing the connection after it. */
export const getRequest = (path: string, host = 'localhost', headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`

export const postHead = (path: string, headers: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}`
