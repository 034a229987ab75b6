/** Payment by card from the checkout page. Opens the payment page at Stripe, or finds one that is still open. */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { type CheckoutTools, type Data, formatClockTime, type PaymentView } from '../view.ts'

export const card: PaymentView = {
  name: 'stripe',

  /** A person who pays in another way while that page is open may pay twice. */
  renderUnderWay({ order: { asked }, offerEvidence }) {
    const { paymentCheckoutSessionId, expiresAt } = (asked.openCheckout ?? {}) as Data
    if (typeof paymentCheckoutSessionId !== 'string' || typeof expiresAt !== 'number') return []
    return [
      makeElement(
        'p',
        { class: 'notice' },
        `A page of payment by card that you opened for this is open until ${formatClockTime(expiresAt)}. Finish it there, or wait until then before you pay in another way.`,
      ),
      makeElement(
        'p',
        {},
        renderButton('I have paid there', () => offerEvidence({ paymentCheckoutSessionId }), 'secondary'),
      ),
    ]
  },

  renderWay(_, tools) {
    const press: HTMLButtonElement = renderButton('Pay by card', () => void openPage(tools, press))
    return makeElement(
      'section',
      {},
      makeElement('h3', {}, 'By card'),
      makeElement('p', {}, 'This leads to the page of payment of Stripe, and back here.'),
      tools.order.isLimited &&
        makeElement(
          'p',
          { class: 'quiet' },
          'A place is held for you for as long as that page is open, at most 45 minutes. What is paid for nothing all the same is refunded to the card.',
        ),
      makeElement('div', { class: 'actions' }, press),
    )
  },
}

async function openPage(
  { order: { gateId, qHash, person }, attempts, home, post, rememberOrder, explain, offerEvidence }: CheckoutTools,
  press: HTMLElement,
): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say('Opening the page of payment …')
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
      if (typeof reservedUntil === 'number')
        attempts.say(`Your place is held until ${formatClockTime(reservedUntil)}. Opening the page of payment …`)
      location.assign(url)
    } else attempts.fail('The page of payment cannot be opened. Try again.', press)
  } catch (error) {
    if (!isCurrent()) return
    const { text, details } = explain(error)
    const { paymentCheckoutSessionId } = details
    if (typeof paymentCheckoutSessionId === 'string') {
      attempts.finish()
      return offerEvidence({ paymentCheckoutSessionId })
    }
    attempts.fail(text, press)
  }
}
