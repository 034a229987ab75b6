/** Die Seite, die fragt, ob eine App handeln darf, und ihre Fehler. */
import type * as English from '../en/consent.ts'

export const consentPage: typeof English.consentPage = {
  title: 'Zugriff erlauben?',
  wants: (app) => [app, ' möchte Ihr Konto verwenden.'],
  unchecked: 'Die App hat diesen Namen selbst gewählt. Niemand hat ihn geprüft.',
  anyProgram: 'Jedes Programm auf diesem Computer könnte gefragt haben, darum fragen wir Sie jedes Mal.',
  onlyYourself: 'Fahren Sie nur fort, wenn Sie die App gerade selbst verbunden haben.',
  noName: 'Eine App ohne Namen',
  place: 'Sie werden weitergeleitet zu',
  here: '(dieser Computer)',
  describedAt: 'Beschrieben unter',
  signedInAs: 'Angemeldet als',
  choose: 'Sie darf dann',
  chooseHint: 'Entfernen Sie die Häkchen, wo Sie etwas nicht erlauben möchten.',
  notNamed: 'Die App hat danach nicht ausdrücklich gefragt. Setzen Sie das Häkchen nur, wenn Sie es brauchen.',
  nothingTicked: 'Nichts ist angekreuzt. Kreuzen Sie mindestens eine Zeile an, oder wählen Sie Ablehnen.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  anotherWallet: 'Andere Wallet verwenden',
}

export const consentError: typeof English.consentError = {
  unknownTitle: 'Diese App ist hier nicht bekannt',
  unknownLead: 'Die App, von der Sie kommen, ist auf diesem Server nicht oder nicht mehr registriert.',
  nothingSent: 'Es wurde nichts erlaubt, und die App hat nichts bekommen.',
  whatToDo: 'Was Sie tun können',
  openList:
    'Öffnen Sie in Ihrem Assistenten oder Editor die Liste der MCP-Server. Sie steht oft unter Einstellungen, dann Connectors, Integrationen oder MCP.',
  remove:
    'Entfernen Sie diesen Server, oder löschen Sie seine Anmeldung. Auf der Kommandozeile heißt das oft „logout“ oder „remove“.',
  addAgain: (address) => ['Fügen Sie ihn wieder hinzu: ', address, '. Die App meldet sich dann neu an.'],
  title: 'Hier geht es nicht weiter',
  wrongRequest: 'Die App, von der Sie kommen, hat eine Anfrage gestellt, die dieser Server nicht beantworten kann.',
  goBack:
    'Es wurde nichts erlaubt, und die App hat nichts bekommen. Gehen Sie zu ihr zurück und verbinden Sie sie neu. Hilft das nicht, sagen Sie es ihren Entwicklern.',
  forMakers: 'Für die Entwickler der App',
}
