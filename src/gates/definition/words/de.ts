/** Die Sätze eines Gates in einfachen Worten. */
import type * as English from './en.ts'

const units = {
  day: ['Tag', 'Tage'],
  hour: ['Stunde', 'Stunden'],
  minute: ['Minute', 'Minuten'],
  second: ['Sekunde', 'Sekunden'],
  millisecond: ['Millisekunde', 'Millisekunden'],
} as const

export const plainWords: typeof English.plainWords = {
  and: 'und',
  or: 'oder',
  beforeLast: '',
  admits: (who, gets) => `Wer ${who}, ${gets}.`,
  pays: (who, amount, methods) => `${who} und ${amount} USD${methods === '' ? '' : ` (${methods})`} bezahlt`,
  letIn: 'kommt hinein',
  gets: (rewards) => `bekommt ${rewards}`,
  rewards: {
    access_granted: 'Zugang',
    reveal: 'einen geheimen Text',
    redirect: 'einen Link zum Öffnen',
    download: 'eine Datei zum Herunterladen',
  },
  quote: (text) => `„${text}“`,
  more: '… (den Rest sagt die Definition)',
  optional: (who) => `Optional: wer ${who}.`,
  fresh: (hours) => (hours === 1 ? 'Ein Nachweis gilt 1 Stunde.' : `Ein Nachweis gilt ${hours} Stunden.`),
  paymentFirst: 'Zuerst wird die Zahlung verlangt, dann die Nachweise.',
  refund: (percent) => `Ab einer Erstattung von ${percent} % der Zahlung geht die Belohnung verloren.`,
  moments: {
    first_block:
      'Bei Zahlung auf einer Chain kommt die Belohnung mit dem ersten Block. Die Chain kann die Zahlung noch zurücknehmen.',
    confirmations: 'Bei Zahlung auf einer Chain kommt die Belohnung, wenn die Zahlung bestätigt ist.',
    final:
      'Bei Zahlung auf einer Chain kommt die Belohnung, wenn die Zahlung endgültig ist, meist in einer halben Stunde.',
  },
  leads: (address) => `Danach führt ein Knopf zu ${address}.`,
  listed: (label) => `Das Gate ist öffentlich aufgelistet, angezeigt als ${label}.`,
  seenBy: {
    public: 'Alle sehen das Gate. Es ist nicht öffentlich aufgelistet.',
    unlisted: 'Alle mit dem Link sehen das Gate.',
    private: 'Nur Sie sehen dieses Gate und können es nutzen.',
  },
  draft: 'Das Gate ist ein Entwurf. Nur Sie sehen es.',
  paused: 'Das Gate ist pausiert. Niemand kommt hinein.',
  supply: (times) => `Limit insgesamt: ${times}.`,
  perWallet: (times) => `Limit je Wallet: ${times}.`,
  between: (start, end) => `Von ${start} bis ${end}.`,
  from: (start) => `Ab ${start}.`,
  until: (end) => `Bis ${end}.`,
  guest: 'auf der Gästeliste steht',
  proof: (verifier) => `„${verifier}“ nachweist`,
  ops: { eq: 'ist', gte: 'mindestens', lte: 'höchstens' },
  different: (number) => `, und zwar ${number} verschiedene`,
  age: (number, unit) =>
    number === 1
      ? ` (Nachweis höchstens 1 ${units[unit][0]} alt)`
      : ` (Nachweis höchstens ${number} ${units[unit][1]} alt)`,
  final: ' in einem endgültigen Block',
  recheck: ', beim Einlass noch einmal geprüft',
}
