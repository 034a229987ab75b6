/** Hides the addresses of operators: every other caller is answered as at an unknown address. */

import { readSentKey, requireSession } from '../auth/identify.ts'
import { readSession } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import type { AppError } from '../errors.ts'
import { makeUnknownPathError } from '../http/refusal.ts'
import type { Parts } from '../parts.ts'
import { isOperator } from './operator.ts'

/** The refusal of an unknown address. */
export const makeUnknownAddressError = ({ url }: Request): AppError => makeUnknownPathError(new URL(url).pathname)

/** The session of the browser. Undefined beside an access key, which acts for a program, whatever cookie comes along. */
export const findBrowserSession = async (parts: Parts, { headers }: Request): Promise<Session | undefined> =>
  readSentKey(headers) === undefined ? await readSession(parts, headers) : undefined

/**
 * The session of an operator. Errors: NOT_FOUND for everybody else; FORBIDDEN for an operator who changes something
 * without the CSRF token.
 */
export async function requireOperator(parts: Parts, request: Request): Promise<Session> {
  if (!(await isOperator(parts, await findBrowserSession(parts, request)))) throw makeUnknownAddressError(request)
  return requireSession(parts, request)
}
