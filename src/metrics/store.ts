/** Metrics in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import type { Surface } from '../http/surfaces.ts'
import { writeBuckets } from './histogram.ts'
import type { Counted, Kind } from './measure.ts'

/** With all that this run counted in the span so far. */
export const addLatency = (
  run: string,
  { slot, surface, buckets }: { readonly slot: number; readonly surface: Surface; readonly buckets: Uint32Array },
): Statement => ({
  sql: `INSERT INTO latencies (slot, surface, run, buckets) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (slot, surface, run) DO UPDATE SET buckets = excluded.buckets`,
  params: [slot, surface, run, writeBuckets(buckets)],
})

const dayTexts = {
  add: `INSERT INTO daily_numbers (kind, day, subject, count) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (kind, day, subject) DO UPDATE SET count = daily_numbers.count + excluded.count`,
  select: query<[string, number]>()`
    SELECT ${pick('daily_numbers', { at: 'day' }, 'subject', 'count')}
    FROM daily_numbers WHERE kind = ?1 AND day >= ?2 ORDER BY day, subject`,
  selectTotals: query<[string, number]>()`
    SELECT ${pick('daily_numbers', { at: 'day' }, 'count')}
    FROM daily_numbers WHERE kind = ?1 AND day >= ?2 AND subject = '' ORDER BY day`,
  selectBySubject: query<[string, number]>()`
    SELECT ${pick('daily_numbers', 'subject')}, sum(count) AS ${label('count', 'number')}
    FROM daily_numbers WHERE kind = ?1 AND day >= ?2 AND subject <> '' GROUP BY subject`,
  deleteBefore: `DELETE FROM daily_numbers WHERE kind = ?1 AND (day, subject) IN (
                   SELECT day, subject FROM daily_numbers WHERE kind = ?1 AND day < ?2 LIMIT ?3)`,
}

const hourTexts = {
  add: `INSERT INTO hourly_numbers (kind, hour, subject, count) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (kind, hour, subject) DO UPDATE SET count = hourly_numbers.count + excluded.count`,
  select: query<[string, number]>()`
    SELECT ${pick('hourly_numbers', { at: 'hour' }, 'subject', 'count')}
    FROM hourly_numbers WHERE kind = ?1 AND hour >= ?2 ORDER BY hour, subject`,
  selectTotals: query<[string, number]>()`
    SELECT ${pick('hourly_numbers', { at: 'hour' }, 'count')}
    FROM hourly_numbers WHERE kind = ?1 AND hour >= ?2 AND subject = '' ORDER BY hour`,
  selectBySubject: query<[string, number]>()`
    SELECT ${pick('hourly_numbers', 'subject')}, sum(count) AS ${label('count', 'number')}
    FROM hourly_numbers WHERE kind = ?1 AND hour >= ?2 AND subject <> '' GROUP BY subject`,
  deleteBefore: `DELETE FROM hourly_numbers WHERE kind = ?1 AND (hour, subject) IN (
                   SELECT hour, subject FROM hourly_numbers WHERE kind = ?1 AND hour < ?2 LIMIT ?3)`,
}

/** The counts by day, or those by hour. `from` is the first day or hour. */
const openCounts = ({
  add,
  select,
  selectTotals,
  selectBySubject,
  deleteBefore,
}: typeof dayTexts | typeof hourTexts) => ({
  add: ({ kind, at, subject, count }: Counted): Statement => ({ sql: add, params: [kind, at, subject, count] }),
  list: (db: Db, kind: Kind, from: number) => db.read(select).all(kind, from),
  /** All subjects together. */
  listTotals: (db: Db, kind: Kind, from: number) => db.read(selectTotals).all(kind, from),
  sumBySubject: (db: Db, kind: Kind, from: number) => db.read(selectBySubject).all(kind, from),
  /** Deletes rows from before a day or hour, at most `batch`. Returns the number. */
  deleteBefore: (db: Db, kind: Kind, at: number, batch: number): Promise<number> =>
    change(db, deleteBefore, [kind, at, batch]),
})

export const counts = { day: openCounts(dayTexts), hour: openCounts(hourTexts) }

export type LatencyRow = RowOf<typeof selectLatencies>

const selectLatencies = query<[number]>()`
  SELECT ${pick('latencies', 'slot', 'surface', 'buckets')}
  FROM latencies WHERE slot >= ?1 ORDER BY slot, surface, run`

export const listLatencies = (db: Db, from: number): Promise<LatencyRow[]> => db.read(selectLatencies).all(from)

/** Deletes rows from before a span, at most `batch`. Returns the number. */
export const deleteOldLatencies = (db: Db, slot: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM latencies WHERE (slot, surface, run) IN (
       SELECT slot, surface, run FROM latencies WHERE slot < ?1 LIMIT ?2)`,
    [slot, batch],
  )
