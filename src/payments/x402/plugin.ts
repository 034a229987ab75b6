/** The payment method `x402`: confirming (method.ts), and the watch of what was handed to the facilitator. */
import type { PaymentPlugin } from '../plugin.ts'
import { x402 as method } from './method.ts'
import { openSettlementWatch } from './settlement-watch.ts'

export const x402: PaymentPlugin = {
  ...method,
  openWatches: (parts, { conclusions }) => [openSettlementWatch(parts, conclusions)],
}
