/** Paying by a voucher on the checkout page. */
import type { PaymentView } from '../../../../src/payments/view.ts'
import { makeElement, renderButton } from '../../../../src/web/ui/dom.ts'

export const voucher: PaymentView = {
  name: 'voucher',
  renderWay(_, { offerEvidence }) {
    const field = makeElement('input', { name: 'voucher', 'aria-label': 'Voucher' })
    return makeElement(
      'section',
      {},
      makeElement('h3', {}, 'With a voucher'),
      field,
      renderButton('Use the voucher', () => offerEvidence({ paymentVoucher: field.value })),
    )
  },
}
