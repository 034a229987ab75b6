/** Die Seite, auf die man von einem anderen Dienst zurückkommt. */
import type * as English from '../en/provider.ts'

export const providerPage: typeof English.providerPage = {
  theProvider: 'der Anbieter',
  unusable: 'Diese Anmeldung funktioniert nicht',
  nothingPassedOn: 'Es wurde nichts weitergegeben.',
  toStart: 'Zum Anfang',
  signedIn: 'Angemeldet',
  signedInAt: (service) => `Bei ${service} angemeldet`,
  goOn: 'Sie können dort weitermachen, wo Sie herkommen.',
  canClose: 'Sie können dieses Fenster jetzt schließen.',
  continue: 'Weiter',
  again: 'Beginnen Sie neu. Geschieht es wieder, sagen Sie es dem Betreiber dieses Servers.',
  doesNotCount: 'Diese Anmeldung zählt nicht',
  wrongAnswer: (service) =>
    `${service} hat geantwortet, aber der Antwort ist nicht zu trauen. Es wurde nichts weitergegeben.`,
  forOperator: 'Für den Betreiber',
  notAgreed: 'Sie haben nicht zugestimmt',
  notAgreedLead: (service) =>
    `${service} sagt, dass Sie der Anmeldung nicht zugestimmt haben. Dieser Server hat nichts bekommen.`,
  refused: (service) => `${service} hat die Anmeldung abgelehnt`,
  noAnswer: (service) => `${service} gab keine brauchbare Antwort`,
  noAnswerLead: 'Das ist kein Nein. Der Dienst war gerade nicht zu erreichen. Beginnen Sie in einer Weile neu.',
  malformed: 'Die Adresse, die Sie hierher geführt hat, ist keine Rückkehr von einem Dienst.',
  startThere: 'Gehen Sie dorthin zurück, wo Sie herkommen, und beginnen Sie die Anmeldung neu.',
  unknown: (minutes) => `Diese Anmeldung ist hier nicht bekannt oder hat länger als ${minutes} Minuten gedauert.`,
  anotherBrowser: 'Diese Anmeldung hat nicht in diesem Browser begonnen.',
  anotherBrowserHelp:
    'Hat Ihnen jemand einen Link zum Anmelden geschickt? Dann wäre Ihr Konto als das dieser Person gezeigt worden. Beginnen Sie hier Ihre eigene Anmeldung, wenn Sie möchten.',
  repeated: 'Diese Anmeldung ist schon zurückgekommen und verbraucht.',
  repeatedHelp:
    'Falls Sie die Seite neu geladen haben, gehen Sie dorthin zurück, wo Sie herkommen. Beginnen Sie die Anmeldung neu, wenn sie dort nicht fertig ist.',
}
