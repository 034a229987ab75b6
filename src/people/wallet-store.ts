/** What the wallets of a person are linked by, for the person: SQL and nothing else. */
import type { Db } from '../db/db.ts'

export interface LinkFacts {
  readonly qHash: string
  /** As the primary wallet signed it. */
  readonly label: string | null
  readonly linkedAt: number
}

export const findLinkFacts = (db: Db, linkProof: number): LinkFacts | undefined =>
  db
    .prepare<LinkFacts, [number]>(
      `SELECT '0x' || lower(hex(q_hash)) AS qHash, created_at AS linkedAt,
         (SELECT value ->> '$.data.label' FROM json_each(record, '$.rows')
          WHERE value ->> 'verifierId' = 'wallet-link' AND value ->> 'verified') AS label
       FROM proofs WHERE id = ?1`,
    )
    .get(linkProof) ?? undefined

/** How many sessions a link has open, and how many clients work by it. */
export const countByLink = (
  db: Db,
  profile: number,
  linkProof: number,
  now: number,
): { readonly sessions: number; readonly apps: number } =>
  db
    .prepare<{ sessions: number; apps: number }, [number, number, number]>(
      `SELECT
         (SELECT count(*) FROM sessions WHERE profile = ?1 AND link_proof = ?2 AND expires_at > ?3) AS sessions,
         (SELECT count(DISTINCT client) FROM oauth_families WHERE profile = ?1 AND link_proof = ?2
            AND revoked_at IS NULL AND (refresh_ends_at > ?3 OR access_ends_at > ?3)) AS apps`,
    )
    .get(profile, linkProof, now) ?? { sessions: 0, apps: 0 }
