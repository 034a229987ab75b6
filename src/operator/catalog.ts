/** The catalog for operators: supported verifiers, missing configuration, and the health of the queried sources. */

import { describePolicy, type PanelPolicy } from '../outside/panel.ts'
import type { SourceState } from '../outside/watch.ts'
import type { Parts } from '../parts.ts'
import { findMissingSetting } from '../publishing/targets.ts'

export interface Provider {
  readonly kind: 'chain' | 'dns' | 'risk' | 'moderation' | 'human' | 'social' | 'ipfs' | 'payment' | 'publishing'
  readonly name: string
  /** A description, or null. */
  readonly detail: string | null
  /** The missing configuration; null when it is complete. */
  readonly lacks: string | null
  /** Each of its configured addresses that was opened since the start. */
  readonly sources: readonly SourceState[]
}

export function buildCatalog(parts: Parts) {
  const { catalog } = parts
  return {
    verifiers: [...catalog.known.keys()].map((id) => {
      const isEnabled = catalog.enabled.has(id)
      return {
        id,
        enabled: isEnabled,
        access: catalog.accessLevel(id),
        why: isEnabled ? null : catalog.absence(id),
        switchedOff: catalog.isSwitchedOff(id),
      }
    }),
    providers: listProviders(parts),
  }
}

export function listProviders(parts: Parts): Provider[] {
  const { outside, paymentMethods } = parts
  const states = outside.watch.states()
  const selectStates = (...prefixes: string[]): SourceState[] =>
    states.filter(({ setting }) =>
      prefixes.some(
        (prefix) => setting === prefix || setting.startsWith(`${prefix}.`) || setting.startsWith(`${prefix}[`),
      ),
    )
  const makeProvider = (
    kind: Provider['kind'],
    name: string,
    { detail = null, lacks = null, sources = [] }: Partial<Provider> = {},
  ): Provider => ({ kind, name, detail, lacks, sources })

  return [
    ...outside.chains.all.map(({ name, chain }) =>
      makeProvider('chain', name, { detail: chain, sources: selectStates(`chains.${name}.rpc`) }),
    ),
    ...(outside.dns
      ? [
          makeProvider('dns', 'dns', {
            detail: outside.dns.requiresDnssec ? 'with DNSSEC' : null,
            sources: selectStates('dns.resolvers'),
          }),
        ]
      : []),
    ...outside.risk.names.map((name) =>
      makeProvider('risk', name, {
        detail: describeRole(name, [outside.risk], outside.risk.policy),
        sources: selectStates(`risk.${name}`),
      }),
    ),
    ...outside.moderation.configured.map(({ moderator: { name } }) => {
      const { text, image, policy } = outside.moderation
      const detail = describeRole(name, [text, image], policy)
      return makeProvider('moderation', name, {
        detail,
        sources: selectStates(`moderation.${name.replaceAll('-', '_')}`),
      })
    }),
    ...outside.human.all.map(({ name, label }) =>
      makeProvider('human', name, { detail: label, sources: selectStates(`human.${name}`) }),
    ),
    ...outside.social.providers.map(({ id, label }) =>
      makeProvider('social', id, { detail: label, sources: selectStates(`social.${id}`) }),
    ),
    ...(outside.ipfs ? [makeProvider('ipfs', 'ipfs', { sources: selectStates('ipfs') })] : []),
    ...paymentMethods.map((method) =>
      makeProvider('payment', method.name, {
        lacks: method.findMissingConfiguration(parts) ?? null,
        sources: selectStates(`payments.${method.settings?.table ?? method.id}`),
      }),
    ),
    ...makePublishingProvider(parts, makeProvider),
  ]
}

interface Choice {
  readonly chosen: readonly string[]
  readonly selectable: readonly string[]
}

/** Describes whether the provider is asked, how many others decide with it, and whether a request may name it. */
function describeRole(name: string, choices: readonly Choice[], policy: PanelPolicy): string {
  const asking = choices.filter(({ chosen }) => chosen.includes(name))
  const several = asking.find(({ chosen }) => chosen.length > 1)
  const roles = [
    ...(asking.length > 0 ? [`is asked${several ? describePolicy(several.chosen, policy) : ''}`] : []),
    ...(choices.some(({ selectable }) => selectable.includes(name)) ? ['requests may choose it'] : []),
  ]
  return roles.length > 0 ? roles.join('; ') : 'nobody asks it'
}

function makePublishingProvider(
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
            lacks: findMissingSetting(chain.chainId, parts) ?? null,
          }),
        ]
      : [],
  )
}
