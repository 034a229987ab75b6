/** Opens the resolvers of the settings, in their order. Each takes over when those before it fail. */
import type { Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import type { Dns } from './dns.ts'
import { askFirst, openSource } from './source.ts'

export interface DnsSettings {
  readonly resolvers: readonly string[]
  /** An answer counts only when the resolver says that it validated it. */
  readonly requireDnssec: boolean
}

/** Makes no call. */
export function openDns(
  { resolvers, requireDnssec }: DnsSettings,
  { policy }: OutsideTools,
): { readonly dns: Dns | undefined; readonly probes: readonly Probe[] } {
  if (resolvers.length === 0) return { dns: undefined, probes: [] }
  const sources = resolvers.map((text, position) => openSource(text, `dns.resolvers[${position}]`, policy))
  return {
    dns: { requiresDnssec: requireDnssec, txt: (name) => askFirst('dns.resolvers', sources, name) },
    probes: sources.map((source) => ({ setting: source.setting, run: () => source.examine(requireDnssec) })),
  }
}
