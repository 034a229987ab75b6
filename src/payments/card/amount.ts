/** Converts a price in dollars to the cents of a card charge. Exact: nothing is rounded. */

/** The smallest and largest charge of Stripe in US dollars, in cents. */
const leastCents = 50
const mostCents = 99_999_999

/** `4.99` is 499. Undefined for a price with fractions of a cent. */
export function convertCents(amountUsd: string): number | undefined {
  const [, dollars = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amountUsd) ?? []
  const digits = fraction.padEnd(2, '0')
  if (dollars === '' || /[1-9]/.test(digits.slice(2))) return undefined
  return Number(dollars) * 100 + Number(digits.slice(0, 2))
}

/** The fault of a price for cards, as the end of a sentence for the owner of the gate. */
export function findCardPriceFault(amountUsd: string): string | undefined {
  const cents = convertCents(amountUsd)
  if (cents === undefined) return 'needs price.amountUsd in whole cents for card payments'
  if (cents < leastCents) return 'needs price.amountUsd of at least 0.50 for card payments'
  if (cents > mostCents) return 'needs price.amountUsd of at most 999999.99 for card payments'
  return undefined
}
