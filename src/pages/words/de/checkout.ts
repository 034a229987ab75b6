/** Die Wörter der Kasse eines Gates. */
import type * as English from '../en/checkout.ts'

export const gateHead: typeof English.gateHead = {
  price: 'Preis',
  free: 'Kostenlos',
  once: 'einmalige Zahlung',
  needs: 'Sie brauchen',
  noNeeds: 'Nur eine Wallet',
  payBy: 'Bezahlen mit',
  token: (symbol, network) => `${symbol} auf ${network}`,
  card: 'Karte',
  signInAgain: 'Zeigen, was ich bekommen habe',
  reward: 'Sie bekommen',
  rewards: { access_granted: 'Zugang', redirect: 'Einen Link', download: 'Eine Datei', reveal: 'Einen Text' },
  when: 'Übergabe',
  moments: {
    first_block: 'nach dem ersten Block',
    confirmations: 'sobald das Netzwerk bestätigt',
    final: 'sobald endgültig, in einer halben Stunde',
  },
  left: 'Noch frei',
  held: (left, held) =>
    held < left
      ? `${left}. Für ${held} davon zahlt gerade jemand.`
      : `${left}. Für alle zahlt gerade jemand. Ein unbezahlter Platz wird wieder frei.`,
  heldLast: '1. Dafür zahlt gerade jemand. Bleibt die Zahlung aus, wird der Platz wieder frei.',
  opens: 'Öffnet',
  closes: 'Schließt',
  draft: 'Dieses Gate ist ein Entwurf. Nur Sie sehen es.',
  paused: 'Dieses Gate ist zurzeit pausiert. Im Moment kommt niemand hinein.',
  notStarted: (when) =>
    when === undefined
      ? 'Dieses Gate ist noch nicht offen.'
      : `Dieses Gate ist noch nicht offen. Es öffnet am ${when}.`,
  ended: (when) => (when === undefined ? 'Dieses Gate ist beendet.' : `Dieses Gate endete am ${when}.`),
  soldOut: (total) =>
    `Ausverkauft. Alle ${total} sind vergeben. Fragen Sie den Inhaber des Gates, ob es mehr geben wird.`,
  passedBefore: 'Waren Sie schon einmal hier? Melden Sie sich an und sehen Sie, was Sie bekommen haben.',
  noAnswer: 'Dieser Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und laden Sie die Seite neu.',
  notFound:
    'Vielleicht ist es gelöscht, privat oder noch nicht veröffentlicht. Prüfen Sie den Link, oder fragen Sie die Person, von der Sie ihn haben.',
}

export const seller: typeof English.seller = {
  offeredBy: 'Angeboten von',
  wallet: 'Kein Name angegeben.',
  verifiedDomain: 'Geprüfte Domain',
  domainShown: 'Ein Nachweis dieser Wallet zeigt, dass sie diese Domain kontrolliert.',
}

export const gateNeeds: typeof English.gateNeeds = {
  perhapsEnough: 'Vielleicht brauchen Sie nicht alle davon. Es geht weiter, sobald es genug sind.',
  list: 'Gästeliste',
  listLead: 'Nur Wallets auf der Gästeliste kommen hinein.',
  isOnList: ' Sie stehen auf der Liste',
  isNotOnList: ' Sie stehen nicht darauf',
  has: ' haben Sie',
  optional: ' optional',
  missing: ' fehlt',
  is: (name, value) => `${name}: ${value}`,
  atLeast: (name, value) => `${name}: mindestens ${value}`,
  atMost: (name, value) => `${name}: höchstens ${value}`,
  final: 'Ein Nachweis zählt, sobald sein Block endgültig ist. Das dauert einige Minuten.',
  recheck: 'Dieser Server fragt die Chain noch einmal, bevor Sie etwas bekommen.',
  prove: (title) => `Nachweisen: ${title}`,
}

export const checkout: typeof English.checkout = {
  looking: 'Suche Ihre Nachweise …',
  paidBefore: (transaction) => [
    'Sie haben mit der Transaktion ',
    transaction,
    ' bezahlt. Bezahlen Sie nicht noch einmal. Die Zahlung zählt, sobald Sie alles haben, was dieses Gate verlangt.',
  ],
  tryAgain: 'Noch einmal versuchen',
  notOnList: 'Sie stehen nicht auf der Liste. Ein Nachweis hilft hier nicht.',
  theOwner: 'den Inhaber des Gates',
  sendAddress: (who) => `Senden Sie Ihre Adresse an ${who} und bitten Sie um einen Platz auf der Liste.`,
  copyAddress: 'Meine Adresse kopieren',
  askOperator: <T>(link: T) => ['Sie kennen den Inhaber nicht? Schreiben Sie dem ', link, '.'],
  operator: 'Betreiber dieses Servers',
  goOn: (title) => `Weiter: ${title}`,
  passedBefore:
    'Sie sind schon einmal durch dieses Gate gegangen. Sie können noch einmal sehen, was Sie bekommen haben. Das kostet nichts.',
  showAgain: 'Noch einmal zeigen',
  complete: 'Sie haben alles, was dieses Gate verlangt.',
  toPayment: 'Weiter zur Zahlung',
  get: 'Jetzt abholen',
  enter: 'Eintreten',
  lookingAtPayment: 'Suche die Zahlung …',
  asking: 'Hole es ab …',
  notSettled: 'Noch nicht bestätigt. Diese Seite sieht von selbst wieder nach …',
  stopWaiting: 'Nicht mehr warten (Ihre Zahlung bleibt)',
  lookLater: 'Noch nicht bestätigt. Ihre Zahlung bleibt. Sehen Sie später wieder nach.',
  lookAgain: 'Wieder nachsehen',
  notCharged: 'Es wurde keine Zahlung verwendet.',
  boughtNothing:
    'Ihre Zahlung ist angekommen und hat nichts gekauft. Sie finden sie in Ihrem Dashboard bei den Zahlungen unter „Offen“.',
  soldOut: 'Dieses Gate ist inzwischen ausverkauft.',
  limitReached: 'Diese Wallet ist so oft durch dieses Gate gegangen, wie sie darf.',
  ended: 'Dieses Gate wurde inzwischen geschlossen.',
  suspended:
    'Die Zahlung wurde erstattet, bestritten oder von der Chain verworfen. Darum haben Sie jetzt keinen Zugang. Erstellen Sie einen neuen Nachweis und bezahlen Sie noch einmal, oder fragen Sie, wem das Gate gehört.',
  paymentUsed:
    'Diese Zahlung wurde für ein anderes Gate oder einen anderen Nachweis verwendet. Jede Zahlung zählt einmal.',
  needsChanged:
    'Ein Nachweis, den dieses Gate braucht, zählt nicht mehr. Laden Sie die Seite neu, um zu sehen, welcher.',
}

export const paying: typeof English.paying = {
  title: (amount) => `${amount} US-Dollar bezahlen`,
  whichWallet: 'Wählen Sie die Wallet, die bezahlt',
  send: 'Zahlung senden',
  sent: 'Zahlung gesendet',
  confirm: 'Vom Netzwerk bestätigt',
  inNoBlock: 'Warte auf den ersten Block',
  elsewhere: 'Warte auf die Bestätigung',
  done: 'Hier bekommen Sie Zugang',
  final: (confirmations) =>
    `${confirmations} ${confirmations === 1 ? 'Bestätigung' : 'Bestätigungen'}, noch nicht endgültig`,
  confirmations: (count, needed) => `${count} von ${needed} Bestätigungen`,
  comes: (moment) => `Zugang bekommen Sie ${moment}.`,
  moments: {
    first_block: 'mit dem ersten Block, in etwa einer Minute',
    confirmations: 'nach der Bestätigung durch das Netzwerk, meist binnen Minuten',
    final: 'sobald die Zahlung endgültig ist, meist binnen einer halben Stunde',
  },
  soon: 'in etwa einer Minute',
  onItsWay: 'Ihre Zahlung ist unterwegs',
  transaction: 'Transaktion',
  once: 'Bezahlen Sie nicht noch einmal. Sie können die Seite schließen und später in diesem Browser wiederkommen.',
  lookAgain: 'Wieder nachsehen',
  said: 'Meldung des Servers',
  notSettled: 'Noch nicht bestätigt.',
  anotherOne: 'Zeigt Ihre Wallet eine andere Transaktion?',
  unknown:
    'Kein Netzwerk dieses Servers kennt diese Transaktion bisher. Haben Sie sie beschleunigt, hat sie einen anderen Hash.',
  lookAtAnother: 'Nach dieser sehen',
  failed: 'Sagt Ihre Wallet, dass sie gescheitert ist oder verworfen wurde, haben Sie nichts bezahlt.',
  neverSent: 'Sie wurde nie gesendet. Zahlungsart wählen',
  hash: 'muss 0x und 64 hexadezimale Ziffern sein',
  hashHint: 'Der Hash der Überweisung, aus Ihrer Wallet oder einem Explorer.',
}

export const reward: typeof English.reward = {
  title: 'Sie haben Zugang',
  kept: 'Diese Seite bewahrt nicht auf, was Sie bekommen haben. Kommen Sie mit derselben Wallet wieder, um es noch einmal zu sehen.',
  receipt: 'Quittung öffnen',
  confirmation: 'Bestätigung öffnen',
  granted: 'Ihre Wallet hat jetzt Zugang.',
  download: (host) => `Herunterladen von ${host}`,
  goOn: (host) => `Weiter zu ${host}`,
  copy: 'Text kopieren',
}
