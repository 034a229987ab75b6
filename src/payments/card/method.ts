/**
 * Cards through Stripe Checkout. The buyer opens a session for one gate and one proof (checkout.ts), pays at Stripe,
 * and submits the session id. If the buyer does not come back, watch-checkouts.ts finds the payment. A webhook is never
 * trusted: the payment is looked up here. Refunds revoke the purchase from the share that the price names, by default
 * the whole. A dispute suspends it, and revokes it when the seller loses. The current state at Stripe decides. After a
 * failed refund or a dispute won later, the payment counts again, in any order of events.
 */

import { AppError } from '../../errors.ts'
import { findCheckout } from '../checkout-store.ts'
import type { BoundPayment, PaymentMethod } from '../payment.ts'
import { standardRefundThreshold } from '../price.ts'
import type { Reversal } from '../reversal-store.ts'
import { findUnmatched, type Unmatched } from '../unmatched-store.ts'
import { findCardPriceFault } from './amount.ts'
import { checkSettled, type Unpaid } from './checks.ts'
import { findDispute, makeCardIdentity, makePaidVerdict, makeUnknownPaymentError } from './payment.ts'
import { makeStripeProbes } from './probe.ts'
import { findMissingStripeSetting, readStripeSettings, stripeSettings } from './settings.ts'
import { findCardPayment, findSession, sessionIdPattern } from './stripe.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

export const card: PaymentMethod = {
  id: 'card',
  name: 'stripe',
  words,
  translations: { de: german },
  means: 'a card',
  identity: 'card:<id>',
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
    const opened = await findCheckout(db, evidence)
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
    const unmatched = await findUnmatched(db, makeCardIdentity(settled.payment.id))
    return unmatched ? refuseReturned(unmatched) : makePaidVerdict(opened, settled)
  },

  async review(bound, tools) {
    const { identity, paidAt, suspendedFor } = bound
    const payment = await findCardPayment(tools, identity.slice(makeCardIdentity('').length))
    // It existed when it was confirmed, so a missing payment means another Stripe account.
    if (!payment) throw makeUnknownPaymentError()
    const { latest_charge: charge, status } = payment
    if (status !== 'succeeded' || !charge)
      return { state: 'reversed', reason: 'NOT_SUCCEEDED', message: `the payment is ${status}` }

    const amount = Number(bound.amount)
    const before = Number(bound.refunded ?? 0)
    const more = charge.amount_refunded - before
    const seen =
      more === 0 ? {} : { refunded: { amount: String(charge.amount_refunded), moreUsdMicros: more * centMicros } }
    const dispute = charge.disputed ? await findDispute(tools, payment.id) : 'over'
    const keptEarlier = countKept(bound)
    const kept = dispute === 'lost' ? 0 : (amount - charge.amount_refunded) * centMicros
    const sums = {
      lostUsdMicros: keptEarlier - kept,
      keptUsdMicros: kept,
      ...chooseLaterLook(bound, tools.readSure()),
    }
    if (dispute === 'lost')
      return {
        ...seen,
        state: 'reversed',
        reason: 'DISPUTE_LOST',
        message: 'the holder of the card disputed the payment and got it back',
        ...sums,
      }
    const threshold = bound.refundThresholdPercent ?? standardRefundThreshold
    if (charge.refunded || charge.amount_refunded * 100 >= amount * threshold)
      return {
        ...seen,
        state: 'reversed',
        reason: 'REFUNDED',
        message: `${charge.amount_refunded} of ${amount} cents were refunded`,
        ...sums,
      }
    // Uses the time that has certainly passed, because a final payment is not checked again.
    const ageMs = tools.readSure() - (paidAt ?? 0)
    const nextLookMs = Math.min(Math.max(ageMs, shortestLookMs), longestLookMs)
    if (bound.isReversed) {
      // Undecided: the state stays.
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

/** The part of the payment that counts as revenue, as of the last look. */
function countKept({ amount, refunded, details, isReversed, refundThresholdPercent }: BoundPayment): number {
  const [all, before] = [Number(amount), Number(refunded ?? 0)]
  const left = (all - before) * centMicros
  if (!isReversed) return left
  const takenBack = details.takenBack as Reversal | undefined
  if (takenBack) return takenBack.keptUsdMicros
  // Revoked before this was recorded: by refunds, or by a dispute over the whole amount.
  return before * 100 >= all * (refundThresholdPercent ?? standardRefundThreshold) ? left : 0
}

/**
 * A refund may fail at the bank, and a lost dispute may be won later. For this long, such payments are checked without
 * an event.
 */
const laterLooksMs = 30 * 86_400_000
const longestLaterLookMs = 2 * 86_400_000

function chooseLaterLook({ details, isReversed }: BoundPayment, now: number): { readonly nextLookMs?: number } {
  const since = (details.takenBack as Reversal | undefined)?.at ?? now
  if (isReversed && now - since > laterLooksMs) return {}
  return { nextLookMs: Math.min(Math.max(now - since, shortestLookMs), longestLaterLookMs) }
}

/** Tells the buyer that the payment was found, and where the money goes. */
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

/** The webhook is faster. Without one, a refund stays unnoticed for this long. */
const shortestLookMs = 600_000
const longestLookMs = 6 * 3_600_000
