/**
 * Writes down what a look at a payment found, in the row of the payment and in what it bought, in one write. A payment
 * that is taken back suspends what it paid for. One that stands again gives it back, where there is still a place; else
 * the money is written down as unmatched: a card payment is given back by this server, and a transfer is owed by the seller.
 */
import type { Statement } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import type { Review } from '../../payments/payment.ts'
import { recordRefund, recordReview, type WatchedPayment } from '../../payments/store.ts'
import {
  type LaterOutcome,
  recordPlaceGone,
  restorePayment,
  setNextLook,
  type TakenBack,
  type TakenBackPayment,
} from '../../payments/taken-back-store.ts'
import type { Reviewing } from '../../payments/watch.ts'
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
 * False when something came in between: the payment is reversed already, or somebody asked for another look after this
 * one began, which must not be forgotten.
 *
 * A payment that is taken back suspends what it paid for and gives the place back to the supply, once. That can happen to a
 * final one too: cards are disputed months later. While it is disputed the place is kept, since the seller may win: the
 * fulfilment stays granted in its table, and is read as suspended (store.ts).
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
  payment: TakenBackPayment,
  review: Review,
): Promise<LaterOutcome> {
  const at = now()
  if (review.state !== 'restored') {
    const result = await db.write(recordStillTakenBack(payment, review, at), 'free')
    return 'changes' in result ? 'taken-back' : 'changed'
  }
  const { takenBack: _, ...details } = payment.details
  const restored = await db.write(
    [
      restorePayment(payment, at + review.nextLookMs, details, at),
      restoreFulfillment(payment.id, at),
      restoreCounts(payment.id, review.lostUsdMicros),
      ...(review.refunded ? recordRefund(payment, review.refunded) : []),
    ],
    'settle',
  )
  if ('changes' in restored) return 'restored'
  const written = await db.write(
    [recordPlaceGone(payment, at, hasSupply('p.gate', '?3')), setNextLook(payment, null)],
    'settle',
  )
  if (!('changes' in written)) return 'changed'
  return (written.changes[0] ?? 0) > 0 ? 'unmatched' : 'taken-back'
}

function recordStillTakenBack(payment: TakenBackPayment, review: Review, at: number): Statement[] {
  const { id, details } = payment
  const nextAt = 'nextLookMs' in review && review.nextLookMs !== undefined ? at + review.nextLookMs : null
  if (review.state !== 'reversed') return [setNextLook(payment, nextAt, details)]
  const { keptUsdMicros = 0, lostUsdMicros = 0, refunded } = review
  const before = details.takenBack as TakenBack | undefined
  const takenBack: TakenBack = { keptUsdMicros, at: before?.at ?? at }
  return [
    setNextLook(payment, nextAt, { ...details, takenBack }),
    ...(refunded ? recordRefund(payment, refunded) : []),
    ...(lostUsdMicros === 0 ? [] : [lowerSum(id, lostUsdMicros)]),
  ]
}

/** For the watch of payments. */
export const reviewing: Reviewing = { applyReview, applyLaterReview }
