/** The stored times that move when the machine's clock is corrected, as declared by the folders of their tables. */
import { movedSessionTimes } from './auth/sessions/store.ts'
import type { MovedTimes } from './db/moved-times.ts'
import { movedGateTimes } from './gates/moved-times-store.ts'
import { movedOauthTimes } from './oauth/moved-times-store.ts'
import { movedPaymentTimes } from './payments/moved-times-store.ts'
import { movedFollowTimes } from './proofs/follow-store.ts'
import { movedSocialTimes } from './social/sign-in-store.ts'

export const movedTimes: readonly MovedTimes[] = [
  ...movedPaymentTimes,
  movedFollowTimes,
  ...movedGateTimes,
  ...movedOauthTimes,
  movedSocialTimes,
  movedSessionTimes,
]
