/**
 * One HTTP request and its answer, whatever its status: within a time limit, a size limit and the guard of addresses.
 *
 * Uses node:http for its `lookup`: the connection goes to the very address that the guard has judged, and no proxy
 * variable of the environment leads it elsewhere. Follows no redirect, decompresses nothing, repeats nothing.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OutsideError } from '../failure.ts'
import type { AddressGuard } from './address-guard.ts'
import { connectionFailure, isStale, privateAddress, unresolvedName } from './connection-failure.ts'
import type { OutsideAnswer, OutsideRequest } from './message.ts'

/** Connections that stay open between the calls of one endpoint: a TLS handshake for each would be slow. */
export type Connections = http.Agent

const keptIdleMs = 10_000
const maxHeaderBytes = 16 * 1024

/** Not to be shared: a kept connection goes to an address that the guard of its endpoint permitted. */
export const connectionsTo = ({ protocol }: URL): Connections =>
  new (protocol === 'https:' ? https : http).Agent({ keepAlive: true, timeout: keptIdleMs })

export interface ExchangeLimits {
  readonly maxBytes: number
  /** For all of it: name, connection, headers and body. */
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
  const lookup = permittedOnly(setting, guard, fail)

  async function over(agent: Connections | false): Promise<OutsideAnswer> {
    const sent = open(url, request, { agent, lookup })
    let response: http.IncomingMessage | undefined
    try {
      response = await Promise.race([responseTo(setting, sent, request.body), failure])
      const body = await Promise.race([bodyOf(setting, response, maxBytes), failure])
      return { status: response.statusCode ?? 0, headers: fieldsOf(response), body }
    } catch (error) {
      sent.destroy()
      // The other side may close a kept connection at the moment it is used again (RFC 9112 section 9.3.1).
      if (!response && sent.reusedSocket && isStale(error)) return over(false)
      throw error instanceof OutsideError ? error : connectionFailure(setting, error)
    }
  }
  try {
    return await over(request.once ? false : connections)
  } finally {
    clearTimeout(timer)
  }
}

/** What can be said before a name is resolved: node:net resolves names only, so literal addresses are judged here. */
async function requirePermitted(setting: string, url: URL, guard: AddressGuard): Promise<void> {
  const objection = guard.objectionTo(url)
  if (objection) throw new OutsideError('forbidden-address', setting, objection, 'give an address that may be called')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && (await guard.permitted(literal)).length === 0) throw privateAddress(setting)
}

/** The one resolution of a connection: what passes here is what is connected to. */
const permittedOnly =
  (setting: string, guard: AddressGuard, fail: (error: OutsideError) => void): LookupFunction =>
  (host, options, done) => {
    guard.permitted(host).then(
      (addresses) => {
        const [first] = addresses
        if (!first) fail(privateAddress(setting))
        else if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error) => fail(unresolvedName(setting, error)),
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
  // Said in words, because NODE_TLS_REJECT_UNAUTHORIZED=0 would let every certificate pass otherwise.
  return https.request(url, { ...options, rejectUnauthorized: true })
}

function responseTo(
  setting: string,
  sent: http.ClientRequest,
  body: string | Uint8Array | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    // A change of protocol (101) ends without any other event.
    sent.on('close', () => reject(notTheApi(setting, 'did not answer in HTTP')))
    sent.end(body)
  })
}

async function bodyOf(setting: string, response: http.IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  // A few compressed bytes can stand for gigabytes. None were asked for.
  const coding = response.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') throw notTheApi(setting, 'compressed its answer, which was not asked for')

  const chunks: Uint8Array[] = []
  let size = 0
  // Throws when the connection ends before the length that was promised.
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw notTheApi(setting, `sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const fieldsOf = ({ headers }: http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const notTheApi = (setting: string, happened: string): OutsideError =>
  new OutsideError('malformed', setting, happened, 'see whether the address is the one of the API')
