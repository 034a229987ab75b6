import type { PaymentMethod } from '../../payments/payment.ts'
import type { PaidVerdict } from '../../payments/store.ts'

export interface Confirmed {
  readonly method: PaymentMethod['id']
  readonly paid: PaidVerdict
}
