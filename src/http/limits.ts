/** Takes a request from the bucket of a policy, as a step before the handler of a route. */
import type { Parts } from '../parts.ts'
import { findScope } from '../request-scope.ts'
import { isFromThisMachine } from './client-address.ts'
import type { RateHeaders } from './rate-limit.ts'
import { type PolicyName, policies } from './rate-policies.ts'

export interface RequestContext {
  readonly request: Request
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null
  readonly set: { readonly headers: Record<string, string | number> }
}

export const readAddress = ({ clientAddress }: Parts, { request, server }: Omit<RequestContext, 'set'>): string =>
  clientAddress(request, server?.requestIP(request)?.address)

/** Whether a request comes from an address of `limits.monitors`, which health never refuses. */
export const isMonitor = (parts: Pick<Parts, 'isMonitor'>, { request, server }: Omit<RequestContext, 'set'>): boolean =>
  parts.isMonitor(request, server?.requestIP(request)?.address)

/** Whether a request comes from this machine, where the tools of the operator run. They may read what strangers may not. */
export const isOwnMachine = ({ request, server }: Omit<RequestContext, 'set'>): boolean =>
  isFromThisMachine(request, server?.requestIP(request)?.address)

/** A step before the handler of a route. Errors: RATE_LIMIT_EXCEEDED. */
export function limitRate(parts: Parts, policy: PolicyName): (context: RequestContext) => void {
  const count = (context: RequestContext): void => {
    // Asking the socket for its address takes 1 us, and was done when the request arrived.
    const address = findScope()?.address ?? readAddress(parts, context)
    writeRate(context.set.headers, parts.limiter.take(policy, address))
  }
  if (!('sparesMonitor' in policies[policy])) return count
  return (context) => {
    if (!isMonitor(parts, context)) count(context)
  }
}

export function writeRate(headers: Record<string, string | number>, { limit, remaining, reset }: RateHeaders): void {
  if (limit === 0) return
  headers['ratelimit-limit'] = limit
  headers['ratelimit-remaining'] = remaining
  headers['ratelimit-reset'] = reset
}
