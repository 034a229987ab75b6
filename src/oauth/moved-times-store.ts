/** Times of OAuth that are moved when the clock of the machine is put right: SQL and nothing else. */
import { type MovedTimes, moveStep } from '../db/moved-times.ts'

export const movedOauthTimes: readonly MovedTimes[] = [
  moveStep('UPDATE oauth_requests'),
  moveStep('UPDATE oauth_codes'),
]
