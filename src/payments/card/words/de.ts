/** Die deutschen Wörter für die Zahlung mit Karte. */
import type { MethodWords } from '../../method-words.ts'
import type * as English from './en.ts'

export const words: MethodWords = {
  label: 'Karte',
  receiptLabel: 'Karte, über Stripe',
  receiptCheck: 'Der Verkäufer kann sie prüfen: Diese Referenz steht in seinem Stripe-Konto.',
}

export const view: typeof English.view = {
  open: (until) =>
    `Sie haben dafür eine Zahlung mit Karte geöffnet. Sie ist bis ${until} offen. Schließen Sie sie dort ab, oder warten Sie bis dahin, bevor Sie anders bezahlen.`,
  paid: 'Dort habe ich bezahlt',
  heading: 'Mit Karte',
  leave: 'Sie bezahlen auf einer Seite von Stripe und kommen dann hierher zurück.',
  hold: 'Ihr Platz ist frei gehalten, solange diese Seite offen ist, höchstens 45 Minuten. Bezahlen Sie und bekommen trotzdem nichts, wird der Karte alles erstattet.',
  pay: 'Mit Karte bezahlen',
  opening: 'Öffne die Seite der Zahlung …',
  held: (until) => `Ihr Platz ist bis ${until} frei gehalten. Öffne die Seite der Zahlung …`,
  failed: 'Die Seite der Zahlung lässt sich nicht öffnen. Versuchen Sie es noch einmal.',
}
