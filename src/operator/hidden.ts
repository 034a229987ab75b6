/** That nothing of this exists for anybody but operators: the refusal of an address that nobody knows. */

import { bearerIn, keyPrefix, requireSession } from '../auth/identify.ts'
import { sessionOf } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import type { AppError } from '../errors.ts'
import { nothingAt } from '../http/refusal.ts'
import type { Parts } from '../parts.ts'
import { isOperator } from './operator.ts'

/** Addresses whose methods are told to nobody either. */
export const isHiddenPath = (path: string): boolean => /^\/(api\/v1\/)?operator(\/|$)/.test(path)

/** What an address is answered with that there is not. */
export const unknownAddress = ({ url }: Request): AppError => nothingAt(new URL(url).pathname)

/** Who is signed in. Nobody where a key comes along: it acts for servers and scripts, whatever cookie is beside it. */
export const browserSession = (parts: Parts, { headers }: Request): Session | undefined =>
  bearerIn(headers)?.startsWith(keyPrefix) ? undefined : sessionOf(parts, headers)

/**
 * The session of an operator. Everybody else, a person who is not signed in included, is told that there is no such
 * address. Errors: FORBIDDEN, for a change by an operator without its token.
 */
export function requireOperator(parts: Parts, request: Request): Session {
  if (!isOperator(parts, browserSession(parts, request))) throw unknownAddress(request)
  return requireSession(parts, request)
}
