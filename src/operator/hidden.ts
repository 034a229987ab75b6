/** That nothing of this exists for anybody but operators: the refusal of an address that nobody knows. */

import { keyPrefix, readBearer, requireSession } from '../auth/identify.ts'
import { readSession } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import type { AppError } from '../errors.ts'
import { makeUnknownPathError } from '../http/refusal.ts'
import type { Parts } from '../parts.ts'
import { isOperator } from './operator.ts'

/** What an address is answered with that there is not. */
export const makeUnknownAddressError = ({ url }: Request): AppError => makeUnknownPathError(new URL(url).pathname)

/** Who is signed in. Nobody where a key comes along: it acts for servers and scripts, whatever cookie is beside it. */
export const findBrowserSession = (parts: Parts, { headers }: Request): Session | undefined =>
  readBearer(headers)?.startsWith(keyPrefix) ? undefined : readSession(parts, headers)

/**
 * The session of an operator. Everybody else, a person who is not signed in included, is told that there is no such
 * address. Errors: FORBIDDEN, for a change by an operator without its token.
 */
export function requireOperator(parts: Parts, request: Request): Session {
  if (!isOperator(parts, findBrowserSession(parts, request))) throw makeUnknownAddressError(request)
  return requireSession(parts, request)
}
