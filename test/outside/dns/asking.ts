/** The DNS client of these tests makes one attempt, with ample time for a busy machine. A test may change both. */
import { openDns } from '../../../src/outside/dns/open.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import type { CallPolicy } from '../../../src/outside/http/endpoint.ts'

export const policyWith = (change: Partial<CallPolicy> = {}): CallPolicy => ({
  timeoutMs: 10_000,
  attempts: 1,
  guard: makeGuard([]),
  ...change,
})

export function opened(resolvers: readonly string[], change: Partial<CallPolicy> = {}, requireDnssec = false) {
  const { dns, probes } = openDns({ resolvers, requireDnssec }, { policy: policyWith(change), now: () => 0 })
  if (!dns) throw new Error('opened without a resolver')
  return { txt: (name: string) => dns.txt(name), probes }
}
