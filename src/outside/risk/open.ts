/** The providers of the configuration, each behind the operator's list. Calls nobody, and reads no file yet. */
import type { Config } from '../../config/load.ts'
import type { Chains } from '../chains/chain.ts'
import { endpointOf } from '../http/endpoint.ts'
import type { OutsideTools } from '../open.ts'
import type { Probe } from '../probe.ts'
import { chainalysis } from './chainalysis.ts'
import { type DenyList, openDenyList } from './deny-list.ts'
import { embedded } from './embedded.ts'
import { goplus } from './goplus.ts'
import { denyListProbe, knownProbe, oracleProbe, providerProbe } from './probes.ts'
import { type Risk, type RiskProvider, riskProviderNeeds } from './risk.ts'
import { oraclesOf, type SanctionsOracle } from './sanctions-oracle.ts'
import { webacy } from './webacy.ts'
import { withDenyList } from './with-deny-list.ts'

export function openRisk(
  settings: Config['risk'],
  chainSettings: Config['chains'],
  chains: Chains,
  tools: OutsideTools,
): { readonly risk: Risk; readonly probes: readonly Probe[] } {
  const denyList = settings.denyList === undefined ? undefined : openDenyList(settings.denyList)
  const oracles = oraclesOf(chainSettings, chains)
  const remote = remoteProviders(settings, tools)
  const hasEvmChain = chains.all.some(({ kind }) => kind === 'evm')
  const local = denyList || hasEvmChain ? [embedded({ chains, oracles, hasDenyList: denyList !== undefined })] : []
  const offered = [...local, ...remote].map((one) => (denyList ? withDenyList(denyList, one) : one))

  const provider = (name: string): RiskProvider | undefined => offered.find((one) => one.name === name)
  return {
    risk: { standard: provider(settings.provider), provider, names: offered.map(({ name }) => name) },
    probes: [
      ...(denyList ? [denyListProbe(denyList, tools.now)] : []),
      ...remote.map((one) => providerProbe(`risk.${one.name}`, one)),
      ...oracles.map(oracleProbe),
      ...gaps(settings, { denyList, oracles, hasEvmChain, isOffered: provider(settings.provider) !== undefined }),
    ],
  }
}

function remoteProviders({ provider, webacy: w, goplus: g, chainalysis: c }: Config['risk'], { policy }: OutsideTools) {
  const providers: RiskProvider[] = []
  if (w.apiKey !== undefined) providers.push(webacy(endpointOf('risk.webacy', w.url, policy), w.apiKey))
  if (g.enabled || provider === 'goplus') providers.push(goplus(endpointOf('risk.goplus', g.url, policy), g.apiKey))
  if (c.apiKey !== undefined) providers.push(chainalysis(endpointOf('risk.chainalysis', c.url, policy), c.apiKey))
  return providers
}

interface Had {
  readonly denyList: DenyList | undefined
  readonly oracles: readonly SanctionsOracle[]
  readonly hasEvmChain: boolean
  readonly isOffered: boolean
}

/** What is missing without being wrong: nothing that a call could show. */
function gaps({ provider }: Config['risk'], { denyList, oracles, hasEvmChain, isOffered }: Had): Probe[] {
  if (provider !== 'embedded')
    return isOffered
      ? []
      : [
          knownProbe('risk.provider', {
            level: 'fail',
            says: `is ${provider}, which is not configured: wallet-risk is absent`,
            mend: `set ${riskProviderNeeds[provider]}`,
          }),
        ]
  if (!hasEvmChain || denyList || oracles.length > 0) return []
  return [
    knownProbe('risk.provider', {
      level: 'warn',
      says: 'is embedded, which knows no sanctioned wallet here: no wallet is ever refused as sanctioned',
      mend: 'set risk.deny_list, or sanctions_oracle of a chain',
    }),
  ]
}
