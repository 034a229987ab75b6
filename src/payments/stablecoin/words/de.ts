/** Die deutschen Wörter für die Zahlung mit einem Stablecoin. */
import type { MethodWords } from '../../method-words.ts'
import type * as English from './en.ts'

export const words: MethodWords = {
  label: 'Stablecoin',
  receiptLabel: 'Überweisung eines Stablecoins',
  setupName: 'einem Stablecoin',
}

export const view: typeof English.view = {
  lookedAt: 'Abgelehnte Überweisung',
  lookAgain: 'Noch einmal nach ihr sehen',
  heading: 'Mit einem Stablecoin',
  asking: 'Frage nach dem Betrag …',
  withoutPlace: (payer) =>
    `Sie können trotzdem jetzt bezahlen, von ${payer}. Es ist kein Platz für Sie frei gehalten. Nimmt jemand vorher den letzten, schuldet Ihnen der Verkäufer, was Sie bezahlt haben.`,
  pay: (amount, asset) => `${amount} ${asset} mit der Wallet bezahlen`,
  amount: 'Betrag',
  exactly: 'Von anderswo, genau',
  chain: 'Chain',
  recipient: 'An',
  token: 'Token',
  keepAgain: 'Erneut reservieren',
  digits:
    'Bezahlen Sie von anderswo, senden Sie genau den Betrag: An den letzten Ziffern erkennen wir Ihre Überweisung.',
  elsewhere: 'Von anderswo bezahlt?',
  fromPayer: (payer) => `Die Überweisung muss von ${payer} oder einer verknüpften Wallet kommen.`,
  fromAnywhere: (amounts, payer) =>
    `Eine Überweisung von genau ${amounts.join(' oder ')} zählt von jeder Wallet. Ein anderer Betrag zählt nur von ${payer} oder einer verknüpften Wallet.`,
  paid: 'Ich habe bezahlt',
  lastMinute: 'noch weniger als eine Minute',
  minutes: (count) => `noch ${count} ${count === 1 ? 'Minute' : 'Minuten'}`,
  kept: (until, left) => `Preis und Platz bleiben Ihnen bis ${until} (${left}).`,
  over: (until) => `Preis und Platz blieben Ihnen bis ${until}. `,
}

export const wallet: typeof English.wallet = {
  unable: 'Diese Wallet kann auf dieser Chain nicht bezahlen. Wählen Sie eine andere.',
  confirm: (amount, wallet, recipient) =>
    `Bestätigen Sie die Überweisung von ${amount} in ${wallet}. Vergleichen Sie den Empfänger: ${recipient}.`,
}
