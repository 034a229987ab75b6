/** Die deutschen Wörter der Elemente. */
import type * as English from './en.ts'

export const words: typeof English.words = {
  lang: 'de',

  button: 'Mit Ihrer Wallet nachweisen',
  opened: 'Weiter geht es in dem Fenster, das sich geöffnet hat.',
  closed: 'Das Fenster wurde geschlossen oder hat die Verbindung zu dieser Seite verloren.',
  blocked: 'Ihr Browser hat das Fenster blockiert.',
  here: 'In diesem Tab weiter',
  checking: 'Prüfe …',
  done: 'Fertig. Sie haben den Nachweis.',
  back: 'Sie sind zurück.',
  refused: 'Dieser Nachweis öffnet das Gate nicht.',
  unseen: 'Fertig. Der Nachweis ist privat. Darum kann diese Seite ihn nicht prüfen.',
  unavailable: 'Das konnte gerade nicht geprüft werden. Es wurde nichts entschieden.',
  again: 'Noch einmal prüfen',
  misused: 'Dieser Knopf ist nicht eingerichtet:',

  looking: 'Prüfe …',
  holds: 'Bestätigter Nachweis',
  partial: 'Teilweise bestätigt',
  imported: 'Importiert, nicht geprüft',
  revoked: 'Nachweis widerrufen',
  expired: 'Nachweis abgelaufen',
  private: 'Privater Nachweis',
  unknown: 'Kein solcher Nachweis',
  unreachable: 'Nicht geprüft',

  lookingMore: 'Frage {server} nach diesem Nachweis.',
  holdsMore: '{server} hat diesen Nachweis bestätigt. Öffnet den Nachweis.',
  importedMore:
    'Ein anderer Server hat diesen Nachweis erstellt, und {server} hat ihn nicht geprüft. Öffnet den Nachweis.',
  partialMore: '{server} hat nur einen Teil dieses Nachweises bestätigt. Öffnet den Nachweis.',
  revokedMore: 'Dieser Nachweis wurde widerrufen und zählt nicht mehr. Öffnet den Nachweis bei {server}.',
  expiredMore: 'Dieser Nachweis ist abgelaufen und zählt nicht mehr. Öffnet den Nachweis bei {server}.',
  privateMore: '{server} hat diesen Nachweis bestätigt. Was darin steht, ist privat.',
  unknownMore: '{server} hat keinen Nachweis mit dieser Kennung.',
  unreachableMore: '{server} hat nicht geantwortet. Der Nachweis kann trotzdem zählen. Öffnet den Nachweis dort.',
}
