/** The lines of signed texts that were used, for an export: SQL and nothing else. */
import { type Exporter, makeExporter, writeHashOrNull } from './exporting.ts'
import { compose, label, pick, pickHash } from './query.ts'

/** Of the whole server alone: a mark does not say whose text it was. */
export const spentTextExporter: Exporter = makeExporter({
  name: 'spent-texts',
  tables: ['spent_signatures'],
  select: compose`
    SELECT ${pickHash('spent_signatures s', 'digest')}, ${pick('spent_signatures s', 'expiresAt')},
      ${writeHashOrNull('s.q_hash')} AS ${label('qHash', 'text or null')}
    FROM spent_signatures s`,
  order: 's.expires_at, s.digest',
})
