import type { Condition } from './condition.ts'

export interface ProofCriteria {
  /** Any of these, or each of them with requireAll. Empty: any verifier. */
  readonly verifierIds: readonly string[]
  readonly requireAll: boolean
  readonly conditions: readonly Condition[]
  /** All of these. */
  readonly tags: readonly string[]
}
