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
  pays: (who, amount, methods) => `${who} und ${amount} USD${methods === '' ? '' : ` mit ${methods}`} bezahlt`,
  letIn: 'kommt hinein',
  gets: (rewards) => `bekommt ${rewards}`,
  rewards: { access_granted: 'Zugang', reveal: 'einen geheimen Text', redirect: 'einen Link', download: 'eine Datei' },
  quote: (text) => `„${text}“`,
  more: '… (den Rest sagt die Definition)',
  optional: (who) => `Nicht nötig, aber erwünscht: wer ${who}.`,
  fresh: (hours) => (hours === 1 ? 'Nachweise zählen eine Stunde lang.' : `Nachweise zählen ${hours} Stunden lang.`),
  paymentFirst: 'Die Zahlung wird verlangt, bevor die Nachweise geprüft werden.',
  refund: (percent) => `Ab einer Erstattung von ${percent} % der Zahlung geht die Belohnung verloren.`,
  moments: {
    first_block:
      'Nach einer Zahlung auf einer Chain kommt die Belohnung mit dem ersten Block. Die Chain kann die Zahlung noch zurücknehmen.',
    confirmations:
      'Nach einer Zahlung auf einer Chain kommt die Belohnung mit den Bestätigungen, die dieser Server verlangt.',
    final:
      'Nach einer Zahlung auf einer Chain kommt die Belohnung, sobald die Zahlung endgültig ist. Das dauert meist bis zu einer halben Stunde.',
  },
  leads: (address) => `Danach führt ein Knopf zu ${address}.`,
  listed: (label) => `Das Gate wird öffentlich angezeigt als ${label}.`,
  seenBy: {
    public: 'Alle können das Gate sehen. Es steht in keiner öffentlichen Liste.',
    unlisted: 'Nur wer die Kennung kennt, sieht das Gate.',
    private: 'Nur Sie sehen dieses Gate und können es nutzen.',
  },
  draft: 'Das Gate ist ein Entwurf. Nur Sie sehen es.',
  paused: 'Das Gate ist pausiert. Im Moment kommt niemand hinein.',
  supply: (times) => `Insgesamt höchstens ${times}-mal.`,
  perWallet: (times) => (times === 1 ? 'Einmal je Wallet.' : `Höchstens ${times}-mal je Wallet.`),
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
  recheck: ' und bei der Übergabe noch erfüllt',
}
