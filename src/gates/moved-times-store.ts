/** Times of gates and places that are moved when the clock of the machine is put right: SQL and nothing else. */
import { type MovedTimes, moveOrigin, movePromise } from '../db/moved-times.ts'

export const movedGateTimes: readonly MovedTimes[] = [
  movePromise('UPDATE reservations', 'expires_at'),
  movePromise('UPDATE unpaid_places', 'ends_at'),
  // A transfer pays the price of its time: no gate is to seem younger than the transfers for it.
  moveOrigin('UPDATE gates'),
  moveOrigin('UPDATE gate_versions'),
]
