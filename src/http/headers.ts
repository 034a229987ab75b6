/** Headers that every surface shares: who may read an answer from a browser, and how it may be used. */

/** The headers of every API answer besides its own. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** For pages: everything from this server, nothing inline, in no frame. */
export const pageHeaders: Readonly<Record<string, string>> = writePageHeaders([])

/** `formTargets` are origins, or schemes with their colon, that a form may end at besides this server. */
export function writePageHeaders(formTargets: readonly string[]): Readonly<Record<string, string>> {
  const formAction = ["'self'", ...formTargets].join(' ')
  // One that held a space or a semicolon would be a directive of its own.
  if (formTargets.some((target) => !/^[a-z][a-z0-9+.-]*:(\/\/[^\s;,'"/]+)?$/i.test(target)))
    throw new Error('a form target is neither an origin nor a scheme')
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

const exposedHeaders =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, ETag, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, WWW-Authenticate, Mcp-Session-Id'

/** Headers for a request that carries an Origin. `reader` is that of PageAccess. */
export function writeCorsHeaders(reader: string | undefined): Readonly<Record<string, string>> {
  if (reader === undefined) return { vary: 'Origin' }
  const headers = { 'access-control-allow-origin': reader, 'access-control-expose-headers': exposedHeaders }
  return reader === '*' ? headers : { ...headers, vary: 'Origin' }
}

/** Answer to a pre-flight. The browser, not this server, holds a page to it. */
export function writePreflightHeaders(brand: string): Readonly<Record<string, string>> {
  const brandName = brand.charAt(0).toUpperCase() + brand.slice(1)
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': [
      'Content-Type, Accept, Authorization, If-None-Match, Idempotency-Key, Prefer',
      'Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID',
      `X-${brandName}-Sdk, X-${brandName}-App, X-Client-Origin, X-Sponsor-Grant, X-Track-View, X-Agent-Wallet`,
      'X-Wallet-Address, X-Signature, X-Signed-Timestamp, X-Chain, X-Signature-Method, PAYMENT-SIGNATURE',
    ].join(', '),
    'access-control-max-age': '86400',
  }
}
