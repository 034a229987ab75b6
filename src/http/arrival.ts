/** The steps that every request passes before it is routed, each a function of the request as it arrived. */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { findScope, noteRequestId, readNetwork } from '../request-scope.ts'
import { isSmallBody } from './count-body.ts'
import { apiHeaders, writeCorsHeaders } from './headers.ts'
import { isMonitor, type RequestContext, readAddress } from './limits.ts'
import type { PageAccess } from './page-access.ts'
import type { RouteTable } from './route-table.ts'

export interface Arrival {
  readonly request: Request
  readonly server: RequestContext['server']
  readonly set: { headers: Record<string, string | number>; status?: number | string }
  /** `?` where the address is no URL. */
  readonly path: string
  /** The address of the client, as rate limits count it. */
  readonly address: string
  readonly isPreflight: boolean
  /** False where Host is no host, or several: such a request has no address to route by. */
  readonly hasOneHost: boolean
}

export function readArrival(
  parts: Parts,
  { request, server, set }: Pick<Arrival, 'request' | 'server' | 'set'>,
): Arrival {
  const url = URL.parse(request.url)
  return {
    request,
    server,
    set,
    path: url?.pathname ?? '?',
    address: readAddress(parts, { request, server }),
    isPreflight: request.method === 'OPTIONS',
    // Two Host headers (RFC 9112 §3.2) arrive joined by a comma.
    hasOneHost: url !== null && !request.headers.get('host')?.includes(','),
  }
}

export const readPath = (request: Request): string => URL.parse(request.url)?.pathname ?? '?'

/** The id is in the answer, in the log, and in what the request stores. */
export function nameRequest({ set }: Arrival, requestId: string): void {
  set.headers['x-request-id'] = requestId
  noteRequestId(requestId)
}

/** Before anything can be refused, so that refusals carry them too. */
export function writeCommonHeaders({ set, path }: Arrival, routes: RouteTable): void {
  Object.assign(set.headers, apiHeaders)
  const cacheControl = routes.findCacheControl(path)
  if (cacheControl !== undefined) set.headers['cache-control'] = cacheControl
}

/** Tells a browser whether the page that asks may read the answer. */
export function allowReader({ request, set, path }: Arrival, access: PageAccess): void {
  const origin = request.headers.get('origin')
  if (origin !== null) Object.assign(set.headers, writeCorsHeaders(access.findReader(origin, path)))
}

/** Bytes that the request stores are counted for its network. The log of refusals names its address. */
export function noteNetwork({ address }: Arrival): void {
  const scope = findScope()
  if (!scope) return
  scope.address = address
  scope.network = readNetwork(address)
}

export interface Admission {
  readonly parts: Parts
  readonly routes: RouteTable
  readonly access: PageAccess
  /** The fault of Host and Origin, for routes that check these themselves. */
  readonly findOriginError: (request: Request, parts: Parts) => string | undefined
}

/**
 * Refuses foreign hosts and pages, and takes the request from the bucket of its address. It runs before the other
 * refusals, so that they count too. Errors: FORBIDDEN, RATE_LIMIT_EXCEEDED.
 */
export function admitRequest(arrival: Arrival, { parts, routes, access, findOriginError }: Admission): void {
  const { request, path, address, isPreflight, hasOneHost } = arrival
  const checksItself = routes.isOriginChecked(path) && !isPreflight
  if (checksItself && findOriginError(request, parts) !== undefined) {
    parts.limiter.take('foreign', address)
    return
  }
  if (hasOneHost && !checksItself) {
    try {
      access.requireOwnName(request)
      access.requireKnownPage(request, path)
    } catch (refusal) {
      parts.limiter.take('foreign', address)
      throw refusal
    }
  }
  if (routes.isMonitorSpared(path) && isMonitor(parts, arrival)) return
  if (hasOneHost && isSmallBody(request) && routes.isCountedByBody(request.method, path)) return
  parts.limiter.take(isPreflight ? 'preflight' : 'api', address)
}

/** A Host that makes no URL would be routed by a shifted path (oven-sh/bun#17348). Errors: VALIDATION_ERROR. */
export function requireOneHost({ hasOneHost }: Arrival): void {
  if (!hasOneHost) throw new AppError('VALIDATION_ERROR', 'the Host header must be one host name')
}

/** A pre-flight is answered here; every other request goes on to its route. */
export function answerPreflight(
  { isPreflight, set }: Arrival,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  if (!isPreflight) return undefined
  Object.assign(set.headers, headers)
  set.status = 204
  return new Response(null, { status: 204, headers: set.headers as Record<string, string> })
}
