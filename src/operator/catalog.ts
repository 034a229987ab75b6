/** What this server offers, what it does not and why, and how those fare that it asks. */
import type { SourceState } from '../outside/watch.ts'
import type { Parts } from '../parts.ts'
import { lackFor } from '../publishing/targets.ts'
import { verifierIds } from '../verifiers/index.ts'

export interface Provider {
  readonly kind: 'chain' | 'dns' | 'risk' | 'moderation' | 'human' | 'social' | 'ipfs' | 'payment' | 'publishing'
  readonly name: string
  /** What it is, or null. */
  readonly detail: string | null
  /** What is missing before it can be used; null when nothing is. */
  readonly lacks: string | null
  /** Each configured address of it that was opened since the start. */
  readonly sources: readonly SourceState[]
}

export function catalogFor(parts: Parts) {
  const { catalog } = parts
  return {
    verifiers: verifierIds.map((id) => {
      const isEnabled = catalog.enabled.has(id)
      return { id, enabled: isEnabled, access: catalog.accessLevel(id), why: isEnabled ? null : catalog.absence(id) }
    }),
    providers: providersOf(parts),
  }
}

function providersOf(parts: Parts): Provider[] {
  const { outside, paymentMethods } = parts
  const states = outside.watch.states()
  const under = (...prefixes: string[]): SourceState[] =>
    states.filter(({ setting }) =>
      prefixes.some(
        (prefix) => setting === prefix || setting.startsWith(`${prefix}.`) || setting.startsWith(`${prefix}[`),
      ),
    )
  const one = (
    kind: Provider['kind'],
    name: string,
    { detail = null, lacks = null, sources = [] }: Partial<Provider> = {},
  ): Provider => ({ kind, name, detail, lacks, sources })

  return [
    ...outside.chains.all.map(({ name, chain }) =>
      one('chain', name, { detail: chain, sources: under(`chains.${name}.rpc`) }),
    ),
    ...(outside.dns
      ? [
          one('dns', 'dns', {
            detail: outside.dns.requiresDnssec ? 'with DNSSEC' : null,
            sources: under('dns.resolvers'),
          }),
        ]
      : []),
    ...outside.risk.names.map((name) => one('risk', name, { sources: under(`risk.${name}`) })),
    ...outside.moderation.names.map((name) =>
      one('moderation', name, { sources: under(`moderation.${name.replaceAll('-', '_')}`) }),
    ),
    ...outside.human.all.map(({ name, label }) =>
      one('human', name, { detail: label, sources: under(`human.${name}`) }),
    ),
    ...outside.social.providers.map(({ id, label }) =>
      one('social', id, { detail: label, sources: under(`social.${id}`) }),
    ),
    ...(outside.ipfs ? [one('ipfs', 'ipfs', { sources: under('ipfs') })] : []),
    ...paymentMethods.map((method) =>
      one('payment', method.id, {
        lacks: method.absentWithout(parts) ?? null,
        sources: under(method.id === 'card' ? 'payments.stripe' : `payments.${method.id}`),
      }),
    ),
    ...publishingOf(parts, one),
  ]
}

function publishingOf(
  parts: Parts,
  one: (kind: Provider['kind'], name: string, more?: Partial<Provider>) => Provider,
): Provider[] {
  const { outside, config } = parts
  if (config.publishing.privateKey === undefined) return []
  return outside.chains.all.flatMap((chain) =>
    chain.kind === 'evm'
      ? [
          one('publishing', chain.name, {
            detail: chain.chain,
            lacks: lackFor(chain.chainId, parts) ?? null,
          }),
        ]
      : [],
  )
}
