/** Die Wörter eines Diagramms. */
import type * as English from '../en/chart.ts'

export const chart: typeof English.chart = {
  hours: (count, total) => `Die letzten ${count} Stunden: zusammen ${total}`,
  days: (count, total) => `Die letzten ${count} Tage: zusammen ${total}`,
  label: (title, values) => `${title}: ${values}. Die Tabelle darunter enthält alle Zahlen.`,
  asTable: 'Zahlen als Tabelle zeigen',
  table: (title) => `${title} als Tabelle`,
  none: 'In diesem Zeitraum wurde nichts gezählt.',
  day: 'Tag (UTC)',
  hour: 'Stunde',
}
