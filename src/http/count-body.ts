/**
 * Counts small requests by what their bodies say, such as a secret, and not by their address. Many people share an
 * address, and one of them must not use up what the others' pages need.
 */

import type { Parts } from '../parts.ts'
import { limitRate, type RequestContext } from './limits.ts'
import type { PolicyName } from './rate-policies.ts'
import type { Route } from './route.ts'

const smallBytes = 512

/** Reading it costs about as much as counting it. Bun ends a request whose body is longer than it said. */
export function isSmallBody({ headers }: Request): boolean {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= smallBytes
}

/**
 * Reads the body and counts its request. Bodies that cannot be read, that say nothing known, or that come too often count
 * for the address, which no step before has done. Errors: those of `read`, RATE_LIMIT_EXCEEDED.
 */
export async function countByBody(
  parts: Parts,
  rate: PolicyName,
  context: RequestContext,
  read: () => Promise<unknown>,
  count: NonNullable<Route['countBody']>,
): Promise<unknown> {
  let isCounted = false
  try {
    const body = await read()
    isCounted = await count(context, body)
    return body
  } finally {
    if (!isCounted) for (const policy of new Set<PolicyName>(['api', rate])) limitRate(parts, policy)(context)
  }
}
