/** The payment method `card`: confirming (method.ts), its routes, and the watches of its checkouts and refunds. */
import type { PaymentPlugin } from '../plugin.ts'
import { card as method } from './method.ts'
import { watchRefunds } from './refund.ts'
import { cardRoutes } from './routes.ts'
import { watchCheckouts } from './watch-checkouts.ts'

export const card: PaymentPlugin = {
  ...method,
  routes: (parts, { findPurchase }) => cardRoutes(parts, findPurchase),
  openWatches: (parts, { purchases }) => [watchCheckouts(parts, purchases), watchRefunds(parts, purchases)],
}
