/** All stored times that are moved when the clock of the machine is put right, as the folders of their tables say. */
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
