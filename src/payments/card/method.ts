/**
 * Cards through Stripe Checkout. The buyer opens a session for one gate and one proof (checkout.ts), pays on the pages
 * of Stripe, and offers the id of the session; a buyer who does not come back is found by watch-checkouts.ts. What a
 * webhook says is never believed: the money is looked up here.
 *
 * Refunds take the payment back from the part that the price names, which is all of it unless it says otherwise. A
 * dispute takes it back for now, and the rest when the seller loses it. What counts is how it stands at Stripe at a look:
 * where a refund failed later, or a lost dispute was won, the payment stands again, in whatever order that is heard of.
 */

import { AppError } from '../../errors.ts'
import { findCheckout } from '../checkout-store.ts'
import type { ClaimedPayment, PaymentMethod } from '../payment.ts'
import { standardRefundThreshold } from '../price.ts'
import type { TakenBack } from '../taken-back-store.ts'
import { findUnmatched, type Unmatched } from '../unmatched-store.ts'
import { findCardPriceFault } from './amount.ts'
import { checkSettled, type Unpaid } from './checks.ts'
import { findDispute, makeCardIdentity, makePaidVerdict, makeUnknownPaymentError } from './payment.ts'
import { makeStripeProbes } from './probe.ts'
import { findMissingStripeSetting, readStripeSettings, stripeSettings } from './settings.ts'
import { findCardPayment, findSession, sessionIdPattern } from './stripe.ts'

export const card: PaymentMethod = {
  id: 'card',
  name: 'stripe',
  words: { label: 'Card', means: 'a card' },
  evidence: {
    in: 'body',
    member: 'paymentCheckoutSessionId',
    maxLength: 255,
    description: 'The checkout that paid, where the gate takes cards.',
  },
  isPaidOnChain: false,
  givesBack: true,
  movesMoneyHere: false,
  opensCheckout: true,
  settings: stripeSettings,
  makeProbes: makeStripeProbes,

  findMissingConfiguration: ({ config }) => findMissingStripeSetting(config),

  findPriceFault: ({ amountUsd }) => findCardPriceFault(amountUsd),

  describe: (tools) => ({ id: card.name, type: 'card', enabled: card.findMissingConfiguration(tools) === undefined }),

  async confirm({ gateId, qHash, evidence }, tools) {
    const { now, db, config } = tools
    if (!new RegExp(sessionIdPattern).test(evidence))
      throw new AppError('VALIDATION_ERROR', 'paymentCheckoutSessionId must be the cs_… id of a Checkout session', {
        path: '/paymentCheckoutSessionId',
      })
    const opened = findCheckout(db, evidence)
    if (!opened)
      return {
        paid: false,
        reason: 'SESSION_NOT_OPENED_HERE',
        message: 'the checkout session was not opened here, or ended long ago: open one for this gate and proof',
      }
    if (opened.gateId !== gateId || opened.qHash !== qHash.toLowerCase())
      throw new AppError(
        'PAYMENT_ALREADY_USED',
        'the checkout session was opened for another gate or another proof, and its payment counts there alone',
        { reason: 'SESSION_OF_ANOTHER_PURCHASE' },
      )

    const session = await findSession(tools, evidence)
    if (!session)
      return { paid: false, reason: 'SESSION_NOT_FOUND', message: 'Stripe knows no such checkout session any more' }
    const settled = checkSettled(session, {
      ...opened,
      livemode: readStripeSettings(config).live,
      maxAgeMs: opened.bought ? undefined : config.payments.quoteMinutes * 60_000,
      now: now(),
    })
    if ('paid' in settled) return settled
    const unmatched = findUnmatched(db, makeCardIdentity(settled.payment.id))
    return unmatched ? refuseReturned(unmatched) : makePaidVerdict(opened, settled)
  },

  async review(claimed, tools) {
    const { identity, paidAt, suspendedFor } = claimed
    const payment = await findCardPayment(tools, identity.slice(makeCardIdentity('').length))
    // It was there when it was confirmed: this is another account, not a buyer who did not pay.
    if (!payment) throw makeUnknownPaymentError()
    const { latest_charge: charge, status } = payment
    if (status !== 'succeeded' || !charge)
      return { state: 'reversed', reason: 'NOT_SUCCEEDED', message: `the payment is ${status}` }

    const amount = Number(claimed.amount)
    const before = Number(claimed.refunded ?? 0)
    const more = charge.amount_refunded - before
    const seen =
      more === 0 ? {} : { refunded: { amount: String(charge.amount_refunded), moreUsdMicros: more * centMicros } }
    const dispute = charge.disputed ? await findDispute(tools, payment.id) : 'over'
    const keptEarlier = countKept(claimed)
    const kept = dispute === 'lost' ? 0 : (amount - charge.amount_refunded) * centMicros
    const sums = {
      lostUsdMicros: keptEarlier - kept,
      keptUsdMicros: kept,
      ...chooseLaterLook(claimed, tools.readSure()),
    }
    if (dispute === 'lost')
      return {
        ...seen,
        state: 'reversed',
        reason: 'DISPUTE_LOST',
        message: 'the holder of the card disputed the payment and got it back',
        ...sums,
      }
    const threshold = claimed.refundThresholdPercent ?? standardRefundThreshold
    if (charge.refunded || charge.amount_refunded * 100 >= amount * threshold)
      return {
        ...seen,
        state: 'reversed',
        reason: 'REFUNDED',
        message: `${charge.amount_refunded} of ${amount} cents were refunded`,
        ...sums,
      }
    // By the time that has passed for sure: what is final is not looked at again.
    const ageMs = tools.readSure() - (paidAt ?? 0)
    const nextLookMs = Math.min(Math.max(ageMs, shortestLookMs), longestLookMs)
    if (claimed.isTakenBack) {
      // Not decided: it stays as it is.
      if (dispute === 'open') return { state: 'waiting', nextLookMs }
      return { ...seen, state: 'restored', nextLookMs, lostUsdMicros: keptEarlier - kept }
    }
    if (dispute === 'open')
      return {
        ...seen,
        state: 'suspended',
        reason: 'disputed',
        message: 'the holder of the card disputes the payment',
        nextLookMs,
      }
    if (suspendedFor) return { ...seen, state: 'restored', nextLookMs }
    if (ageMs >= tools.config.payments.watchHours * 3_600_000) return { ...seen, state: 'final' }
    return { ...seen, state: 'waiting', nextLookMs }
  },
}

/** A cent in millionths of a US dollar. */
const centMicros = 10_000

/** What the sum of the seller has of it, as of the last look. */
function countKept({ amount, refunded, details, isTakenBack, refundThresholdPercent }: ClaimedPayment): number {
  const [all, before] = [Number(amount), Number(refunded ?? 0)]
  const left = (all - before) * centMicros
  if (!isTakenBack) return left
  const takenBack = details.takenBack as TakenBack | undefined
  if (takenBack) return takenBack.keptUsdMicros
  // Taken back before this was kept: by refunds, or by a dispute that took all.
  return before * 100 >= all * (refundThresholdPercent ?? standardRefundThreshold) ? left : 0
}

/** A refund may fail at the bank, and a lost dispute be won after all: for so long somebody looks without being told. */
const laterLooksMs = 30 * 86_400_000
const longestLaterLookMs = 2 * 86_400_000

function chooseLaterLook({ details, isTakenBack }: ClaimedPayment, now: number): { readonly nextLookMs?: number } {
  const since = (details.takenBack as TakenBack | undefined)?.at ?? now
  if (isTakenBack && now - since > laterLooksMs) return {}
  return { nextLookMs: Math.min(Math.max(now - since, shortestLookMs), longestLaterLookMs) }
}

/** The buyer hears that the payment was found, and what becomes of the money. */
function refuseReturned({ state, reason }: Unmatched): Unpaid {
  if (state === 'refunding')
    return {
      paid: false,
      reason: 'PAYMENT_REFUNDING',
      message: `this payment arrived, but bought nothing (${reason}): it is being refunded to the card`,
    }
  if (state === 'refunded')
    return {
      paid: false,
      reason: 'REFUNDED',
      message: `this payment arrived, but bought nothing (${reason}), and was refunded to the card: open a new checkout to pay again`,
    }
  return {
    paid: false,
    reason: 'PAYMENT_OWED',
    message: `this payment arrived, but bought nothing (${reason}), and could not be refunded by itself: ask the seller for the money`,
  }
}

/** The webhook makes it sooner. Without one, this is how long a refund stays unseen. */
const shortestLookMs = 600_000
const longestLookMs = 6 * 3_600_000
