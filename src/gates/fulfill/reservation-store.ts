/**
 * Places held for buyers while they pay: SQL and nothing else. A place is one row for a wallet at a gate, and counts as
 * delivered until it expires. Its holder has the reward of its version for its proof. The fulfillment
 * (fulfillment-store.ts) removes it in the same batch.
 */

import type { Db, Statement } from '../../db/db.ts'
import { standsFulfillment } from '../../db/erasing.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../../db/query.ts'
import { change } from '../../db/rows-changed.ts'
import { readFirst52Bits } from '../../proofs/proof.ts'
import type { AccountText } from '../../wallet/account.ts'
import { selectNamed } from '../guests/pass-store.ts'
import { allowsUnpaid, type UnpaidBounds } from './unpaid-place-store.ts'

export type Reservation = RowOf<typeof selectPlaces>

export interface NewReservation extends Omit<Reservation, 'createdAt'> {
  readonly now: number
  /** The supply of the gate's version; null: unlimited. */
  readonly supply: number | null
  readonly perWallet: number | null
  /** For a place without cost; undefined: the limits for strangers do not apply. */
  readonly unpaid?: UnpaidBounds | undefined
}

/**
 * Changes no row in these cases. The gate is closed, has another version, or is sold out. The wallet has had its share,
 * or holds a place for another proof. The proof does not count or was fulfilled before. The place costs nothing and its
 * limits are reached.
 */
const insertReservation = `
  INSERT INTO reservations (gate, wallet, q_hash, version, method, created_at, expires_at, network)
  SELECT g.id, ?4, named.q_hash, g.version, ?6, ?7, ?8, ?11
  FROM gates g CROSS JOIN (${selectNamed('?7')}) named
  WHERE g.id = ?1 AND g.status = 'active' AND g.version = ?5
    AND NOT EXISTS (SELECT 1 FROM fulfillments f WHERE f.gate = ?1 AND f.q_hash = named.q_hash)
    AND (CAST(?9 AS BIGINT) IS NULL OR ?9 > g.fulfilled_count + (
      SELECT count(*) FROM reservations r WHERE r.gate = ?1 AND r.expires_at > ?7 AND r.wallet <> ?4))
    AND (CAST(?10 AS BIGINT) IS NULL OR ?10 > (
      SELECT count(*) FROM fulfillments f
      WHERE f.wallet = ?4 AND f.gate = ?1 AND f.state = 'granted' AND ${standsFulfillment('f')}))
    AND ${allowsUnpaid}
  ON CONFLICT (gate, wallet) DO UPDATE SET q_hash = excluded.q_hash, version = excluded.version,
      method = excluded.method, created_at = excluded.created_at,
      expires_at = CASE WHEN reservations.q_hash = excluded.q_hash
        THEN max(reservations.expires_at, excluded.expires_at) ELSE excluded.expires_at END,
      network = CASE WHEN reservations.expires_at > ?7
        THEN coalesce(excluded.network, reservations.network) ELSE excluded.network END
    WHERE reservations.q_hash = excluded.q_hash OR reservations.expires_at <= ?7`

/** Refuses its batch when there is no place for this buyer. */
export const reserveStatement = (made: NewReservation): Statement => ({
  sql: insertReservation,
  must: true,
  params: [
    made.gate,
    readFirst52Bits(made.qHash),
    made.qHash.slice(2),
    made.buyer,
    made.version,
    made.method,
    made.now,
    made.expiresAt,
    made.supply,
    made.perWallet,
    made.unpaid?.network ?? null,
    made.unpaid ? 1 : 0,
  ],
})

/** Keeps a place that is held now for longer, for a payment that was made and only has to wait. */
export const extendPlace = (
  db: Db,
  {
    gate,
    buyer,
    qHash,
    now,
    expiresAt,
  }: Omit<NewReservation, 'version' | 'method' | 'supply' | 'perWallet' | 'unpaid'>,
): Promise<number> =>
  change(
    db,
    `UPDATE reservations SET expires_at = ?5
     WHERE gate = ?1 AND wallet = ?2 AND q_hash = unhex(?3) AND expires_at > ?4 AND expires_at < ?5`,
    [gate, buyer, qHash.slice(2), now, expiresAt],
  )

/** Gives the place back, as long as it is still held for this proof. */
export const releaseStatement = ({ gate, buyer, qHash }: Pick<Reservation, 'gate' | 'buyer' | 'qHash'>): Statement => ({
  sql: 'DELETE FROM reservations WHERE gate = ?1 AND wallet = ?2 AND q_hash = unhex(?3)',
  params: [gate, buyer, qHash.slice(2)],
})

/**
 * Releases the place unless the same buyer and proof may still pay. The place belongs to an open checkout, a payment
 * under way, or an open quote.
 */
export const releaseIdleStatement = (
  { gate, buyer, qHash }: Pick<Reservation, 'gate' | 'buyer' | 'qHash'>,
  now: number,
): Statement => ({
  sql: `DELETE FROM reservations WHERE gate = ?1 AND wallet = ?2 AND q_hash = unhex(?3)
          AND NOT EXISTS (
            SELECT 1 FROM checkouts c WHERE c.gate = ?1 AND c.q_hash = unhex(?3) AND c.watch_at IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM settlements s WHERE s.gate = ?1 AND s.q_hash = unhex(?3) AND s.refused_at IS NULL)
          AND NOT EXISTS (
            SELECT 1 FROM quotes q WHERE q.gate = ?1 AND q.q_hash = unhex(?3) AND q.expires_at > ?4)`,
  params: [gate, buyer, qHash.slice(2), now],
})

const selectPlaces = compose`
  SELECT ${pick('reservations', 'gate', { buyer: 'wallet' }, 'version', 'method', 'createdAt', 'expiresAt')},
    ${pickHash('reservations', 'qHash')}
  FROM reservations`

const selectReservation = query<[gate: number, buyer: string]>()`${selectPlaces} WHERE gate = ?1 AND wallet = ?2`

const selectOfProof = query<[gate: number, digits: string]>()`
  ${selectPlaces} WHERE gate = ?1 AND q_hash = unhex(?2) ORDER BY expires_at DESC LIMIT 1`

/** The place that is held for a proof, by whichever of its owners. Also one that has expired: compare expiresAt. */
export const findReservationOfProof = async (db: Db, gate: number, qHash: string): Promise<Reservation | undefined> =>
  (await db.read(selectOfProof).get(gate, qHash.slice(2))) ?? undefined

/** Also one that has expired: compare expiresAt. */
export const findReservation = async (db: Db, gate: number, buyer: AccountText): Promise<Reservation | undefined> =>
  (await db.read(selectReservation).get(gate, buyer)) ?? undefined

export type HeldPlaces = RowOf<typeof selectHeld>

/** Clocks differ, and the page is checked again a little after its end. */
const pageMarginMs = 75_000

/**
 * The time at which an unpaid place is free again. A payment page keeps it for longer than it is open, in case Stripe
 * is unreachable. Soon after its end the place is free. Then a quote for the same purchase counts, if there is one.
 */
const writeFreeTimeSql = (r: string, now: string): string => `
  coalesce((
    SELECT min(${r}.expires_at, max(${now}, max(c.expires_at), coalesce((
      SELECT max(q.expires_at) FROM quotes q WHERE q.gate = ${r}.gate AND q.q_hash = ${r}.q_hash), 0)) + ${pageMarginMs})
    FROM checkouts c WHERE c.gate = ${r}.gate AND c.q_hash = ${r}.q_hash AND c.watch_at IS NOT NULL
    HAVING count(*) > 0), ${r}.expires_at)`

const selectFreeAt = query<[number, string, number]>()`
  SELECT ${writeFreeTimeSql('r', '?3')} AS ${label('freeAt', 'number')}
  FROM reservations r WHERE r.gate = ?1 AND r.wallet = ?2`

/** When the place of this wallet is free again, if it is not paid. */
export const findFreeTime = async (
  db: Db,
  gate: number,
  buyer: AccountText,
  now: number,
): Promise<number | undefined> => (await db.read(selectFreeAt).get(gate, buyer, now))?.freeAt

const selectHeld = query<[number, number, string, string | null]>()`
  SELECT count(*) AS ${label('held', 'number')},
    count(*) FILTER (WHERE wallet = ?3) AS ${label('ownHeld', 'number')},
    min(${writeFreeTimeSql('r', '?2')}) AS ${label('freeAt', 'number or null')},
    min(CASE WHEN wallet = ?3 THEN ${writeFreeTimeSql('r', '?2')} END) AS ${label('ownFreeAt', 'number or null')}
  FROM reservations r WHERE gate = ?1 AND expires_at > ?2 AND NOT (wallet = ?3 AND (CAST(?4 AS TEXT) IS NULL OR q_hash = unhex(?4)))`

const selectCount = query<[number, number]>()`
  SELECT count(*) AS ${label('held', 'number')}
  FROM reservations WHERE gate = ?1 AND expires_at > ?2`

/** Places that are held now, by all. */
export const countHeld = async (db: Db, gate: number, now: number): Promise<number> =>
  (await db.read(selectCount).get(gate, now))?.held ?? 0

const noneHeld: HeldPlaces = { held: 0, ownHeld: 0, freeAt: null, ownFreeAt: null }

/** Places held now for anything but this proof of this wallet. Without a proof, for anybody but this wallet. */
export const findHeld = async (
  db: Db,
  { gate, buyer, qHash }: Pick<Reservation, 'gate' | 'buyer'> & { readonly qHash: string | undefined },
  now: number,
): Promise<HeldPlaces> => (await db.read(selectHeld).get(gate, now, buyer, qHash?.slice(2) ?? null)) ?? noneHeld

/** Forgets up to `batch` places that have expired. Returns how many. */
export const deleteOldReservations = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM reservations WHERE (gate, wallet) IN
       (SELECT gate, wallet FROM reservations WHERE expires_at <= ?1 LIMIT ?2)
       AND expires_at <= ?1`,
    [endedBefore, batch],
  )
