/** What features may use: everything that is made once, at the start, in main.ts or a test. */
import type { Config } from './config/load.ts'
import type { Db } from './db/db.ts'
import type { FreeSpace } from './db/free-space.ts'
import type { Sealer } from './db/seal.ts'
import type { ClientAddress } from './http/client-address.ts'
import type { Identity } from './http/identity.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import type { Log } from './log.ts'
import type { Numbers } from './numbers/numbers.ts'
import type { Outside } from './outside/outside.ts'
import type { PaymentMethod } from './payments/payment.ts'
import type { Catalog } from './verifiers/index.ts'
import type { VerifierSettings, VerifierTools } from './verifiers/verifier.ts'
import type { FreshnessWindow } from './wallet/freshness.ts'
import type { VerifySignature } from './wallet/signature.ts'

export interface Parts {
  readonly config: Config
  /** Unix milliseconds. The only clock. */
  readonly now: () => number
  readonly db: Db
  readonly freeSpace: FreeSpace
  readonly sealer: Sealer
  readonly log: Log
  readonly verifySignature: VerifySignature
  /** Title lines accepted in signed texts, the newest first. */
  readonly titles: readonly string[]
  readonly freshness: FreshnessWindow
  readonly outside: Outside
  readonly catalog: Catalog
  readonly verifierSettings: VerifierSettings
  readonly paymentMethods: readonly PaymentMethod[]
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly numbers: Numbers
  /** The person whose session or access key a request carries. Errors: those of sessions/identify.ts. */
  readonly identify: (request: Request) => Identity | undefined
  /** What a sign-in at another provider has shown: social/token.ts. */
  readonly readSocialToken: VerifierTools['readSocialToken']
  /** Names this run of the server: random, and another one after a restart. */
  readonly run: string
  /** Public addresses; known once the server listens. */
  readonly addresses: () => PublicAddresses
}

export interface PublicAddresses {
  readonly baseUrl: string
  readonly authUrl: string
  readonly mcpUrl: string
}
