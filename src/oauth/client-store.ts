/** OAuth clients in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { writeBusiestNetworkSql } from '../db/network-share.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'

/** dcr: it registered itself (RFC 7591). cimd: its id is the address of a document about it. */
export type RegisteredKind = 'dcr' | 'cimd'

export type ClientRow = RowOf<typeof columns>

const columns = pick('oauth_clients', 'id', 'kind', 'name', 'redirectUris', 'createdAt', 'usedAt')

const selectClientRow = query<[string]>()`SELECT ${columns} FROM oauth_clients WHERE id = ?1`

export const findClientRow = async (db: Db, id: string): Promise<ClientRow | undefined> =>
  (await db.read(selectClientRow).get(id)) ?? undefined

const selectClientByMetadata = query<[string]>()`SELECT ${columns} FROM oauth_clients WHERE metadata_hash = unhex(?1)`

export const findClientByMetadata = async (db: Db, metadataHash: string): Promise<ClientRow | undefined> =>
  (await db.read(selectClientByMetadata).get(metadataHash)) ?? undefined

const selectClients = query<[]>()`SELECT ${columns} FROM oauth_clients ORDER BY created_at, id`

export const listClients = (db: Db): Promise<ClientRow[]> => db.read(selectClients).all()

export interface NewClient {
  readonly id: string
  readonly name: string | null
  readonly redirectUris: string
  readonly metadataHash: string
  readonly createdAt: number
  readonly expiresAt: number
  /** request-scope.ts toNetwork(). Null where no request registered it. */
  readonly network: string | null
}

/** Changes no row when the same one is there. */
export const insertClient = (client: NewClient): Statement => ({
  sql: `INSERT INTO oauth_clients (id, kind, name, redirect_uris, metadata_hash, created_at, expires_at, network)
        VALUES (?1, 'dcr', ?2, ?3, unhex(?4), ?5, ?6, ?7)
        ON CONFLICT (metadata_hash) WHERE metadata_hash IS NOT NULL DO NOTHING`,
  params: [
    client.id,
    client.name,
    client.redirectUris,
    client.metadataHash,
    client.createdAt,
    client.expiresAt,
    client.network,
  ],
  must: true,
  turns: ['clients'],
})

/** Not answered by the end of the request: the person still decides about it. `c` is the client, ?3 the time. */
const isBeingDecided = 'EXISTS (SELECT 1 FROM oauth_requests r WHERE r.client = c.id AND r.expires_at > ?3)'

const writeOldestUnusedSql = (condition: string): string => `
  SELECT c.id FROM oauth_clients c
  WHERE c.used_at IS NULL AND c.id <> ?2 AND ${condition} AND coalesce(c.network, '') = (
    ${writeBusiestNetworkSql('oauth_clients', 'used_at IS NULL AND id <> ?2', 'created_at')})
  ORDER BY c.created_at, c.id LIMIT 1`

/**
 * Above `most` unused registrations, the network with the most of them loses its oldest. `keptId` has just registered.
 * A client with an open consent question goes only when the network has no other. Otherwise questions could protect
 * more clients than there are places. The index oauth_clients_unused holds every column that is read here, used_at too.
 * Without it SQLite would read each row of up to 20 kB.
 */
export const dropOldestUnused = (most: number, keptId: string, now: number): Statement => ({
  sql: `DELETE FROM oauth_clients
        WHERE id = coalesce((${writeOldestUnusedSql(`NOT ${isBeingDecided}`)}), (${writeOldestUnusedSql('1 = 1')}))
          AND (SELECT count(*) FROM oauth_clients WHERE used_at IS NULL) > ?1`,
  params: [most, keptId, now],
})

/** Postpones the expiry of a client that registers again. False when it was removed meanwhile. */
export async function keepClient(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const sql = 'UPDATE oauth_clients SET expires_at = max(expires_at, ?2) WHERE id = ?1'
  return 'changes' in (await db.write([{ sql, params: [id, expiresAt], must: true }], 'free'))
}

/** Uses of a client are noted this often, so that those of one that many people use do not wait for each other. */
const notedEveryMs = 3_600_000

/** Refuses its write when the client was removed meanwhile. */
const requireClient = (id: string): Statement => ({
  sql: 'SELECT 1 FROM oauth_clients WHERE id = ?1',
  params: [id],
  mustFind: true,
  holds: 'key',
})

/** Marks that a person has allowed the client something. Refuses its write when the client was removed meanwhile. */
export const markClientUsed = (id: string, usedAt: number, expiresAt: number): Statement[] => [
  requireClient(id),
  {
    sql: `UPDATE oauth_clients SET used_at = ?2, expires_at = max(expires_at, ?3), network = NULL
          WHERE id = ?1
            AND (used_at IS NULL OR used_at <= ?4 OR expires_at <= ?5 OR network IS NOT NULL)`,
    params: [id, usedAt, expiresAt, usedAt - notedEveryMs, expiresAt - notedEveryMs],
  },
]

/** A client that was read from its document, as it is now. */
export const putDocumentClient = (client: Omit<NewClient, 'metadataHash' | 'network'>): Statement[] => [
  {
    sql: `INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, used_at, expires_at)
        SELECT ?1, 'cimd', ?2, ?3, ?4, ?4, ?5
        WHERE NOT EXISTS (
          SELECT 1 FROM oauth_clients c
          WHERE c.id = ?1 AND c.name IS NOT DISTINCT FROM ?2 AND c.redirect_uris = ?3
            AND c.used_at > ?6 AND c.expires_at > ?7)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
          used_at = excluded.used_at, expires_at = excluded.expires_at`,
    params: [
      client.id,
      client.name,
      client.redirectUris,
      client.createdAt,
      client.expiresAt,
      client.createdAt - notedEveryMs,
      client.expiresAt - notedEveryMs,
    ],
  },
  requireClient(client.id),
]

/** With everything that people allowed it. Refused when there is no such client. */
export const deleteClient = (id: string): Statement[] => [
  { sql: 'DELETE FROM oauth_clients WHERE id = ?1', params: [id], must: true },
  { sql: 'DELETE FROM oauth_consents WHERE client = ?1', params: [id] },
  { sql: 'DELETE FROM oauth_codes WHERE client = ?1 AND consumed_at IS NULL', params: [id] },
]

/** Grants of which a token can still be used. `f` is the family, ?1 the time. */
export const liveGrant = 'f.revoked_at IS NULL AND (f.refresh_ends_at > ?1 OR f.access_ends_at > ?1)'

const expired = query<[number, number]>()`
  SELECT ${pick('oauth_clients', 'id')}
  FROM oauth_clients WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2`

const isListed = (column: string): string => `${column} IN (SELECT value FROM json_each(?2))`

/**
 * Deletes expired ones, at most `batch`. One still in use is checked again at `laterAt`. Returns the number. Each new use
 * of a client moves its expiry, so those that expire also at the deletion have none.
 */
export async function deleteOldClients(db: Db, now: number, laterAt: number, batch: number): Promise<number> {
  const found = await db.read(expired).all(now, batch)
  if (found.length === 0) return 0
  const ids = JSON.stringify(found.map(({ id }) => id))
  const result = await db.write(
    [
      {
        sql: `UPDATE oauth_clients SET expires_at = ?3 WHERE ${isListed('id')} AND expires_at <= ?1 AND (
              id IN (SELECT f.client FROM oauth_families f WHERE ${liveGrant})
              OR id IN (SELECT client FROM oauth_codes WHERE expires_at > ?1))`,
        params: [now, ids, laterAt],
      },
      { sql: `DELETE FROM oauth_clients WHERE ${isListed('id')} AND expires_at <= ?1`, params: [now, ids] },
      {
        sql: `DELETE FROM oauth_consents WHERE client IN (SELECT value FROM json_each(?1))
              AND NOT EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = oauth_consents.client)`,
        params: [ids],
      },
    ],
    'free',
  )
  return countRowsChanged(result, 1)
}
