/** Die Wörter der Quittungen. */
import type * as English from '../en/receipt.ts'

export const receipt: typeof English.receipt = {
  title: 'Quittung',
  price: 'Preis',
  refunded: 'Erstattet',
  method: 'Bezahlt mit',
  network: 'Netzwerk',
  transaction: 'Transaktion',
  reference: 'Zahlungsreferenz',
  payer: 'Bezahlt von',
  recipient: 'Bezahlt an',
  paidAt: 'Bezahlt am',
  gate: 'Gate',
  version: 'Version',
  given: 'Erhalten',
  givenAt: 'Erhalten am',
  kinds: { access_granted: 'Zugang', redirect: 'Ein Link', download: 'Ein Download', reveal: 'Ein Text' },
  more: (count) => `und ${count} weitere`,
  seller: 'Verkäufer',
  buyer: 'Käufer',
  buyerChain: 'Contract-Wallet auf',
  number: 'Quittungsnummer',
  issuer: 'Ausgestellt von',
  states: {
    final: 'Bezahlt. Die Zahlung ist endgültig.',
    settling: 'Bezahlt. Die Zahlung ist noch nicht endgültig.',
    suspended: 'Die Zahlung wurde zurückgenommen. Der Käufer hat zurzeit keinen Zugang.',
    disputed: 'Der Inhaber der Karte bestreitet diese Zahlung. Bis zur Entscheidung hat der Käufer keinen Zugang.',
  },
  unknownAmount: 'Betrag unbekannt',
  check: 'Diese Zahlung prüfen',
  checkTransfer: (chain, explorer, paid) =>
    `Jeder kann sie ohne diesen Server prüfen. Suchen Sie die Transaktion ${
      explorer === undefined ? `in einem Explorer für ${chain}` : `bei ${explorer}`
    }. Sie muss eine Überweisung von ${paid} an die Adresse bei „Bezahlt an“ zeigen, in diesem Token:`,
  checkReference: 'Der Verkäufer kann sie mit dieser Referenz prüfen.',
  token: 'Token-Contract',
  openIn: (host) => `Bei ${host} ansehen`,
  print: 'Drucken oder als PDF speichern',
  seeAgain: 'Gate noch einmal öffnen',
  json: 'Diese Quittung als JSON',
  allPayments: 'Alle Zahlungen',
  free: {
    title: 'Zugangsbestätigung',
    state: (gate) => `Diese Wallet wurde beim Gate „${gate}“ eingelassen.`,
    seller: 'Gate von',
    buyer: 'Für Wallet',
    number: 'Nummer',
    json: 'Diese Bestätigung als JSON',
    all: 'Alles, was Sie bekommen haben',
    allOfGates: 'Alle Einlässe Ihrer Gates',
  },
  unknownTitle: 'Keine Quittung oder Bestätigung gefunden',
  unknown:
    'Ihre Wallets haben keine Quittung oder Bestätigung mit dieser Nummer. Nur die eingelassene Wallet und der Inhaber des Gates können sie öffnen.',
  useAnotherWallet: 'Andere Wallet verwenden',
}
