/** Times of payments that are moved when the clock of the machine is put right: SQL and nothing else. */
import { type MovedTimes, moveLook, movePromise, moveUnderWay } from '../db/moved-times.ts'

export const movedPaymentTimes: readonly MovedTimes[] = [
  moveLook('UPDATE payments', 'watch_at'),
  moveLook('UPDATE settlements', 'watch_at'),
  moveLook('UPDATE checkouts', 'watch_at'),
  moveLook('UPDATE unmatched_payments', 'next_at'),
  movePromise('UPDATE quotes', 'expires_at'),
  moveUnderWay('UPDATE checkouts', 'expires_at'),
  moveUnderWay('UPDATE settlements', 'ends_at'),
]
