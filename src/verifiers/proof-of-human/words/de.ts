/** Die deutschen Wörter von proof-of-human. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Mensch',
  lead: 'Zeigen Sie, dass Sie ein Mensch sind, ohne zu sagen, wer.',
  says: 'Der Inhaber dieser Wallet ist ein Mensch.',
  lacks: {
    what: 'Dazu braucht er einen Dienst, der Menschen von Programmen unterscheidet.',
    remedy: 'Richten Sie zkpassport, semaphore, worldid oder passport unter [human] ein.',
  },
  statement: ['gehört einem Menschen'],
  fields: [
    { label: 'Mindestalter in Jahren', path: 'claims.age_min', op: 'gte', kind: 'number', hint: 'Leer: jedes Alter.' },
  ],
  names: {
    assuranceLevel: 'Wie sicher es ist',
    scope: 'Wo es gilt',
    domain: 'Domain',
    age_min: 'Mindestalter',
    sanctions_passed: 'Auf keiner Sanktionsliste',
  },
}

export const form: typeof English.form = {
  submit: 'Jetzt prüfen',
  provider: 'Anbieter',
  proof: 'Beweis',
  proofHint: 'Das JSON, das Sie von der App oder dem Werkzeug bekommen haben.',
  mustBeJson: 'Der Beweis muss JSON sein.',
  leads: {
    zkpassport:
      'Lassen Sie die ZKPassport-App einen Beweis mit diesen Werten erstellen und fügen Sie das Ergebnis ein.',
    semaphore: 'Erstellen Sie einen Semaphore-Beweis mit dieser Nachricht und diesem Bereich und fügen Sie ihn ein.',
    worldid:
      'Bestätigen Sie sich mit World ID für diese Aktion und dieses Signal und fügen Sie das Ergebnis von IDKit ein.',
    passport: 'Sie müssen nichts einfügen. Dieser Server fragt nach der Punktzahl Ihrer Wallet.',
  },
  facts: {
    semaphoreMessage: 'Nachricht',
    semaphoreScope: 'Bereich',
    mode: 'Modus',
    action: 'Aktion',
    signal: 'Signal',
    appId: 'App',
    rpId: 'Vertrauende Seite',
    groupId: 'Gruppe',
    contract: 'Contract',
    chain: 'Chain',
    minScore: 'Mindestpunktzahl',
  },
  domain: 'Domain',
  scope: 'Bereich',
  bind: (name) => `Binde ${name}`,
}
