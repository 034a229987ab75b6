/**
 * Signed x402 payments handed to a facilitator: SQL only. A row is written before the hand-over, in one batch with the
 * buyer's reservation. It is deleted with the purchase, with the row of an unmatched payment, or when the authorization
 * expired unused. So an interruption loses no payment, because the watch (settlement-watch.ts) continues.
 */

import { claimRow } from '../db/claim.ts'
import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import { change, countRowsChanged } from '../db/rows-changed.ts'
import type { AccountText } from '../wallet/account.ts'
import type { SoughtDetails } from './payment.ts'

export interface Settlement {
  readonly identity: string
  /** gates.id */
  readonly gate: number
  readonly qHash: string
  /** The buyer's account; empty after the buyer erased all data. */
  readonly buyer: AccountText
  /** The version whose price is paid and whose reward is delivered. */
  readonly version: number
  readonly usdMicros: number
  readonly details: SoughtDetails
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The time after which it cannot move money, by the clock of the chain. */
  readonly endsAt: number
  readonly watchAt: number
  /** The time at which the facilitator refused to settle it. */
  readonly refusedAt: number | null
}

const isFreeOfOthers = `(handed_over_by IS NULL OR handed_over_by = ?2
    OR NOT EXISTS (SELECT 1 FROM live_processes p WHERE p.id = settlements.handed_over_by))`

const claimHandover = `
  UPDATE settlements SET handed_over_by = ?2 WHERE identity = ?1 AND refused_at IS NULL AND ${isFreeOfOthers}`

/**
 * The process that hands a payment to the facilitator, until the answer. Refuses its batch while another living process
 * waits for one: a second hand-over would be refused, though the first one moves the money. So it does once the place was
 * given back, because the answer to another hand-over was a refusal.
 */
export const claimHandoverStatement = (identity: string, mark: string): Statement => ({
  sql: claimHandover,
  params: [identity, mark],
  must: true,
})

export const endHandoverStatement = (identity: string, mark: string): Statement => ({
  sql: 'UPDATE settlements SET handed_over_by = NULL WHERE identity = ?1 AND handed_over_by = ?2',
  params: [identity, mark],
})

export interface NewSettlement extends Omit<Settlement, 'watchAt' | 'refusedAt'> {}

/** Longer than a request waits for a settlement. */
const firstLookMs = 30_000

/**
 * Changes no row when the same payment was handed over for another gate or proof. The same holds while another payment
 * of this proof is in progress at this gate. A buyer who signed two would pay twice.
 */
const insertSettlement = `
  INSERT INTO settlements (identity, gate, q_hash, wallet, version, usd_micros, details, created_at, ends_at, watch_at)
  SELECT ?1, ?2, unhex(?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10
  WHERE NOT EXISTS (
    SELECT 1 FROM settlements
    WHERE gate = ?2 AND q_hash = unhex(?3) AND identity <> ?1 AND refused_at IS NULL)
  ON CONFLICT (identity) DO UPDATE SET refused_at = NULL, version = excluded.version, usd_micros = excluded.usd_micros,
      watch_at = excluded.watch_at
    WHERE settlements.gate = excluded.gate AND settlements.q_hash = excluded.q_hash`

export const writeSettlement = (made: NewSettlement): Statement => ({
  sql: insertSettlement,
  must: true,
  params: [
    made.identity,
    made.gate,
    made.qHash.slice(2),
    made.buyer,
    made.version,
    made.usdMicros,
    JSON.stringify(made.details),
    made.createdAt,
    made.endsAt,
    made.createdAt + firstLookMs,
  ],
})

/** Belongs to the batch that records the outcome. */
export const concludeStatement = (identity: string): Statement => ({
  sql: 'DELETE FROM settlements WHERE identity = ?1',
  params: [identity],
})

/** Refuses its batch when it was concluded meanwhile, or the buyer erased all data: the batch would name them again. */
export const requireSameBuyer = ({ identity, buyer }: Pick<Settlement, 'identity' | 'buyer'>): Statement => ({
  sql: 'SELECT 1 FROM settlements WHERE identity = ?1 AND wallet = ?2',
  params: [identity, buyer],
  mustFind: true,
  holds: 'update',
})

/** The facilitator refused to settle it, so the buyer may sign another one. It is watched until it expires. */
export const refuseStatement = (identity: string, now: number): Statement => ({
  sql: 'UPDATE settlements SET refused_at = ?2 WHERE identity = ?1 AND refused_at IS NULL',
  params: [identity, now],
})

/** Among several processes. Refuses its batch while another one hands it over: its money may move after all. */
export const refuseSharedStatement = (identity: string, now: number, mark: string): Statement => ({
  sql: `UPDATE settlements SET refused_at = ?3 WHERE identity = ?1 AND refused_at IS NULL AND ${isFreeOfOthers}`,
  params: [identity, mark, now],
  must: true,
})

const columns = compose`
  ${pick('settlements', 'identity', 'gate')},
  ${pickHash('settlements', 'qHash')},
  ${pick('settlements', { buyer: 'wallet' }, 'version', 'usdMicros', 'details', 'createdAt', 'endsAt')},
  ${pick('settlements', 'watchAt', 'refusedAt')}`

type RawSettlement = RowOf<typeof selectRow>

const parseSettlement = ({ details, ...rest }: RawSettlement): Settlement => ({ ...rest, details: JSON.parse(details) })

const selectOfPair = query<[number, string]>()`
  SELECT ${columns} FROM settlements
  WHERE gate = ?1 AND q_hash = unhex(?2) AND refused_at IS NULL LIMIT 1`
const selectRow = query<[string]>()`SELECT ${columns} FROM settlements WHERE identity = ?1`
const chain = `json_extract(details, '$.chain')`
const selectChains = query<[number]>()`
  SELECT DISTINCT ${chain} AS ${label('chain', 'text')}
  FROM settlements WHERE watch_at <= ?1`
const selectWatched = query<[number, number, string]>()`
  SELECT ${columns} FROM settlements WHERE watch_at <= ?1 AND ${chain} = ?3 ORDER BY watch_at LIMIT ?2`

/** The unbound payment of this proof at this gate that may move money, or has moved it. */
export async function findUnderWay(db: Db, gate: number, qHash: string): Promise<Settlement | undefined> {
  const raw = await db.read(selectOfPair).get(gate, qHash.slice(2))
  return raw ? parseSettlement(raw) : undefined
}

export async function findSettlement(db: Db, identity: string): Promise<Settlement | undefined> {
  const raw = await db.read(selectRow).get(identity)
  return raw ? parseSettlement(raw) : undefined
}

const selectHandover = query<[string, string, string]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM settlements s JOIN gates g ON g.id = s.gate
  WHERE s.identity = ?1 AND g.gate_id = ?2 AND s.q_hash = unhex(?3)`

/** Whether this server handed it over for this gate and this proof. */
export const wasHandedToFacilitator = async (
  db: Db,
  identity: string,
  { gateId, qHash }: { readonly gateId: string; readonly qHash: string },
): Promise<boolean> => (await db.read(selectHandover).get(identity, gateId, qHash.slice(2))) !== null

/** The chains with settlements that are to be looked at by now. */
export const listSettlementChains = async (db: Db, now: number): Promise<string[]> =>
  (await db.read(selectChains).all(now)).map((row) => row.chain)

/** Settlements of a chain that are due for a look, the longest waiting first. */
export const listWatchedSettlements = async (db: Db, on: string, now: number, limit: number): Promise<Settlement[]> =>
  (await db.read(selectWatched).all(now, limit, on)).map(parseSettlement)

/** Takes a settlement for a look. Undefined when another process has it, or it was concluded. */
export const claimSettlement = (db: Db, settlement: Settlement, until: number): Promise<Settlement | undefined> =>
  claimRow(
    db,
    settlement,
    { ...settlement, watchAt: until },
    {
      sql: 'UPDATE settlements SET watch_at = ?3 WHERE identity = ?1 AND watch_at = ?2',
      params: [settlement.identity, settlement.watchAt, until],
    },
  )

/** False when it was concluded meanwhile. */
export async function postponeSettlement(db: Db, identity: string, watchAt: number): Promise<boolean> {
  const sql = 'UPDATE settlements SET watch_at = ?2 WHERE identity = ?1'
  return countRowsChanged(await db.write([{ sql, params: [identity, watchAt] }], 'free')) > 0
}

/** Deletes up to `batch` settlements that could not be checked until long after their end. Returns how many. */
export const deleteOldSettlements = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM settlements
     WHERE identity IN (SELECT identity FROM settlements WHERE ends_at <= ?1 LIMIT ?2) AND ends_at <= ?1`,
    [endedBefore, batch],
  )
