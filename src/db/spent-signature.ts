/** What may happen only once, by a signed text or a nonce: remembered until it is too old to be accepted anyway. */
import type { Db, Statement, WritePurpose } from './db.ts'

/** A signature that may act only once: digest of it, and until when it would be accepted. */
export interface SpentSignature {
  /** 64 hexadecimal digits. */
  readonly digest: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

const insertSpent = `
  INSERT INTO spent_signatures (digest, expires_at, q_hash) VALUES (unhex(?1), ?2, unhex(?3))
  ON CONFLICT (digest) DO NOTHING`

/**
 * The statement that changes no row when the signature was used before; none where nothing was signed. `qHash` is the
 * proof that the text makes.
 */
export const spendSignature = (spent: SpentSignature | undefined, qHash?: string): Statement[] =>
  spent ? [{ sql: insertSpent, params: [spent.digest, spent.expiresAt, qHash?.slice(2) ?? null], must: true }] : []

/** Spends a signature, with what else it changes. False when it was used before, true also where nothing was signed. */
export async function trySpendSignature(
  db: Db,
  spent: SpentSignature | undefined,
  {
    qHash,
    purpose,
    others = [],
  }: { readonly qHash?: string; readonly purpose?: WritePurpose; readonly others?: readonly Statement[] } = {},
): Promise<boolean> {
  return spent === undefined || 'changes' in (await db.write([...spendSignature(spent, qHash), ...others], purpose))
}

const selectSpent = 'SELECT lower(hex(q_hash)) AS qHash FROM spent_signatures WHERE digest = unhex(?1)'

/** The id of the proof that a spent text made, or null where it made none. Undefined: the text is not spent. */
export function findSpent(db: Db, { digest }: SpentSignature): { readonly qHash: string | null } | undefined {
  const row = db.prepare<{ qHash: string | null }, [string]>(selectSpent).get(digest)
  if (!row) return undefined
  // hex() of null is an empty text.
  return { qHash: row.qHash ? `0x${row.qHash}` : null }
}
