/** Rewards that were given after the restored state: the gate gives them no second time. SQL and nothing else. */
import type { SqlValue, Statement } from '../../db/db.ts'

export type FulfillmentCopy = Readonly<Record<(typeof columns)[number], SqlValue>>

const columns = [
  'id',
  'gate',
  'q_hash',
  'wallet',
  'version',
  'receipt_id',
  'payment',
  'state',
  'created_at',
  'updated_at',
  'owner',
  'usd_micros',
] as const

/** Two writes: the first adds the row, and the second follows what became of it. Each changes nothing where it is done. */
export function giveAgain(copy: FulfillmentCopy): readonly (readonly Statement[])[] {
  const { gate, receipt_id: receiptId, state, updated_at: updatedAt, usd_micros: usdMicros } = copy
  return [
    [
      {
        sql: `INSERT INTO fulfillments (${columns.join(', ')})
              SELECT ?1, g.id, unhex(?3), ?4, ?5, ?6, (SELECT id FROM payments WHERE id = ?7), 'granted', ?9, ?10, ?11, ?12
              FROM gates g WHERE g.id = ?2 AND NOT EXISTS (SELECT 1 FROM fulfillments WHERE receipt_id = ?6 OR id = ?1)
              ON CONFLICT (gate, q_hash) DO NOTHING`,
        params: columns.map((column) => copy[column]),
        must: true,
      },
      count(gate, usdMicros, 1),
    ],
    [
      {
        sql: `UPDATE fulfillments SET state = ?2, updated_at = ?3 WHERE receipt_id = ?1 AND state <> ?2`,
        params: [receiptId, state, updatedAt],
        must: true,
      },
      count(gate, usdMicros, state === 'granted' ? 1 : -1),
    ],
  ]
}

const count = (gate: SqlValue, usdMicros: SqlValue, by: 1 | -1): Statement => ({
  sql: `UPDATE gates SET fulfilled_count = fulfilled_count + ?3,
          paid_count = paid_count + CASE WHEN CAST(?2 AS BIGINT) IS NULL THEN 0 ELSE ?3 END,
          paid_usd_micros = paid_usd_micros + coalesce(?2, 0) * ?3
        WHERE id = ?1`,
  params: [gate, usdMicros, by],
})
