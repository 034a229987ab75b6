/**
 * Payments of a time that a restore lost: from the last moment that the restored data knows to the restore itself. Such
 * a payment may have bought something already. So it buys nothing, nobody can use it elsewhere, and it is not refunded
 * by this server: only the seller knows what became of it.
 */
import type { Db } from '../db/db.ts'
import type { LostTime } from '../journal/store.ts'
import { findPayment, type PaidVerdict } from './store.ts'
import type { NewUnmatched } from './unmatched-store.ts'

export const lostTimeReason = 'PAID_IN_LOST_TIME'

/** A chain or a provider has another clock. */
const toleratedMs = 60_000

/** False for a payment that is bound here. */
export async function isOfLostTime(
  { db, lostTimes }: { readonly db: Db; readonly lostTimes: readonly LostTime[] },
  { identity, paidAt }: Pick<PaidVerdict, 'identity' | 'paidAt'>,
): Promise<boolean> {
  if (paidAt === null || lostTimes.length === 0) return false
  if (!lostTimes.some(({ from, until }) => paidAt > from - toleratedMs && paidAt < until)) return false
  return (await findPayment(db, identity)) === undefined
}

export const leaveToSeller = (made: NewUnmatched): NewUnmatched =>
  made.reason === lostTimeReason
    ? { ...made, state: 'owed', paid: { ...made.paid, details: { ...made.paid.details, onlySeller: true } } }
    : made
