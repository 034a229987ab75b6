/** The interface of wallet risk: the question, and the answer of every provider. */
import type { UnanswerableError } from '../failure.ts'
import type { PanelPolicy, Silence } from '../panel.ts'

export const riskProviderNames = ['embedded', 'webacy', 'goplus', 'chainalysis'] as const
export type RiskProviderName = (typeof riskProviderNames)[number]

/** The setting that enables each provider, for the error about an absent one. */
export const riskProviderNeeds: Readonly<Record<RiskProviderName, string>> = {
  embedded: 'risk.deny_list, or an EVM chain under [chains.<name>], best with its sanctions_oracle',
  webacy: 'risk.webacy.api_key',
  goplus: 'risk.goplus.enabled = true',
  chainalysis: 'risk.chainalysis.api_key',
}

export interface Risk {
  /** The providers that the operator chose, together. Undefined while one of them is not configured. */
  readonly standard: RiskJudge | undefined
  /** The providers behind `standard`, in the operator's order. */
  readonly chosen: readonly RiskProviderName[]
  readonly policy: PanelPolicy
  /** The entries of `chosen` that are not configured. */
  readonly missing: readonly RiskProviderName[]
  /** The providers that a request may choose, if they are configured. */
  readonly selectable: readonly RiskProviderName[]
  /** Undefined unless it is one of `selectable`. */
  selected(name: string): RiskJudge | undefined
  /** Names of the configured ones. */
  readonly names: readonly RiskProviderName[]
}

/** One provider or several, behind the operator's list. */
export interface RiskJudge {
  /** Errors: OutsideError; UnanswerableError for a wallet that no provider can judge. */
  assess(wallet: RiskQuestion): Promise<RiskFinding>
}

/** The worst of the answers. */
export interface RiskFinding extends RiskAssessment {
  /** The provider of the worst answer. Among equal ones, the first in the operator's order. */
  readonly provider: RiskProviderName
  readonly asked: readonly AskedProvider[]
}

export interface AskedProvider {
  readonly provider: RiskProviderName
  readonly answered: boolean
  /** The reason why it was not asked. */
  readonly reason?: Silence
  readonly overallRisk?: number
  readonly riskLevel?: RiskLevel
  readonly sanctioned?: boolean
  readonly poisoned?: boolean
  readonly checked?: readonly RiskTopic[]
  /**
   * Short names of the chains asked in place of the requested one, which the provider does not know. Empty for none.
   */
  readonly chains?: readonly string[]
  readonly notAsked?: readonly NotAsked[]
}

/** A part that an answering provider was not asked about. */
export interface NotAsked {
  /** Short name. */
  readonly chain: string
  /** The operator has not configured the chain; or the provider does not know it. */
  readonly reason: 'CHAIN_NOT_CONFIGURED' | 'CHAIN_NOT_COVERED'
}

export interface RiskProvider {
  readonly name: RiskProviderName
  /** The part that it can check. Makes no call. */
  coverage(wallet: RiskQuestion): Coverage
  /** The reason why it does not judge this wallet alone, for the caller. */
  refusal(wallet: RiskQuestion): UnanswerableError
  /** Assesses a wallet that it covers. Errors: OutsideError. */
  assess(wallet: RiskQuestion): Promise<RiskAssessment>
}

/**
 * whole: all that it ever checks. list: only the operator's list. beside: it does not know the chain, but knows
 * sanctions and findings on others. Both are enough when no provider sees more. against: as beside, and never enough.
 * none: no coverage.
 */
export type Coverage = 'whole' | 'list' | 'beside' | 'against' | 'none'

export interface RiskQuestion {
  /** In lower case where it is an EVM address. Its form is one of `chain`. */
  readonly address: string
  /** A short name: eth, base, sol, … (chains.ts), or `eip155:<chain id>` for EVM chains that have none. Not CAIP-2. */
  readonly chain: string
  /** For EVM addresses only. */
  readonly chainId?: number
}

/** From harmless to worst. */
export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

/**
 * sanctions: lists of sanctioned wallets. activity: the wallet's past and nature. Levels below critical come from
 * activity, so without it such a level does not count (proofs/judged.ts). poisoning: dust sent to it.
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
  /** The checked topics. `sanctioned` and `poisoned` are false, and say nothing, for an unchecked topic. */
  readonly checked: readonly RiskTopic[]
  /** Setting paths of the asked sources: `risk.webacy`, `risk.deny_list`, `chains.base.rpc[0]`. */
  readonly sources: readonly string[]
  /** The blocks that were read, that of the requested chain first. */
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
  /** The reason why the oracle relies on the endpoints although chains.<name>.proofs is set. */
  readonly unproved?: readonly string[]
}

/**
 * The level of a risk of 0 to 100: up to 23 low, up to 50 medium, above that high. It is Webacy's scale, used for all
 * providers, so that a level always means the same. Only sanctioned wallets are critical.
 */
export function readLevel(overallRisk: number): RiskLevel {
  if (overallRisk <= 23) return 'low'
  return overallRisk <= 50 ? 'medium' : 'high'
}

/** An assessment whose level follows from its parts. A sanctioned wallet is at 100, whatever else is known. */
export function makeAssessment(
  found: Omit<RiskAssessment, 'riskLevel' | 'blocks'> & { readonly blocks?: readonly RiskBlock[] },
): RiskAssessment {
  const blocks = found.blocks ?? []
  return found.sanctioned
    ? { ...found, blocks, overallRisk: 100, riskLevel: 'critical' }
    : { ...found, blocks, riskLevel: readLevel(found.overallRisk) }
}
