/** The lines of daily numbers for an export: SQL and nothing else. */
import { type Exporter, makeExporter } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

export const numberExporter: Exporter = makeExporter({
  name: 'daily-numbers',
  tables: ['daily_numbers'],
  select: compose`SELECT ${pick('daily_numbers n', 'kind', 'day', 'subject', 'count')} FROM daily_numbers n`,
  order: 'n.kind, n.day, n.subject',
})
