/**
 * Revoked payments, and the results of later looks: SQL only. The effect on place and reward is decided by
 * gates/fulfill/apply-review.ts, which gathers these statements.
 */
import { writeLatestSql } from '../db/clock-store.ts'
import type { Statement } from '../db/db.ts'
import { standsFulfillment } from '../db/erasing.ts'
import { nameTurn } from '../db/turns.ts'
import { againSuffix } from './identity.ts'
import type { PaymentMethod } from './payment.ts'
import type { WatchedPayment } from './store.ts'

/** Stored in the details of a revoked payment. */
export interface Reversal {
  /** The amount that still counts as the seller's revenue, in millionths of a US dollar. */
  readonly keptUsdMicros: number
  /** Unix milliseconds. */
  readonly at: number
}

/**
 * `unmatched`: it counts again, but its place is gone. `changed`: another look was faster, and the next look decides.
 */
export type LaterOutcome = 'taken-back' | 'restored' | 'unmatched' | 'changed'

export type ReversedPayment = Pick<WatchedPayment, 'id' | 'identity' | 'method' | 'watchAt' | 'refunded' | 'details'>

/** Details erased meanwhile stay erased. */
const updateNextLook = `
  UPDATE payments SET watch_at = ?3, details = CASE WHEN details IS NULL THEN NULL ELSE coalesce(?4, details) END
  WHERE id = ?1 AND watch_at IS NOT DISTINCT FROM ?2 AND state = 'reversed'`

/** Refuses its batch when another look was faster. `details` undefined: they stay. */
export const setNextLook = (
  { id, watchAt }: ReversedPayment,
  nextAt: number | null,
  details?: WatchedPayment['details'],
): Statement => ({
  sql: updateNextLook,
  params: [id, watchAt, nextAt, details === undefined ? null : JSON.stringify(details)],
  must: true,
})

const updateRestored = `
  UPDATE payments AS p SET state = 'claimed', watch_at = ?3, updated_at = ?4, details = ?5
  WHERE id = ?1 AND watch_at IS NOT DISTINCT FROM ?2 AND state = 'reversed' AND details IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM unmatched_payments u
      WHERE u.identity IN (p.identity, p.identity || '${againSuffix}'))`

/** Refuses its batch when another look was faster, or the money is owed or being refunded meanwhile. */
export const restorePayment = (
  { id, identity, watchAt }: ReversedPayment,
  nextAt: number,
  details: WatchedPayment['details'],
  at: number,
): Statement => ({
  sql: updateRestored,
  params: [id, watchAt, nextAt, at, JSON.stringify(details)],
  must: true,
  turns: nameTurns(identity),
})

/** Its row of money that bought nothing may have the further name. */
const nameTurns = (identity: string): string[] =>
  [identity, identity + againSuffix].map((name) => nameTurn('payment', name))

/** A buyer whose erasure is running is not named again. */
const isNamed = standsFulfillment('f')

/**
 * Changes no row when one exists. A transfer may be used elsewhere, and is then bound under a new name. Its first name
 * stays with the reward that it no longer pays.
 */
const insertUnmatched = (hasSupply: string): string => `
  INSERT INTO unmatched_payments (identity, method, gate, owner, q_hash, wallet, payer, amount, usd_micros, details, reason,
    transaction_hash, state, paid_at, created_at, updated_at, next_at)
  SELECT CASE WHEN ?4 = 1 THEN p.identity || '${againSuffix}' ELSE p.identity END, p.method, p.gate, g.owner, CASE WHEN ${isNamed} THEN p.q_hash END,
    CASE WHEN ${isNamed} THEN f.wallet END, p.payer, p.amount, f.usd_micros, CASE WHEN ${isNamed} THEN p.details END,
    CASE WHEN ${hasSupply} THEN 'GATE_LIMIT_REACHED' ELSE 'GATE_SOLD_OUT' END,
    CASE WHEN ${isNamed} THEN json_extract(p.details, '$.transactionHash') END,
    CASE WHEN ?5 = 1 THEN 'refunding' ELSE 'owed' END, p.paid_at, ${writeLatestSql('?3')}, ?3, ?3
  FROM payments p JOIN gates g ON g.id = p.gate JOIN fulfillments f ON f.payment = p.id
  WHERE p.id = ?1 AND p.watch_at IS NOT DISTINCT FROM ?2 AND p.state = 'reversed'
  ON CONFLICT (identity) DO NOTHING`

/** `hasSupply`: whether the gate `p.gate` has a place at the time `?3`, as its folder writes it. */
export const recordPlaceGone = (
  { id, identity, watchAt }: ReversedPayment,
  at: number,
  hasSupply: string,
  { isPaidOnChain, givesBack }: Pick<PaymentMethod, 'isPaidOnChain' | 'givesBack'>,
): Statement => ({
  sql: insertUnmatched(hasSupply),
  params: [id, watchAt, at, Number(isPaidOnChain), Number(givesBack)],
  turns: nameTurns(identity),
})
