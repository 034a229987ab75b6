/** From what a buyer sends to what a payment method is asked. Does not look at any payment. */
import type { PaymentMethod, PaymentOffer, PaymentTools } from './payment.ts'
import type { Price } from './price.ts'

/** What came with the request. `paymentSignature` is the header of x402, which some clients send with every call. */
export interface OfferedEvidence {
  readonly paymentTxHash?: string | undefined
  /** Beside paymentTxHash. */
  readonly paymentQuoteId?: string | undefined
  readonly paymentCheckoutSessionId?: string | undefined
  readonly paymentSignature?: string | undefined
}

export interface Evidence {
  readonly method: PaymentMethod['id']
  readonly text: string
}

export type Quote = Omit<PaymentOffer, 'evidence'>

/** Each way to pay that was offered. What the body names comes first: the header may be a habit of the client. */
export function listEvidence(offered: OfferedEvidence): readonly Evidence[] {
  const { paymentTxHash, paymentCheckoutSessionId, paymentSignature } = offered
  return [
    ...(paymentTxHash ? [{ method: 'stablecoin', text: paymentTxHash } as const] : []),
    ...(paymentCheckoutSessionId ? [{ method: 'card', text: paymentCheckoutSessionId } as const] : []),
    ...(paymentSignature ? [{ method: 'x402', text: paymentSignature } as const] : []),
  ]
}

/** A price of nothing is no price. */
export const isCharged = (price: Price | undefined): price is Price =>
  price !== undefined && /[1-9]/.test(price.amountUsd)

export interface Acceptance {
  /** What this gate takes on this server, in the order of its definition. */
  readonly usable: readonly PaymentMethod[]
  /** What keeps the others from being used, for the eyes of owner and operator. */
  readonly lacks: readonly MethodLack[]
}

export interface MethodLack {
  readonly method: PaymentMethod['id']
  /** The end of a sentence that begins with the method. */
  readonly lack: string
}

export function findAcceptance(price: Price, methods: readonly PaymentMethod[], tools: PaymentTools): Acceptance {
  const usable: PaymentMethod[] = []
  const lacks: MethodLack[] = []
  for (const id of price.methods) {
    const method = methods.find((known) => known.id === id)
    const lack = findLack(method, price, tools)
    if (method && lack === undefined) usable.push(method)
    else lacks.push({ method: id, lack: lack ?? '' })
  }
  return { usable, lacks }
}

/** What keeps a price from being paid by a method: the server's configuration first, then the gate's definition. */
export const findLack = (method: PaymentMethod | undefined, price: Price, tools: PaymentTools): string | undefined =>
  method ? (method.absentWithout(tools) ?? method.gateLacks(price)) : 'is not part of this version'
