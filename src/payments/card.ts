/**
 * Cards through Stripe Checkout. The buyer opens a session for one gate and one proof (checkout.ts), pays on the pages
 * of Stripe, and offers the id of the session. What a webhook says is never believed: the money is looked up here.
 *
 * A refund of the whole amount and a dispute take the payment back. A refund of a part does not: the seller chose it
 * and let the sale stand. A dispute that the seller wins does not give the fulfilment back by itself.
 */
import { AppError } from '../errors.ts'
import { OutsideError } from '../outside/failure.ts'
import { cardPriceFault } from './card-amount.ts'
import { settledBy } from './card-checks.ts'
import { findCheckout } from './checkout-store.ts'
import type { PaymentMethod, PaymentTools } from './payment.ts'
import { findCardPayment, findSession, sessionIdPattern } from './stripe.ts'
import { stripeSetting } from './stripe-client.ts'

export const cardIdentity = (paymentIntentId: string): string => `card:${paymentIntentId}`

/** What the settings lack for cards, as the end of a sentence. */
export function stripeLacks({ payments }: Pick<PaymentTools['config'], 'payments'>): string | undefined {
  const { secretKey, live } = payments.stripe
  if (secretKey === undefined) return 'needs payments.stripe.secret_key'
  const mode = /^[sr]k_(test|live)_/.exec(secretKey)?.[1]
  if (mode !== undefined && (mode === 'live') !== live)
    return `needs a key of the ${live ? 'live' : 'test'} mode in payments.stripe.secret_key, as payments.stripe.live says`
  return undefined
}

export const card: PaymentMethod = {
  id: 'card',

  absentWithout: ({ config }) => stripeLacks(config),

  gateLacks: ({ amountUsd }) => cardPriceFault(amountUsd),

  describe: (tools) => ({ id: 'stripe', type: 'card', enabled: card.absentWithout(tools) === undefined }),

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
    const settled = settledBy(session, {
      gateId,
      qHash: opened.qHash,
      amountCents: opened.amountCents,
      currency: opened.currency,
      livemode: config.payments.stripe.live,
      maxAgeMs: config.payments.quoteMinutes * 60_000,
      now: now(),
    })
    if ('paid' in settled) return settled
    const { payment, chargeId, paidAt } = settled
    return {
      paid: true,
      identity: cardIdentity(payment.id),
      // Whoever holds the card is not known to us, and need not be the owner of the wallet.
      payer: null,
      amount: String(opened.amountCents),
      paidAt,
      details: { paymentIntent: payment.id, charge: chargeId, session: session.id, currency: opened.currency },
      isFinal: false,
    }
  },

  async review({ identity, paidAt }, tools) {
    const payment = await findCardPayment(tools, identity.slice(cardIdentity('').length))
    // It was there when it was confirmed: this is another account, not a buyer who did not pay.
    if (!payment)
      throw new OutsideError(
        'credentials',
        stripeSetting,
        'does not know a payment that it has confirmed before',
        'see whether the key is still one of the same account',
      )
    const charge = payment.latest_charge
    if (charge?.disputed)
      return { state: 'reversed', reason: 'DISPUTED', message: 'the payment was disputed by the holder of the card' }
    if (charge?.refunded) return { state: 'reversed', reason: 'REFUNDED', message: 'the payment was refunded' }
    if (payment.status !== 'succeeded')
      return { state: 'reversed', reason: 'NOT_SUCCEEDED', message: `the payment is ${payment.status}` }
    const ageMs = tools.now() - (paidAt ?? 0)
    if (ageMs >= tools.config.payments.watchHours * 3_600_000) return { state: 'final' }
    return { state: 'waiting', nextLookMs: Math.min(Math.max(ageMs, shortestLookMs), longestLookMs) }
  },
}

/** The webhook makes it sooner. Without one, this is how long a refund stays unseen. */
const shortestLookMs = 600_000
const longestLookMs = 6 * 3_600_000
