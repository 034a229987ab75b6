/** The words of ownership-dns-txt. */
import { nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Domain',
  lead: 'Show that you control a domain, with a record in its DNS.',
  summary: ['{domain}'],
  fields: [{ label: 'Domain', path: 'domain', op: 'eq', hint: 'Empty: any domain.' }],
  requirement: (criteria) => `controls ${nameValue('a domain', criteria.take('domain'), 'the domain')}`,
}
