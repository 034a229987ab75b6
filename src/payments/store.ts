/**
 * Payments in the database: SQL only. A payment is bound once, for one gate and one proof. Its row stays forever, so
 * that it can never pay again. The methods confirm it before.
 */

import { claimRow } from '../db/claim.ts'
import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import { nameTurn } from '../db/turns.ts'
import { againSuffix } from './identity.ts'
import type { BoundPayment, PaymentVerdict, Refunded, Review } from './payment.ts'
import { standardRefundThreshold } from './price.ts'

export type PaidVerdict = Extract<PaymentVerdict, { paid: true }>

export interface NewPayment {
  readonly method: string
  /** gates.id */
  readonly gate: number
  readonly qHash: string
  readonly paid: PaidVerdict
  readonly claimedAt: number
}

export type PaymentState = 'claimed' | 'final' | 'reversed'

export interface StoredPayment extends BoundPayment {
  readonly id: number
  readonly method: string
  readonly gate: number
  readonly qHash: string
  readonly state: PaymentState
  readonly claimedAt: number
  /** The time of the next look; null when no look is left. */
  readonly watchAt: number | null
}

/** A payment that is due for a look. */
export type WatchedPayment = StoredPayment

const firstLookMs = 15_000

/** Changes no row when the payment was bound before, is owed, or is being refunded (unmatched-store.ts). */
const insertPayment = `
  INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, details, paid_at, claimed_at, updated_at,
    watch_at)
  SELECT ?1, ?2, ?3, unhex(?4), ?5, ?6, ?7, ?8, ?9, ${writeLatestSql('?10')}, ?10, ?11
  WHERE NOT EXISTS (SELECT 1 FROM unmatched_payments WHERE identity = ?1 AND state <> 'used')
  ON CONFLICT (identity) DO NOTHING`

/** To be written in one batch with the fulfillment that it pays. */
export const bindStatement = ({ method, gate, qHash, paid, claimedAt }: NewPayment): Statement => ({
  sql: insertPayment,
  must: true,
  turns: [nameTurn('payment', paid.identity)],
  params: [
    paid.identity,
    method,
    gate,
    qHash.slice(2),
    paid.isFinal ? 'final' : 'claimed',
    paid.payer,
    paid.amount,
    JSON.stringify(paid.details),
    paid.paidAt,
    claimedAt,
    paid.isFinal ? null : claimedAt + firstLookMs,
  ],
})

const columns = compose`
  ${pick('payments paid', 'id', 'identity', 'method', 'gate')},
  ${pickHash('payments paid', 'qHash')},
  ${pick('payments paid', 'state', 'payer', 'amount', 'details', 'paidAt', 'claimedAt', 'watchAt', 'refunded')},
  ${pick('payments paid', 'suspendedFor')},
  coalesce(CAST((
    SELECT json_extract(v.definition, '$.price.refundThresholdPercent')
    FROM fulfillments f JOIN gate_versions v ON v.gate = f.gate AND v.version = f.version
    WHERE f.payment = paid.id) AS DOUBLE PRECISION), ${standardRefundThreshold}) AS ${label('refundThresholdPercent', 'number')}`

const selectPayment = query<[string]>()`SELECT ${columns} FROM payments paid WHERE identity = ?1`
/** Without details no look is possible: the buyer erased all data. */
const isDue = 'watch_at IS NOT NULL AND watch_at <= ?1 AND details IS NOT NULL'
/** The source of a payment's state: its chain, or its method. */
const source = `coalesce(json_extract(details, '$.chain'), method)`
const selectSources = query<[number]>()`
  SELECT DISTINCT ${source} AS ${label('source', 'text')}
  FROM payments WHERE ${isDue}`
const selectWatched = query<[number, number, string]>()`
  SELECT ${columns} FROM payments paid WHERE ${isDue} AND ${source} = ?3 ORDER BY watch_at LIMIT ?2`

type RawPayment = RowOf<typeof selectPayment>

const makePayment = ({ details, ...rest }: RawPayment): StoredPayment => ({
  ...rest,
  isReversed: rest.state === 'reversed',
  details: details === null ? {} : JSON.parse(details),
})

export async function findPayment(db: Db, identity: string): Promise<StoredPayment | undefined> {
  const raw = await db.read(selectPayment).get(identity)
  return raw ? makePayment(raw) : undefined
}

/** The sources with payments that are due for a look. */
export const listDueSources = async (db: Db, now: number): Promise<string[]> =>
  (await db.read(selectSources).all(now)).map((row) => row.source)

/** Payments of this source that are due for a look, the longest waiting first. */
export const listWatched = async (db: Db, from: string, now: number, limit: number): Promise<WatchedPayment[]> =>
  (await db.read(selectWatched).all(now, limit, from)).map(makePayment)

/** Takes a payment for a look. Undefined when another process has it, or its next look was moved. */
export const claimPayment = (db: Db, payment: WatchedPayment, until: number): Promise<WatchedPayment | undefined> =>
  claimRow(
    db,
    payment,
    { ...payment, watchAt: until },
    {
      sql: 'UPDATE payments SET watch_at = ?3 WHERE id = ?1 AND watch_at IS NOT DISTINCT FROM ?2',
      params: [payment.id, payment.watchAt, until],
    },
  )

/** The pause between looks that buyers request. */
const askedAgainMs = 5_000

/** Schedules a look at a reverted transfer, because its buyer asks for it. */
export const lookSoon = async (db: Db, identity: string, now: number): Promise<void> => {
  const sql = `UPDATE payments AS p SET watch_at = ?2
    WHERE identity = ?1 AND details IS NOT NULL
      AND (state = 'reversed' OR suspended_for = 'reorganized') AND (watch_at IS NULL OR watch_at > ?2)
      AND NOT EXISTS (
        SELECT 1 FROM unmatched_payments u WHERE u.identity IN (p.identity, p.identity || '${againSuffix}'))`
  await db.write([{ sql, params: [identity, now + askedAgainMs], must: true }], 'free')
}

type Reviewed = Pick<WatchedPayment, 'id' | 'watchAt' | 'state' | 'refunded' | 'details'>

/**
 * Records the result of a look at a payment. Refuses its batch for a revoked payment (see reversal-store.ts), and
 * when a webhook requested another look meanwhile.
 */
export function recordReview({ id, watchAt, details }: Reviewed, review: Review, at: number): Statement {
  switch (review.state) {
    case 'reversed':
      return markReversed(id, details, review, at)
    case 'final':
      return { sql: markFinal, params: [id, watchAt, at], must: true }
    case 'waiting':
      return { sql: markWaiting, params: [id, watchAt, at + review.nextLookMs], must: true }
    case 'suspended':
      return { sql: markSuspended, params: [id, watchAt, at + review.nextLookMs, review.reason, at], must: true }
    case 'restored':
      return { sql: markSuspended, params: [id, watchAt, at + review.nextLookMs, null, at], must: true }
  }
}

const markFinal = `
  UPDATE payments SET state = 'final', watch_at = NULL, updated_at = ?3
  WHERE id = ?1 AND state <> 'reversed' AND watch_at IS NOT DISTINCT FROM ?2`

const markWaiting = `UPDATE payments SET watch_at = ?3 WHERE id = ?1 AND state <> 'reversed' AND watch_at IS NOT DISTINCT FROM ?2`

const markSuspended = `
  UPDATE payments SET watch_at = ?3, suspended_for = ?4, updated_at = ?5
  WHERE id = ?1 AND state <> 'reversed' AND watch_at IS NOT DISTINCT FROM ?2`

const markReversed = (
  id: number,
  details: WatchedPayment['details'],
  { keptUsdMicros, nextLookMs }: Extract<Review, { state: 'reversed' }>,
  at: number,
): Statement => ({
  sql: `UPDATE payments SET state = 'reversed', watch_at = ?3, suspended_for = NULL, updated_at = ?2,
          details = CASE WHEN details IS NULL THEN NULL ELSE coalesce(?4, details) END
        WHERE id = ?1 AND state <> 'reversed'`,
  params: [
    id,
    at,
    nextLookMs === undefined ? null : at + nextLookMs,
    keptUsdMicros === undefined ? null : JSON.stringify({ ...details, takenBack: { keptUsdMicros, at } }),
  ],
  must: true,
})

/** Refuses its batch when another look recorded a refund meanwhile. */
export const recordRefund = (
  { id, refunded }: Pick<WatchedPayment, 'id' | 'refunded'>,
  { amount }: Refunded,
): Statement[] => [
  {
    sql: 'UPDATE payments SET refunded = ?3 WHERE id = ?1 AND refunded IS NOT DISTINCT FROM ?2',
    params: [id, refunded ?? null, amount === '0' ? null : amount],
    must: true,
  },
]
