/** Die deutschen Wörter von ownership-dns-txt. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Domain',
  lead: 'Zeigen Sie mit einem DNS-Eintrag, dass Sie eine Domain kontrollieren.',
  says: 'Wem diese Wallet gehört, der kontrolliert diese Domain.',
  lacks: {
    what: 'Dazu braucht er einen DNS-Resolver.',
    remedy: 'Setzen Sie dns.resolvers, zum Beispiel auf ["system"].',
  },
  statement: ['kontrolliert die Domain {domain}'],
  summary: ['{domain}'],
  fields: [{ label: 'Domain', path: 'domain', op: 'eq', hint: 'Leer: jede Domain.' }],
  names: {
    domain: 'Domain',
    txtName: 'Name des Eintrags',
    txtRecord: 'Eintrag',
    ttlSeconds: 'Eintrag gilt so viele Sekunden',
    authenticated: 'Mit DNSSEC signiert',
  },
}

export const form: typeof English.form = {
  submit: 'Eintrag jetzt prüfen',
  domain: 'Domain',
  domainHint: 'Zum Beispiel example.com',
  addRecord: 'Fügen Sie dort, wo Sie die Domain verwalten, einen TXT-Eintrag hinzu:',
  name: 'Name ',
  value: 'Wert ',
  wait: 'Es kann einige Minuten dauern, bis der Eintrag sichtbar ist. Danach können Sie ihn entfernen.',
}
