/** Every payment method this build knows. To add one: write its file, add it here. */
import { card } from './card/method.ts'
import type { PaymentMethod } from './payment.ts'
import { stablecoin } from './stablecoin/method.ts'
import { x402 } from './x402/method.ts'

export const paymentMethods: readonly PaymentMethod[] = [stablecoin, card, x402]
