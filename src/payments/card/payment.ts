/** A stored card payment: its identity, its verdict, and the state of its disputes at Stripe. */
import { OutsideError } from '../../outside/failure.ts'
import type { Checkout } from '../checkout-store.ts'
import type { PaidVerdict } from '../store.ts'
import type { Settled } from './checks.ts'
import { listDisputes } from './stripe.ts'
import { type StripeTools, stripeSetting } from './stripe-client.ts'

export const makeCardIdentity = (paymentIntentId: string): string => `card:${paymentIntentId}`

/** The verdict on a session that passed every check. */
export const makePaidVerdict = (
  { amountCents, currency, bought, sessionId }: Checkout,
  { payment, chargeId, paidAt }: Settled,
): PaidVerdict => ({
  paid: true,
  identity: makeCardIdentity(payment.id),
  // The card holder is unknown here, and need not own the wallet.
  payer: null,
  amount: String(amountCents),
  paidAt,
  details: { paymentIntent: payment.id, charge: chargeId, session: sessionId, currency },
  isFinal: false,
  ...(bought === undefined ? {} : { bought }),
})

export const makeUnknownPaymentError = (): OutsideError =>
  new OutsideError(
    'credentials',
    stripeSetting,
    'does not know a payment that it has confirmed before',
    'see whether the key is still one of the same account',
  )

/** The state of a payment's disputes: lost if one is lost, open if one is open. Errors: OutsideError. */
export async function findDispute(tools: StripeTools, paymentIntent: string): Promise<'lost' | 'open' | 'over'> {
  const statuses = (await listDisputes(tools, paymentIntent)).map(({ status }) => status)
  if (statuses.includes('lost')) return 'lost'
  return statuses.length > 0 && statuses.every((status) => endedStatus.test(status)) ? 'over' : 'open'
}

/** A closed inquiry, a won dispute, and one that a refund prevented. */
const endedStatus = /^(won|warning_closed|prevented)$/
