/** The words of the filter that narrows a list to some days. */

export const dayFilter = {
  label: 'Date',
  any: 'Any time',
  presets: {
    today: 'Today',
    week: 'Last 7 days',
    thirty: 'Last 30 days',
    month: 'This month',
    'last-month': 'Last month',
    year: 'This year',
    days: 'Choose days …',
  },
  first: 'From',
  last: 'To',
  backwards: 'The last day is before the first one. Choose a later day.',
}
