/** A hint on the checkout page that programs can pay by x402. Browsers cannot. */
import { makeElement } from '../../web/ui/dom.ts'
import type { CheckoutTools, Data, PaymentView } from '../view.ts'
import { view as words } from './words/en.ts'

export const x402: PaymentView = {
  name: 'x402',
  renderWay: (_, tools) => makeElement('p', { class: 'quiet apart' }, [words.hint, ...describeHold(tools)].join(' ')),
}

/** Describes how long the server reserves a place for the buyer. */
function describeHold({ order, formatClockTime }: CheckoutTools): readonly string[] {
  const { minutes, expiresAt } = (order.asked.reservation ?? {}) as Data
  if (typeof expiresAt === 'number') return [words.heldUntil(formatClockTime(expiresAt))]
  return typeof minutes === 'number' ? [words.heldFor(minutes)] : []
}
