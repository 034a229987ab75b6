/** The parts of a payment method besides confirming payments: routes, and recurring work. */
import type { Route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import type { PaymentMethod } from './payment.ts'
import type { Conclusions, FindPurchase, Purchases } from './purchase.ts'
import type { Watch } from './watch.ts'

export interface PaymentPlugin extends PaymentMethod {
  routes?(parts: Parts, gates: PaymentGates): readonly Route[]
  /** Looks that repeat while the server runs. */
  openWatches?(parts: Parts, gates: PaymentGates): readonly Watch[]
}

/** The gates, as a method sees them: it does not import their code. */
export interface PaymentGates {
  readonly findPurchase: FindPurchase
  readonly purchases: Purchases
  readonly conclusions: Conclusions
}
