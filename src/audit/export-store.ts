/** The lines of the audit log for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles } from '../db/exporting.ts'
import { compose, pick, pickOptional } from '../db/query.ts'

export const auditExporter: Exporter = makeExporter({
  name: 'audit-events',
  tables: ['audit_events'],
  select: compose`
    SELECT ${pick('audit_events a', 'at', 'event')}, ${pickOptional('profiles p', 'subject')}, ${pick('audit_events a', 'details')}
    FROM audit_events a LEFT JOIN profiles p ON p.id = a.profile`,
  order: 'a.id',
  own: `a.profile IN (${ownProfiles})`,
  json: ['details'],
})
