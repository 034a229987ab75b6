/** The gates, as payment methods see them. Each method has its own view, so its findings are stored under its id. */
import type { Parts } from '../../parts.ts'
import type { PaymentMethod } from '../../payments/payment.ts'
import type { PaymentGates } from '../../payments/plugin.ts'
import { openPurchases } from './bind-purchase.ts'
import { openConclusions } from './conclude-settlement.ts'
import { makePurchaseFinder } from './purchase.ts'

export const openPaymentGates = (parts: Parts, { id }: Pick<PaymentMethod, 'id'>): PaymentGates => ({
  findPurchase: makePurchaseFinder(parts, id),
  purchases: openPurchases(parts, id),
  conclusions: openConclusions(parts, id),
})
