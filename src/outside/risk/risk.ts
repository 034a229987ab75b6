/** What is asked of those who know which wallets are dangerous, and what every one of them answers. */

export const riskProviderNames = ['embedded', 'webacy', 'goplus', 'chainalysis'] as const
export type RiskProviderName = (typeof riskProviderNames)[number]

/** What an operator sets to have a provider: for those who ask for one that is not there. */
export const riskProviderNeeds: Readonly<Record<RiskProviderName, string>> = {
  embedded: 'risk.deny_list, or an EVM chain under [chains.<name>]',
  webacy: 'risk.webacy.api_key',
  goplus: 'risk.goplus.enabled = true',
  chainalysis: 'risk.chainalysis.api_key',
}

export interface Risk {
  /** The provider of a request that names none. Undefined: it is not configured. */
  readonly standard: RiskProvider | undefined
  provider(name: string): RiskProvider | undefined
  /** Names of the configured ones. */
  readonly names: readonly string[]
}

export interface RiskProvider {
  readonly name: RiskProviderName
  /** Errors: OutsideError; UnanswerableError for a chain that the provider does not know. */
  assess(wallet: RiskQuestion): Promise<RiskAssessment>
}

export interface RiskQuestion {
  /** In lower case where it is an EVM address. Its form is one of `chain`. */
  readonly address: string
  /** A short name: eth, base, sol, … (chains.ts), or `eip155:<chain id>` for EVM chains that have none. Not CAIP-2. */
  readonly chain: string
  /** Of EVM addresses, and only of these. */
  readonly chainId?: number
}

/** From harmless to worst. */
export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** sanctions: lists of sanctioned wallets. activity: what the wallet did, or is. poisoning: dust sent to it. */
export type RiskTopic = 'sanctions' | 'activity' | 'poisoning'

export interface RiskAssessment {
  /** 0 to 100. */
  readonly overallRisk: number
  readonly riskLevel: RiskLevel
  readonly sanctioned: boolean
  /** Received dust that imitates an address it deals with. */
  readonly poisoned: boolean
  readonly issues: readonly RiskIssue[]
  /** What was looked at. `sanctioned` and `poisoned` are false, and say nothing, where nobody looked. */
  readonly checked: readonly RiskTopic[]
  /** Setting paths of what was asked: `risk.webacy`, `risk.deny_list`, `chains.base.rpc[0]`. */
  readonly sources: readonly string[]
  /** Of the chains that were read, that of the question first. */
  readonly blocks: readonly RiskBlock[]
}

export interface RiskIssue {
  readonly tag: string
  readonly severity: RiskLevel
  readonly description: string
}

export interface RiskBlock {
  /** CAIP-2. */
  readonly chain: string
  readonly blockNumber: number
}

/**
 * The level of a risk of 0 to 100: up to 23 low, up to 50 medium, above that high. The scale is that of Webacy, and is
 * used for all providers, so that a level means the same whoever said it. Only sanctioned wallets are critical.
 */
export function levelOf(overallRisk: number): RiskLevel {
  if (overallRisk <= 23) return 'low'
  return overallRisk <= 50 ? 'medium' : 'high'
}

/** An assessment whose level follows from its parts. A sanctioned wallet is at 100, whatever else is known of it. */
export function assessmentOf(
  found: Omit<RiskAssessment, 'riskLevel' | 'blocks'> & { readonly blocks?: readonly RiskBlock[] },
): RiskAssessment {
  const blocks = found.blocks ?? []
  return found.sanctioned
    ? { ...found, blocks, overallRisk: 100, riskLevel: 'critical' }
    : { ...found, blocks, riskLevel: levelOf(found.overallRisk) }
}
