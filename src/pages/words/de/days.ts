/** Die Wörter des Filters, der eine Liste auf einige Tage beschränkt. */
import type * as English from '../en/days.ts'

export const dayFilter: typeof English.dayFilter = {
  label: 'Datum',
  any: 'Gesamter Zeitraum',
  presets: {
    today: 'Heute',
    week: 'Letzte 7 Tage',
    thirty: 'Letzte 30 Tage',
    month: 'Dieser Monat',
    'last-month': 'Letzter Monat',
    year: 'Dieses Jahr',
    days: 'Tage wählen …',
  },
  first: 'Von',
  last: 'Bis',
  backwards: 'Der letzte Tag liegt vor dem ersten. Wählen Sie einen späteren Tag.',
}
