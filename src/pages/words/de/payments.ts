/** Die Wörter der Zahlungen im Dashboard. */
import type * as English from '../en/payments.ts'

export const payments: typeof English.payments = {
  title: 'Zahlungen',
  lead: 'Was Sie an Ihren Gates eingenommen haben, und was Sie an anderen Gates bekommen haben.',
  tabs: { received: 'Eingenommen', bought: 'Bekommen', paid: 'Bezahlt', unmatched: 'Offen' },
  nothingBought: 'Sie sind noch durch kein Gate gegangen',
  boughtHere:
    'Was Sie an den Gates dieses Servers bekommen, steht hier. Die Adresse eines Gates endet mit seiner Kennung:',
  copyAddress: 'Adresse kopieren',
  nothingPaid: 'Sie haben hier noch nichts bezahlt',
  paidHere: 'Ihre Zahlungen an den Gates dieses Servers stehen hier, mit Transaktion und Quittung.',
  received: 'Eingenommen',
  paymentCount: 'Zahlungen',
  passCount: 'Einlässe, auch kostenlose',
  list: 'Eingenommene Zahlungen',
  nothingReceived: 'Noch keine Zahlungen',
  receivedHere: (build) => [
    'Ein Gate mit einem Preis nimmt Zahlungen an, sobald es aktiv ist. ',
    build,
    '. Das Geld geht an Sie, nicht durch diesen Server. Dieser Befehl zeigt, wie man hier zahlen kann:',
  ],
  build: 'Gate erstellen',
  noneInDays: 'Nichts in diesem Zeitraum',
  showAll: 'Alle Tage zeigen',
  save: 'Als CSV speichern',
  saved: (count, isOne, isAll) =>
    isAll ? `${count} ${isOne ? 'Zeile' : 'Zeilen'} gespeichert.` : `Die neuesten ${count} Zeilen gespeichert.`,
}

export const sale: typeof English.sale = {
  free: 'Kostenlos',
  refunded: (amount) => `${amount} USD erstattet`,
  to: 'an ',
  as: 'als ',
  gate: 'Gate',
  version: (version) => `, Version ${version}`,
  givenTo: 'Gegeben an',
  byWallet: 'Mit Ihrer Wallet',
  when: 'Wann',
  receipt: 'Quittung',
  openReceipt: 'Quittung öffnen',
  confirmation: 'Bestätigung',
  openConfirmation: 'Bestätigung öffnen',
  paid: 'Bezahlt',
  refundedName: 'Erstattet',
  from: 'Von',
  transactionOn: (chain) => `Transaktion auf ${chain}`,
  reference: 'Referenz',
  openExplorer: 'Im Explorer öffnen',
  showRewards: 'Zeigen, was ich bekommen habe',
  reward: 'Was Sie bekommen haben',
  onlyAccess: 'Sie haben Zugang bekommen. Mehr gibt es nicht zu zeigen.',
  states: {
    disputed: {
      word: 'Angefochten',
      sentence:
        'Der Inhaber der Karte ficht die Zahlung an. Die Belohnung wird zurückgehalten, und ihr Platz bleibt reserviert. Gewinnen Sie, wird die Belohnung wieder gegeben.',
    },
    'taken back': {
      word: 'Zurückgenommen',
      sentence:
        'Die Zahlung wurde erstattet, angefochten oder von der Chain verworfen. Die Belohnung wird zurückgehalten.',
    },
    'refunded in part': {
      word: 'Teilweise erstattet',
      sentence: 'Ein kleiner Teil der Zahlung wurde erstattet. Die Belohnung bleibt.',
    },
    'let in': { word: 'Eingelassen', sentence: 'Das Gate war kostenlos.' },
    paid: { word: 'Bezahlt', sentence: 'Die Zahlung ist endgültig, und die Belohnung wurde gegeben.' },
    'paid (settling)': {
      word: 'Bezahlt, nicht endgültig',
      sentence: 'Die Belohnung wurde gegeben. Die Zahlung ist noch nicht endgültig, darum beobachtet sie der Server.',
    },
  },
}

export const unmatched: typeof English.unmatched = {
  atGates: 'An Ihren Gates',
  allBought: 'Jede Zahlung an Ihren Gates hat etwas gekauft.',
  byWallets: 'Von Ihren Wallets',
  allUsed: 'Jede Ihrer Zahlungen hat etwas gekauft.',
  none: 'Nichts vorhanden',
  more: 'Mehr zeigen',
  states: { owed: 'Geschuldet', refunding: 'Wird erstattet', refunded: 'Erstattet', used: 'Verwendet' },
  reasons: {
    GATE_SOLD_OUT: 'Das Gate war ausverkauft, als sie ankam.',
    GATE_LIMIT_REACHED: 'Die Wallet hatte ihr Limit erreicht, als sie ankam.',
    GATE_ENDED: 'Das Gate war beendet, als sie ankam.',
    GATE_PAUSED: 'Das Gate war pausiert, als sie ankam.',
    GATE_NOT_FOUND: 'Das Gate war gelöscht oder privat, als sie ankam.',
    PROOF_NOT_VERIFIED: 'Der Nachweis war widerrufen oder abgelaufen, als sie ankam.',
    PROOF_NOT_FOUND: 'Der Nachweis wurde gelöscht, bevor sie ankam.',
    AMOUNT_TOO_LOW: 'Sie war niedriger als der Preis.',
    RECIPIENT_CHANGED: 'Sie ging an den früheren Empfänger des Gates.',
    PAYMENT_TOO_OLD: 'Sie war zu alt, als sie genannt wurde.',
    GATE_FREE: 'Das Gate war inzwischen kostenlos.',
    GATE_NOT_STARTED: 'Das Gate hatte noch nicht begonnen.',
    GATE_REQUIREMENTS_NOT_MET: 'Die Wallet hatte nicht nachgewiesen, was das Gate verlangt.',
    QUOTE_ENDED: 'Sie kam an, als der reservierte Preis und Platz abgelaufen waren.',
    ALREADY_FULFILLED: 'Eine andere Zahlung für denselben Nachweis kam zuerst.',
  },
  refunding: 'Dieser Server erstattet sie auf die Karte.',
  youGaveBack: 'Sie haben angegeben, dass Sie sie zurückgegeben haben. Niemand kann sie mehr verwenden.',
  sellerGaveBack: 'Der Verkäufer gibt an, dass sie zurückgegeben wurde. Sie können sie nicht mehr verwenden.',
  refunded: 'Sie wurde auf die Karte erstattet.',
  used: 'Sie hat an einem anderen Gate desselben Verkäufers etwas gekauft.',
  goneFromYou:
    'Die Chain hat sie verworfen, darum haben Sie das Geld nicht. Senden Sie es nicht zurück. Der Server sucht danach.',
  goneFromSeller:
    'Die Chain hat sie verworfen. Der Server sucht danach. Niemand kann sie verwenden, bis sie wieder da ist.',
  withYou:
    'Sie haben das Geld, und niemand kann es hier verwenden. Geben Sie es zurück, und geben Sie das zuerst hier an.',
  withSeller: 'Der Verkäufer hat das Geld. Bitten Sie ihn, es zurückzugeben.',
  payerMayUse: (isQuoted) =>
    `Sie haben das Geld. ${isQuoted ? 'Wer gezahlt hat oder das Angebot hat,' : 'Wer gezahlt hat,'} kann es für jedes Ihrer Gates verwenden, das nicht mehr kostet. Bevor Sie es zurücksenden, geben Sie das hier an.`,
  youMayUse: (isQuoted) =>
    `Der Verkäufer hat das Geld. Sie können es für jedes Gate desselben Verkäufers verwenden, das nicht mehr kostet. Geben Sie dort die Transaktion an. ${isQuoted ? 'Das kann auch die Wallet, die gezahlt hat.' : 'Nehmen Sie die Wallet, die gezahlt hat.'} Oder bitten Sie den Verkäufer, es zurückzugeben.`,
  sendBack: 'Ich sende sie zurück',
  sendBackTitle: 'Diese Zahlung zurückgeben?',
  sendBackYes: 'Als zurückgegeben vermerken',
  sendBackFirst:
    'Drücken Sie das, bevor Sie das Geld senden. Sonst kann man es noch an einem anderen Ihrer Gates verwenden, und Sie verlieren es zweimal. Wird das abgelehnt, senden Sie das Geld nicht.',
  sendBackEffect:
    'Wer gezahlt hat, sieht, dass Sie die Zahlung zurückgegeben haben. Dieser Server prüft das nicht. Es lässt sich nicht rückgängig machen.',
  gate: 'Gate',
  paid: 'Bezahlt',
  from: 'Von',
  transaction: 'Transaktion',
  reference: 'Referenz',
  sentBackBy: 'Zurückgesendet mit',
}
