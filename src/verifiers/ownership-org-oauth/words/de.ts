/** Die deutschen Wörter von ownership-org-oauth. */
import type { PageWords } from '../../words.ts'

export const words: PageWords = {
  title: 'Organisation',
  lead: 'Zeigen Sie, dass Sie zu einer Organisation gehören.',
  statement: ['gehört zu {organization}', 'gehört zu {domain}'],
  summary: ['{organization}', '{domain}'],
  names: {
    domain: 'Domain',
    orgDomain: 'Domain der Organisation',
    organization: 'Organisation',
  },
}
