/**
 * The first check of a request: the credential, the CSRF token of a session, and the scope of an access key, in this
 * order. It comes before the parameters and the body, so that strangers learn nothing of their shape.
 */
import type { Route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { makeUnknownOwnerError, readOwnerHeaders, requireCaller } from './caller.ts'
import {
  forbidKey,
  makeSignedOutError,
  makeUnknownPersonError,
  needsOwnPage,
  parseScopes,
  readSentKey,
  refuseKey,
  requireKey,
  requireOwnPage,
} from './identify.ts'
import { findOwnerAction, type NeededAction, type OwnerActionName, ownerActions } from './owner-action.ts'
import { requireScope } from './scope.ts'
import { computeCsrfToken, readSession } from './sessions/session.ts'

/** A route that is no place for strangers, and whose signature, if it takes one, stands in the headers. */
export type GuardedRoute = Pick<Route, 'method' | 'path' | 'callers' | 'needs' | 'bodyFormat'>

/**
 * Errors: WALLET_AUTH_REQUIRED for a stranger, FORBIDDEN without the CSRF token or the scope, and those of a signature
 * in the headers.
 */
export async function requireKnownCaller(
  parts: Parts,
  request: Request,
  route: GuardedRoute,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { callers, needs } = route
  const { headers } = request
  const needed = callers.includes('signature') ? findNeededAction(route, params) : undefined
  if (needed && (await isSigned(parts, request, route, needed))) return
  const key = readSentKey(headers)
  if (key !== undefined) {
    const judged = callers.includes('access-key') ? requireScopedKey(parts, key, needs) : forbidKey(parts, key)
    return judged.catch((error) => refuseKey(parts, headers, error))
  }
  const session = callers.includes('session') ? await readSession(parts, headers) : undefined
  if (session) {
    if (needsOwnPage(request)) requireOwnPage(parts, request, computeCsrfToken(parts, session))
    return
  }
  if (needed) throw makeUnknownOwnerError(needed)
  throw callers.includes('access-key') ? makeUnknownPersonError() : makeSignedOutError(parts)
}

/** The action that the owner signs, as far as the path of the request tells it. */
function findNeededAction(
  { method, path }: GuardedRoute,
  params: Readonly<Record<string, unknown>>,
): NeededAction | undefined {
  const action = findOwnerAction(method, path)
  if (action === undefined) return undefined
  const known = Object.entries(params).filter(([name]) => listMembers(action).includes(name))
  return { action, ...Object.fromEntries(known) }
}

const listMembers = (action: OwnerActionName): readonly string[] => ownerActions[action].members

/**
 * Whether the headers carry a signature. Before a body is judged, the signature must hold. Else the handler checks it,
 * because contract wallets are asked over the network. Errors: those of readOwnerHeaders and requireCaller.
 */
async function isSigned(
  parts: Parts,
  { headers }: Request,
  { bodyFormat }: GuardedRoute,
  needed: NeededAction,
): Promise<boolean> {
  const signed = readOwnerHeaders(headers, needed)
  if (!signed) return false
  const namesWallet = listMembers(needed.action).includes('walletAddress')
  const fill = (wallet: string): readonly NeededAction[] => [
    namesWallet ? { ...needed, walletAddress: wallet } : needed,
  ]
  if (bodyFormat !== 'none') await requireCaller(signed, fill, parts)
  return true
}

/** Errors: WALLET_AUTH_REQUIRED, FORBIDDEN. */
async function requireScopedKey(parts: Parts, key: string, needs: GuardedRoute['needs']): Promise<void> {
  const { scopes } = await requireKey(parts, key)
  if (needs !== undefined) requireScope({ scopes: new Set(parseScopes(scopes)), via: 'access-key' }, needs)
}
