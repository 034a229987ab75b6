/** The words of proof-of-human. */
import { isolateText } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Human being',
  lead: 'Show that you are a person, without saying who.',
  fields: [
    { label: 'Years of age, at least', path: 'claims.age_min', op: 'gte', kind: 'number', hint: 'Empty: any age.' },
  ],
  requirement(criteria) {
    const age = criteria.take('age_min', 'ageMin')
    return `has shown to be a person${age === undefined ? '' : ` of at least ${isolateText(age)} years`}`
  },
}
