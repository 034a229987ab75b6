/** The words of ownership-pseudonym. */
import { joinValue, nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'
import { readPseudonymSettings } from './term.ts'

export const words: VerifierWords = {
  title: 'Pseudonym',
  lead: 'Take a name here that nobody else can have.',
  /** A limited term takes something away that the lead promises. */
  extendLead(settings) {
    const { ttlDays: days } = readPseudonymSettings(settings)
    return days > 0 ? ` You hold it for ${days} ${days === 1 ? 'day' : 'days'}; then anybody may take it.` : ''
  },
  summary: ['{handle} in {namespace}'],
  fields: [{ label: 'Pseudonym', path: 'handle', op: 'eq', hint: 'Empty: any pseudonym.' }],
  requirement: (criteria) =>
    `holds ${nameValue('a pseudonym', criteria.take('handle', 'pseudonymId'), 'the pseudonym')}${joinValue(' in ', criteria.take('namespace'))}`,
}
