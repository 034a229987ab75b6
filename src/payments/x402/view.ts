/** A hint on the checkout page that programs can pay by x402. Browsers cannot. */
import { makeElement } from '../../web/ui/dom.ts'
import { type Data, formatClockTime, formatMinutes, type PaymentView } from '../view.ts'

export const x402: PaymentView = {
  name: 'x402',
  renderWay: (_, { order }) =>
    makeElement(
      'p',
      { class: 'quiet apart' },
      `Programs can also pay by x402 (HTTP 402). That is not done in a browser.${describeHold(order.asked.reservation)}`,
    ),
}

/** Describes how long the server reserves a place for the buyer. */
function describeHold(reservation: unknown): string {
  const { minutes, expiresAt } = (reservation ?? {}) as Data
  if (typeof expiresAt === 'number') return ` A place is held for you until ${formatClockTime(expiresAt)}.`
  return typeof minutes === 'number' ? ` A place is held for ${formatMinutes(minutes)} meanwhile.` : ''
}
