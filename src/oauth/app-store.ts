/** The clients that a person has connected: SQL and nothing else. */

import { familyLeftSomething } from '../auth/ending-store.ts'
import type { Db } from '../db/db.ts'
import { liveGrant } from './client-store.ts'
import { signedOutReason } from './family-store.ts'

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

/** Grants without a token that works, but with something they made: the person can still end that. */
const stillEnding = `((f.revoked_at IS NULL OR f.reason = '${signedOutReason}') AND ${familyLeftSomething})`

export interface AppPage {
  readonly limit: number
  readonly offset: number
}

/** The last connected first. */
export const listApps = (db: Db, profile: number, now: number, { limit, offset }: AppPage): AppRow[] =>
  db
    .prepare<AppRow, [number, number, number, number]>(
      `SELECT page.*, c.name, c.kind,
         (SELECT group_concat(redirect_host, char(10)) FROM oauth_consents o
          WHERE o.profile = ?2 AND o.client = page.clientId) AS places
       FROM (
         SELECT f.client AS clientId, group_concat(f.scope, ' ') AS scopes, min(f.created_at) AS connectedAt,
           max(f.access_ends_at) AS lastTokenEndsAt
         FROM oauth_families f WHERE f.profile = ?2 AND (${liveGrant} OR ${stillEnding})
         GROUP BY f.client ORDER BY connectedAt DESC, f.client LIMIT ?3 OFFSET ?4
       ) page LEFT JOIN oauth_clients c ON c.id = page.clientId
       ORDER BY page.connectedAt DESC, page.clientId`,
    )
    .all(now, profile, limit, offset)

/** Whether there is anything of this client to take back. */
export const isConnected = (db: Db, profile: number, client: string, now: number): boolean =>
  db
    .prepare<{ found: number }, [number, number, string]>(
      `SELECT EXISTS (
           SELECT 1 FROM oauth_families f
           WHERE f.profile = ?2 AND f.client = ?3 AND (f.revoked_at IS NULL OR ${stillEnding}))
         OR EXISTS (SELECT 1 FROM oauth_consents WHERE profile = ?2 AND client = ?3) AS found`,
    )
    .get(now, profile, client)?.found === 1
