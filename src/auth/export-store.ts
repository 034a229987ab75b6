/** The lines of access keys and sessions for an export, without what signs in: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

const own = `p.id IN (${ownProfiles})`

export const signInExporters: readonly Exporter[] = [
  makeExporter({
    name: 'access-keys',
    tables: ['access_keys'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('access_keys k', 'keyId', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'revokedAt')}
      FROM access_keys k JOIN profiles p ON p.id = k.profile`,
    order: 'k.id',
    own,
  }),
  makeExporter({
    name: 'sessions',
    tables: ['sessions'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('sessions s', 'account', 'agent', 'createdAt', 'seenAt', 'expiresAt')}
      FROM sessions s JOIN profiles p ON p.id = s.profile`,
    order: 's.created_at, s.hash',
    own,
  }),
]
