/** What a gate handed out and took in a period: SQL and nothing else. */
import type { Db } from '../../db/db.ts'
import { standsFulfillment } from '../../db/erasing.ts'
import { label, query } from '../../db/query.ts'
import { findSaleIds } from './sales-store.ts'

/** A request reads the newest of a period, and no more than these. */
export const mostCounted = 20_000

/** Digits of an amount that are added together: the sum of as many passes fits into an integer of SQLite. */
const digits = 14
const parts = [3, 2, 1]

/**
 * The exact sum of decimal texts, as three numbers in one text: the highest digits come first. These are most of the work
 * of a request, and a row without a text costs none of it.
 */
const addTexts = (column: string): string => {
  const zeros = digits * parts.length
  const padded = `'${'0'.repeat(zeros)}' || ${column}`
  const sums = parts.map((part) => {
    const start = `length(${column}) + ${zeros - part * digits + 1}`
    return `coalesce(sum(CAST(substr(${padded}, ${start}, ${digits}) AS BIGINT)), 0)`
  })
  return sums.join(" || ' ' || ")
}

const readSum = (text: string): bigint =>
  text.split(' ').reduce((sum, part) => sum * 10n ** BigInt(digits) + BigInt(part), 0n)

/** Passes of one hour or day that were paid alike. What was taken back does not count. */
const selectGroups = query<
  [gate: number, first: number, end: number, from: number, until: number, stepMs: number, most: number]
>()`
  SELECT (at - ?4) / ?6 AS ${label('step', 'number')}, count(*) AS ${label('passes', 'number')},
    count(payment) AS ${label('sales', 'number')}, coalesce(sum(usd), 0) AS ${label('usdMicros', 'number')},
    method AS ${label('method', 'text or null')}, chain AS ${label('chain', 'text or null')},
    token AS ${label('token', 'text or null')},
    ${addTexts('amount')} AS ${label('amount', 'text')}, ${addTexts('refunded')} AS ${label('refunded', 'text')}
  FROM (
    SELECT f.created_at AS at, f.payment AS payment, f.usd_micros AS usd,
      p.method AS method, p.amount AS amount, p.refunded AS refunded,
      json_extract(p.details, '$.chain') AS chain, json_extract(p.details, '$.token') AS token
    FROM fulfillments f INDEXED BY fulfillments_by_gate LEFT JOIN payments p ON p.id = f.payment
    WHERE f.gate = ?1 AND f.id >= ?2 AND f.id < ?3 AND f.created_at >= ?4 AND f.created_at < ?5
      AND f.state = 'granted' AND p.suspended_for IS NULL AND ${standsFulfillment('f')}
    ORDER BY f.id DESC LIMIT ?7) passes
  GROUP BY 1, method, chain, token`

export async function listGroups(
  db: Db,
  gate: number,
  { from, before, stepMs }: { readonly from: number; readonly before: number; readonly stepMs: number },
) {
  const { first, end } = await findSaleIds(db, { from, before })
  const rows = await db.read(selectGroups).all(gate, first, end, from, before, stepMs, mostCounted)
  return rows.map(({ amount, refunded, ...row }) => ({ ...row, amount: readSum(amount), refunded: readSum(refunded) }))
}
