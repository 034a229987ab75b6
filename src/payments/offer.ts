/** What a buyer offers, and which methods a price can be paid by here. Does not look at any payment. */
import type { PaymentMethod, PaymentOffer, PaymentTools } from './payment.ts'
import type { Price } from './price.ts'

/** The members that rules of the fulfillment read, besides the method whose evidence they are. */
export interface NamedEvidence {
  readonly paymentTxHash?: string | undefined
  /** Beside paymentTxHash. */
  readonly paymentQuoteId?: string | undefined
  readonly paymentCheckoutSessionId?: string | undefined
}

/** The payments that came with the request, by the member or header that brings each. */
export interface OfferedEvidence extends NamedEvidence {
  readonly [member: string]: string | undefined
}

export type Quote = Omit<PaymentOffer, 'evidence'>

/** A price of nothing is no price. */
export const isCharged = (price: Price | undefined): price is Price =>
  price !== undefined && /[1-9]/.test(price.amountUsd)

export interface Acceptance {
  /** What this gate takes on this server, in the order of its definition. */
  readonly usable: readonly PaymentMethod[]
  /** What keeps the others from being used, for the eyes of owner and operator. */
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

/** What keeps a price from being paid by a method: the server's configuration first, then the gate's definition. */
export const findObstacle = (
  method: PaymentMethod | undefined,
  price: Price,
  tools: PaymentTools,
): string | undefined =>
  method ? (method.findMissingConfiguration(tools) ?? method.findPriceFault(price)) : 'is not part of this version'
