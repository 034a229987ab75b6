/** Counts of the sessions and clients that a wallet link keeps open: SQL only. */
import type { Db } from '../db/db.ts'
import { label, query } from '../db/query.ts'

const selectCountByLink = query<[number, number, number]>()`
  SELECT
         (SELECT count(*) FROM sessions WHERE profile = ?1 AND link_proof = ?2 AND expires_at > ?3) AS ${label('sessions', 'number')},
    (SELECT count(DISTINCT client) FROM oauth_families WHERE profile = ?1 AND link_proof = ?2
            AND revoked_at IS NULL AND (refresh_ends_at > ?3 OR access_ends_at > ?3)) AS ${label('apps', 'number')}`

/** The open sessions of a link, and the clients that work by it. */
export const countByLink = async (
  db: Db,
  profile: number,
  linkProof: number,
  now: number,
): Promise<{ readonly sessions: number; readonly apps: number }> =>
  (await db.read(selectCountByLink).get(profile, linkProof, now)) ?? { sessions: 0, apps: 0 }
