/**
 * Quotes a provider's message for people. It comes from outside, so it is bounded, in plain characters, and without
 * long runs. Long runs may be keys, addresses or the content itself.
 */
export function quoteMessage(message: unknown): string {
  if (typeof message !== 'string') return 'without a message'
  const plain = message
    .slice(0, 1000)
    .replace(/[^\p{Letter}\p{Number} .,:;'()_/%-]+/gu, ' ')
    .replace(/\S{20,}/g, '…')
    .replace(/ +/g, ' ')
    .trim()
  return `"${plain.length > 160 ? `${plain.slice(0, 160)}…` : plain}"`
}
