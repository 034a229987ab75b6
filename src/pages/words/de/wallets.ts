/** Die Wörter über die Wallets eines Browsers. */
import type * as English from '../en/wallets.ts'

export const walletChoice: typeof English.walletChoice = {
  looking: 'Suche nach Wallets in diesem Browser …',
  onComputer:
    'Fügen Sie diesem Browser eine Wallet als Erweiterung hinzu (MetaMask, Rabby, Phantom oder eine andere). Laden Sie dann die Seite neu. Oder verwenden Sie die Wallet auf Ihrem Telefon.',
  noPhone: (host) =>
    `Ein Telefon kann ${host} nicht öffnen, denn das ist nur dieser Computer. Betreiben Sie diesen Server? Stellen Sie base_url auf eine Adresse, die das Telefon erreicht.`,
  onPhone: 'Öffnen Sie diese Seite im Browser Ihrer Wallet-App. Tippen Sie Ihre App an, oder kopieren Sie die Adresse.',
  copyAddress: 'Adresse dieser Seite kopieren',
  wrongAddress: (here, home) =>
    `Diese Seite ist unter ${here} geöffnet. Anmelden und Nachweise erstellen können Sie unter ${home}.`,
  goHome: (host) => `Weiter bei ${host}`,
  noScript:
    'Eine Wallet zu fragen braucht JavaScript, und das ist in diesem Browser ausgeschaltet. Schalten Sie es für diese Seite ein und laden Sie sie neu. Die Seite lädt kein fremdes Skript.',
}

export const pairPage: typeof English.pairPage = {
  title: 'Wallet dieses Telefons am Computer verwenden',
  description: 'Mit der Wallet dieses Telefons für eine Seite am Computer signieren.',
  noScript:
    'Das Verbinden mit einem Computer braucht JavaScript, und das ist in diesem Browser ausgeschaltet. Schalten Sie es für diese Seite ein und öffnen Sie den Link erneut.',
}

export const wallets: typeof English.wallets = {
  nameless: 'Eine Wallet ohne Namen',
  legacy: 'Wallet dieses Browsers',
  ethereum: 'Ethereum und kompatible Chains',
  solana: 'Solana',
  none: 'Keine Wallet in diesem Browser',
  another: (wallet) => `Anderes Konto in ${wallet} wählen`,
  waiting: (wallet) => `Warte auf ${wallet}. Öffnen Sie die Wallet, falls kein Fenster erschienen ist.`,
  wrongAccount: (wallet, given, wanted) =>
    `Dieser Schritt braucht das Konto ${wanted}, aber ${wallet} hat ${given} gegeben. Wählen Sie das Konto in der Wallet und versuchen Sie es noch einmal.`,
  slow: 'Das dauert länger als sonst.',
  stopWaiting: 'Nicht mehr warten',
  stoppedWaiting:
    'Sie warten nicht mehr. Der Server wird vielleicht trotzdem fertig. Laden Sie diese Seite neu, bevor Sie es noch einmal versuchen.',
  signIn: 'Mit Ihrer Wallet anmelden',
  signInWhy:
    'Melden Sie sich zuerst an. Ihre Wallet signiert einen kurzen Text, und das ist kostenlos. Dann zählen hier Ihre eigenen Nachweise, und nur Sie sehen, was Sie bekommen.',
  signText: (wallet) => `Signieren Sie den Text, den ${wallet} zeigt.`,
  list: 'Wallets dieses Browsers',
  noneToSign:
    'In diesem Browser ist keine Wallet. Öffnen Sie die Seite in dem Browser mit Ihrer Wallet oder in Ihrer Wallet-App.',
  otherAccount: (wallet) =>
    `${wallet} hat ein anderes Konto gewählt. Wählen Sie das Konto, das oben steht, und versuchen Sie es noch einmal.`,
  checking: 'Prüfe die Signatur …',
  cancel: 'Abbrechen',
  phone: 'Telefon-Wallet',
  usePhone: 'Wallet auf meinem Telefon verwenden',
  connectingPhone: 'Verbinde Ihr Telefon …',
  openIn: (app) => `In ${app} öffnen`,
}
