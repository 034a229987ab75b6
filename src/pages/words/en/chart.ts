/** The words of a chart. */

export const chart = {
  hours: (count: number, total: string) => `Last ${count} hours: ${total} in total`,
  days: (count: number, total: string) => `Last ${count} days: ${total} in total`,
  label: (title: string, values: string) => `${title}: ${values}. The table below has all numbers.`,
  asTable: 'Show the numbers as a table',
  table: (title: string) => `${title}, as a table`,
  none: 'Nothing was counted in this period.',
  day: 'Day (UTC)',
  hour: 'Hour',
}
