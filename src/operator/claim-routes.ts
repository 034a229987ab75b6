/** POST /api/v1/operator/claim: the one-time link, used. It exists while there is a link. */
import { requirePrimarySession } from '../auth/identify.ts'
import { AppError } from '../errors.ts'
import { readJsonBody } from '../http/body.ts'
import { readAddress } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { writeAccount } from '../wallet/account.ts'
import { claim } from './claim.ts'
import { findBrowserSession, makeUnknownAddressError } from './hidden.ts'
import { isLinkOpen } from './link.ts'

/** A token and its name. */
const bodyBytes = 1024

export const operatorClaimRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/operator/claim',
      callers: ['session'],
      rate: 'sessions',
      rateTakenIn: 'handler',
      surface: 'untimed',
      bodyFormat: 'handler',
      operation: 'hidden',
    },
    async ({ request, server }) => {
      // First, and for everybody alike, so that the refusal tells nothing about the link or the session.
      parts.limiter.take('sessions', readAddress(parts, { request, server }))
      if (!(await isLinkOpen(parts)) || !(await findBrowserSession(parts, request)))
        throw makeUnknownAddressError(request)
      const session = await requirePrimarySession(parts, request)
      const token = await readToken(request, parts)
      if (!(await claim(parts, session, token))) throw makeUnknownAddressError(request)
      return { success: true, data: { operator: true, wallet: writeAccount(session.profile.primary) } }
    },
  ),
]

/** Read here and not before: a body that is wrong must not tell a stranger that this is an address. */
async function readToken(request: Request, { config }: Parts): Promise<unknown> {
  try {
    const body = await readJsonBody(request, { ...config.limits, bodyBytes })
    return (body as { readonly token?: unknown } | null)?.token
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
