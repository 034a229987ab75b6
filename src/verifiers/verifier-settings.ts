/** The settings that rules and words of verifiers depend on, as the configuration of a server gives them. */
import type { RiskLevel } from '../outside/risk/risk.ts'

export interface VerifierSettings {
  /** Tables of the configuration by their names in camelCase: those of single verifiers among them (settings.ts). */
  readonly tables: Readonly<Record<string, unknown>>
  readonly hubChainId: number
  readonly titles: readonly string[]
  readonly maxAheadMs: number
  readonly linkMaxAgeMs: number
  readonly pseudonymNamespace: string
  /** Member by which this server names the id of a person: `svcPersonhoodId`. */
  readonly personhoodName: string
  /** 0: a pseudonym is held until its owner revokes it. */
  readonly pseudonymTtlMs: number
  /** First label of the name whose TXT records are read: `_svc`. */
  readonly dnsLabel: string
  /** The highest level that a proof of wallet-risk may show. */
  readonly riskMaxLevel: RiskLevel
  /** Scopes in which persons are told apart, the one for requests that name none first. */
  readonly humanScopes: readonly [string, ...string[]]
  readonly humanTtlMs: number
  /** How many accounts may hold a proof of one person in one scope at a time. */
  readonly walletsPerPerson: number
}
