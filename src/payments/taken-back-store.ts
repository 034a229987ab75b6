/**
 * Payments that were taken back, and what a later look finds of them: SQL and nothing else. One that stands again gives the
 * place and the reward back, where there is still a place; else the money is written down as unmatched: a card payment is
 * given back by this server, and a transfer is owed by the seller.
 */
import { writeLatestSql } from '../db/clock-store.ts'
import type { Statement } from '../db/db.ts'
import { standsFulfillment } from '../db/erasing.ts'
import type { Parts } from '../parts.ts'
import { againSuffix } from './identity.ts'
import type { Review } from './payment.ts'
import { lowerSum, recordRefund, type WatchedPayment } from './store.ts'

/** Kept in the details of a payment that was taken back. */
export interface TakenBack {
  /** What is still in the sum of the seller, in millionths of a US dollar. */
  readonly keptUsdMicros: number
  /** Unix milliseconds. */
  readonly at: number
}

/** `unmatched`: it stands again, and its place is gone. `changed`: somebody was faster, and the next look finds out. */
export type LaterOutcome = 'taken-back' | 'restored' | 'unmatched' | 'changed'

type TakenBackPayment = Pick<WatchedPayment, 'id' | 'watchAt' | 'refunded' | 'details'>

/** Writes down what a look at a payment found that was taken back before. */
export async function applyLaterReview(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  payment: TakenBackPayment,
  review: Review,
): Promise<LaterOutcome> {
  const at = now()
  if (review.state !== 'restored') {
    const result = await db.write(recordStillTakenBack(payment, review, at), 'free')
    return 'changes' in result ? 'taken-back' : 'changed'
  }
  const { id, watchAt } = payment
  const { takenBack: _, ...details } = payment.details
  const restored = await db.write(
    [
      {
        sql: restorePayment,
        params: [id, watchAt, at + review.nextLookMs, at, JSON.stringify(details)],
        must: true,
      },
      { sql: restoreFulfillment, params: [id, at], must: true },
      { sql: restoreCounts, params: [id, review.lostUsdMicros ?? null], must: true },
      ...(review.refunded ? recordRefund(payment, review.refunded) : []),
    ],
    'settle',
  )
  if ('changes' in restored) return 'restored'
  const written = await db.write(
    [
      { sql: insertUnmatched, params: [id, watchAt, at] },
      { sql: setNextLook, params: [id, watchAt, null, null], must: true },
    ],
    'settle',
  )
  if (!('changes' in written)) return 'changed'
  return (written.changes[0] ?? 0) > 0 ? 'unmatched' : 'taken-back'
}

function recordStillTakenBack(payment: TakenBackPayment, review: Review, at: number): Statement[] {
  const { id, watchAt, details } = payment
  const nextAt = 'nextLookMs' in review && review.nextLookMs !== undefined ? at + review.nextLookMs : null
  if (review.state !== 'reversed')
    return [{ sql: setNextLook, params: [id, watchAt, nextAt, JSON.stringify(details)], must: true }]
  const { keptUsdMicros = 0, lostUsdMicros = 0, refunded } = review
  const before = details.takenBack as TakenBack | undefined
  const takenBack: TakenBack = { keptUsdMicros, at: before?.at ?? at }
  return [
    { sql: setNextLook, params: [id, watchAt, nextAt, JSON.stringify({ ...details, takenBack })], must: true },
    ...(refunded ? recordRefund(payment, refunded) : []),
    ...(lostUsdMicros === 0 ? [] : [lowerSum(id, lostUsdMicros)]),
  ]
}

/** What was erased meanwhile stays erased. */
const setNextLook = `
  UPDATE payments SET watch_at = ?3, details = CASE WHEN details IS NULL THEN NULL ELSE coalesce(?4, details) END
  WHERE id = ?1 AND watch_at IS ?2 AND state = 'reversed'`

const restorePayment = `
  UPDATE payments AS p SET state = 'claimed', watch_at = ?3, updated_at = ?4, details = ?5
  WHERE id = ?1 AND watch_at IS ?2 AND state = 'reversed' AND details IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM unmatched_payments u
      WHERE u.identity IN (p.identity, p.identity || '${againSuffix}'))`

/** Of the newest version, as for every claim. `?2` is now. */
const limits = `
  SELECT g.fulfilled_count AS given, json_extract(v.definition, '$.supply') AS supply,
    json_extract(v.definition, '$.perWallet') AS perWallet,
    (SELECT count(*) FROM reservations r WHERE r.gate = g.id AND r.expires_at > ?2) AS held
  FROM gates g JOIN gate_versions v ON v.gate = g.id AND v.version = g.version`

const hasSupply = (gate: string, now: string): string => `
  EXISTS (
    SELECT 1 FROM (${limits.replaceAll('?2', now)} WHERE g.id = ${gate})
    WHERE supply IS NULL OR supply > given + held)`

const hasShare = `
  EXISTS (
    SELECT 1 FROM (${limits} WHERE g.id = fulfillments.gate)
    WHERE perWallet IS NULL OR perWallet > (
      SELECT count(*) FROM fulfillments f
      WHERE f.wallet = fulfillments.wallet AND f.gate = fulfillments.gate AND f.state = 'granted'
        AND ${standsFulfillment('f')}) + (
      SELECT count(*) FROM reservations r
      WHERE r.wallet = fulfillments.wallet AND r.gate = fulfillments.gate AND r.expires_at > ?2))`

/** The same row as before, with its receipt: what the buyer had stays their history. */
const restoreFulfillment = `
  UPDATE fulfillments SET state = 'granted', updated_at = ?2
  WHERE payment = ?1 AND state = 'suspended' AND ${standsFulfillment('fulfillments')}
    AND ${hasSupply('fulfillments.gate', '?2')} AND ${hasShare}`

const restoreCounts = `
  UPDATE gates SET fulfilled_count = fulfilled_count + 1, paid_count = paid_count + 1,
    paid_usd_micros = paid_usd_micros
      - coalesce(?2, -(SELECT coalesce(f.usd_micros, 0) FROM fulfillments f WHERE f.payment = ?1))
  WHERE id IN (SELECT gate FROM fulfillments WHERE payment = ?1)`

/** Whoever erases everything is not named again. */
const isNamed = standsFulfillment('f')

const isCard = `p.method = 'card'`

/**
 * Changes no row when it stands there already. A transfer can be used elsewhere, and is claimed then by a name of its own: its
 * first one stays with the reward that it no longer pays for.
 */
const insertUnmatched = `
  INSERT INTO unmatched_payments (identity, method, gate, owner, q_hash, wallet, payer, amount, usd_micros, details, reason,
    transaction_hash, state, paid_at, created_at, updated_at, next_at)
  SELECT CASE WHEN ${isCard} THEN p.identity ELSE p.identity || '${againSuffix}' END, p.method, p.gate, g.owner, CASE WHEN ${isNamed} THEN p.q_hash END,
    CASE WHEN ${isNamed} THEN f.wallet END, p.payer, p.amount, f.usd_micros, CASE WHEN ${isNamed} THEN p.details END,
    CASE WHEN ${hasSupply('p.gate', '?3')} THEN 'GATE_LIMIT_REACHED' ELSE 'GATE_SOLD_OUT' END,
    CASE WHEN ${isNamed} THEN json_extract(p.details, '$.transactionHash') END,
    CASE WHEN ${isCard} THEN 'refunding' ELSE 'owed' END, p.paid_at, ${writeLatestSql('?3')}, ?3, ?3
  FROM payments p JOIN gates g ON g.id = p.gate JOIN fulfillments f ON f.payment = p.id
  WHERE p.id = ?1 AND p.watch_at IS ?2 AND p.state = 'reversed'
  ON CONFLICT (identity) DO NOTHING`
