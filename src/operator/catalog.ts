/** What this server offers, what it does not and why, and how those fare that it asks. */

import { describePolicy, type PanelPolicy } from '../outside/panel.ts'
import type { SourceState } from '../outside/watch.ts'
import type { Parts } from '../parts.ts'
import { nameMethod } from '../payment-method-names.ts'
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
    ...outside.risk.names.map((name) =>
      one('risk', name, {
        detail: describeRole(name, [outside.risk], outside.risk.policy),
        sources: under(`risk.${name}`),
      }),
    ),
    ...outside.moderation.configured.map(({ moderator: { name } }) => {
      const { text, image, policy } = outside.moderation
      const detail = describeRole(name, [text, image], policy)
      return one('moderation', name, { detail, sources: under(`moderation.${name.replaceAll('-', '_')}`) })
    }),
    ...outside.human.all.map(({ name, label }) =>
      one('human', name, { detail: label, sources: under(`human.${name}`) }),
    ),
    ...outside.social.providers.map(({ id, label }) =>
      one('social', id, { detail: label, sources: under(`social.${id}`) }),
    ),
    ...(outside.ipfs ? [one('ipfs', 'ipfs', { sources: under('ipfs') })] : []),
    ...paymentMethods.map((method) =>
      one('payment', nameMethod(method.id), {
        lacks: method.absentWithout(parts) ?? null,
        sources: under(method.id === 'card' ? 'payments.stripe' : `payments.${method.id}`),
      }),
    ),
    ...publishingOf(parts, one),
  ]
}

interface Choice {
  readonly chosen: readonly string[]
  readonly selectable: readonly string[]
}

/** Whether it is asked, how many others decide with it, and whether a request may name it. */
function describeRole(name: string, choices: readonly Choice[], policy: PanelPolicy): string {
  const asking = choices.filter(({ chosen }) => chosen.includes(name))
  const several = asking.find(({ chosen }) => chosen.length > 1)
  const roles = [
    ...(asking.length > 0 ? [`is asked${several ? describePolicy(several.chosen, policy) : ''}`] : []),
    ...(choices.some(({ selectable }) => selectable.includes(name)) ? ['requests may choose it'] : []),
  ]
  return roles.length > 0 ? roles.join('; ') : 'nobody asks it'
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
