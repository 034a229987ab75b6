/** Checkout sessions that were opened here: SQL and nothing else. */
import type { Db } from '../db/db.ts'
import { change } from '../db/rows-changed.ts'

export interface Checkout {
  readonly sessionId: string
  readonly gateId: string
  readonly qHash: string
  readonly amountCents: number
  /** ISO 4217 in lower case. */
  readonly currency: string
  readonly createdAt: number
  /** When it can no longer be paid. Unix milliseconds. */
  readonly expiresAt: number
}

export interface NewCheckout extends Omit<Checkout, 'gateId'> {
  readonly gate: number
}

const columns = `
  c.session_id AS sessionId, g.gate_id AS gateId, '0x' || lower(hex(c.q_hash)) AS qHash, c.amount_cents AS amountCents,
  c.currency, c.created_at AS createdAt, c.expires_at AS expiresAt`

const selectCheckout = `
  SELECT ${columns} FROM checkouts c JOIN gates g ON g.id = c.gate WHERE c.session_id = ?1`

const selectOfPair = `
  SELECT ${columns} FROM checkouts c JOIN gates g ON g.id = c.gate
  WHERE c.gate = ?1 AND c.q_hash = unhex(?2) ORDER BY c.created_at DESC, c.session_id DESC LIMIT ?3`

export const findCheckout = (db: Db, sessionId: string): Checkout | undefined =>
  db.prepare<Checkout, [string]>(selectCheckout).get(sessionId) ?? undefined

/** The newest first. */
export const listCheckouts = (db: Db, gate: number, qHash: string, limit: number): readonly Checkout[] =>
  db.prepare<Checkout, [number, string, number]>(selectOfPair).all(gate, qHash.slice(2), limit)

/** False when the session belongs to another purchase. The same one again is no change. */
export async function insertCheckout(db: Db, checkout: NewCheckout): Promise<boolean> {
  const { sessionId, gate, qHash, amountCents, currency, createdAt, expiresAt } = checkout
  const result = await db.write([
    {
      sql: `INSERT INTO checkouts (session_id, gate, q_hash, amount_cents, currency, created_at, expires_at)
            VALUES (?1, ?2, unhex(?3), ?4, ?5, ?6, ?7)
            ON CONFLICT (session_id) DO UPDATE SET expires_at = excluded.expires_at
              WHERE gate = excluded.gate AND q_hash = excluded.q_hash
                AND amount_cents = excluded.amount_cents AND currency = excluded.currency`,
      params: [sessionId, gate, qHash.slice(2), amountCents, currency, createdAt, expiresAt],
      must: true,
    },
  ])
  return 'changes' in result
}

/** Forgets up to `batch` sessions that ended before. Returns how many. */
export const deleteCheckoutsBefore = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM checkouts WHERE session_id IN
              (SELECT session_id FROM checkouts WHERE expires_at <= ?1 LIMIT ?2)`,
    [endedBefore, batch],
  )
