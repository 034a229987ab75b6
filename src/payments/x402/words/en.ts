/** The English words of x402. */
import type { MethodWords } from '../../method-words.ts'

export const words: MethodWords = { label: 'x402', formLabel: 'x402, for programs' }

/** On the checkout page. */
export const view = {
  hint: 'Programs can also pay by x402 (HTTP 402). A browser cannot.',
  heldUntil: (until: string): string => `A place is held for you until ${until}.`,
  heldFor: (minutes: number): string => `A place is held for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
}
