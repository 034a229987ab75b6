/** Refresh tokens in the database: SQL and nothing else. They are there as SHA-256 only. */
import type { Db, Statement } from '../db/db.ts'
import type { NewAccess } from './access-store.ts'

export interface RefreshRow {
  readonly family: number
  readonly seq: number
  readonly expiresAt: number
  readonly usedAt: number | null
  /** The run of the server that exchanged it. */
  readonly usedBy: string | null
  readonly client: string
  /** As on the wire. */
  readonly scope: string
  readonly account: string
  readonly linkProof: number | null
  readonly signedInAt: number
  /** The end of the family, however often it is refreshed. */
  readonly familyEndsAt: number
  readonly familyRevokedAt: number | null
  readonly profile: number
  readonly subject: string
  readonly did: string
  /** Of the profile: text of sessions/profile-store.ts accountText(). */
  readonly primaryAccount: string
}

export const findRefresh = (db: Db, hash: string): RefreshRow | undefined =>
  db
    .prepare<RefreshRow, [string]>(
      `SELECT r.family, r.seq, r.expires_at AS expiresAt, r.used_at AS usedAt, r.used_by AS usedBy, f.client, f.scope,
         f.link_proof AS linkProof, f.signed_in_at AS signedInAt, f.expires_at AS familyEndsAt,
         f.revoked_at AS familyRevokedAt, f.profile, f.account, p.subject, p.did,
         p.account AS primaryAccount
       FROM oauth_refresh r JOIN oauth_families f ON f.id = r.family JOIN profiles p ON p.id = f.profile
       WHERE r.hash = unhex(?1)`,
    )
    .get(hash) ?? undefined

export interface Rotation {
  readonly hash: string
  readonly row: Pick<RefreshRow, 'family' | 'seq'>
  readonly successor: { readonly hash: string; readonly expiresAt: number }
  readonly access: NewAccess
  readonly now: number
  readonly run: string
}

const familyLives = (family: string, now: string): string =>
  `EXISTS (SELECT 1 FROM oauth_families f WHERE f.id = ${family} AND f.revoked_at IS NULL AND f.expires_at > ${now})`

/** One token for the next, and an access token: refused when it was used, or is over, or its family is. */
export const rotate = ({ hash, row, successor, access, now, run }: Rotation): Statement[] => [
  {
    sql: `UPDATE oauth_refresh SET used_at = ?2, used_by = ?3
          WHERE hash = unhex(?1) AND used_at IS NULL AND expires_at > ?2 AND ${familyLives('oauth_refresh.family', '?2')}`,
    params: [hash, now, run],
    must: true,
  },
  {
    sql: 'INSERT INTO oauth_refresh (hash, family, seq, expires_at) VALUES (unhex(?1), ?2, ?3, ?4)',
    params: [successor.hash, row.family, row.seq + 1, successor.expiresAt],
  },
  {
    sql: 'INSERT INTO oauth_access (hash, family, expires_at) VALUES (unhex(?1), ?2, ?3)',
    params: [access.hash, row.family, access.expiresAt],
  },
]

/** One more access token while the successor lies unused: refused when it does not, or when the family is over. */
export const insertAccessBeside = (
  successorHash: string,
  family: number,
  { hash, expiresAt }: NewAccess,
  now: number,
): Statement => ({
  sql: `INSERT INTO oauth_access (hash, family, expires_at)
        SELECT unhex(?1), ?2, ?3 WHERE ${familyLives('?2', '?5')} AND EXISTS (
          SELECT 1 FROM oauth_refresh WHERE hash = unhex(?4) AND family = ?2 AND used_at IS NULL AND expires_at > ?5)`,
  params: [hash, family, expiresAt, successorHash, now],
  must: true,
})

/** Those that are over, at most `batch`. Returns how many. */
export async function deleteRefreshBefore(db: Db, before: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: 'DELETE FROM oauth_refresh WHERE hash IN (SELECT hash FROM oauth_refresh WHERE expires_at <= ?1 LIMIT ?2)',
      params: [before, batch],
    },
  ])
  return 'changes' in result ? (result.changes[0] ?? 0) : 0
}
