/** Die Seite, zu der der einmalige Link für Betreiber führt. */
import type * as English from '../en/operator-link.ts'

export const operatorLink: typeof English.operatorLink = {
  overTitle: 'Dieser Link funktioniert nicht mehr',
  overLead:
    'Ein Link für Betreiber funktioniert einmal. Dieser wurde verwendet, durch einen neueren ersetzt oder ist zu alt.',
  isOperator: 'Ihre Wallet ist schon Betreiber dieses Servers.',
  open: 'Seiten für Betreiber öffnen',
  another: 'Für einen neuen Link führen Sie dies dort aus, wo der Server läuft:',
  copyCommand: 'Befehl kopieren',
  after: 'Öffnen Sie dann den ausgegebenen Link und melden Sie sich an.',
  title: 'Betreiber werden',
  lead: 'Der Betreiber sieht Zustand, Anfragelimits, Protokoll und Zahlen dieses Servers im Dashboard.',
  noScript:
    'Diese Seite braucht JavaScript, und das ist in diesem Browser ausgeschaltet. Schalten Sie es für diese Seite ein und öffnen Sie den Link noch einmal.',
  signInFirst: 'Melden Sie sich zuerst mit der Wallet des Betreibers an. Danach kommen Sie hierher zurück.',
  signIn: 'Mit einer Wallet anmelden',
  wallet: 'Wallet',
  usedUp:
    'Damit ist der Link verbraucht. Weitere Betreiber brauchen einen neuen Link oder einen Eintrag in der Konfiguration.',
  accept: 'Diese Wallet zum Betreiber machen',
  onlyLinked: (wallet) => [
    'Diese Wallet ist nur mit einer anderen verknüpft. Melden Sie sich mit ',
    wallet,
    ' an, oder mit einer Wallet, die nicht verknüpft ist.',
  ],
  anotherWallet: 'Andere Wallet verwenden',
  notDone: 'Nicht erledigt',
  newLink: 'Für einen neuen Link führen Sie dies dort aus, wo der Server läuft:',
  incomplete: 'Das Ende des Links fehlt, nach dem Zeichen #. Öffnen Sie den ganzen Link.',
  making: 'Mache diese Wallet zum Betreiber …',
  sessionOver: 'Ihre Sitzung ist abgelaufen. Der Link gilt noch.',
  signInAgain: 'Neu anmelden',
  tooMany: (seconds) =>
    `Zu viele Versuche. Versuchen Sie es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} noch einmal.`,
  used: 'Dieser Link wurde schon verwendet, oder ein neuerer hat ihn ersetzt.',
}
