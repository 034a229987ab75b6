/** The clients that a person has connected: SQL and nothing else. */

import { familyLeftSomething } from '../auth/ending-store.ts'
import type { Db } from '../db/db.ts'
import { label, labelLike, pickOptional, query, type RowOf } from '../db/query.ts'
import { liveGrant } from './client-store.ts'
import { signedOutReason } from './family-store.ts'

export type AppRow = RowOf<typeof selectApps>

/** Grants without a token that works, but with something they made: the person can still end that. */
const stillEnding = `((f.revoked_at IS NULL OR f.reason = '${signedOutReason}') AND ${familyLeftSomething})`

export interface AppPage {
  readonly limit: number
  readonly offset: number
}

/**
 * `places` and `scopes` are lists: redirect hosts, one a line, and words, which may repeat. A remembered consent lists
 * its client also when no token is left. Then `scopes` is empty.
 */
const selectApps = query<[now: number, profile: number, limit: number, offset: number]>()`
  SELECT page."clientId" AS ${labelLike('oauth_families', { clientId: 'client' })},
    page.scopes AS ${label('scopes', 'text or null')}, page."connectedAt" AS ${label('connectedAt', 'number')},
    page."lastTokenEndsAt" AS ${label('lastTokenEndsAt', 'number or null')},
    page."hasTokens" AS ${label('hasTokens', 'number')}, page.places AS ${label('places', 'text or null')},
    ${pickOptional('oauth_clients c', 'name', 'kind')}
  FROM (
    SELECT client AS "clientId", string_agg(scope, ' ') AS scopes,
      coalesce(min(connected_at), max(allowed_at)) AS "connectedAt", max(access_ends_at) AS "lastTokenEndsAt",
      max(has_tokens) AS "hasTokens", string_agg(redirect_host, '\n') AS places
    FROM (
      SELECT f.client, f.scope, f.created_at AS connected_at, NULL AS allowed_at, f.access_ends_at, f.redirect_host,
        CASE WHEN ${liveGrant} THEN 1 ELSE 0 END AS has_tokens
      FROM oauth_families f WHERE f.profile = ?2 AND (${liveGrant} OR ${stillEnding})
      UNION ALL
      SELECT o.client, NULL, NULL, o.created_at, NULL, o.redirect_host, 0 FROM oauth_consents o WHERE o.profile = ?2
    ) found
    GROUP BY client ORDER BY "connectedAt" DESC, client LIMIT ?3 OFFSET ?4
  ) page LEFT JOIN oauth_clients c ON c.id = page."clientId"
  ORDER BY page."connectedAt" DESC, page."clientId"`

/** The last connected first. */
export const listApps = (db: Db, profile: number, now: number, { limit, offset }: AppPage): Promise<AppRow[]> =>
  db.read(selectApps).all(now, profile, limit, offset)

const selectConnected = query<[number, number, string]>()`
  SELECT EXISTS (
           SELECT 1 FROM oauth_families f
           WHERE f.profile = ?2 AND f.client = ?3 AND (f.revoked_at IS NULL OR ${stillEnding}))
         OR EXISTS (SELECT 1 FROM oauth_consents WHERE profile = ?2 AND client = ?3) AS ${label('found', 'number')}`

/** Whether there is anything of this client to take back. */
export const isConnected = async (db: Db, profile: number, client: string, now: number): Promise<boolean> =>
  (await db.read(selectConnected).get(now, profile, client))?.found === 1
