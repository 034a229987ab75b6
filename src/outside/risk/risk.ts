/** What is asked of those who know which wallets are dangerous, and what every one of them answers. */
import type { UnanswerableError } from '../failure.ts'
import type { PanelPolicy, Silence } from '../panel.ts'

export const riskProviderNames = ['embedded', 'webacy', 'goplus', 'chainalysis'] as const
export type RiskProviderName = (typeof riskProviderNames)[number]

/** What an operator sets to have a provider: for those who ask for one that is not there. */
export const riskProviderNeeds: Readonly<Record<RiskProviderName, string>> = {
  embedded: 'risk.deny_list, or an EVM chain under [chains.<name>], best with its sanctions_oracle',
  webacy: 'risk.webacy.api_key',
  goplus: 'risk.goplus.enabled = true',
  chainalysis: 'risk.chainalysis.api_key',
}

export interface Risk {
  /** Whom the operator chose, together. Undefined while one of them is not configured. */
  readonly standard: RiskJudge | undefined
  /** Whom `standard` asks, in the order of the operator. */
  readonly chosen: readonly RiskProviderName[]
  readonly policy: PanelPolicy
  /** Those of `chosen` that are not configured. */
  readonly missing: readonly RiskProviderName[]
  /** Those that a request may choose, as far as they are configured. */
  readonly selectable: readonly RiskProviderName[]
  /** Undefined unless it is one of `selectable`. */
  selected(name: string): RiskJudge | undefined
  /** Names of the configured ones. */
  readonly names: readonly RiskProviderName[]
}

/** One provider or several, behind the operator's list. */
export interface RiskJudge {
  /** Errors: OutsideError; UnanswerableError for a wallet that nobody here can judge. */
  assess(wallet: RiskQuestion): Promise<RiskFinding>
}

/** The worst of what was answered. */
export interface RiskFinding extends RiskAssessment {
  /** Whose answer is the worst; of those that say the same, the first in the order of the operator. */
  readonly provider: RiskProviderName
  readonly asked: readonly AskedProvider[]
}

export interface AskedProvider {
  readonly provider: RiskProviderName
  readonly answered: boolean
  /** Why not. */
  readonly reason?: Silence
  readonly overallRisk?: number
  readonly riskLevel?: RiskLevel
  readonly sanctioned?: boolean
  readonly poisoned?: boolean
  readonly checked?: readonly RiskTopic[]
  /**
   * Short names of the chains that it was asked about in place of the one of the question, which it does not know. Empty
   * where it was asked about none.
   */
  readonly chains?: readonly string[]
  readonly notAsked?: readonly NotAsked[]
}

/** What one who answered was not asked about. */
export interface NotAsked {
  /** Short name. */
  readonly chain: string
  /** The operator has not configured the chain; or the provider does not know it. */
  readonly reason: 'CHAIN_NOT_CONFIGURED' | 'CHAIN_NOT_COVERED'
}

export interface RiskProvider {
  readonly name: RiskProviderName
  /** What it can look at. Calls nobody. */
  coverage(wallet: RiskQuestion): Coverage
  /** Why it does not judge this wallet alone, for whoever asked. */
  refusal(wallet: RiskQuestion): UnanswerableError
  /** Of a wallet that it covers. Errors: OutsideError. */
  assess(wallet: RiskQuestion): Promise<RiskAssessment>
}

/**
 * whole: all that it ever looks at. list: nothing but the operator's list. beside: it does not know the chain, and can say
 * whether the wallet is sanctioned and what speaks against it on others. Both are enough where nobody sees more. against:
 * as beside, and never enough. none: nothing.
 */
export type Coverage = 'whole' | 'list' | 'beside' | 'against' | 'none'

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

/**
 * sanctions: lists of sanctioned wallets. activity: what the wallet did, or is; a level below critical is made of it, so
 * that one who did not look at it has none that counts (proofs/judged.ts). poisoning: dust sent to it.
 */
export const riskTopics = ['sanctions', 'activity', 'poisoning'] as const
export type RiskTopic = (typeof riskTopics)[number]

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
  /** See AskedProvider. */
  readonly chains?: readonly string[]
  readonly notAsked?: readonly NotAsked[]
}

export interface RiskIssue {
  readonly tag: string
  readonly severity: RiskLevel
  readonly description: string
}

export const compareSeverity = (a: RiskIssue, b: RiskIssue): number =>
  riskLevels.indexOf(b.severity) - riskLevels.indexOf(a.severity)

export interface RiskBlock {
  /** CAIP-2. */
  readonly chain: string
  readonly blockNumber: number
  /** Why the oracle could not be run over the proved state, where chains.<name>.proofs is set, and rests on the endpoints. */
  readonly unproved?: readonly string[]
}

/**
 * The level of a risk of 0 to 100: up to 23 low, up to 50 medium, above that high. The scale is that of Webacy, and is
 * used for all providers, so that a level means the same whoever said it. Only sanctioned wallets are critical.
 */
export function readLevel(overallRisk: number): RiskLevel {
  if (overallRisk <= 23) return 'low'
  return overallRisk <= 50 ? 'medium' : 'high'
}

/** An assessment whose level follows from its parts. A sanctioned wallet is at 100, whatever else is known of it. */
export function makeAssessment(
  found: Omit<RiskAssessment, 'riskLevel' | 'blocks'> & { readonly blocks?: readonly RiskBlock[] },
): RiskAssessment {
  const blocks = found.blocks ?? []
  return found.sanctioned
    ? { ...found, blocks, overallRisk: 100, riskLevel: 'critical' }
    : { ...found, blocks, riskLevel: readLevel(found.overallRisk) }
}
