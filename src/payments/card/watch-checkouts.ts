/**
 * Watches checkouts: checks each session until its outcome is known, even if the buyer does not come back. A paid
 * session is used for its purchase; otherwise it is recorded as unmatched and refunded (refund.ts). A session that
 * ended unpaid releases its place. The process may stop at any moment. The purchase and the unmatched row exclude each
 * other by the payment's identity. The watch of a checkout ends only with or after one of the two.
 */

import { claimedForMs } from '../../db/claim.ts'
import type { Statement } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import { claimCheckout, listWatchedCheckouts, scheduleNextLook, type WatchedCheckout } from '../checkout-store.ts'
import { leaveToSeller } from '../lost-time.ts'
import type { Purchases } from '../purchase.ts'
import { openRounds } from '../rounds.ts'
import { findPayment, type PaidVerdict } from '../store.ts'
import { tellUnmatched } from '../unmatched.ts'
import { findUnmatched, recordUnmatched } from '../unmatched-store.ts'
import type { Watch } from '../watch.ts'
import { unknownForMs } from './checkout.ts'
import { checkSettled, type Settled } from './checks.ts'
import { findDispute, makeCardIdentity, makePaidVerdict, makeUnknownPaymentError } from './payment.ts'
import { readStripeSettings } from './settings.ts'
import { type FoundSession, findSession } from './stripe.ts'

type WatchParts = Pick<Parts, 'config' | 'db' | 'log' | 'now' | 'metrics' | 'outside' | 'paymentMethods' | 'readSure'>

/** While the session can be paid, the next look waits for half of its age. An event of Stripe makes it sooner. */
const shortestPauseMs = 15_000
const longestPauseMs = 10 * 60_000
/** Later only Stripe itself can be late, and gets more time. */
const longestLatePauseMs = 6 * 3_600_000
/** A session without an answer from Stripe is given up after this time, with a log entry. */
const givenUpAfterMs = 30 * 86_400_000

export function watchCheckouts(parts: WatchParts, purchases: Purchases): Watch {
  const { config, db, log, now, readSure } = parts

  async function reviewCheckout(checkout: WatchedCheckout): Promise<void> {
    const session = await findSession(parts, checkout.sessionId)
    // The session existed when it was opened, so a missing one means another Stripe account.
    if (!session) throw makeUnknownPaymentError()
    const identity = session.payment_intent ? makeCardIdentity(session.payment_intent.id) : undefined
    if (identity !== undefined && ((await findPayment(db, identity)) || (await findUnmatched(db, identity))))
      return end(checkout)
    const settled = checkSettled(session, {
      ...checkout,
      livemode: readStripeSettings(config).live,
      maxAgeMs: undefined,
      now: now(),
    })
    if (!('paid' in settled)) return bind(checkout, settled)
    switch (settled.reason) {
      case 'SESSION_EXPIRED':
        return end(checkout)
      case 'NOT_PAID':
      case 'PAYMENT_NOT_SUCCEEDED':
        return postpone(checkout)
      case 'DISPUTED':
        return decideDispute(checkout, session)
      default:
        return refuseAndRefund(checkout, session, settled.reason)
    }
  }

  async function bind(checkout: WatchedCheckout, settled: Settled): Promise<void> {
    const isLast = readSure() >= checkout.expiresAt + unknownForMs
    const paid = makePaidVerdict(checkout, settled)
    const outcome = await purchases.bind(checkout, paid, isLast)
    if (outcome.state === 'waiting') return postpone(checkout)
    if (outcome.state === 'refused') return refuse(checkout, paid, outcome.reason)
    if (outcome.state === 'bound')
      log.info('a card payment was bound before its buyer came back', {
        event: 'card-payment-bound',
        payment: paid.identity,
      })
    return end(checkout)
  }

  /** A payment disputed before its purchase can neither be used nor refunded until the dispute is decided. */
  async function decideDispute(checkout: WatchedCheckout, session: FoundSession): Promise<void> {
    const payment = session.payment_intent
    const dispute = payment ? await findDispute(parts, payment.id) : 'lost'
    if (dispute === 'open') return postpone(checkout)
    if (dispute === 'lost') return end(checkout)
    return refuseAndRefund(checkout, session, 'DISPUTED')
  }

  /** Refunds the rest of a payment that does not match its request, and bought nothing. */
  async function refuseAndRefund(checkout: WatchedCheckout, session: FoundSession, reason: string): Promise<void> {
    const payment = session.payment_intent
    const charge = payment?.latest_charge
    const isOurs = reason !== 'SESSION_MISMATCH' && reason !== 'LIVEMODE_MISMATCH'
    if (!isOurs)
      log.error('a card payment is not the one that was asked for, and bought nothing', {
        event: 'card-payment-mismatched',
        session: session.id,
        reason,
        mend: 'look at this session in the dashboard of Stripe, and see whether two servers or both test and live keys use one account',
      })
    if (!payment || !charge?.captured || charge.refunded || !isOurs) return end(checkout)
    const settled = { payment, chargeId: charge.id, paidAt: charge.created * 1000 }
    return refuse(checkout, { ...makePaidVerdict(checkout, settled), amount: String(charge.amount_captured) }, reason)
  }

  /** Does nothing if the same payment was used for a purchase meanwhile. */
  async function refuse(checkout: WatchedCheckout, paid: PaidVerdict, reason: string): Promise<void> {
    const unmatched = leaveToSeller({
      method: 'card',
      gate: checkout.gate,
      owner: checkout.owner,
      qHash: checkout.buyer === null ? null : checkout.qHash,
      buyer: checkout.buyer,
      usdMicros: checkout.bought.usdMicros,
      paid,
      reason,
      state: 'refunding',
      now: now(),
    })
    if (!(await endCheckout(checkout, [{ ...recordUnmatched(unmatched), must: true }]))) return end(checkout)
    tellUnmatched(parts, { ...unmatched, ...unmatched.paid })
  }

  async function end(checkout: WatchedCheckout): Promise<void> {
    await endCheckout(checkout, [])
  }

  /** False when the first statements refused, or an event requested another look meanwhile. */
  async function endCheckout(checkout: WatchedCheckout, first: readonly Statement[]): Promise<boolean> {
    const result = await db.write(
      [purchases.holdGate(checkout), ...first, scheduleNextLook(checkout, null), purchases.releasePlace(checkout)],
      first.length > 0 ? 'settle' : 'free',
    )
    return 'changes' in result
  }

  async function postpone(checkout: WatchedCheckout): Promise<void> {
    const { createdAt, expiresAt, sessionId } = checkout
    // Uses the time that has certainly passed: a clock that is a day ahead must not age a session.
    const at = readSure()
    const lateMs = at - expiresAt
    if (lateMs > givenUpAfterMs) {
      log.error('a checkout is given up: Stripe never said what became of it', {
        event: 'checkout-abandoned',
        session: sessionId,
        mend: 'look at this session in the dashboard of Stripe: if it was paid, refund it there',
      })
      return end(checkout)
    }
    const pauseMs =
      lateMs < 0
        ? // The end of the page is a look of its own.
          Math.min(clamp((at - createdAt) / 2, longestPauseMs), -lateMs + endSlackMs)
        : clamp(lateMs, longestLatePauseMs)
    await db.write([scheduleNextLook(checkout, now() + pauseMs)], 'free')
  }

  return openRounds(parts, {
    named: 'checkouts',
    list: (limit) => listWatchedCheckouts(db, now(), limit),
    claim: (checkout) => claimCheckout(db, checkout, now() + claimedForMs),
    review: reviewCheckout,
    postpone,
  })
}

/** Clocks differ: a session that just ended by this clock is still open by Stripe's. */
const endSlackMs = 5_000

const clamp = (ms: number, most: number): number => Math.round(Math.min(Math.max(ms, shortestPauseMs), most))
