/** The client as the tests of this folder ask it: one attempt, and more time than a busy machine needs, unless a test is about those. */
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
