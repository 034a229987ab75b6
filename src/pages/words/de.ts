/** Die Wörter der Seiten auf Deutsch, mit denselben Namen wie in en.ts. */
import type * as English from './en.ts'

export const frame: typeof English.frame = {
  language: 'Sprache',
}

export const startPage: typeof English.startPage = {
  title: 'Proofgate',
  description: 'Ein Proofgate-Server: aus signierten Aussagen werden tragbare Nachweise.',
  heading: 'Proofgate läuft',
  lead: 'Weisen Sie etwas mit Ihrer Wallet nach. Mit dem Nachweis kommen Sie hinein.',
  signIn: 'Anmelden',
  signInNote: 'Ihre Nachweise, Gates und Schlüssel ansehen',
  makeProof: 'Nachweis erstellen',
  makeProofNote: 'Eine Aussage signieren und den Nachweis mitnehmen',
  guides: 'Anleitungen',
  guidesNote: 'Diesen Server benutzen und betreiben (auf Englisch)',
  reference: 'API-Referenz',
  referenceNote: 'Jede Operation lesen und ausprobieren (auf Englisch)',
  widget: 'Widget',
  widgetNote: 'Ein Gate oder Abzeichen in eigene Seiten einbauen',
  openApi: 'Für Programme: die API als OpenAPI 3.1',
  health: 'Zustand',
  healthNote: 'Prüfen, ob dieser Server arbeitet',
}

export const refusalPage: typeof English.refusalPage = {
  headings: {
    NOT_FOUND: 'Seite nicht gefunden',
    RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen',
    INTERNAL_ERROR: 'Etwas ist schiefgegangen',
    SERVICE_UNAVAILABLE: 'Etwas ist schiefgegangen',
    STORAGE_FULL: 'Dieser Server kann nichts Neues speichern',
    other: 'Das hat nicht geklappt',
  },
  notFound: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie, ob Sie die ganze Adresse kopiert haben.',
  tooOften: (seconds) =>
    `Dieser Browser oder ein anderer in Ihrem Netz hat zu viele Seiten geöffnet. Warten Sie ${seconds > 0 ? `${seconds} Sekunden` : 'eine Minute'} und laden Sie die Seite dann neu.`,
  requestId: (id) => `Anfrage ${id}`,
  toStart: 'Zur Startseite',
}

export const unusablePage: typeof English.unusablePage = {
  heading: 'Dieser Link funktioniert nicht',
  lead: 'Der Link, der Sie hierher geführt hat, ist falsch. Es ist nichts geschehen, und Sie wurden nicht weitergeleitet.',
  help: 'Gehen Sie zurück und beginnen Sie neu. Geschieht es wieder, sagen Sie es der Person, von der der Link stammt.',
  forMaker: 'Für die Person, von der der Link stammt',
}

export const signInPage: typeof English.signInPage = {
  title: 'Anmelden',
  description: 'Mit einer Wallet an diesem Proofgate-Server anmelden.',
  faults: {
    repeated: (name) => `${name} steht mehr als einmal darin`,
    foreignReturn: 'er führt zu einer Adresse außerhalb dieser Anmeldung',
    agent: 'er richtet einen Agenten ein, verlangt aber nur eine Anmeldung',
    unknownIntent: 'er verlangt etwas, das diese Seite nicht kann',
    twoPlaces: 'er nennt zwei Ziele: returnTo und eine andere Website',
  },
  withoutLink: 'Ohne den Link anmelden',
  appTitle: 'Eine App bittet um Zugriff',
  appLead:
    'Melden Sie sich zuerst mit Ihrer Wallet an. Die nächste Seite zeigt, welche App worum bittet. Sie bekommt nichts, solange Sie dort nicht zustimmen.',
  lead: 'Signieren Sie einen kurzen Text, um zu zeigen, dass die Wallet Ihnen gehört. Das ist kostenlos und sendet keine Transaktion.',
  siteAsks: (site) => [
    'Die Website ',
    site,
    ' fragt, welche Wallet Ihnen gehört. Sie erfährt es nur, wenn Sie nach der Anmeldung zustimmen.',
  ],
  siteAsksWho: (site) => [
    'Die Website ',
    site,
    ' fragt, wer Sie sind. Sie erfährt es nur, wenn Sie nach der Anmeldung zustimmen.',
  ],
  siteOnly: (site) => [
    'Danach können Sie zu ',
    site,
    ' weitergehen. Die Website erfährt nichts über Sie, weil der Betreiber dieses Servers sie nicht eingetragen hat.',
  ],
  signedIn: 'Angemeldet',
  youAreSignedIn: 'Sie sind angemeldet',
  signedInAppLead:
    'Eine App bittet um Zugriff. Die nächste Seite zeigt, welche App worum bittet. Sie bekommt nichts, solange Sie dort nicht zustimmen.',
  wallet: 'Wallet',
  siteGets: (site, withProfile) => [
    'Die Website ',
    site,
    ` fragt, welche Wallet Ihnen gehört. Sie bekommt diese Adresse${withProfile ? ' und die Kennung Ihres Profils, die für alle Ihre verknüpften Wallets dieselbe ist' : ''}. Sie kann nicht für Sie handeln.`,
  ],
  siteGetsWho: (site) => [
    'Die Website ',
    site,
    ' fragt, wer Sie sind. Wenn Sie zustimmen, bekommt sie diese Adresse und die Kennung Ihres Profils, die für alle Ihre verknüpften Wallets dieselbe ist. Sie kann nicht für Sie handeln.',
  ],
  tell: (site) => `${site} Bescheid geben`,
  tellWho: (site) => `${site} sagen, wer ich bin`,
  goOnSilently: 'Weiter, ohne etwas zu sagen',
  goOnTo: (site) => `Weiter zu ${site}`,
  continue: 'Weiter',
  toDashboard: 'Zu meinen Nachweisen',
  signOut: 'Abmelden',
  anotherWallet: 'Andere Wallet verwenden',
  withoutWallet: 'Keine Wallet in diesem Browser?',
  byCommand: 'Mit der Kommandozeile anmelden',
  byCommandHelp: (prefix) => [
    'Führen Sie dies dort aus, wo Proofgate und Ihr Schlüssel liegen. Es gibt ein langes Wort aus, das mit ',
    prefix,
    ' beginnt.',
  ],
  copyCommand: 'Befehl kopieren',
  printed: 'Das ausgegebene Wort',
  printedHint: 'Sie können es einmal verwenden, innerhalb von 10 Minuten.',
  byHand: 'Mit einem anderen Werkzeug anmelden',
  address: 'Adresse der Wallet',
  addressHint: 'Eine Adresse von Ethereum oder einer kompatiblen Chain (0x…), oder von Solana.',
  showText: 'Text zum Signieren anzeigen',
  signExactly: 'Signieren Sie genau diesen Text',
  copyText: 'Text zum Signieren kopieren',
  signature: 'Die Signatur',
  signatureHint: 'Ethereum: eine persönliche Nachricht (EIP-191), die mit 0x beginnt. Solana: base58 oder hexadezimal.',
}

export const walletChoice: typeof English.walletChoice = {
  looking: 'Suche nach Wallets in diesem Browser …',
  none: 'Keine Wallet hat geantwortet. Das können Sie tun:',
  onComputer:
    'Am Computer: Fügen Sie diesem Browser eine Wallet als Erweiterung hinzu (MetaMask, Rabby, Phantom oder eine andere) und laden Sie die Seite neu.',
  onPhone: 'Am Telefon: Öffnen Sie diese Seite im Browser Ihrer Wallet-App. Die Adresse:',
  copyAddress: 'Adresse dieser Seite kopieren',
  wrongAddress: (here, home) =>
    `Diese Seite ist unter ${here} geöffnet. Anmelden und Nachweise erstellen können Sie unter ${home}.`,
  goHome: (host) => `Weiter bei ${host}`,
  noScript:
    'Eine Wallet zu fragen braucht JavaScript, und das ist in diesem Browser ausgeschaltet. Schalten Sie es für diese Seite ein und laden Sie sie neu. Die Seite lädt kein fremdes Skript.',
}

export const signIn: typeof English.signIn = {
  failed: 'Nicht angemeldet',
  waitingFor: (wallet) => `Warte auf ${wallet}. Öffnen Sie die Wallet, falls kein Fenster erschienen ist.`,
  switched: (wallet) => `Sie haben das Konto in ${wallet} gewechselt. Beginnen Sie neu.`,
  disconnected: (wallet) => `${wallet} hat diese Seite getrennt. Beginnen Sie neu.`,
  signText: (wallet) => `Signieren Sie den Text, den ${wallet} zeigt.`,
  checking: 'Prüfe die Signatur …',
  done: 'Angemeldet.',
  goingOn: 'Angemeldet. Es geht weiter …',
  noToken: 'Fügen Sie das Wort ein, das „proofgate sign“ ausgegeben hat.',
  noAddress: 'Geben Sie die Adresse der Wallet ein, die signieren wird.',
  askingForText: 'Hole den Text …',
  noSignature: 'Fügen Sie die Signatur des Textes ein.',
  noWallet: 'Keine Wallet in diesem Browser',
  oneWallet: 'Anmelden mit',
  chooseWallet: 'Wählen Sie eine Wallet',
  leaving: 'Es geht weiter …',
  openerGone:
    'Die Seite, die dieses Fenster geöffnet hat, ist geschlossen. Gehen Sie zurück zur Website und beginnen Sie neu.',
  signingOut: 'Melde ab …',
}
