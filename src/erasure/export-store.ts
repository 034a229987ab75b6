/** The lines of erasures for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownAccounts } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

/** A receipt names nobody. While its erasure goes on, that one names the wallet. */
export const erasureExporter: Exporter = makeExporter({
  name: 'erasure-receipts',
  tables: ['erasure_receipts'],
  select: compose`SELECT ${pick('erasure_receipts r', 'total', 'begunAt', 'endedAt')} FROM erasure_receipts r`,
  order: 'r.begun_at, r.handle',
  own: `r.handle IN (SELECT e.receipt FROM erasures e WHERE e.wallet IN (${ownAccounts}))`,
})
