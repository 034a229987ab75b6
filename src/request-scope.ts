/** The context of the served request, at any depth of the code that serves it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Account, writeAccount } from './wallet/account.ts'

export interface RequestScope {
  /** As the answer names it. Unknown until the first hook has run. */
  requestId?: string
  /** The address of the client, as rate limits count it. */
  address?: string
  /** Written bytes are counted for it: a /24 of IPv4, a /64 of IPv6. Unknown until the first hook has run. */
  network?: string
  /** The account whose signature or credential was accepted: a contract uses up nothing of another one at its address. */
  owner?: string
  /** The pattern of its route. Unknown until its handler has run, and where it was refused before. */
  route?: string
  /** The credential that was accepted. Undefined for an anonymous request. */
  caller?: CallerKind
  /** The credential that was refused, for the log. */
  refusedCredential?: CredentialKind
  /** The rate policy that refused the request. */
  limitedBy?: string
  /** Whether a write of the request stands: one that fails after it is no reason to say that nothing happened. */
  hasStored?: boolean
  /** Whether a write that takes something away, or signs in, found no room, nor any of the reserve. */
  hasNoRoomLeft?: boolean
  /** The grounds of the request. Each query finds a row as long as the ground stands (http/grounds.ts). */
  grounds?: Map<string, Ground>
}

/** What a caller shows. The access log names each request by the first that is accepted. */
export type CallerKind = 'session' | 'access-key' | 'oauth' | 'signature'

/** `grant`: an authorization code or a refresh token. */
export type CredentialKind = 'access-key' | 'access-token' | 'grant' | 'signature'

/** A query that finds a row as long as a credential, a link or an account stands. */
export interface Ground {
  readonly sql: string
  readonly params: readonly (string | number)[]
  /** Of its row, while something is stored by it. Without it: share, so that its end waits, and finds what was stored. */
  readonly holds?: 'key'
}

const scopes = new AsyncLocalStorage<RequestScope>()

/** Reuses the scope of a request that calls another route of the same server. */
export const runInScope = <T>(work: (scope: RequestScope) => T): T => {
  const scope = scopes.getStore()
  if (scope) return work(scope)
  const own: RequestScope = {}
  return scopes.run(own, () => work(own))
}

/** For what a request leads to without asking for it, such as noting when a session was last seen. */
export const leaveScope = <T>(work: () => T): T => scopes.exit(work)

/** Undefined for work that no request started: the sweep, the outbox, the watch of payments. */
export const findScope = (): RequestScope | undefined => scopes.getStore()

export function noteRequestId(id: string): void {
  const scope = scopes.getStore()
  if (scope) scope.requestId = id
}

/** A request that asks another route of this server is named by its own route, which ends last. */
export function noteRoute(route: string | undefined): void {
  const scope = scopes.getStore()
  if (scope && route !== undefined) scope.route = route
}

export function noteCaller(kind: CallerKind): void {
  const scope = scopes.getStore()
  if (scope) scope.caller ??= kind
}

export function noteRefusedCredential(kind: CredentialKind): void {
  const scope = scopes.getStore()
  if (scope) scope.refusedCredential = kind
}

export function noteLimited(policy: string): void {
  const scope = scopes.getStore()
  if (scope) scope.limitedBy = policy
}

/**
 * Call it after the signature or the credential was checked, so that no caller spends another wallet's allowance. The
 * first counts: a person who signs for an agent is the owner of what the agent stores.
 */
export function noteOwner(account: Account): void {
  const scope = scopes.getStore()
  if (scope) scope.owner ??= writeAccount(account)
}

/**
 * Call it where a credential, a link or an earlier account gives the right to ask. If it ends while the request is
 * under way, nothing more is stored.
 */
export function noteGround(ground: Ground): void {
  const scope = scopes.getStore()
  if (!scope) return
  scope.grounds ??= new Map()
  scope.grounds.set(`${ground.sql} ${JSON.stringify(ground.params)}`, ground)
}

/** Takes the address as http/client-address.ts gives it, where IPv6 is a /64 already. */
export const readNetwork = (address: string): string =>
  /^[0-9]+(\.[0-9]+){3}$/.test(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : address
