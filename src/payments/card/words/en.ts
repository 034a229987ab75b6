/** The English words of payment by card. */
import type { MethodWords } from '../../method-words.ts'

export const words: MethodWords = {
  label: 'Card',
  receiptLabel: 'Card, through Stripe',
  receiptCheck: 'The seller can check it: this reference is listed in their Stripe account.',
}

/** On the checkout page. */
export const view = {
  open: (until: string): string =>
    `You opened a card payment for this. It stays open until ${until}. Finish it there, or wait until then before you pay another way.`,
  paid: 'I have paid there',
  heading: 'By card',
  leave: 'You pay on a page of Stripe, then come back here.',
  hold: 'Your place is held while that page is open, for at most 45 minutes. If you pay and still get nothing, the card is refunded.',
  pay: 'Pay by card',
  opening: 'Opening the payment page …',
  held: (until: string): string => `Your place is held until ${until}. Opening the payment page …`,
  failed: 'The payment page cannot be opened. Try again.',
}
