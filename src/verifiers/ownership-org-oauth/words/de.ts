/** Die deutschen Wörter von ownership-org-oauth. */
import type { PageWords } from '../../words.ts'

export const words: PageWords = {
  title: 'Organisation',
  lead: 'Zeigen Sie, dass Sie zu einer Organisation gehören.',
  says: 'Wem diese Wallet gehört, der gehört zu dieser Organisation.',
  lacks: {
    what: 'Dazu braucht er einen Dienst, bei dem sich Organisationen anmelden.',
    remedy: 'Fügen Sie einen Abschnitt [social.google] oder [social.microsoft] hinzu.',
  },
  statement: ['gehört zu {organization}', 'gehört zu {domain}'],
  summary: ['{organization}', '{domain}'],
  names: {
    domain: 'Domain',
    orgDomain: 'Domain der Organisation',
    organization: 'Organisation',
  },
}
