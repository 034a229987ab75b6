/** The lines of operators for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownAccounts } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

export const operatorExporter: Exporter = makeExporter({
  name: 'operators',
  tables: ['operators'],
  select: compose`SELECT ${pick('operators o', 'account', 'createdAt')} FROM operators o`,
  order: 'o.account',
  own: `o.account IN (${ownAccounts})`,
})
