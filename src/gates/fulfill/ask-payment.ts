/** The payment request to a buyer, as the refusal 402. Clients of x402 read it from a header. */

import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { Acceptance, Quote } from '../../payments/offer.ts'
import type { PaymentVerdict } from '../../payments/payment.ts'
import type { Settlement } from '../../payments/settlement-store.ts'

export interface Asked {
  readonly quote: Quote
  readonly acceptance: Acceptance
  /** A signed payment of this proof at this gate that may have moved money already. */
  readonly underWay: Settlement | undefined
}

type Unpaid = Omit<Extract<PaymentVerdict, { paid: false }>, 'paid'>

/** Reads settings and the price. Writes nothing, and looks nowhere outside. */
export function askPayment(parts: Parts, { quote, acceptance, underWay }: Asked, unpaid: Unpaid): AppError {
  const { reason, message, finality, progress, retryAfterSeconds, headers } = unpaid
  const { amountUsd, recipient, label, rewardAfter } = quote.price
  return new AppError(
    'PAYMENT_REQUIRED',
    message,
    {
      reason,
      amountUsd,
      ...(label === undefined ? {} : { label }),
      ...(rewardAfter === undefined ? {} : { rewardAfter }),
      ...(finality === undefined ? {} : { finality }),
      ...(progress === undefined ? {} : { progress }),
      accepts: acceptance.usable.map((method) => ({
        method: method.name,
        ...method.describe(parts),
        ...(recipient === undefined || !method.isPaidOnChain ? {} : { recipient }),
      })),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(acceptance.usable.some(({ movesMoneyHere }) => movesMoneyHere)
        ? { reservation: describeReservation(parts, underWay) }
        : {}),
    },
    {
      // Clients of x402 pay whenever they are asked. So a buyer who has paid and must wait is not asked again.
      ...(headers === undefined && retryAfterSeconds === undefined ? listPaymentHeaders(acceptance, quote, parts) : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
  )
}

/** The time a place is held for a payer. For a buyer who holds one already, its end. */
const describeReservation = ({ config }: Parts, underWay: Settlement | undefined) => {
  const { reservationMinutes } = config.payments
  return {
    minutes: reservationMinutes,
    ...(underWay ? { expiresAt: underWay.createdAt + reservationMinutes * 60_000 } : {}),
  }
}

const listPaymentHeaders = ({ usable }: Acceptance, quote: Quote, parts: Parts): Record<string, string> =>
  Object.assign({}, ...usable.map((method) => method.ask?.(quote, parts) ?? {}))

/** Why the payment is missing of a request that brought none. */
export const reportNothingOffered = ({ quote, acceptance }: Pick<Asked, 'quote' | 'acceptance'>): Unpaid => ({
  reason: 'PAYMENT_MISSING',
  message: `this gate costs ${quote.price.amountUsd} USD: pay by ${acceptance.usable.map(({ name }) => name).join(' or ')} and send the payment along`,
})
