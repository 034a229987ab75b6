/** The calls of one provider, as the OAuth library makes them, through our HTTP endpoint. */
import type { AddressGuard } from '../http/address-guard.ts'
import { type CallPolicy, type Endpoint, makeEndpoint } from '../http/endpoint.ts'

/** More than any provider sends. */
const maxBytes = 262_144
const mostEndpoints = 16

/** The only headers of an answer that the library reads. */
const readHeaders = ['content-type', 'www-authenticate', 'cache-control', 'age']

export interface RootCall {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

export type RootFetch = (url: string, call: RootCall) => Promise<Response>

/**
 * `trusted` are the configured addresses. Any other address must have one of their hosts, or a host name that resolves
 * to a permitted address. So a provider's document cannot send us to a numeric address. Errors: OutsideError.
 */
export function openRootFetch(setting: string, trusted: readonly string[], policy: CallPolicy): RootFetch {
  const hosts = new Set(trusted.map((address) => new URL(address).hostname))
  const isPlainAllowed = trusted.some((address) => address.startsWith('http:'))
  const named: CallPolicy = { ...policy, guard: limitToNamedHosts(policy.guard, hosts, isPlainAllowed) }
  const endpoints = new Map<string, Endpoint>()

  function findEndpoint(url: string): Endpoint {
    const known = endpoints.get(url)
    if (known) return known
    if (endpoints.size >= mostEndpoints) endpoints.clear()
    const made = makeEndpoint(setting, url, named)
    endpoints.set(url, made)
    return made
  }

  return async (url, { method, headers, body }) => {
    const isPost = method === 'POST'
    const answer = await findEndpoint(url).send({
      method: isPost ? 'POST' : 'GET',
      headers,
      maxBytes,
      // A code is good for one request, and repeating it may look like theft.
      ...(isPost ? { body: String(body), once: true } : {}),
    })
    const kept = readHeaders.flatMap((name) =>
      answer.headers[name] === undefined ? [] : [[name, answer.headers[name]]],
    )
    const hasBody = answer.status !== 204 && answer.status !== 205 && answer.status !== 304
    return new Response(hasBody ? Buffer.from(answer.body) : null, {
      status: answer.status,
      headers: kept as [string, string][],
    })
  }
}

const limitToNamedHosts = (guard: AddressGuard, hosts: ReadonlySet<string>, isPlainAllowed: boolean): AddressGuard => ({
  findObjection(url) {
    if (url.protocol === 'http:' && !isPlainAllowed) return 'names an address of plain http'
    const isNumeric = /^[0-9.]+$|^\[/.test(url.hostname) || url.hostname === 'localhost'
    if (isNumeric && !hosts.has(url.hostname)) return 'names a numeric address that no setting holds'
    return guard.findObjection(url)
  },
  permitted: (host) => guard.permitted(host),
})
