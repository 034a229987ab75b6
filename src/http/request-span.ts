/** The attributes of a request's span, as OpenTelemetry's conventions name them. No path, no query and no address. */
import type { RequestScope } from '../request-scope.ts'
import type { Span } from '../tracing/span.ts'

/** Any other method is the caller's own word. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A 4xx is no failure of the server, and so none of the span. */
export function endRequestSpan(span: Span, { method }: Request, scope: RequestScope, status: number): void {
  const { route, requestId, caller = 'anonymous' } = scope
  const isKnown = knownMethods.has(method)
  const isFailure = status >= 500
  span.end({
    name: [isKnown ? method : 'HTTP', route].filter(Boolean).join(' '),
    attributes: {
      'http.request.method': isKnown ? method : '_OTHER',
      ...(route === undefined ? {} : { 'http.route': route }),
      'http.response.status_code': status,
      'proofgate.request_id': requestId ?? '',
      'proofgate.caller': caller,
      ...(isFailure ? { 'error.type': String(status) } : {}),
    },
    failure: isFailure ? `HTTP ${status}` : undefined,
  })
}
