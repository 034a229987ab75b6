/** Checkout sessions that this server opened: SQL only. */

import { claimRow } from '../db/claim.ts'
import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, pickPresent, query } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import { nameTurn } from '../db/turns.ts'
import type { AccountText } from '../wallet/account.ts'

export interface Checkout {
  readonly sessionId: string
  readonly gateId: string
  readonly qHash: string
  readonly amountCents: number
  /** ISO 4217 in lower case. */
  readonly currency: string
  readonly createdAt: number
  /** The end of its payable time, in Unix milliseconds. */
  readonly expiresAt: number
  /** The bought version and price. Undefined for older checkouts, which buy at the gate's price when they are used. */
  readonly bought?: Bought
}

/** The version of the gate at opening, and its price in millionths of a US dollar. */
export interface Bought {
  readonly version: number
  readonly usdMicros: number
}

/** A session that is checked until its outcome is known. */
export interface WatchedCheckout extends Checkout {
  /** gates.id, and gates.owner of it. */
  readonly gate: number
  readonly owner: string
  /** The buyer; null after the buyer erased all data. */
  readonly buyer: AccountText | null
  readonly bought: Bought
  readonly watchAt: number
}

export interface NewCheckout extends Omit<Checkout, 'gateId' | 'bought'> {
  readonly gate: number
  readonly buyer: AccountText | null
  readonly bought: Bought
  /** The time of the first look. */
  readonly watchAt: number
}

const columns = compose`
  ${pick('checkouts c', 'sessionId')},
  ${pick('gates g', 'gateId')},
  ${pickHash('checkouts c', 'qHash')},
  ${pick('checkouts c', 'amountCents', 'currency', 'createdAt', 'expiresAt', 'version', 'usdMicros')}`

const selectCheckout = query<[string]>()`
  SELECT ${columns} FROM checkouts c JOIN gates g ON g.id = c.gate WHERE c.session_id = ?1`

const selectOfPair = query<[number, string, number]>()`
  SELECT ${columns} FROM checkouts c JOIN gates g ON g.id = c.gate
  WHERE c.gate = ?1 AND c.q_hash = unhex(?2) ORDER BY c.created_at DESC, c.session_id DESC LIMIT ?3`

const selectWatched = query<[number, number]>()`
  SELECT ${columns},
    ${pick('checkouts c', 'gate')},
    ${pick('gates g', 'owner')},
    ${pick('checkouts c', { buyer: 'wallet' })}, ${pickPresent('checkouts c', 'watchAt')}
  FROM checkouts c JOIN gates g ON g.id = c.gate
  WHERE c.watch_at IS NOT NULL AND c.watch_at <= ?1 ORDER BY c.watch_at LIMIT ?2`

type Raw<Row extends Checkout> = Omit<Row, 'bought'> & {
  readonly version: number | null
  readonly usdMicros: number | null
}

const parseCheckout = ({ version, usdMicros, ...rest }: Raw<Checkout>): Checkout =>
  version === null || usdMicros === null ? rest : { ...rest, bought: { version, usdMicros } }

export async function findCheckout(db: Db, sessionId: string): Promise<Checkout | undefined> {
  const raw = await db.read(selectCheckout).get(sessionId)
  return raw ? parseCheckout(raw) : undefined
}

/** The newest first. */
export const listCheckouts = async (db: Db, gate: number, qHash: string, limit: number): Promise<readonly Checkout[]> =>
  (await db.read(selectOfPair).all(gate, qHash.slice(2), limit)).map(parseCheckout)

const selectOpen = query<[number, string, string, number]>()`
  SELECT ${pick('checkouts c', 'sessionId', 'expiresAt')}
  FROM checkouts c
  WHERE c.gate = ?1 AND c.q_hash = unhex(?2) AND c.wallet = ?3 AND c.expires_at > ?4 AND c.watch_at IS NOT NULL
  ORDER BY c.expires_at DESC, c.session_id LIMIT 1`

/** The session that this buyer can still pay, or may have paid already: the one with the latest end. */
export const findOpenCheckout = async (
  db: Db,
  { gate, qHash, buyer }: Pick<NewCheckout, 'gate' | 'qHash'> & { readonly buyer: AccountText },
  now: number,
): Promise<Pick<Checkout, 'sessionId' | 'expiresAt'> | undefined> =>
  (await db.read(selectOpen).get(gate, qHash.slice(2), buyer, now)) ?? undefined

const selectAnyUnknown = query<[number, string]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM checkouts WHERE gate = ?1 AND q_hash = unhex(?2) AND watch_at IS NOT NULL LIMIT 1`

/** Whether any session for this proof may have been paid, with its outcome unknown. */
export const isPageWatched = async (db: Db, gate: number, qHash: string): Promise<boolean> =>
  (await db.read(selectAnyUnknown).get(gate, qHash.slice(2))) !== null

const selectUnknown = query<[number, string, string]>()`
  SELECT ${pick('checkouts', 'sessionId', 'expiresAt')}
  FROM checkouts
  WHERE gate = ?1 AND q_hash = unhex(?2) AND wallet = ?3 AND watch_at IS NOT NULL
  ORDER BY expires_at DESC, session_id LIMIT 1`

/** The session of this buyer with an unknown outcome, also after its end. */
export const findWatchedCheckout = async (
  db: Db,
  { gate, qHash, buyer }: Pick<NewCheckout, 'gate' | 'qHash'> & { readonly buyer: AccountText },
): Promise<Pick<Checkout, 'sessionId' | 'expiresAt'> | undefined> =>
  (await db.read(selectUnknown).get(gate, qHash.slice(2), buyer)) ?? undefined

/** Sessions that are due for a look, the longest waiting first. All watched sessions name their purchase. */
export const listWatchedCheckouts = async (db: Db, now: number, limit: number): Promise<WatchedCheckout[]> =>
  (await db.read(selectWatched).all(now, limit)).map(({ version, usdMicros, ...rest }) => ({
    ...rest,
    bought: { version: version ?? 0, usdMicros: usdMicros ?? 0 },
  }))

const insertRow = `
  INSERT INTO checkouts (session_id, gate, q_hash, amount_cents, currency, created_at, expires_at, wallet, version,
    usd_micros, watch_at)
  VALUES (?1, ?2, unhex(?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  ON CONFLICT (session_id) DO UPDATE SET expires_at = excluded.expires_at
    WHERE checkouts.gate = excluded.gate AND checkouts.q_hash = excluded.q_hash
      AND checkouts.amount_cents = excluded.amount_cents AND checkouts.currency = excluded.currency
      AND checkouts.version IS NOT DISTINCT FROM excluded.version`

/** Refuses its batch when the session belongs to another purchase. Repeating the same one changes nothing. */
export const writeCheckout = (made: NewCheckout): Statement => ({
  sql: insertRow,
  must: true,
  ...(made.buyer ? { turns: [nameTurn('account', made.buyer)] } : {}),
  params: [
    made.sessionId,
    made.gate,
    made.qHash.slice(2),
    made.amountCents,
    made.currency,
    made.createdAt,
    made.expiresAt,
    made.buyer,
    made.bought.version,
    made.bought.usdMicros,
    made.watchAt,
  ],
})

/**
 * Sets or clears the next look after a look. Refuses its batch when an event requested another look meanwhile, or the
 * buyer erased all data: the batch would name them again.
 */
export const scheduleNextLook = (
  { sessionId, watchAt, buyer }: Pick<WatchedCheckout, 'sessionId' | 'watchAt' | 'buyer'>,
  nextAt: number | null,
): Statement => ({
  sql: `UPDATE checkouts SET watch_at = ?3
        WHERE session_id = ?1 AND watch_at = ?2 AND wallet IS NOT DISTINCT FROM ?4`,
  must: true,
  params: [sessionId, watchAt, nextAt, buyer],
})

/** Takes a checkout for a look. Undefined when another process has it, or an event moved its look. */
export const claimCheckout = (db: Db, checkout: WatchedCheckout, until: number): Promise<WatchedCheckout | undefined> =>
  claimRow(db, checkout, { ...checkout, watchAt: until }, scheduleNextLook(checkout, until))

/** Schedules a checkout for an immediate look. False without such a session, or without a recorded purchase. */
export async function watchCheckoutNow(db: Db, sessionId: string, now: number): Promise<boolean> {
  const sql = 'UPDATE checkouts SET watch_at = ?2 WHERE session_id = ?1 AND version IS NOT NULL'
  return 'changes' in (await db.write([{ sql, params: [sessionId, now], must: true }], 'free'))
}

/** Deletes up to `batch` sessions that ended before a time and have a known outcome. Returns how many. */
export const deleteOldCheckouts = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM checkouts WHERE session_id IN
              (SELECT session_id FROM checkouts WHERE expires_at <= ?1 AND watch_at IS NULL LIMIT ?2)
       AND expires_at <= ?1 AND watch_at IS NULL`,
    [endedBefore, batch],
  )
