/**
 * A question over HTTPS (RFC 8484): one POST on a connection of its own.
 *
 * Most DoH servers speak HTTP/2, and some nothing else. So the TLS handshake negotiates the version (ALPN), and the
 * request uses that very connection. fetch() speaks HTTP/2 too, but it picks the address itself and obeys the proxy
 * variables of the environment. This connection goes to an address that the guard has checked.
 */
import { request as openHttp1 } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { OutsideError } from '../failure.ts'
import type { AddressGuard } from '../http/address-guard.ts'
import { makeConnectionFailure, makePrivateAddressError, makeUnresolvedNameError } from '../http/connection-failure.ts'
import type { OutsideAnswer } from '../http/message.ts'
import { requireUp, requireWelcome } from '../http/status.ts'
import { type Attempt, makeMalformedError, makeUnreachableError } from './attempt.ts'
import { type Answer, type Question, queryBytes, readAnswer } from './message.ts'

const mediaType = 'application/dns-message'
/** No DNS message is longer. */
const maxBytes = 65_535

/** Errors: OutsideError. */
export async function askOverHttps(
  url: URL,
  guard: AddressGuard,
  question: Question,
  attempt: Attempt,
): Promise<Answer> {
  // The connection tells answers apart, so the id may be 0, which lets caches work (RFC 8484 section 4.1).
  const query = { ...question, id: 0 }
  const socket = await openConnection(url, guard, attempt)
  try {
    const post = socket.alpnProtocol === 'h2' ? postOverHttp2 : postOverHttp1
    const message = readMessage(await post(socket, url, queryBytes(query), attempt), attempt)
    const answer = readAnswer(query, message)
    if (!answer || answer.isTruncated) throw makeMalformedError(attempt, 'answered something that is not the answer')
    return answer
  } finally {
    socket.destroy()
  }
}

async function openConnection(url: URL, guard: AddressGuard, { setting, signal }: Attempt): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await guard.permitted(host).catch((error) => {
    throw makeUnresolvedNameError(setting, error)
  })
  if (addresses.length === 0) throw makePrivateAddressError(setting)
  signal.throwIfAborted()

  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const socket = connect({
    host,
    port: Number(url.port || 443),
    // An address is no server name (RFC 6066 section 3): the certificate is compared with the address.
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['h2', 'http/1.1'],
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise accept every certificate.
    rejectUnauthorized: true,
    lookup: (_host, options, done) =>
      options.all ? done(null, [...addresses]) : done(null, addresses[0]!.address, addresses[0]!.family),
  })
  signal.addEventListener('abort', () => socket.destroy())
  socket.on('secureConnect', () => resolve(socket))
  socket.on('error', (error) => reject(makeConnectionFailure(setting, error)))
  socket.on('close', () => reject(makeConnectionFailure(setting, undefined)))
  return promise
}

const writeHeaders = (body: Uint8Array) => ({
  accept: mediaType,
  'content-type': mediaType,
  'content-length': String(body.length),
  'user-agent': 'proofgate',
})

async function postOverHttp2(socket: TLSSocket, url: URL, body: Uint8Array, attempt: Attempt): Promise<OutsideAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>()
  const breakOff = (): void => reject(makeUnreachableError(attempt, 'broke off its answer'))
  const session = connectHttp2(url.origin, { createConnection: () => socket })
  session.on('error', breakOff).on('close', breakOff)
  const stream = session.request({ ':method': 'POST', ':path': `${url.pathname}${url.search}`, ...writeHeaders(body) })
  let headers: Readonly<Record<string, unknown>> = {}
  stream.on('response', (received) => {
    headers = received
  })
  stream.on('error', breakOff)
  collect(stream, attempt, reject, (received) => {
    if (headers[':status'] === undefined) breakOff()
    resolve({ status: Number(headers[':status']), headers: keepTextHeaders(headers), body: received })
  })
  stream.end(body)
  try {
    return await promise
  } finally {
    session.destroy()
  }
}

async function postOverHttp1(socket: TLSSocket, url: URL, body: Uint8Array, attempt: Attempt): Promise<OutsideAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>()
  const breakOff = (): void => reject(makeUnreachableError(attempt, 'broke off its answer'))
  const request = openHttp1({
    createConnection: () => socket,
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...writeHeaders(body) },
  })
  request.on('error', (error) => reject(makeConnectionFailure(attempt.setting, error)))
  request.on('close', breakOff)
  request.on('response', (response) => {
    response.on('error', breakOff)
    collect(response, attempt, reject, (received) => {
      if (!response.complete) breakOff()
      resolve({ status: response.statusCode ?? 0, headers: keepTextHeaders(response.headers), body: received })
    })
  })
  request.end(body)
  return promise
}

function collect(
  source: NodeJS.ReadableStream,
  attempt: Attempt,
  reject: (error: OutsideError) => void,
  done: (received: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  source.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) reject(makeMalformedError(attempt, `sent more than ${maxBytes} bytes`))
    else chunks.push(chunk)
  })
  source.on('end', () => done(Buffer.concat(chunks)))
}

const keepTextHeaders = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function readMessage(answer: OutsideAnswer, attempt: Attempt): Uint8Array {
  const { status, headers, body } = requireWelcome(attempt.setting, requireUp(attempt.setting, answer))
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (status !== 200 || type !== mediaType)
    throw makeMalformedError(attempt, `answered ${status} with something that is not a DNS message`)
  return body
}
