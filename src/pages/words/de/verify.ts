/** Die Wörter von /verify. */
import type * as English from '../en/verify.ts'

export const verifyPage: typeof English.verifyPage = {
  description: 'Mit einer Wallet einen Nachweis erstellen oder durch ein Gate gehen.',
  startWithoutLink: 'Ohne den Link beginnen',
  makeProof: 'Nachweis erstellen',
  whatToProve: 'Was möchten Sie nachweisen?',
  lead: 'Jeden Nachweis signieren Sie mit Ihrer Wallet. Das ist kostenlos, und es wird keine Transaktion gesendet.',
  noneTitle: 'Hier gibt es keine Prüfung',
  noneHeading: 'Dieser Server bietet zurzeit keine Prüfung an',
  none: 'Sie können hier nichts nachweisen, bis der Betreiber die Einstellungen ändert. Ältere Nachweise können Sie weiterhin lesen und prüfen.',
  forOperator: (setting, titles) => `Für den Betreiber: Die Einstellung ${setting} schaltet ab: ${titles}.`,
  walletShows:
    'Zuerst fragt Ihre Wallet, ob diese Website Ihre Adresse sehen darf. Später zeigt sie einen Text zum Signieren. Es wird nichts gesendet, und es kostet nichts.',
  switchedOff: 'Der Betreiber hat das nicht eingeschaltet.',
  askOperator: 'Fragen Sie den Betreiber dieses Servers danach.',
  allKinds: 'Alle Arten von Nachweisen zeigen',
  backToWallets: 'Zurück zu Ihren Wallets',
  willSay: (says) => `Im Nachweis steht dann: „${says}“`,
  noGate: 'Hier ist kein Gate',
  startPage: 'Zur Startseite',
  verification: 'Prüfung',
  linkSays: 'Der Link, der Sie hierher geführt hat, sagt:',
  notOffered: (title) => `Dieser Server bietet „${title}“ zurzeit nicht an.`,
  destination: (site, tellsWho) => [
    'Am Ende können Sie zu ',
    site,
    ` weitergehen. Die Website bekommt dann die Kennung des Nachweises${tellsWho ? ' und erfährt, wenn Sie zustimmen, wer Sie sind' : ''}.`,
  ],
}

export const verify: typeof English.verify = {
  failed: 'Noch nicht',
  theWallet: 'Die Wallet',
  accountChanged: (wallet) => `Sie haben das Konto in ${wallet} gewechselt.`,
  chooseThatOfProof: 'Wählen Sie dort die Wallet des Nachweises.',
  chooseNext: 'Wählen Sie die Wallet, mit der es weitergeht.',
  disconnected: (wallet) => `Die Verbindung zu ${wallet} ist beendet.`,
  siteNotTold: 'Die Website hat nichts bekommen.',
  firstHasNoEffect: 'Der Schritt, den Sie mit dem ersten Konto begonnen haben, zählt nicht.',
  mayBePaid:
    'Haben Sie die Zahlung bestätigt? Dann bezahlen Sie nicht noch einmal: Geben Sie die Transaktion bei der Zahlung ein, unter „Von anderswo bezahlt?“.',
  stepOf: (at, all, title) => `${at} von ${all}: ${title}`,
  yourProof: 'Ihr Nachweis',
  signedBy: 'Diesen Schritt signiert',
  signedInAs: 'Angemeldet als',
  othersPutAside:
    'Schritte, die eine andere Wallet mit diesem Link erledigt hat, zählen hier nicht. Ihre Nachweise gibt es weiterhin.',
  done: 'Fertig',
  loadingGate: 'Lade das Gate …',
  signWithWallet: 'Mit Ihrer Wallet signieren',
  chooseWallet: 'Wählen Sie eine Wallet',
  agentWallet: 'Die Wallet des Agenten',
  controllerWallet: 'Ihre Wallet, für die der Agent handeln darf',
  sessionOver: 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an, um fortzufahren. Es ging nichts verloren.',
  wallet: 'Wallet',
  contractOn: 'Contract-Wallet auf',
  connectedThrough: (wallet) => `Verbunden über ${wallet}. `,
  signedInWithoutWallet: 'Sie sind angemeldet. Keine Wallet ist verbunden. ',
  anotherWallet: 'Andere Wallet verwenden',
  unsigned: 'Ohne Signatur erstellen',
  unsignedWhy: (wallet) =>
    `Sie sind als ${wallet} angemeldet. Darum nimmt dieser Server Ihre Aussage auch ohne Signatur an.`,
  unsignedLimits: 'Ein Nachweis ohne Signatur zählt nur auf diesem Server. Niemand kann ihn anderswo prüfen.',
  goOnUnsigned: 'Ohne Signatur weiter',
  stepDone: 'Fertig.',
  stepReused: 'Fertig, mit einem früheren Nachweis.',
  proofId: 'Kennung des Nachweises',
  goOn: 'Weiter',
  again: 'Noch einmal',
}

export const claim: typeof English.claim = {
  optional: ' optional',
  oneOf: ' eines davon genügt',
  title: 'Titel',
  titleHint: 'Ein Name für diesen Nachweis. Alle, die den Nachweis sehen dürfen, sehen den Titel.',
  keep: 'Tragbare Kopie für mich aufbewahren',
  keepHint: 'Nur Sie bekommen diese Datei. Wem Sie sie geben, der kann den Nachweis ohne diesen Server prüfen.',
  notSigned: 'Keine Wallet signiert diesen Nachweis.',
  signHint: 'Ihre Wallet zeigt einen Text zum Signieren. Es wird nichts gesendet, und es kostet nichts.',
  submit: 'Signieren und prüfen',
  submitUnsigned: 'Nachweis ohne Signatur erstellen',
  preparing: 'Bereite vor …',
  checking: 'Prüfe …',
  lookingUp: 'Prüfe. Das kann einige Sekunden dauern …',
  signText: (wallet) => `Signieren Sie den Text, den ${wallet} zeigt.`,
  missing: (field) => `${field} fehlt.`,
  wrongForm: 'ist nicht gültig',
  invalid: (field, rule) => `${field} ${rule}.`,
  chooseAgain: 'Wählen Sie die Datei noch einmal.',
  notJson: 'Das ist kein JSON.',
  asJson: 'Als JSON.',
  siteCannotSee: (site) => ` Die Website ${site} kann nicht sehen, was darin steht.`,
}

export const earlierProof: typeof English.earlierProof = {
  found: (count) =>
    `Sie haben ${count === 1 ? 'diesen Nachweis' : `${count} solche Nachweise`} schon erstellt. Verwenden Sie den neuesten, oder erstellen Sie unten einen weiteren.`,
  id: 'Kennung',
  use: 'Vorhandenen Nachweis verwenden',
  question: 'Haben Sie diesen Nachweis schon erstellt?',
  privateNote:
    'Um in Ihren privaten Nachweisen zu suchen, signieren Sie mit Ihrer Wallet. Das ist kostenlos und erstellt keinen Nachweis.',
  look: 'In meinen Nachweisen suchen',
  none: 'Sie haben noch keinen solchen Nachweis.',
}

export const walletLink: typeof English.walletLink = {
  order: (primary) =>
    `Wählen Sie zuerst ${primary}, Ihre erste Wallet. Wählen Sie dann die Wallet, die Sie mit ihr verknüpfen.`,
  firstWallet: 'Erste Wallet',
  secondSigns:
    'Jetzt signiert die zweite Wallet. Liegt sie als weiteres Konto in derselben Wallet, wechseln Sie dort das Konto. Wählen Sie dann hier die Wallet.',
  needsFirst:
    'Zum Verknüpfen braucht es auch die erste Wallet. Wählen Sie oben „Andere Wallet verwenden“ und verbinden Sie sie.',
  secondWallet: 'Zweite Wallet',
  isFirst: (wallet) =>
    `Das ist die erste Wallet, ${wallet}. Wechseln Sie in der Wallet zum anderen Konto und versuchen Sie es noch einmal.`,
  signText: (wallet) => `Signieren Sie den Text, den ${wallet} zeigt. Er sagt, dass beide Wallets zusammengehören.`,
  secondSigned: 'Zweite Wallet (hat signiert)',
  firstSigns: 'Jetzt signiert die erste Wallet.',
  switchBack: 'Liegt sie als weiteres Konto in derselben Wallet, wechseln Sie dort zurück.',
}

export const accountStep: typeof English.accountStep = {
  nobody: 'Der Betreiber hat dafür keinen Dienst eingerichtet.',
  cannotLoad:
    'Die Liste der Dienste konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
  submit: 'Dorthin gehen und anmelden',
  organization: 'Wo sich Ihre Organisation anmeldet',
  service: 'Dienst',
  askedFor: 'Gefragt ist: ',
  leave:
    'Sie verlassen diese Seite, melden sich bei dem Dienst an und kommen zurück. Gelesen wird nur, wer Sie dort sind.',
  goingTo: (service) => `Weiter zu ${service} …`,
  unreachable: 'Diese Seite kann den Dienst nicht erreichen.',
  notAgreed:
    'Sie haben der Anmeldung bei dem Dienst nicht zugestimmt. Versuchen Sie es noch einmal und stimmen Sie dort zu.',
  noAnswer: 'Der Dienst hat gerade keine brauchbare Antwort gegeben. Versuchen Sie es später noch einmal.',
  notCounted:
    'Die Anmeldung zählt nicht. Versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie es dem Betreiber dieses Servers.',
  finish: (service) => `Mit ${service} abschließen`,
  back: (service) => `Sie sind von ${service} zurück. Ein Schritt fehlt noch.`,
  startOver: 'Neu beginnen',
  startOverNote: ', mit einem anderen Konto oder Dienst',
  theService: 'dem Dienst',
}

export const result: typeof English.result = {
  reused: (title) => `${title}: diesen Nachweis hatten Sie schon`,
  proofId: 'Kennung des Nachweises',
  notSigned: 'Nicht signiert.',
  view: 'Ansehen und teilen',
  copyLink: 'Link kopieren',
  copied: 'Kopiert',
  copyByHand: 'Bitte von Hand kopieren',
  save: 'Tragbaren Nachweis speichern',
  saved: 'Gespeichert',
  another: 'Weiteren Nachweis erstellen',
  sameKind: 'Noch einen dieser Art erstellen',
  signIn: 'Anmelden und Ihre Nachweise sehen',
  toProofs: 'Zu meinen Nachweisen',
  goOn: 'Weiter',
  goBack: 'Zurück',
  linked: 'Die Wallets sind verknüpft',
  backToWallets: 'Zurück zu Ihren Wallets',
  onlyYou: 'Privat. Nur Sie können ihn lesen.',
  signInToShare: ' Melden Sie sich an, um ihn zu teilen.',
  everyone: 'Alle mit dem Link können ihn lesen.',
  leaves: (site, tellsId) => [
    'Sie gehen weiter zu ',
    site,
    tellsId ? '. Die Website bekommt die Kennung des Nachweises.' : '.',
  ],
  goOnTo: (site) => `Weiter zu ${site}`,
  openerGone:
    'Die Seite, die dieses Fenster geöffnet hat, ist geschlossen. Gehen Sie zurück und beginnen Sie neu, oder geben Sie ihr die Kennung oben.',
  told: (site) => ['Die Seite bei ', site, ' hat das Ergebnis bekommen. Sie können dieses Fenster schließen.'],
  close: 'Dieses Fenster schließen',
  tellWho: (site) => `${site} sagen, wer Sie sind?`,
  siteGets: (wallet) => [
    'Die Website bekommt die Adresse ',
    wallet,
    ', die Kennung Ihres Profils (für alle Ihre verknüpften Wallets dieselbe) und die Kennungen und Arten dieser Nachweise, auch der privaten. Sie kann nicht für Sie handeln.',
  ],
  onlyProofAndWallet: 'Nur den Nachweis und seine Wallet senden',
  onlyProof: 'Nur die Kennung des Nachweises senden',
  agree: (site) => `${site} sagen, wer ich bin`,
  agreeAndSignIn: (site) => `Anmelden und es ${site} sagen`,
  otherWallet: (wallet) => [
    'Sie sind als ',
    wallet,
    ' angemeldet, aber eine andere Wallet hat den Nachweis erstellt. Die Website bekommt diese. ',
  ],
  oneMoreText:
    'Zum Anmelden signiert Ihre Wallet noch einen Text. Das ist kostenlos, und es wird keine Transaktion gesendet.',
  onlyWalletOfProof: ' Dieser Browser ist danach nur mit der Wallet des Nachweises angemeldet.',
  signInWithProofWallet: 'Mit der Wallet des Nachweises anmelden',
  askingForCode: 'Bereite die Antwort für die Website vor …',
  sessionOver:
    'Ihre Sitzung ist abgelaufen, und die Website hat nichts bekommen. Melden Sie sich neu an, oder gehen Sie ohne Antwort zurück.',
}
