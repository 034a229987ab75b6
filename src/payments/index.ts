/** Every payment method this build knows. To add one: write its file, add it here. */
import { card } from './card.ts'
import type { PaymentMethod } from './payment.ts'
import { stablecoin } from './stablecoin.ts'
import { x402 } from './x402.ts'

export const paymentMethods: readonly PaymentMethod[] = [stablecoin, card, x402]
