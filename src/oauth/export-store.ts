/** The lines of clients, and of what people allow them, for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

const own = `p.id IN (${ownProfiles})`

export const oauthExporters: readonly Exporter[] = [
  makeExporter({
    name: 'oauth-clients',
    tables: ['oauth_clients'],
    select: compose`
      SELECT ${pick('oauth_clients c', { client: 'id' }, 'kind', 'name', 'redirectUris', 'createdAt', 'usedAt', 'expiresAt')}
      FROM oauth_clients c`,
    json: ['redirectUris'],
  }),
  makeExporter({
    name: 'oauth-consents',
    tables: ['oauth_consents'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('oauth_consents c', 'client', 'redirectHost', 'scope', 'createdAt')}
      FROM oauth_consents c JOIN profiles p ON p.id = c.profile`,
    own,
  }),
  makeExporter({
    name: 'oauth-grants',
    tables: ['oauth_families'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('oauth_families f', 'client', 'account', 'scope', 'resource', 'redirectHost', 'signedInAt', 'createdAt', 'expiresAt', 'refreshEndsAt', 'accessEndsAt', 'revokedAt', 'reason')}
      FROM oauth_families f JOIN profiles p ON p.id = f.profile`,
    own,
  }),
  makeExporter({
    name: 'signing-keys',
    tables: ['oauth_keys'],
    // The public half alone: another server makes keys of its own.
    select: compose`
      SELECT ${pick('oauth_keys k', 'kid', 'alg', 'publicJwk', 'createdAt', 'notBefore', 'retiredAt')}
      FROM oauth_keys k`,
    json: ['publicJwk'],
  }),
]
