/**
 * Payments in the database: SQL and nothing else. A payment is claimed once, for one gate and one proof; its row stays
 * for ever, so that it can never pay again. Confirming it is the work of the methods, and comes before.
 */

import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import { againSuffix } from './identity.ts'
import type { ClaimedPayment, PaymentVerdict, Refunded, Review } from './payment.ts'
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

export interface StoredPayment extends ClaimedPayment {
  readonly id: number
  readonly method: string
  readonly gate: number
  readonly qHash: string
  readonly state: PaymentState
  readonly claimedAt: number
  /** When to look at it again; null once nothing is left to look for. */
  readonly watchAt: number | null
}

/** A payment whose time for another look has come. */
export type WatchedPayment = StoredPayment

const firstLookMs = 15_000

/**
 * Changes no row when the payment was claimed before, for whatever it was, or is owed or on its way back
 * (unmatched-store.ts).
 */
const insertPayment = `
  INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, details, paid_at, claimed_at, updated_at,
    watch_at)
  SELECT ?1, ?2, ?3, unhex(?4), ?5, ?6, ?7, ?8, ?9, ${writeLatestSql('?10')}, ?10, ?11
  WHERE NOT EXISTS (SELECT 1 FROM unmatched_payments WHERE identity = ?1 AND state <> 'used')
  ON CONFLICT (identity) DO NOTHING`

/** To be written in one batch with the fulfilment that it pays. */
export const claimStatement = ({ method, gate, qHash, paid, claimedAt }: NewPayment): Statement => ({
  sql: insertPayment,
  must: true,
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
    WHERE f.payment = paid.id) AS REAL), ${standardRefundThreshold}) AS ${label('refundThresholdPercent', 'number')}`

const selectPayment = query<[string]>()`SELECT ${columns} FROM payments paid WHERE identity = ?1`
/** Without details there is nothing to look at: its buyer erased everything. */
const isDue = 'watch_at IS NOT NULL AND watch_at <= ?1 AND details IS NOT NULL'
/** Who is asked about a payment: its chain, or what its method stands for. */
const source = `coalesce(json_extract(details, '$.chain'), method)`
const selectSources = query<[number]>()`
  SELECT DISTINCT ${source} AS ${label('source', 'text')}
  FROM payments WHERE ${isDue}`
const selectWatched = query<[number, number, string]>()`
  SELECT ${columns} FROM payments paid WHERE ${isDue} AND ${source} = ?3 ORDER BY watch_at LIMIT ?2`

type RawPayment = RowOf<typeof selectPayment>

const makePayment = ({ details, ...rest }: RawPayment): StoredPayment => ({
  ...rest,
  isTakenBack: rest.state === 'reversed',
  details: details === null ? {} : JSON.parse(details),
})

export function findPayment(db: Db, identity: string): StoredPayment | undefined {
  const raw = db.prepare(selectPayment).get(identity)
  return raw ? makePayment(raw) : undefined
}

/** Those who are to be asked about a payment by now. */
export const listDueSources = (db: Db, now: number): string[] =>
  db
    .prepare(selectSources)
    .all(now)
    .map((row) => row.source)

/** Payments of this source to be looked at again by now, those that have waited longest first. */
export const listWatched = (db: Db, from: string, now: number, limit: number): WatchedPayment[] =>
  db.prepare(selectWatched).all(now, limit, from).map(makePayment)

/** What is left between looks that buyers ask for. */
const askedAgainMs = 5_000

/** Has a transfer that the chain took back looked for soon: its buyer asks for it. */
export const lookSoon = async (db: Db, identity: string, now: number): Promise<void> => {
  const sql = `UPDATE payments AS p SET watch_at = ?2
    WHERE identity = ?1 AND details IS NOT NULL
      AND (state = 'reversed' OR suspended_for = 'reorganised') AND (watch_at IS NULL OR watch_at > ?2)
      AND NOT EXISTS (
        SELECT 1 FROM unmatched_payments u WHERE u.identity IN (p.identity, p.identity || '${againSuffix}'))`
  await db.write([{ sql, params: [identity, now + askedAgainMs], must: true }], 'free')
}

type Reviewed = Pick<WatchedPayment, 'id' | 'watchAt' | 'state' | 'refunded' | 'details'>

/**
 * Writes down in its row what a look at a payment found. Refuses its batch when it is reversed already (those are for
 * taken-back-store.ts), and when somebody asked for another look (a webhook) after this one began.
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

/** Refuses its batch when another look wrote down a refund meanwhile. */
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
