/** The answer that nothing was paid, or not yet. */
import type { PaymentVerdict } from './payment.ts'

export type Unpaid = Extract<PaymentVerdict, { paid: false }>

export const makeUnpaid = (reason: string, message: string, retryAfterSeconds?: number): Unpaid => ({
  paid: false,
  reason,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})
