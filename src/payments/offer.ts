/** Reads the buyer's payment evidence, and finds the usable methods of a price. Checks no payment. */
import type { PaymentMethod, PaymentOffer, PaymentTools } from './payment.ts'
import type { Price } from './price.ts'

/** The members that the fulfillment reads, besides the method whose evidence they are. */
export interface NamedEvidence {
  readonly paymentTxHash?: string | undefined
  /** Sent together with paymentTxHash. */
  readonly paymentQuoteId?: string | undefined
  readonly paymentCheckoutSessionId?: string | undefined
}

/** The payments that came with the request, by the member or header that brings each. */
export interface OfferedEvidence extends NamedEvidence {
  readonly [member: string]: string | undefined
}

export type Quote = Omit<PaymentOffer, 'evidence'>

/** A price of zero is no price. */
export const isCharged = (price: Price | undefined): price is Price =>
  price !== undefined && /[1-9]/.test(price.amountUsd)

export interface Acceptance {
  /** The usable methods of this gate on this server, in the order of its definition. */
  readonly usable: readonly PaymentMethod[]
  /** The obstacles of the other methods, for owner and operator only. */
  readonly unusable: readonly UnusableMethod[]
}

export interface UnusableMethod {
  readonly method: string
  /** The end of a sentence that begins with the method. */
  readonly missing: string
}

export function findAcceptance(price: Price, methods: readonly PaymentMethod[], tools: PaymentTools): Acceptance {
  const usable: PaymentMethod[] = []
  const unusable: UnusableMethod[] = []
  for (const id of price.methods) {
    const method = methods.find((known) => known.id === id)
    const missing = findObstacle(method, price, tools)
    if (method && missing === undefined) usable.push(method)
    else unusable.push({ method: id, missing: missing ?? '' })
  }
  return { usable, unusable }
}

/** The obstacle to paying a price by a method: the server's configuration first, then the gate's definition. */
export const findObstacle = (
  method: PaymentMethod | undefined,
  price: Price,
  tools: PaymentTools,
): string | undefined =>
  method ? (method.findMissingConfiguration(tools) ?? method.findPriceFault(price)) : 'is not part of this version'

export type TransferMethod = PaymentMethod & Required<Pick<PaymentMethod, 'transfers'>>

/** The method that is paid by transfers, which anybody may make without asking. */
export const findTransferMethod = (methods: readonly PaymentMethod[]): TransferMethod | undefined =>
  methods.find((one): one is TransferMethod => one.transfers !== undefined)
