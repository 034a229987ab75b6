/** The English words of ownership-pseudonym. */
import { joinValue, nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'
import { readPseudonymSettings } from '../term.ts'

export const words: VerifierWords = {
  title: 'Pseudonym',
  lead: 'Take a name that nobody else can have here.',
  says: 'This wallet has this name, and no other wallet has it here.',
  doesNotSay: 'The name is unique on this server only. Somebody else may use it elsewhere.',
  statement: ['is {handle} in {namespace}'],
  /** A limited term takes something away that the lead promises. */
  extendLead(settings) {
    const { ttlDays: days } = readPseudonymSettings(settings)
    return days > 0 ? ` It is yours for ${days} ${days === 1 ? 'day' : 'days'}. After that, others can take it.` : ''
  },
  summary: ['{handle} in {namespace}'],
  fields: [{ label: 'Pseudonym', path: 'handle', op: 'eq', hint: 'Leave empty for any pseudonym.' }],
  requirement: (criteria) =>
    `holds ${nameValue('a pseudonym', criteria.take('handle', 'pseudonymId'), 'the pseudonym')}${joinValue(' in ', criteria.take('namespace'))}`,
  names: {
    handle: 'Pseudonym',
    pseudonymId: 'Id of the pseudonym',
    namespace: 'Where it counts',
    displayName: 'Display name',
  },
}

/** The words of the form. */
export const form = {
  name: 'Name',
  mustBe: 'must be 3 to 32 characters of a-z 0-9 . _ - and begin and end with a letter or digit',
  nameHint: '3 to 32 characters of a-z 0-9 . _ -',
  displayName: 'Display name',
}
