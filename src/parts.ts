/** The parts that features use: everything that main.ts or a test makes once, at the start. */

import type { Identity } from './auth/identity.ts'
import type { ContinuousBackup } from './backup/continuous/continuous-backup.ts'
import type { Conditions } from './conditions.ts'
import type { PublicAddresses } from './config/public-addresses.ts'
import type { Config } from './config/schema.ts'
import type { Db } from './db/db.ts'
import type { FreeSpace } from './db/free-space.ts'
import type { Reserve } from './db/reserve.ts'
import type { Sealer } from './db/seal.ts'
import type { DamageWatch } from './db/watch-damage.ts'
import type { StorageWatch } from './health/storage-watch.ts'
import type { ClientAddress, ReadersOfClient } from './http/client-address.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import type { Traffic } from './http/traffic.ts'
import type { LostTime } from './journal/store.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/measure.ts'
import type { Outside } from './outside/outside.ts'
import type { PaymentMethod } from './payments/payment.ts'
import type { Processes } from './processes/processes.ts'
import type { SweepRecord } from './sweep-record.ts'
import type { Tracer } from './tracing/tracer.ts'
import type { VerdictFigures } from './verification/verdict-figures.ts'
import type { Catalog } from './verifiers/index.ts'
import type { VerifierTools } from './verifiers/verifier.ts'
import type { VerifierSettings } from './verifiers/verifier-settings.ts'
import type { FreshnessWindow } from './wallet/freshness.ts'
import type { VerifySignature } from './wallet/signature.ts'

export interface Parts {
  readonly config: Config
  /** Unix milliseconds of the clock of the machine: how fresh something is, what has expired, times that are shown. */
  readonly now: () => number
  /** Milliseconds that only count on: how long something takes, whatever is done to the clock (clock.ts). */
  readonly readUptime: () => number
  /** Unix milliseconds that have passed for sure: for what cannot be undone, such as deleting what is over (clock.ts). */
  readonly readSure: () => number
  /** Unix milliseconds that nothing made until now is after, also where the clock was set back (clock.ts). */
  readonly readLatest: () => number
  /** Unix milliseconds of the clock that never jumps: for how long ago something was, also over a restart (clock.ts). */
  readonly readSteadyClock: () => number
  readonly db: Db
  readonly freeSpace: FreeSpace
  readonly reserve: Reserve
  readonly sealer: Sealer
  readonly log: Log
  /** The server's present faults. */
  readonly conditions: Conditions
  /** How storing goes, and whether anything may be stored. */
  readonly storage: StorageWatch
  /** Whether the database is damaged. */
  readonly damage: DamageWatch
  readonly verifySignature: VerifySignature
  /** Title lines accepted in signed texts, the newest first. */
  readonly titles: readonly string[]
  readonly freshness: FreshnessWindow
  /** What restores of this server lost. */
  readonly lostTimes: readonly LostTime[]
  readonly outside: Outside
  readonly catalog: Catalog
  readonly verifierSettings: VerifierSettings
  readonly paymentMethods: readonly PaymentMethod[]
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly isMonitor: ReadersOfClient['isMonitor']
  readonly isTrustedProxy: ReadersOfClient['isTrustedProxy']
  readonly metrics: Metrics
  /** Answers by route, for the page of metrics. Undefined while that is not served. */
  readonly traffic: Traffic | undefined
  readonly verdicts: VerdictFigures
  /** Undefined unless backup.continuous is set. */
  readonly continuous: ContinuousBackup | undefined
  readonly sweepRecord: SweepRecord
  /** Undefined unless the variables of OpenTelemetry name a collector. */
  readonly tracer: Tracer | undefined
  /** The person whose session or access key a request carries. Errors: those of auth/identify.ts. */
  readonly identify: (request: Request) => Promise<Identity | undefined>
  /** The result of a sign-in at another provider: social/token.ts. */
  readonly readSocialToken: VerifierTools['readSocialToken']
  /** Names this run of the server: random, and another one after a restart. */
  readonly run: string
  readonly processes: Processes
  /** Public addresses; known once the server listens. */
  readonly addresses: () => PublicAddresses
}
