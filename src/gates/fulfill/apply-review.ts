/**
 * Applies the result of a payment check to the payment's row and its purchase, in one write. A withdrawn payment
 * suspends its purchase. One that stands again restores it, if there is still a place. Otherwise the money becomes
 * unmatched: this server refunds it where its method can, otherwise the seller owes it.
 */
import type { Statement } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import { findPaymentMethod } from '../../payments/methods.ts'
import type { Review } from '../../payments/payment.ts'
import {
  type LaterOutcome,
  type Reversal,
  type ReversedPayment,
  recordPlaceGone,
  restorePayment,
  setNextLook,
} from '../../payments/reversal-store.ts'
import { recordRefund, recordReview, type WatchedPayment } from '../../payments/store.ts'
import type { Reviewing } from '../../payments/watch.ts'
import { holdGateOfPayment } from '../hold-store.ts'
import {
  hasSupply,
  lowerSum,
  restoreCounts,
  restoreFulfillment,
  returnPlace,
  suspendFulfillment,
} from './paid-store.ts'

type Writing = Pick<Parts, 'db' | 'now'>

/**
 * False when something came between. The payment is reversed already, or another check was requested after this one
 * began and must not be forgotten.
 *
 * A withdrawn payment suspends its purchase and returns the place to the supply, once. A final one can be withdrawn
 * too: cards are disputed months later. During a dispute the place is kept, since the seller may win. The fulfillment
 * stays granted in its table, and reads as suspended (store.ts).
 */
export async function applyReview(
  { db, now }: Writing,
  payment: Pick<WatchedPayment, 'id' | 'watchAt' | 'state' | 'refunded' | 'details'>,
  review: Review,
): Promise<boolean> {
  const { refunded } = review
  if (payment.state === 'reversed') return false
  const at = now()
  const result = await db.write(
    [
      recordReview(payment, review, at),
      ...(review.state === 'reversed'
        ? [returnPlace(payment.id, review.lostUsdMicros), suspendFulfillment(payment.id, at)]
        : []),
      ...(refunded ? recordRefund(payment, refunded) : []),
      // The sums of a reversal say what is lost by it, refunds included.
      ...(refunded && review.state !== 'reversed' ? [lowerSum(payment.id, refunded.moreUsdMicros)] : []),
    ],
    'free',
  )
  return 'changes' in result
}

/** Writes down what a look at a payment found that was taken back before. */
export async function applyLaterReview(
  { db, now }: Writing,
  payment: ReversedPayment,
  review: Review,
): Promise<LaterOutcome> {
  const at = now()
  if (review.state !== 'restored') {
    const result = await db.write(recordStillReversed(payment, review, at), 'free')
    return 'changes' in result ? 'taken-back' : 'changed'
  }
  const { takenBack: _, ...details } = payment.details
  const restored = await db.write(
    [
      restorePayment(payment, at + review.nextLookMs, details, at),
      holdGateOfPayment(payment.id),
      restoreFulfillment(payment.id, at),
      restoreCounts(payment.id, review.lostUsdMicros),
      ...(review.refunded ? recordRefund(payment, review.refunded) : []),
    ],
    'settle',
  )
  if ('changes' in restored) return 'restored'
  const written = await db.write(
    [recordPlaceGone(payment, at, hasSupply('p.gate', '?3'), readQualities(payment)), setNextLook(payment, null)],
    'settle',
  )
  if (!('changes' in written)) return 'changed'
  return (written.changes[0] ?? 0) > 0 ? 'unmatched' : 'taken-back'
}

/** A removed method counts like a transfer: this server refunds neither. */
const readQualities = ({ method }: ReversedPayment) =>
  findPaymentMethod(method) ?? { isPaidOnChain: true, givesBack: false }

function recordStillReversed(payment: ReversedPayment, review: Review, at: number): Statement[] {
  const { id, details } = payment
  const nextAt = 'nextLookMs' in review && review.nextLookMs !== undefined ? at + review.nextLookMs : null
  if (review.state !== 'reversed') return [setNextLook(payment, nextAt, details)]
  const { keptUsdMicros = 0, lostUsdMicros = 0, refunded } = review
  const before = details.takenBack as Reversal | undefined
  const takenBack: Reversal = { keptUsdMicros, at: before?.at ?? at }
  return [
    setNextLook(payment, nextAt, { ...details, takenBack }),
    ...(refunded ? recordRefund(payment, refunded) : []),
    ...(lostUsdMicros === 0 ? [] : [lowerSum(id, lostUsdMicros)]),
  ]
}

/** For the watch of payments. */
export const reviewing: Reviewing = { applyReview, applyLaterReview }
