/** The English words of ownership-org-oauth. */
import { nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Organization',
  lead: 'Show that you belong to an organization.',
  says: 'The owner of this wallet belongs to this organization.',
  lacks: {
    what: 'It needs a service where organizations sign in.',
    remedy: 'Add a section [social.google] or [social.microsoft].',
  },
  statement: ['belongs to {organization}', 'belongs to {domain}'],
  summary: ['{organization}', '{domain}'],
  requirement: (criteria) =>
    `belongs to ${nameValue('an organization', criteria.take('organization', 'org', 'domain'), 'the organization')}`,
  names: {
    domain: 'Domain',
    orgDomain: 'Domain of the organization',
    organization: 'Organization',
  },
}
