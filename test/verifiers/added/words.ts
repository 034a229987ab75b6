/** The words of riddle-solved. */
import { nameValue } from '../../../src/verifiers/phrases.ts'
import type { VerifierWords } from '../../../src/verifiers/words.ts'

export const words: VerifierWords = {
  title: 'Riddle',
  lead: 'Show that you know the answer to the riddle.',
  summary: ['Solved as {handle}'],
  fields: [{ label: 'Name of the solver', path: 'handle', op: 'eq' }],
  requirement: (criteria) => `has solved the riddle as ${nameValue('anybody', criteria.take('handle'), 'the solver')}`,
}
