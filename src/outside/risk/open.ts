/** The providers of the configuration, and the judging ones. Makes no call, and reads no file yet. */
import type { Config } from '../../config/schema.ts'
import type { Chains } from '../chains/chain.ts'
import { makeEndpoint } from '../http/endpoint.ts'
import { describePolicy, joinNames, type PanelPolicy } from '../panel.ts'
import { type Finding, makeKnownProbe, type Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import { openChainalysis } from './chainalysis.ts'
import { openDenyList } from './deny-list.ts'
import { openEmbeddedProvider } from './embedded.ts'
import { openGoplus } from './goplus.ts'
import { makeRiskJudge } from './judge.ts'
import { denyListProbe, makeOracleProbe, makeProviderProbe } from './probes.ts'
import { type Risk, type RiskLevel, type RiskProvider, type RiskProviderName, riskProviderNeeds } from './risk.ts'
import { openOracles } from './sanctions-oracle.ts'
import { openWebacy } from './webacy.ts'

export interface RiskSettings {
  /** In the operator's order. Undefined: `provider` alone, or `embedded`. */
  readonly providers?: readonly RiskProviderName[] | undefined
  readonly provider?: RiskProviderName | undefined
  readonly policy: PanelPolicy
  readonly selectable: readonly RiskProviderName[]
  readonly maxLevel: RiskLevel
  /** The name of a file. */
  readonly denyList?: string | undefined
  readonly webacy: KeyedProvider
  readonly goplus: KeyedProvider & { readonly enabled: boolean }
  readonly chainalysis: KeyedProvider
}

interface KeyedProvider {
  readonly url: string
  readonly apiKey?: string | undefined
}

export function openRisk(
  settings: RiskSettings,
  chainSettings: Config['chains'],
  chains: Chains,
  tools: OutsideTools,
): { readonly risk: Risk; readonly probes: readonly Probe[] } {
  const denyList = settings.denyList === undefined ? undefined : openDenyList(settings.denyList)
  const oracles = openOracles(chainSettings, chains)
  const { policy, selectable } = settings
  const chosen = settings.providers ?? [settings.provider ?? 'embedded']
  const remote = openRemoteProviders(settings, new Set([...chosen, ...selectable]), tools)
  const hasEvmChain = chains.all.some(({ kind }) => kind === 'evm')
  const { maxLevel } = settings
  const local =
    denyList || hasEvmChain
      ? [openEmbeddedProvider({ chains, oracles, hasDenyList: denyList !== undefined, maxLevel })]
      : []
  const configured = [...local, ...remote]

  const find = (name: string): RiskProvider | undefined => configured.find((one) => one.name === name)
  const [first, ...others] = chosen.flatMap((name) => find(name) ?? [])
  const risk: Risk = {
    // All or none: a provider omitted by mistake would leave the judgment to fewer.
    standard:
      first && others.length === chosen.length - 1
        ? makeRiskJudge([first, ...others], policy, denyList, tools.tellRefusedKey)
        : undefined,
    chosen,
    policy,
    missing: chosen.filter((name) => !find(name)),
    selectable: selectable.filter(find),
    selected(name) {
      const one = selectable.some((other) => other === name) ? find(name) : undefined
      return one && makeRiskJudge([one], 'all', denyList, tools.tellRefusedKey)
    },
    names: configured.map(({ name }) => name),
  }
  const setting = settings.provider === undefined ? 'risk.providers' : 'risk.provider'
  const isSaid = settings.providers !== undefined || settings.provider !== undefined
  const knowsNoSanctions = hasEvmChain && !denyList && oracles.length === 0
  return {
    risk,
    probes: [
      ...(denyList ? [denyListProbe(denyList, tools.now)] : []),
      ...remote.map((one) => makeProviderProbe(`risk.${one.name}`, one)),
      ...oracles.map(makeOracleProbe),
      ...checkJudges(risk, { isSaid, knowsNoSanctions }).map((finding) => makeKnownProbe(setting, finding)),
      ...checkSelectable(risk, selectable).map((finding) => makeKnownProbe('risk.selectable', finding)),
    ],
  }
}

function openRemoteProviders(
  { webacy: w, goplus: g, chainalysis: c }: RiskSettings,
  named: ReadonlySet<RiskProviderName>,
  { policy }: OutsideTools,
): RiskProvider[] {
  const providers: RiskProvider[] = []
  if (w.apiKey !== undefined) providers.push(openWebacy(makeEndpoint('risk.webacy', w.url, policy), w.apiKey))
  if (g.enabled || named.has('goplus')) providers.push(openGoplus(makeEndpoint('risk.goplus', g.url, policy), g.apiKey))
  if (c.apiKey !== undefined) providers.push(openChainalysis(makeEndpoint('risk.chainalysis', c.url, policy), c.apiKey))
  return providers
}

interface Known {
  /** The operator chose the providers explicitly. */
  readonly isSaid: boolean
  readonly knowsNoSanctions: boolean
}

/** Known without a call. */
function checkJudges({ chosen, missing, policy }: Risk, { isSaid, knowsNoSanctions }: Known): Finding[] {
  if (missing.length > 0)
    return isSaid
      ? missing.map((name) => ({
          level: 'fail',
          says: `names ${name}, which is not configured: wallet-risk is absent`,
          mend: `set ${riskProviderNeeds[name]}`,
        }))
      : []
  if (knowsNoSanctions && chosen.join() === 'embedded')
    return [
      {
        level: 'warn',
        says: 'is embedded, which knows no sanctioned wallet here: no wallet is ever refused as sanctioned',
        mend: 'set risk.deny_list, or sanctions_oracle of a chain',
      },
    ]
  return [{ level: 'ok', says: `wallets are judged by ${joinNames(chosen)}${describePolicy(chosen, policy)}` }]
}

function checkSelectable({ chosen, selectable, names }: Risk, wanted: readonly RiskProviderName[]): Finding[] {
  const idle = names.filter((name) => name !== 'embedded' && !chosen.includes(name) && !selectable.includes(name))
  return [
    ...wanted
      .filter((name) => !selectable.includes(name))
      .map((name) => ({
        level: 'fail' as const,
        says: `names ${name}, which is not configured: no request can choose it`,
        mend: `set ${riskProviderNeeds[name]}`,
      })),
    ...idle.map((name) => ({
      level: 'warn' as const,
      says: `${name} is configured, and nobody asks it`,
      mend: `add it to risk.providers, or to risk.selectable for requests that name it`,
    })),
    ...(selectable.length > 0
      ? [{ level: 'ok' as const, says: `a request may choose ${joinNames(selectable, 'or')} in their place` }]
      : []),
  ]
}
