/** Access grants in the database: SQL and nothing else. */
import type { Db } from '../db/db.ts'
import { type SpentSignature, spendSignature } from '../db/spent-signature.ts'

/** Grants a viewer, or moves the end of an earlier grant. A proof that was revoked or erased meanwhile is `gone`. */
export async function insertAccessGrant(
  db: Db,
  grant: {
    readonly proofId: number
    readonly viewer: string
    readonly createdAt: number
    readonly expiresAt: number | null
  },
  spent: SpentSignature | undefined,
): Promise<'granted' | 'spent' | 'gone'> {
  const result = await db.write([
    ...spendSignature(spent),
    {
      sql: `INSERT INTO access_grants (proof_id, viewer, created_at, expires_at)
            SELECT id, ?2, ?3, ?4 FROM proofs WHERE id = ?1 AND revoked_at IS NULL
            ON CONFLICT (proof_id, viewer) DO UPDATE SET created_at = excluded.created_at, expires_at = excluded.expires_at`,
      params: [grant.proofId, grant.viewer, grant.createdAt, grant.expiresAt],
      must: true,
    },
  ])
  if ('changes' in result) return 'granted'
  return spent && result.refusedAt === 0 ? 'spent' : 'gone'
}

export interface AccessGrantRow {
  readonly viewer: string
  readonly createdAt: number
  /** Null: until the proof is revoked. */
  readonly expiresAt: number | null
}

/** Those that are in force, the newest first. */
export const listAccessGrants = (db: Db, proofId: number, now: number, limit: number): AccessGrantRow[] =>
  db
    .prepare<AccessGrantRow, [number, number, number]>(
      `SELECT viewer, created_at AS createdAt, expires_at AS expiresAt FROM access_grants
       WHERE proof_id = ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY created_at DESC, viewer LIMIT ?3`,
    )
    .all(proofId, now, limit)

/** False when there was none. */
export async function deleteAccessGrant(db: Db, proofId: number, viewer: string): Promise<boolean> {
  const result = await db.write([
    { sql: 'DELETE FROM access_grants WHERE proof_id = ?1 AND viewer = ?2', params: [proofId, viewer], must: true },
  ])
  return 'changes' in result
}

export const hasAccessGrant = (db: Db, proofId: number, viewer: string, now: number): boolean =>
  db
    .prepare<{ found: number }, [number, string, number]>(
      'SELECT 1 AS found FROM access_grants WHERE proof_id = ?1 AND viewer = ?2 AND (expires_at IS NULL OR expires_at > ?3)',
    )
    .get(proofId, viewer, now) !== null
