/** The clients that a person has connected: SQL and nothing else. */
import type { Db } from '../db/db.ts'
import { liveGrant } from './client-store.ts'

export interface AppRow {
  readonly clientId: string
  readonly name: string | null
  readonly kind: string | null
  /** Of all its grants, separated by spaces; a word may come more than once. */
  readonly scopes: string
  /** Where it was allowed to return to, separated by line breaks. */
  readonly places: string | null
  readonly connectedAt: number
  /** Of the newest access token. */
  readonly lastTokenEndsAt: number
}

export const listApps = (db: Db, profile: number, now: number): AppRow[] =>
  db
    .prepare<AppRow, [number, number]>(
      `SELECT f.client AS clientId, c.name, c.kind, group_concat(f.scope, ' ') AS scopes, min(f.created_at) AS connectedAt,
         (SELECT group_concat(redirect_host, char(10)) FROM oauth_consents o
          WHERE o.profile = ?2 AND o.client = f.client) AS places,
         max(f.access_ends_at) AS lastTokenEndsAt
       FROM oauth_families f LEFT JOIN oauth_clients c ON c.id = f.client
       WHERE f.profile = ?2 AND ${liveGrant}
       GROUP BY f.client ORDER BY connectedAt DESC, f.client`,
    )
    .all(now, profile)

/** Whether there is anything of this client to take back. */
export const isConnected = (db: Db, profile: number, client: string): boolean =>
  db
    .prepare<{ found: number }, [number, string]>(
      `SELECT EXISTS (SELECT 1 FROM oauth_families WHERE profile = ?1 AND client = ?2 AND revoked_at IS NULL)
         OR EXISTS (SELECT 1 FROM oauth_consents WHERE profile = ?1 AND client = ?2) AS found`,
    )
    .get(profile, client)?.found === 1
