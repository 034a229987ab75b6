/** Payment by card from the checkout page. Opens the payment page at Stripe, or finds one that is still open. */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import type { CheckoutTools, Data, PaymentView } from '../view.ts'
import { view as words } from './words/en.ts'

export const card: PaymentView = {
  name: 'stripe',

  /** A person who pays in another way while that page is open may pay twice. */
  renderUnderWay({ order: { asked }, formatClockTime, offerEvidence }) {
    const { paymentCheckoutSessionId, expiresAt } = (asked.openCheckout ?? {}) as Data
    if (typeof paymentCheckoutSessionId !== 'string' || typeof expiresAt !== 'number') return []
    return [
      makeElement('p', { class: 'notice' }, words.open(formatClockTime(expiresAt))),
      makeElement(
        'p',
        {},
        renderButton(words.paid, () => offerEvidence({ paymentCheckoutSessionId }), 'secondary'),
      ),
    ]
  },

  renderWay(_, tools) {
    const press: HTMLButtonElement = renderButton(words.pay, () => void openPage(tools, press))
    return makeElement(
      'section',
      {},
      makeElement('h3', {}, words.heading),
      makeElement('p', {}, words.leave),
      tools.order.isLimited && makeElement('p', { class: 'quiet' }, words.hold),
      makeElement('div', { class: 'actions' }, press),
    )
  },
}

async function openPage(
  {
    order: { gateId, qHash, person },
    attempts,
    home,
    post,
    rememberOrder,
    explain,
    offerEvidence,
    formatClockTime,
  }: CheckoutTools,
  press: HTMLElement,
): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.opening)
    const query = new URLSearchParams(location.search)
    query.delete('paymentCheckoutSessionId')
    const back = `${home}?${query}`
    const { url, reservedUntil } = await post('payments/stripe/checkout', {
      gateId,
      qHash,
      walletAddress: person.address,
      // The checkout page fills in its session id.
      successUrl: `${back}&paymentCheckoutSessionId={CHECKOUT_SESSION_ID}`,
      cancelUrl: back,
    })
    if (!isCurrent()) return
    rememberOrder()
    if (typeof url === 'string' && /^https?:/i.test(url)) {
      if (typeof reservedUntil === 'number') attempts.say(words.held(formatClockTime(reservedUntil)))
      location.assign(url)
    } else attempts.fail(words.failed, press)
  } catch (error) {
    if (!isCurrent()) return
    const { node, details } = explain(error)
    const { paymentCheckoutSessionId } = details
    if (typeof paymentCheckoutSessionId === 'string') {
      attempts.finish()
      return offerEvidence({ paymentCheckoutSessionId })
    }
    attempts.fail(node, press)
  }
}
