/** How much work waits in the database: one look into a partial index for each queue. */
import type { Db } from './db.ts'
import { label, query } from './query.ts'

/** Counting further would cost more than the figure is worth. */
const mostCounted = 100_000

const queues = {
  publications: 'publications WHERE finished_at IS NULL',
  followed_blocks: 'followed_blocks WHERE look_at IS NOT NULL',
  watched_payments: 'payments WHERE watch_at IS NOT NULL',
  watched_checkouts: 'checkouts WHERE watch_at IS NOT NULL',
  watched_settlements: 'settlements',
  unmatched_payments: 'unmatched_payments WHERE next_at IS NOT NULL',
  erasures: 'erasures',
} as const

const countRows = Object.entries(queues)
  .map(([name, rows]) => `SELECT '${name}' AS queue, count(*) AS waiting FROM (SELECT 1 FROM ${rows} LIMIT ?1) found`)
  .join(' UNION ALL ')

const selectLengths = query<[number]>()`
  SELECT queue AS ${label('name', 'text')}, waiting AS ${label('length', 'number')} FROM (${countRows}) lengths`

export const readQueueLengths = (db: Db): Promise<readonly { readonly name: string; readonly length: number }[]> =>
  db.read(selectLengths).all(mostCounted)
