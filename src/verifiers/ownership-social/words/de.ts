/** Die deutschen Wörter von ownership-social. */
import type { PageWords } from '../../words.ts'

export const words: PageWords = {
  title: 'Konto bei einem Dienst',
  lead: 'Zeigen Sie, dass ein Konto bei einem anderen Dienst Ihnen gehört.',
  says: 'Dieses Konto bei diesem Dienst gehört dem Inhaber dieser Wallet.',
  lacks: {
    what: 'Dazu braucht er einen Dienst, bei dem sich Menschen anmelden.',
    remedy: 'Fügen Sie einen Abschnitt wie [social.github] hinzu.',
  },
  statement: ['ist @{handle} bei {provider}'],
  summary: ['@{handle} bei {provider}'],
  fields: [
    { label: 'Dienst', path: 'provider', op: 'eq', hint: 'Zum Beispiel github. Leer: jeder Dienst.' },
    { label: 'Name des Kontos', path: 'handle', op: 'eq', hint: 'Leer: jedes Konto.' },
  ],
  names: {
    socialUserId: 'Nummer des Kontos',
    handle: 'Name des Kontos',
    profileUrl: 'Seite des Kontos',
    linkTimestamp: 'Angemeldet am',
  },
}
