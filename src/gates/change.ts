/** A change to a gate, as it is stored and audited. */
import type { Gate, GateStatus, KeptDefinition } from './gate.ts'

/** A version that was not written yet. */
export interface NewVersion {
  readonly definition: KeptDefinition
  readonly rewardValues: RewardValues
  /** The author: a wallet, or `operator` for the command line. */
  readonly author: string
}

/** The version that a change starts from: it applies only if no other change came first. */
export type Base = Pick<Gate, 'gateId' | 'owner' | 'version' | 'status'>

export type Change =
  /** `limit`: how many gates the owner may have. */
  | ({ readonly kind: 'create'; readonly gateId: string; readonly owner: string } & NewVersion & {
        readonly status: GateStatus
        readonly limit: number
      })
  /** The status is left as it is when undefined. */
  | ({
      readonly kind: 'version'
      readonly base: Base
      readonly status?: GateStatus | undefined
      /** The version whose text it has again, for a rollback. */
      readonly restores?: number | undefined
      /** Old versions that go with this write. */
      readonly removes?: readonly number[]
    } & NewVersion)
  | { readonly kind: 'status'; readonly base: Base; readonly status: GateStatus; readonly author: string }
  | { readonly kind: 'archive'; readonly base: Base; readonly isArchived: boolean; readonly author: string }

/** Reward values in the order of the definition's rewards; null where a reward has none. */
export type RewardValues = readonly (string | null)[]
