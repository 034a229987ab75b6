/** Die deutschen Wörter von x402. */
import type { MethodWords } from '../../method-words.ts'
import type * as English from './en.ts'

export const words: MethodWords = { label: 'x402', formLabel: 'x402, für Programme' }

export const view: typeof English.view = {
  hint: 'Programme können auch mit x402 bezahlen (HTTP 402). Ein Browser kann das nicht.',
  heldUntil: (until) => `Ein Platz ist bis ${until} für Sie frei gehalten.`,
  heldFor: (minutes) => `Ein Platz ist ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} frei gehalten.`,
}
