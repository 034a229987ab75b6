/** The lines of secrets for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles } from '../db/exporting.ts'
import { compose, pick, pickHash } from '../db/query.ts'
import { writeSecretContext } from './secret.ts'

export const secretExporter: Exporter = makeExporter({
  name: 'secrets',
  tables: ['secrets'],
  select: compose`
    SELECT ${pickHash('secrets s', 'qHash')}, ${pick('profiles p', 'subject')}, ${pick('secrets s', 'wallet', 'alias', 'type', 'createdAt', 'revokedAt', 'sealed')}
    FROM secrets s JOIN profiles p ON p.id = s.profile`,
  order: 's.id',
  own: `s.profile IN (${ownProfiles})`,
  opens: { field: 'content', writeContext: ({ qHash }) => writeSecretContext(qHash) },
})
