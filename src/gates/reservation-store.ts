/**
 * Places held for buyers while they pay: SQL and nothing else. A place is one row for a wallet at a gate, and counts as
 * given out until it expires. Whoever holds one has the reward of its version for its proof; the claim of the fulfilment
 * (fulfillment-store.ts) takes it away in the same batch.
 */
import type { Db, Statement } from '../db/db.ts'
import { standsFulfillment, standsProof } from '../db/erasing.ts'
import { change } from '../db/rows-changed.ts'
import type { PaymentMethod } from '../payments/payment.ts'
import { first52 } from '../proofs/proof.ts'

export interface Reservation {
  /** gates.id */
  readonly gate: number
  readonly walletAddress: string
  readonly qHash: string
  /** Whose price is paid, and whose reward is given. */
  readonly version: number
  readonly method: PaymentMethod['id']
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NewReservation extends Omit<Reservation, 'createdAt'> {
  readonly now: number
  /** Of the gate's version; null: as many as come. */
  readonly supply: number | null
  readonly perWallet: number | null
}

/**
 * Changes no row when the gate is closed or has another version by now, when nothing is left, when the wallet has had its
 * share, when the proof does not count or was fulfilled before, and when the wallet holds a place for another proof.
 */
const insertReservation = `
  INSERT INTO reservations (gate, wallet, q_hash, version, method, created_at, expires_at)
  SELECT g.id, ?4, p.q_hash, g.version, ?6, ?7, ?8
  FROM gates g JOIN proofs p ON p.q52 = ?2 AND p.q_hash = unhex(?3)
  WHERE g.id = ?1 AND g.status = 'active' AND g.version = ?5
    AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ?7) AND ${standsProof('p')}
    AND NOT EXISTS (SELECT 1 FROM fulfillments f WHERE f.gate = ?1 AND f.q_hash = p.q_hash)
    AND (?9 IS NULL OR ?9 > g.fulfilled_count + (
      SELECT count(*) FROM reservations r WHERE r.gate = ?1 AND r.expires_at > ?7 AND r.wallet <> ?4))
    AND (?10 IS NULL OR ?10 > (
      SELECT count(*) FROM fulfillments f
      WHERE f.wallet = ?4 AND f.gate = ?1 AND f.state = 'granted' AND ${standsFulfillment('f')}))
  ON CONFLICT (gate, wallet) DO UPDATE SET q_hash = excluded.q_hash, version = excluded.version,
      method = excluded.method, created_at = excluded.created_at,
      expires_at = CASE WHEN reservations.q_hash = excluded.q_hash
        THEN max(reservations.expires_at, excluded.expires_at) ELSE excluded.expires_at END
    WHERE reservations.q_hash = excluded.q_hash OR reservations.expires_at <= ?7`

/** Refuses its batch when there is no place for this buyer. */
export const reserveStatement = (made: NewReservation): Statement => ({
  sql: insertReservation,
  must: true,
  params: [
    made.gate,
    first52(made.qHash),
    made.qHash.slice(2),
    made.walletAddress,
    made.version,
    made.method,
    made.now,
    made.expiresAt,
    made.supply,
    made.perWallet,
  ],
})

/** False when there is no place; why must be asked afterwards. */
export async function reserve(db: Db, reservation: NewReservation): Promise<boolean> {
  return 'changes' in (await db.write([reserveStatement(reservation)], 'settle'))
}

/** Keeps a place that is held now for longer, for a payment that was made and only has to wait. */
export const extendPlace = (
  db: Db,
  { gate, walletAddress, qHash, now, expiresAt }: Omit<NewReservation, 'version' | 'method' | 'supply' | 'perWallet'>,
): Promise<number> =>
  change(
    db,
    `UPDATE reservations SET expires_at = ?5
     WHERE gate = ?1 AND wallet = ?2 AND q_hash = unhex(?3) AND expires_at > ?4 AND expires_at < ?5`,
    [gate, walletAddress, qHash.slice(2), now, expiresAt],
  )

/** Gives the place back, as long as it is still held for this proof. */
export const releaseStatement = ({
  gate,
  walletAddress,
  qHash,
}: Pick<Reservation, 'gate' | 'walletAddress' | 'qHash'>): Statement => ({
  sql: 'DELETE FROM reservations WHERE gate = ?1 AND wallet = ?2 AND q_hash = unhex(?3)',
  params: [gate, walletAddress, qHash.slice(2)],
})

const selectReservation = `
  SELECT gate, wallet AS walletAddress, '0x' || lower(hex(q_hash)) AS qHash, version, method, created_at AS createdAt,
    expires_at AS expiresAt
  FROM reservations WHERE gate = ?1 AND wallet = ?2`

/** Also one that has expired: compare expiresAt. */
export const findReservation = (db: Db, gate: number, walletAddress: string): Reservation | undefined =>
  db.prepare<Reservation, [number, string]>(selectReservation).get(gate, walletAddress) ?? undefined

const countOfGate = 'SELECT count(*) AS held FROM reservations WHERE gate = ?1 AND expires_at > ?2 AND wallet <> ?3'

/** Places that others hold now. */
export const countHeld = (db: Db, gate: number, walletAddress: string, now: number): number =>
  db.prepare<{ held: number }, [number, number, string]>(countOfGate).get(gate, now, walletAddress)?.held ?? 0

/** Forgets up to `batch` places that have expired. Returns how many. */
export const deleteReservationsBefore = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM reservations WHERE (gate, wallet) IN
       (SELECT gate, wallet FROM reservations WHERE expires_at <= ?1 LIMIT ?2)`,
    [endedBefore, batch],
  )
