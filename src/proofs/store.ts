/** Proofs in the database: SQL and nothing else. */
import type { Db, Statement } from '../db/db.ts'
import type { Visibility } from '../db/schema.ts'
import type { Sealer } from '../db/seal.ts'
import { first52, type NewProof, type ProofRow } from './proof.ts'

export type InsertOutcome = 'stored' | 'exists' | 'erased' | 'name-taken'

const insertAccount = 'INSERT INTO accounts (address) VALUES (?) ON CONFLICT (address) DO NOTHING'

/** Changes no row when the id is there already, or was erased within the time its signature is accepted. */
const insertProofRow = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, chain, signature_method,
    signed_timestamp, created_at, updated_at, expires_at, record)
  SELECT ?1, unhex(?2), accounts.id, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13
  FROM accounts
  WHERE accounts.address = ?3
    AND NOT EXISTS (SELECT 1 FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2))
    AND NOT EXISTS (SELECT 1 FROM erased_proofs WHERE q52 = ?1)`

/** Changes no row when another account holds the name. */
const reserveName = `
  INSERT INTO reserved_names (name, account_id, proof_id, expires_at)
  SELECT ?1, account_id, id, expires_at FROM proofs WHERE q52 = ?2 AND q_hash = unhex(?3)
  ON CONFLICT (name) DO UPDATE SET
    account_id = excluded.account_id, proof_id = excluded.proof_id, expires_at = excluded.expires_at
  WHERE reserved_names.account_id = excluded.account_id OR reserved_names.expires_at <= ?4`

const insertContent = `
  INSERT INTO contents (proof_id, content, sealed)
  SELECT id, ?1, ?2 FROM proofs WHERE q52 = ?3 AND q_hash = unhex(?4)`

/** Stores the proof with its content and its name, all or nothing. */
export async function insertProof(db: Db, sealer: Sealer, proof: NewProof): Promise<InsertOutcome> {
  const { row } = proof
  const q52 = first52(row.qHash)
  const hex = row.qHash.slice(2)
  const statements: Statement[] = [
    { sql: insertAccount, params: [row.walletAddress] },
    {
      sql: insertProofRow,
      must: true,
      params: [
        q52,
        hex,
        row.walletAddress,
        proof.scope52,
        row.status,
        row.visibility,
        row.context.chainId ?? null,
        row.context.chain ?? null,
        row.signatureMethod,
        row.signedTimestamp,
        row.createdAt,
        row.expiresAt,
        proof.recordText,
      ],
    },
  ]
  if (proof.reserves)
    statements.push({ sql: reserveName, must: true, params: [proof.reserves.name, q52, hex, row.createdAt] })
  if (proof.content !== undefined) {
    const isPrivate = row.visibility === 0
    const sealed = isPrivate ? sealer.seal(proof.content, contentContext(row.qHash)) : null
    statements.push({ sql: insertContent, must: true, params: [isPrivate ? null : proof.content, sealed, q52, hex] })
  }

  const result = await db.write(statements)
  if ('changes' in result) return 'stored'
  if (result.refusedAt > 1) return 'name-taken'
  return findProof(db, row.qHash) ? 'exists' : 'erased'
}

const contentContext = (qHash: string): string => `content:${qHash}`

interface RawRow {
  readonly id: number
  readonly qHash: string
  readonly address: string
  readonly status: string
  readonly visibility: Visibility
  readonly superseded: number
  readonly chainId: number | null
  readonly chain: string | null
  readonly signatureMethod: string | null
  readonly signedTimestamp: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly revokedAt: number | null
  readonly expiresAt: number | null
  readonly record: string
}

/** `a` is accounts, `p` is proofs. */
export const rowColumns = `
  p.id, lower(hex(p.q_hash)) AS qHash, a.address, p.status, p.visibility, p.superseded, p.chain_id AS chainId, p.chain,
  p.signature_method AS signatureMethod, p.signed_timestamp AS signedTimestamp, p.created_at AS createdAt,
  p.updated_at AS updatedAt, p.revoked_at AS revokedAt, p.expires_at AS expiresAt, p.record`

const selectByQHash = `
  SELECT ${rowColumns} FROM proofs p JOIN accounts a ON a.id = p.account_id
  WHERE p.q52 = ?1 AND p.q_hash = unhex(?2)`

const selectLatestOfScope = `
  SELECT ${rowColumns} FROM proofs p JOIN accounts a ON a.id = p.account_id
  WHERE p.scope52 = ?1 AND a.address = ?2 AND p.revoked_at IS NULL
  ORDER BY p.id DESC LIMIT 1`

const selectScope = 'SELECT scope52 FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2)'

export function rowOf(raw: RawRow): ProofRow {
  const { address, superseded, chainId, chain, record, qHash, ...rest } = raw
  return {
    ...rest,
    qHash: `0x${qHash}`,
    walletAddress: address,
    isSuperseded: superseded === 1,
    context: chain === null ? { chainId: chainId ?? 0 } : { chain },
    record: JSON.parse(record),
  }
}

export type { RawRow }

/** The proof of an id, in either case of its hexadecimal digits. */
export function findProof(db: Db, qHash: string): ProofRow | undefined {
  const raw = db.prepare<RawRow, [number, string]>(selectByQHash).get(first52(qHash), qHash.slice(2))
  return raw ? rowOf(raw) : undefined
}

export function findLatestOfScope(db: Db, scope52: number, address: string): ProofRow | undefined {
  const raw = db.prepare<RawRow, [number, string]>(selectLatestOfScope).get(scope52, address)
  return raw ? rowOf(raw) : undefined
}

export const findScope52 = (db: Db, qHash: string): number | undefined =>
  db.prepare<{ scope52: number }, [number, string]>(selectScope).get(first52(qHash), qHash.slice(2))?.scope52

/** The kept original content, opened when it is sealed. */
export function findContent(db: Db, sealer: Sealer, { id, qHash }: ProofRow): string | undefined {
  const row = db
    .prepare<{ content: string | null; sealed: string | null }, [number]>(
      'SELECT content, sealed FROM contents WHERE proof_id = ?1',
    )
    .get(id)
  if (!row) return undefined
  return row.content ?? (row.sealed === null ? undefined : sealer.open(row.sealed, contentContext(qHash)))
}

/** Marks the proof revoked, once, and sets free what it held. False when some earlier call already did. */
export async function markRevoked(db: Db, { id }: ProofRow, revokedAt: number): Promise<boolean> {
  const result = await db.write([
    {
      sql: 'UPDATE proofs SET revoked_at = ?1, updated_at = ?1 WHERE id = ?2 AND revoked_at IS NULL',
      params: [revokedAt, id],
      must: true,
    },
    { sql: 'DELETE FROM reserved_names WHERE proof_id = ?1', params: [id] },
    { sql: 'DELETE FROM access_grants WHERE proof_id = ?1', params: [id] },
  ])
  return 'changes' in result
}

/** A signature that may act only once: digest of it, and until when it would be accepted. */
export interface SpentSignature {
  /** 64 hexadecimal digits. */
  readonly digest: string
  readonly expiresAt: number
}

const spendSignature = ({ digest, expiresAt }: SpentSignature): Statement => ({
  sql: 'INSERT INTO spent_signatures (digest, expires_at) VALUES (unhex(?1), ?2) ON CONFLICT (digest) DO NOTHING',
  params: [digest, expiresAt],
  must: true,
})

/**
 * Deletes everything of an account. Ids whose signed request would still be accepted are remembered until it no longer
 * is, so that nobody brings a proof back by sending it again. Returns the number of proofs, or 'spent'.
 */
export async function deleteAccount(
  db: Db,
  address: string,
  spent: SpentSignature,
  acceptedSince: number,
  forgetAt: number,
): Promise<number | 'spent'> {
  const account = '(SELECT id FROM accounts WHERE address = ?1)'
  const result = await db.write([
    spendSignature(spent),
    {
      sql: `INSERT INTO erased_proofs (q52, expires_at)
            SELECT q52, ?2 FROM proofs WHERE account_id = ${account} AND signed_timestamp >= ?3
            ON CONFLICT (q52) DO UPDATE SET expires_at = excluded.expires_at`,
      params: [address, forgetAt, acceptedSince],
    },
    { sql: `DELETE FROM reserved_names WHERE account_id = ${account}`, params: [address] },
    { sql: 'DELETE FROM access_grants WHERE viewer = ?1', params: [address] },
    { sql: `DELETE FROM proofs WHERE account_id = ${account}`, params: [address] },
    { sql: 'DELETE FROM accounts WHERE address = ?1', params: [address] },
  ])
  return 'changes' in result ? (result.changes[4] ?? 0) : 'spent'
}

/** Grants a viewer, or moves the end of an earlier grant. */
export async function insertAccessGrant(
  db: Db,
  grant: {
    readonly proofId: number
    readonly viewer: string
    readonly createdAt: number
    readonly expiresAt: number | null
  },
  spent: SpentSignature,
): Promise<'granted' | 'spent'> {
  const result = await db.write([
    spendSignature(spent),
    {
      sql: `INSERT INTO access_grants (proof_id, viewer, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (proof_id, viewer) DO UPDATE SET created_at = excluded.created_at, expires_at = excluded.expires_at`,
      params: [grant.proofId, grant.viewer, grant.createdAt, grant.expiresAt],
    },
  ])
  return 'changes' in result ? 'granted' : 'spent'
}

export const hasAccessGrant = (db: Db, proofId: number, viewer: string, now: number): boolean =>
  db
    .prepare<{ found: number }, [number, string, number]>(
      'SELECT 1 AS found FROM access_grants WHERE proof_id = ?1 AND viewer = ?2 AND (expires_at IS NULL OR expires_at > ?3)',
    )
    .get(proofId, viewer, now) !== null

/** Marks up to `batch` proofs whose time has come, and frees their names. Returns how many. */
export async function markExpired(db: Db, now: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: `UPDATE proofs SET status = 'expired', updated_at = ?1 WHERE id IN
              (SELECT id FROM proofs WHERE expires_at <= ?1 AND expires_at IS NOT NULL AND status <> 'expired' AND revoked_at IS NULL LIMIT ?2)`,
      params: [now, batch],
    },
    {
      sql: 'DELETE FROM reserved_names WHERE name IN (SELECT name FROM reserved_names WHERE expires_at <= ?1 LIMIT ?2)',
      params: [now, batch],
    },
  ])
  return 'changes' in result ? (result.changes[0] ?? 0) : 0
}

/** Forgets up to `batch` of each: grants, spent signatures and erased ids whose time is over. Returns how many. */
export async function deleteExpiredBefore(db: Db, now: number, batch: number): Promise<number> {
  const result = await db.write([
    {
      sql: `DELETE FROM access_grants WHERE (proof_id, viewer) IN
              (SELECT proof_id, viewer FROM access_grants WHERE expires_at <= ?1 LIMIT ?2)`,
      params: [now, batch],
    },
    {
      sql: 'DELETE FROM spent_signatures WHERE digest IN (SELECT digest FROM spent_signatures WHERE expires_at <= ?1 LIMIT ?2)',
      params: [now, batch],
    },
    {
      sql: 'DELETE FROM erased_proofs WHERE q52 IN (SELECT q52 FROM erased_proofs WHERE expires_at <= ?1 LIMIT ?2)',
      params: [now, batch],
    },
  ])
  return 'changes' in result ? result.changes.reduce((sum, count) => sum + count, 0) : 0
}
