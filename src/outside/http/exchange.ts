/**
 * One HTTP request and its answer, whatever its status: within a time limit, a size limit and the address guard.
 *
 * It uses node:http for its `lookup`: the connection goes to the very address that the guard has checked. No proxy
 * variable of the environment redirects it. It follows no redirect, decompresses nothing, and repeats nothing.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OutsideError } from '../failure.ts'
import type { AddressGuard } from './address-guard.ts'
import {
  isStale,
  makeConnectionFailure,
  makePrivateAddressError,
  makeUnresolvedNameError,
} from './connection-failure.ts'
import type { OutsideAnswer, OutsideRequest } from './message.ts'

/** Connections that stay open between the calls of one endpoint: a TLS handshake for each call would be slow. */
export type Connections = http.Agent

const keptIdleMs = 10_000
const maxHeaderBytes = 16 * 1024

/** Not to be shared: a kept connection uses an address that its endpoint's guard permitted. */
export const openConnections = ({ protocol }: URL): Connections =>
  new (protocol === 'https:' ? https : http).Agent({ keepAlive: true, timeout: keptIdleMs })

export interface ExchangeLimits {
  readonly maxBytes: number
  /** For all of it: name, connection, headers and body. Where the body is received in parts, for each of them. */
  readonly timeoutMs: number
  readonly guard: AddressGuard
}

/** Errors: OutsideError `forbidden-address`, `timeout`, `unreachable`, `malformed`. */
export async function exchange(
  setting: string,
  url: URL,
  request: OutsideRequest,
  { maxBytes, timeoutMs, guard }: ExchangeLimits,
  connections: Connections,
): Promise<OutsideAnswer> {
  await requirePermitted(setting, url, guard)
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      fail(
        new OutsideError(
          'timeout',
          setting,
          `did not answer within ${timeoutMs / 1000} s`,
          'see whether the service runs and can be reached, or raise outside.timeout_seconds',
        ),
      ),
    timeoutMs,
  )
  const lookup = makeGuardedLookup(setting, guard, fail)
  const receivePart = (chunk: Uint8Array): void => {
    timer.refresh()
    request.receive?.(chunk)
  }

  async function sendRequest(agent: Connections | false): Promise<OutsideAnswer> {
    const sent = open(url, request, { agent, lookup })
    let response: http.IncomingMessage | undefined
    try {
      response = await Promise.race([readResponse(setting, sent, request.body), failure])
      const body = await Promise.race([
        readBody(setting, response, { maxBytes, receive: request.receive && receivePart }),
        failure,
      ])
      return { status: response.statusCode ?? 0, headers: readFields(response), body }
    } catch (error) {
      sent.destroy()
      // The other side may close a kept connection at the moment it is used again (RFC 9112 section 9.3.1).
      if (!response && sent.reusedSocket && isStale(error)) return sendRequest(false)
      throw error instanceof OutsideError ? error : makeConnectionFailure(setting, error)
    }
  }
  try {
    return await sendRequest(request.once ? false : connections)
  } finally {
    clearTimeout(timer)
  }
}

/** The checks before a name is resolved. node:net resolves names only, so literal addresses are checked here. */
async function requirePermitted(setting: string, url: URL, guard: AddressGuard): Promise<void> {
  const objection = guard.findObjection(url)
  if (objection) throw new OutsideError('forbidden-address', setting, objection, 'give an address that may be called')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && (await guard.permitted(literal)).length === 0) throw makePrivateAddressError(setting)
}

/** The only resolution of a connection: it connects to the address that passes here. */
const makeGuardedLookup =
  (setting: string, guard: AddressGuard, fail: (error: OutsideError) => void): LookupFunction =>
  (host, options, done) => {
    guard.permitted(host).then(
      (addresses) => {
        const [first] = addresses
        if (!first) fail(makePrivateAddressError(setting))
        else if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error) => fail(makeUnresolvedNameError(setting, error)),
    )
  }

function open(
  url: URL,
  { method, headers = {}, body }: OutsideRequest,
  connection: { readonly agent: Connections | false; readonly lookup: LookupFunction },
): http.ClientRequest {
  const options = {
    ...connection,
    method,
    headers: {
      'user-agent': 'proofgate',
      'accept-encoding': 'identity',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    maxHeaderSize: maxHeaderBytes,
  }
  if (url.protocol === 'http:') return http.request(url, options)
  // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise accept every certificate.
  return https.request(url, { ...options, rejectUnauthorized: true })
}

function readResponse(
  setting: string,
  sent: http.ClientRequest,
  body: string | Uint8Array | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    // A change of protocol (101) ends without any other event.
    sent.on('close', () => reject(makeWrongApiError(setting, 'did not answer in HTTP')))
    sent.end(body)
  })
}

async function readBody(
  setting: string,
  response: http.IncomingMessage,
  { maxBytes, receive }: { readonly maxBytes: number; readonly receive: OutsideRequest['receive'] },
): Promise<Uint8Array> {
  // A few compressed bytes can stand for gigabytes, and we never request compression.
  const coding = response.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') throw makeWrongApiError(setting, 'compressed its answer, which was not asked for')

  const chunks: Uint8Array[] = []
  let size = 0
  // Throws when the connection ends before the length that was promised.
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw makeWrongApiError(setting, `sent more than ${maxBytes} bytes`)
    if (receive && response.statusCode === 200) receive(chunk)
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const readFields = ({ headers }: http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const makeWrongApiError = (setting: string, happened: string): OutsideError =>
  new OutsideError('malformed', setting, happened, 'see whether the address is the one of the API')
