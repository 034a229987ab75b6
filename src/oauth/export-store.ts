/** The lines of clients, and of what people allow them, for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles, writeHashOrNull } from '../db/exporting.ts'
import { compose, label, pick } from '../db/query.ts'

const own = `p.id IN (${ownProfiles})`

export const oauthExporters: readonly Exporter[] = [
  makeExporter({
    name: 'oauth-clients',
    tables: ['oauth_clients'],
    select: compose`
      SELECT ${pick('oauth_clients c', { client: 'id' }, 'kind', 'name', 'redirectUris', 'createdAt', 'usedAt', 'expiresAt')},
        ${writeHashOrNull('c.metadata_hash')} AS ${label('metadataHash', 'text or null')}
      FROM oauth_clients c`,
    order: 'c.created_at, c.id',
    json: ['redirectUris'],
  }),
  makeExporter({
    name: 'oauth-consents',
    tables: ['oauth_consents'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('oauth_consents c', 'client', 'redirectHost', 'scope', 'createdAt')},
        ${writeHashOrNull('link.q_hash')} AS ${label('linkProof', 'text or null')}
      FROM oauth_consents c JOIN profiles p ON p.id = c.profile LEFT JOIN proofs link ON link.id = c.link_proof`,
    order: 'c.profile, c.client, c.redirect_host',
    own,
  }),
  makeExporter({
    name: 'oauth-grants',
    tables: ['oauth_families'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('oauth_families f', 'client', 'account', 'scope', 'resource', 'redirectHost', 'signedInAt', 'createdAt', 'expiresAt', 'refreshEndsAt', 'accessEndsAt', 'revokedAt', 'reason')}
      FROM oauth_families f JOIN profiles p ON p.id = f.profile`,
    order: 'f.id',
    own,
  }),
  makeExporter({
    name: 'signing-keys',
    tables: ['oauth_keys'],
    // The public half alone: another server makes keys of its own.
    select: compose`
      SELECT ${pick('oauth_keys k', 'kid', 'alg', 'publicJwk', 'createdAt', 'notBefore', 'retiredAt')}
      FROM oauth_keys k`,
    order: 'k.created_at, k.kid',
    json: ['publicJwk'],
  }),
]
