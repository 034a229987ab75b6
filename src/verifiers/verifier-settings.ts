/** The settings that rules and words of verifiers depend on, as the configuration of a server gives them. */

export interface VerifierSettings {
  /** Tables of the configuration by their names in camelCase: those of verifiers among them (settings.ts). */
  readonly tables: Readonly<Record<string, unknown>>
  readonly brand: string
  readonly hubChainId: number
  readonly titles: readonly string[]
  readonly maxAheadMs: number
  readonly linkMaxAgeMs: number
  /** As FreshnessWindow has it. */
  readonly restoredAt?: number | undefined
}
