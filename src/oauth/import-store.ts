/** Makes clients, and what people allowed them, from the lines of an export: SQL and nothing else. */
import { type Importer, selectLink } from '../db/importing.ts'

export const oauthImporters: readonly Importer[] = [
  {
    name: 'oauth-clients',
    find: {
      sql: 'SELECT c.kind FROM oauth_clients c WHERE c.id = $client',
      describe: ({ client }) => `the client ${client}`,
    },
    insert: [
      `INSERT INTO oauth_clients (id, kind, name, redirect_uris, metadata_hash, created_at, used_at, expires_at)
       VALUES ($client, $kind, $name, $redirectUris, unhex(substr($metadataHash, 3)), $createdAt, $usedAt, $expiresAt)`,
    ],
    isOfServer: true,
  },
  {
    name: 'oauth-consents',
    holder: 'SELECT 1 FROM profiles p WHERE p.subject = $subject',
    insert: [
      `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at, link_proof)
       SELECT p.id, $client, $redirectHost, $scope, $createdAt, ${selectLink}
       FROM profiles p WHERE p.subject = $subject AND p.id > $newProfiles`,
    ],
  },
]
