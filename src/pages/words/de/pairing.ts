/** Die Wörter für das Verbinden von Computer und Telefon. */
import type * as English from '../en/pairing.ts'

export const pair: typeof English.pair = {
  failed: 'Nicht verbunden',
  noCode:
    'Der Code fehlt. Scannen Sie den Code am Computer noch einmal, mit der Kamera oder mit dem Scanner in Ihrer Wallet-App.',
  loading: 'Lade …',
  asks: 'Ein Computer möchte eine Wallet dieses Telefons verwenden.',
  server: 'Server',
  purpose: 'Wofür',
  purposes: {
    'sign-in': 'Am Computer anmelden',
    verify: 'Am Computer einen Nachweis erstellen',
    checkout: 'Am Computer ein Gate passieren',
  },
  site: 'Laut dem Computer geöffnet von',
  onlyYours:
    'Machen Sie nur weiter, wenn dieser Code gerade auf Ihrem eigenen Computer steht. Hat Ihnen jemand den Code oder diese Seite geschickt? Dann brechen Sie ab: Die Person würde mit Ihrer Wallet handeln.',
  goOn: 'Zahl zeigen',
  compare: 'Zahlen vergleichen',
  question: 'Zeigt Ihr Computer dieselbe Zahl?',
  same: 'Ja, dieselbe Zahl',
  different: 'Nein, oder keine Zahl',
  confirmThere: 'Bestätigen Sie die Zahl jetzt am Computer.',
  chooseWallet: 'Wählen Sie die Wallet für den Computer',
  lent: (wallet) => `Der Computer kann ${wallet} jetzt fragen. Sie sehen und bestätigen jede Anfrage hier.`,
  keepOpen: 'Machen Sie am Computer weiter. Lassen Sie diese Seite offen.',
  signTitle: 'Für den Computer signieren?',
  signsIn: (server) => ['Damit ist der Computer bei ', server, ' als Ihre Wallet angemeldet.'],
  looks: 'Damit kann der Computer nach Ihren privaten Nachweisen sehen. Es ändert nichts.',
  claims: 'Damit entsteht ein Nachweis im Namen Ihrer Wallet.',
  links: 'Damit verknüpfen Sie Ihre Wallet mit einer anderen. Beide zählen dann als eine Person.',
  delegates: 'Damit darf ein Agent für Ihre Wallet handeln.',
  signedAt: 'Datum',
  endsAt: 'Erlaubt bis',
  wholeText: 'Der ganze Text',
  sign: (wallet) => `Mit ${wallet} signieren`,
  decline: 'Nicht signieren',
  declined: 'Nicht signiert. Der Computer weiß es.',
  payTitle: 'Für den Computer bezahlen?',
  pays: (server) => ['Damit bezahlen Sie an einem Gate von ', server, ' mit Ihrer Wallet.'],
  gate: 'Gate',
  buyer: 'Zutritt für',
  amount: 'Betrag',
  chain: 'Netzwerk',
  recipient: 'An',
  token: 'Vertrag des Tokens',
  keptUntil: 'Preis gilt bis',
  compareThere: 'Vergleichen Sie Betrag und Empfänger mit dem Computer, und in der Wallet, bevor Sie bestätigen.',
  pay: (amount, wallet) => `${amount} mit ${wallet} bezahlen`,
  paying: (wallet) => `Bestätigen Sie die Zahlung in ${wallet}.`,
  cannotPay: (wallet) =>
    `${wallet} kann von dieser Seite aus nicht bezahlen. Es wurde nichts bezahlt. Bezahlen Sie mit einer anderen Wallet oder von anderswo.`,
  declinePayment: 'Nicht bezahlen',
  notPaid: 'Es wurde nichts bezahlt. Der Computer weiß es.',
  paid: 'Gesendet. Machen Sie am Computer weiter und lassen Sie diese Seite offen.',
  paidUnheard: 'Die Zahlung ist gesendet, aber der Computer weiß es nicht.',
  unheard:
    'Sie haben bezahlt. Bezahlen Sie nicht noch einmal. Der Computer weiß es noch nicht: Kopieren Sie die Transaktion und geben Sie sie dort unter „Von anderswo bezahlt?“ ein.',
  copyTransaction: 'Transaktion kopieren',
  signing: (wallet) => `Signieren Sie den Text in ${wallet}.`,
  sending: 'Der Computer erfährt es …',
  tooLate: 'Der Computer wartet nicht mehr darauf. Nichts wurde übergeben.',
  replaced: 'Der Computer fragt jetzt nach etwas anderem. Lesen Sie es, bevor Sie bestätigen.',
  sent: 'Signiert. Machen Sie am Computer weiter und lassen Sie diese Seite offen.',
  switched: (wallet) =>
    `Sie haben das Konto in ${wallet} gewechselt. Scannen Sie einen neuen Code, um damit weiterzumachen.`,
  stop: 'Vom Computer trennen',
  ended: {
    'by-computer': 'Der Computer ist fertig. Sie können diese Seite schließen.',
    'by-phone': 'Getrennt. Der Computer kann dieses Telefon um nichts mehr bitten.',
    'numbers-differ':
      'Abgebrochen. Der Computer hat nichts bekommen. Wenn Sie eine andere Zahl erwartet haben, scannen Sie einen neuen Code.',
    'second-phone':
      'Ein zweites Telefon hat denselben Code geöffnet, deshalb wurde abgebrochen. Der Computer hat nichts bekommen.',
    'computer-gone': 'Die Seite am Computer wurde geschlossen. Zeigen Sie dort einen neuen Code, um weiterzumachen.',
    'too-old': 'Die Zeit ist um. Zeigen Sie am Computer einen neuen Code, um weiterzumachen.',
  },
  unknown:
    'Dieser Code wurde schon verwendet, ist zu alt, oder der Server wurde neu gestartet. Zeigen Sie am Computer einen neuen Code.',
  taken: 'Ein anderes Telefon hat diesen Code schon geöffnet. Zeigen Sie am Computer einen neuen Code.',
}

export const phone: typeof English.phone = {
  scan: 'Scannen Sie diesen Code mit Ihrem Telefon',
  how: 'Mit der Kamera oder mit dem Scanner in Ihrer Wallet-App. Der Code gilt einmal, 5 Minuten lang. Zeigen Sie ihn niemandem.',
  qr: 'QR-Code, der Ihr Telefon verbindet',
  loopback: 'Dieser Server ist nur auf diesem Computer erreichbar. Ein Telefon kann den Code nicht öffnen.',
  compare: 'Zahlen vergleichen',
  question: 'Zeigt Ihr Telefon dieselbe Zahl?',
  same: 'Ja, dieselbe Zahl',
  different: 'Nein, oder keine Zahl',
  confirmThere: 'Bestätigen Sie die Zahl jetzt auf Ihrem Telefon.',
  chooseThere: 'Wählen Sie jetzt die Wallet auf Ihrem Telefon.',
  connected: 'Ihr Telefon ist verbunden. Lassen Sie seine Seite offen.',
  signThere: 'Signieren Sie auf Ihrem Telefon. Es zeigt den Text.',
  payThere: 'Bezahlen Sie auf Ihrem Telefon. Es zeigt Betrag und Empfänger.',
  stop: 'Telefon trennen',
  ended: {
    'by-computer': 'Das Telefon wurde getrennt.',
    'by-phone': 'Das Telefon hat sich getrennt. Zeigen Sie einen neuen Code, um damit weiterzumachen.',
    'numbers-differ':
      'Abgebrochen, weil die Zahlen verschieden sind. Das Telefon hat nichts bekommen. Zeigen Sie einen neuen Code, um es noch einmal zu versuchen.',
    'second-phone':
      'Zwei Telefone haben den Code geöffnet, deshalb wurde abgebrochen. Niemand hat etwas bekommen. Zeigen Sie einen neuen Code, um es noch einmal zu versuchen.',
    'computer-gone':
      'Der Server hat zu lange nichts von dieser Seite gehört. Zeigen Sie einen neuen Code, um weiterzumachen.',
    'too-old': 'Die Zeit für diesen Code ist um. Zeigen Sie einen neuen, um weiterzumachen.',
  },
  unknown:
    'Der Server kennt diesen Code nicht mehr, vielleicht nach einem Neustart. Zeigen Sie einen neuen, um weiterzumachen.',
}
