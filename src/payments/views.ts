/** The views of the payment methods on the checkout page, in the order of their hints. A method without one is not shown. */
import { card } from './card/view.ts'
import { stablecoin } from './stablecoin/view.ts'
import type { PaymentView } from './view.ts'
import { x402 } from './x402/view.ts'

export const paymentViews: readonly PaymentView[] = [stablecoin, card, x402]
