/** Every payment method of this build. To add one: write its folder, and add it here and to tables.ts. */
import { card } from './card/plugin.ts'
import { checkMethods } from './check-methods.ts'
import type { PaymentPlugin } from './plugin.ts'
import { stablecoin } from './stablecoin/method.ts'
import { x402 } from './x402/plugin.ts'

export const paymentMethods: readonly PaymentPlugin[] = checkMethods<PaymentPlugin>([stablecoin, card, x402])
