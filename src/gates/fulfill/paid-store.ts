/**
 * Changes a purchase when its payment is withdrawn or stands again: SQL and nothing else. The fulfillment's row and its
 * gate's sums change together.
 */
import type { Statement } from '../../db/db.ts'
import { standsFulfillment } from '../../db/erasing.ts'

/** The seller's income is the paid amount minus refunds. */
export const lowerSum = (payment: number, usdMicros: number): Statement => ({
  sql: `UPDATE gates SET paid_usd_micros = paid_usd_micros - ?2
        WHERE id IN (SELECT gate FROM fulfillments WHERE payment = ?1)`,
  params: [payment, usdMicros],
})

/** Goes before the suspension: afterwards nothing is granted any more. */
export const returnPlace = (payment: number, lostUsdMicros: number | undefined): Statement => ({
  sql: `UPDATE gates SET fulfilled_count = fulfilled_count - 1, paid_count = paid_count - 1,
          paid_usd_micros = paid_usd_micros - coalesce(?2,
            (SELECT usd_micros FROM fulfillments WHERE payment = ?1 AND state = 'granted'), 0)
        WHERE id IN (SELECT gate FROM fulfillments WHERE payment = ?1 AND state = 'granted')`,
  params: [payment, lostUsdMicros ?? null],
})

export const suspendFulfillment = (payment: number, at: number): Statement => ({
  sql: `UPDATE fulfillments SET state = 'suspended', updated_at = ?2 WHERE payment = ?1 AND state = 'granted'`,
  params: [payment, at],
})

/** The limits of the newest version, as for every binding. `?2` is now. */
const limits = `
  SELECT g.fulfilled_count AS given, CAST(json_extract(v.definition, '$.supply') AS BIGINT) AS supply,
    CAST(json_extract(v.definition, '$.perWallet') AS BIGINT) AS perWallet,
    (SELECT count(*) FROM reservations r WHERE r.gate = g.id AND r.expires_at > ?2) AS held
  FROM gates g JOIN gate_versions v ON v.gate = g.id AND v.version = g.version`

/** Whether this gate has a place to give at this time; both are SQL. */
export const hasSupply = (gate: string, now: string): string => `
  EXISTS (
    SELECT 1 FROM (${limits.replaceAll('?2', now)} WHERE g.id = ${gate}) found
    WHERE supply IS NULL OR supply > given + held)`

const hasShare = `
  EXISTS (
    SELECT 1 FROM (${limits} WHERE g.id = fulfillments.gate) found
    WHERE perWallet IS NULL OR perWallet > (
      SELECT count(*) FROM fulfillments f
      WHERE f.wallet = fulfillments.wallet AND f.gate = fulfillments.gate AND f.state = 'granted'
        AND ${standsFulfillment('f')}) + (
      SELECT count(*) FROM reservations r
      WHERE r.wallet = fulfillments.wallet AND r.gate = fulfillments.gate AND r.expires_at > ?2))`

/** The same row as before, with its receipt: what the buyer had stays their history. */
const updateRestored = `
  UPDATE fulfillments SET state = 'granted', updated_at = ?2
  WHERE payment = ?1 AND state = 'suspended' AND ${standsFulfillment('fulfillments')}
    AND ${hasSupply('fulfillments.gate', '?2')} AND ${hasShare}`

const updateRestoredCounts = `
  UPDATE gates SET fulfilled_count = fulfilled_count + 1, paid_count = paid_count + 1,
    paid_usd_micros = paid_usd_micros
      - coalesce(?2, -(SELECT coalesce(f.usd_micros, 0) FROM fulfillments f WHERE f.payment = ?1))
  WHERE id IN (SELECT gate FROM fulfillments WHERE payment = ?1)`

/** Refuses its batch where there is no place any more. */
export const restoreFulfillment = (payment: number, at: number): Statement => ({
  sql: updateRestored,
  params: [payment, at],
  must: true,
})

export const restoreCounts = (payment: number, lostUsdMicros: number | undefined): Statement => ({
  sql: updateRestoredCounts,
  params: [payment, lostUsdMicros ?? null],
  must: true,
})
