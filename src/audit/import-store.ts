/** Makes the audit log from the lines of an export: SQL and nothing else. */
import type { Importer } from '../db/importing.ts'

export const selectNewestEvent = 'SELECT coalesce(max(id), 0) AS id FROM audit_events'

/** A line of nobody has no name of its own: one that was here before this import and says the same is the same. */
const isNewOfNobody = `CAST($subject AS TEXT) IS NULL AND NOT EXISTS (
  SELECT 1 FROM audit_events e
  WHERE e.at = $at AND e.event = $event AND e.profile IS NULL AND e.details = $details AND e.id <= $newEvents)`

export const auditImporter: Importer = {
  name: 'audit-events',
  holder: 'SELECT 1 WHERE $subject IS NULL OR EXISTS (SELECT 1 FROM profiles p WHERE p.subject = $subject)',
  insert: [
    `INSERT INTO audit_events (at, event, profile, details)
     SELECT $at, $event, (SELECT p.id FROM profiles p WHERE p.subject = $subject), $details
     WHERE (${isNewOfNobody}) OR EXISTS (SELECT 1 FROM profiles p WHERE p.subject = $subject AND p.id > $newProfiles)`,
  ],
}
