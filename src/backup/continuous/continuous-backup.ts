/** The continuous backup as others see it. */
import type { RunJob } from '../../jobs/run-job.ts'

export interface ShipFigures {
  readonly shippedBytes: number
  /** Chains that this run began. */
  readonly chains: number
}

export interface ContinuousBackup {
  /** For how long the oldest transaction that is not at the place has waited. 0: all are there. */
  readLagMs(): number
  readFigures(): ShipFigures
  /** Until it is known what the place holds, or for a while: what is stored before that takes longer to be there. */
  waitUntilOpen(): Promise<void>
  /** Makes the backup that a chain begins with. Without it, none is made before its time. */
  setRunner(run: RunJob | undefined): void
  /** After the store is closed: ships what is left, for a while. */
  stop(): Promise<void>
}
