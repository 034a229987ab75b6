/** The words of ownership-org-oauth. */
import { nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Organisation',
  lead: 'Show that you belong to an organisation.',
  summary: ['{organization}', '{domain}'],
  requirement: (criteria) =>
    `belongs to ${nameValue('an organisation', criteria.take('organization', 'org', 'domain'), 'the organisation')}`,
}
