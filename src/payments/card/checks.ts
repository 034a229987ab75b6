/**
 * Checks that a Checkout session is the requested payment, in a fixed order. Pure: Stripe's answer, the request, and
 * the time are parameters.
 */
import type { PaymentVerdict } from '../payment.ts'
import type { CardPayment, FoundSession } from './stripe.ts'

export interface AskedFor {
  readonly gateId: string
  readonly qHash: string
  readonly amountCents: number
  readonly currency: string
  readonly livemode: boolean
  /** Undefined: a payment of any age counts, because its version, price and place are stored. */
  readonly maxAgeMs: number | undefined
  /** Unix milliseconds. */
  readonly now: number
}

export type Unpaid = Extract<PaymentVerdict, { readonly paid: false }>

/** A payment that passed every check. */
export interface Settled {
  readonly payment: CardPayment
  readonly chargeId: string
  /** Unix milliseconds. */
  readonly paidAt: number
}

export function checkSettled(session: FoundSession, asked: AskedFor): Settled | Unpaid {
  const { metadata, payment_intent: payment } = session
  if (session.mode !== 'payment')
    return makeUnpaid('NOT_A_PAYMENT', 'the checkout session is not one for a single payment')
  if (session.livemode !== asked.livemode) return reportWrongMode(asked.livemode)
  if (metadata?.gateId !== asked.gateId || metadata.qHash !== asked.qHash)
    return makeUnpaid('SESSION_MISMATCH', 'the checkout session does not name this gate and this proof')
  if (session.payment_status !== 'paid') return reportNotPaid(session)
  if (session.amount_total !== asked.amountCents)
    return makeUnpaid('AMOUNT_MISMATCH', 'the checkout session is over another amount than was asked for')
  if (session.currency !== asked.currency)
    return makeUnpaid('CURRENCY_MISMATCH', 'the checkout session is in another currency than was asked for')

  if (payment?.status !== 'succeeded')
    return makeUnpaid('PAYMENT_NOT_SUCCEEDED', 'the payment of the checkout session has not succeeded', 10)
  const charge = payment.latest_charge
  if (!charge?.paid || !charge.captured || charge.status !== 'succeeded')
    return makeUnpaid('PAYMENT_NOT_SUCCEEDED', 'the card was not charged', 10)
  if (payment.livemode !== asked.livemode || charge.livemode !== asked.livemode) return reportWrongMode(asked.livemode)
  if (charge.disputed) return makeUnpaid('DISPUTED', 'the payment is disputed by the holder of the card')
  // Every cent must be there before the reward. For a later partial refund, see review().
  if (charge.refunded || charge.amount_refunded > 0)
    return makeUnpaid('REFUNDED', 'the payment was refunded, in whole or in part')
  if (payment.amount_received !== asked.amountCents || charge.amount_captured !== asked.amountCents)
    return makeUnpaid('AMOUNT_MISMATCH', 'the card was charged another amount than was asked for')
  if (payment.currency !== asked.currency || charge.currency !== asked.currency)
    return makeUnpaid('CURRENCY_MISMATCH', 'the card was charged in another currency than was asked for')

  const paidAt = charge.created * 1000
  if (asked.maxAgeMs !== undefined && asked.now - paidAt > asked.maxAgeMs)
    return makeUnpaid(
      'PAYMENT_TOO_OLD',
      `the payment is older than the ${asked.maxAgeMs / 60_000} minutes in which it counts (payments.quote_minutes): ask the seller for a refund`,
    )
  return { payment, chargeId: charge.id, paidAt }
}

const makeUnpaid = (reason: string, message: string, retryAfterSeconds?: number): Unpaid => ({
  paid: false,
  reason,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})

const reportWrongMode = (livemode: boolean): Unpaid =>
  makeUnpaid(
    'LIVEMODE_MISMATCH',
    livemode
      ? 'the payment is one of the test mode, which costs nothing'
      : 'the payment is a live one, and this server takes those of the test mode',
  )

/** Covers `no_payment_required`, although sessions of this server always have an amount. */
function reportNotPaid({ status }: FoundSession): Unpaid {
  if (status === 'open') return makeUnpaid('NOT_PAID', 'the checkout session is open and not paid yet', 5)
  if (status === 'expired')
    return makeUnpaid('SESSION_EXPIRED', 'the checkout session ended without a payment: open a new one')
  return makeUnpaid('NOT_PAID', 'the checkout session is finished, and its payment has not arrived yet', 10)
}
