/** A payment that the computer asks the phone for, as the person reads it before they pay. */
import type { PhonePayment } from '../../payments/phone-payment.ts'
import { makeElement, renderFacts } from '../../web/ui/dom.ts'
import { pair as words } from '../words/en/pairing.ts'
import { formatAmount, formatMoment } from './locale.ts'
import { offerCopies } from './offer-copies.ts'

export interface AskedPayment {
  readonly number: number
  readonly payment: PhonePayment
}

export const renderPayment = (payment: PhonePayment, server: string): readonly Node[] => {
  const { gateName, buyer, amountText, asset, recipient, chain, transaction, expiresAt } = payment
  return [
    makeElement('p', {}, ...words.pays<string | Node>(makeElement('strong', {}, server))),
    renderFacts([
      [words.gate, gateName],
      [words.buyer, buyer, true],
      [words.amount, `${formatAmount(amountText)} ${asset}`],
      [words.chain, `${chain.name} (${chain.chain})`],
      [words.recipient, recipient, true],
      [words.token, transaction.to, true],
      [words.keptUntil, formatMoment(expiresAt)],
    ]),
    makeElement('p', {}, words.compareThere),
  ]
}

/** The hash of a transaction, to be copied to the computer by hand. */
export function renderPaid(text: string, tx: string): HTMLElement {
  const paid = makeElement(
    'div',
    { class: 'notice warning' },
    makeElement('p', {}, text),
    makeElement('pre', { class: 'code', 'data-copy': words.copyTransaction }, tx),
  )
  offerCopies(paid)
  return paid
}
