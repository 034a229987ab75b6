/**
 * Refunds card payments that bought nothing. It asks Stripe for the state first, and refunds under an idempotency key
 * of the payment. So an interruption never refunds twice. It checks until Stripe reports the refund as done or as
 * impossible; then the seller owes it. A refund may fail within some weeks, so it is checked at times, and on Stripe's
 * events.
 */
import { claimedForMs } from '../../db/claim.ts'
import type { Parts } from '../../parts.ts'
import type { Purchases } from '../purchase.ts'
import { openRounds } from '../rounds.ts'
import { claimUnmatched, listDueRefunds, moveRefund, type Unmatched } from '../unmatched-store.ts'
import type { Watch } from '../watch.ts'
import { findDispute, makeCardIdentity, makeUnknownPaymentError } from './payment.ts'
import { createRefund, findCardPayment, listRefunds } from './stripe.ts'

type RefundParts = Pick<Parts, 'config' | 'db' | 'log' | 'now' | 'metrics' | 'outside' | 'readSure'>

/** The pause grows with the age of the refund, within these bounds. */
const shortestPauseMs = 15_000
const longestPauseMs = 6 * 3_600_000
/** After this time without success, a person must act. */
const givenUpAfterMs = 30 * 86_400_000
/** Stripe repeats the answer to one key for a day, faults included, so a later try needs another key. */
const sameKeyMs = 3_600_000

/** Refusals that are final. */
const finalRefusal = /^(charge_not_refundable|refund_disputed_payment)$/

export function watchRefunds(parts: RefundParts, purchases: Purchases): Watch {
  const { db, log, now, readSure, metrics } = parts

  async function reviewRefund(unmatched: Unmatched): Promise<void> {
    const { identity, createdAt, state } = unmatched
    const intent = identity.slice(makeCardIdentity('').length)
    const payment = await findCardPayment(parts, intent)
    if (!payment) throw makeUnknownPaymentError()
    const charge = payment.latest_charge
    const refunds = await listRefunds(parts, intent)
    if (refunds.some(({ status }) => status === 'pending' || status === 'requires_action')) return postpone(unmatched)
    if (charge?.refunded) return finish(unmatched)
    const failed = refunds.find(({ status }) => status === 'failed' || status === 'canceled')
    // The refund exists and its outcome is open, so it is not requested twice.
    if (state === 'refunded' && !failed) return finish(unmatched)
    if (failed) return leaveOwed(unmatched, failed.failure_reason ?? failed.status ?? 'failed')
    if (charge?.disputed) {
      const dispute = await findDispute(parts, intent)
      // Winning a dispute returns the money to the card holder.
      if (dispute === 'lost') return finish(unmatched)
      if (dispute === 'open') return postpone(unmatched)
    }
    const key = `proofgate-refund-${identity}-${Math.floor((now() - createdAt) / sameKeyMs)}`
    const made = await createRefund(parts, intent, key)
    if ('refusal' in made) {
      if (finalRefusal.test(made.refusal)) return leaveOwed(unmatched, made.refusal)
      log.count({
        level: 'warn',
        event: 'refund-waits',
        message: 'Stripe does not refund a payment yet',
        kind: identity,
        fields: {
          payment: identity,
          reason: made.refusal,
          mend: 'it is asked for again; see the balance of the account at Stripe',
        },
      })
      return postpone(unmatched)
    }
    if (made.status === 'succeeded') return finish(unmatched)
    if (made.status === 'failed' || made.status === 'canceled')
      return leaveOwed(unmatched, made.failure_reason ?? made.status)
    return postpone(unmatched)
  }

  async function finish(unmatched: Unmatched): Promise<void> {
    const { identity, gate, amount, createdAt, state } = unmatched
    const ageMs = readSure() - createdAt
    // It may fail at the bank for some weeks.
    const nextAt = readSure() - createdAt < givenUpAfterMs ? now() + Math.max(longestPauseMs, ageMs) : null
    if (!(await moveRefund(db, unmatched, { state: 'refunded', nextAt, now: now() })) || state === 'refunded') return
    metrics.count('refunds', [await purchases.nameGate(gate)])
    log.info('a card payment that bought nothing was refunded', {
      event: 'payment-refunded',
      payment: identity,
      amount: amount ?? '',
    })
  }

  async function leaveOwed(unmatched: Unmatched, reason: string): Promise<void> {
    const { identity, gate, details } = unmatched
    const kept = { ...details, refundRefused: reason }
    if (!(await moveRefund(db, unmatched, { state: 'owed', nextAt: null, now: now(), details: kept }))) return
    log.error('a card payment that bought nothing cannot be refunded by this server: its seller owes it', {
      event: 'refund-impossible',
      payment: identity,
      gateId: await purchases.nameGate(gate),
      reason,
      mend: 'refund it in the dashboard of Stripe, or have the seller pay it back',
    })
  }

  async function postpone(unmatched: Unmatched): Promise<void> {
    const ageMs = readSure() - unmatched.createdAt
    // It stays refunded unless a failure is reported.
    if (unmatched.state === 'refunded') {
      await moveRefund(db, unmatched, { state: 'refunded', nextAt: now() + sameKeyMs, now: now() })
      return
    }
    if (readSure() - unmatched.createdAt > givenUpAfterMs) return leaveOwed(unmatched, 'not_done_in_time')
    const nextAt = now() + Math.min(Math.max(ageMs, shortestPauseMs), longestPauseMs)
    await moveRefund(db, unmatched, { state: 'refunding', nextAt, now: now() })
  }

  return openRounds(parts, {
    named: 'refunds',
    list: (limit) => listDueRefunds(db, now(), limit),
    claim: (row) => claimUnmatched(db, row, now() + claimedForMs),
    review: reviewRefund,
    postpone,
  })
}
