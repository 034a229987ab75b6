/** Metrics in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import type { Surface } from '../http/surfaces.ts'
import { writeBuckets } from './histogram.ts'
import type { Counted, Kind } from './measure.ts'

export const addToDay = ({ kind, day, subject, count }: Counted): Statement => ({
  sql: `INSERT INTO daily_numbers (kind, day, subject, count) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (kind, day, subject) DO UPDATE SET count = daily_numbers.count + excluded.count`,
  params: [kind, day, subject, count],
})

/** With all that this run counted in the span so far. */
export const addLatency = (
  run: string,
  { slot, surface, buckets }: { readonly slot: number; readonly surface: Surface; readonly buckets: Uint32Array },
): Statement => ({
  sql: `INSERT INTO latencies (slot, surface, run, buckets) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (slot, surface, run) DO UPDATE SET buckets = excluded.buckets`,
  params: [slot, surface, run, writeBuckets(buckets)],
})

export type DayCount = RowOf<typeof selectDays>

const selectDays = query<[string, number]>()`
  SELECT ${pick('daily_numbers', 'day', 'subject', 'count')}
  FROM daily_numbers WHERE kind = ?1 AND day >= ?2 ORDER BY day, subject`

export const listDays = (db: Db, kind: Kind, from: number): Promise<DayCount[]> => db.read(selectDays).all(kind, from)

const selectTotals = query<[string, number]>()`
  SELECT ${pick('daily_numbers', 'day', 'count')}
  FROM daily_numbers WHERE kind = ?1 AND day >= ?2 AND subject = '' ORDER BY day`

/** All subjects of a day together. */
export const listTotals = (db: Db, kind: Kind, from: number): Promise<Omit<DayCount, 'subject'>[]> =>
  db.read(selectTotals).all(kind, from)

export type SubjectCount = RowOf<typeof selectBySubject>

const selectBySubject = query<[string, number]>()`
  SELECT ${pick('daily_numbers', 'subject')},
    sum(count) AS ${label('count', 'number')}
  FROM daily_numbers
  WHERE kind = ?1 AND day >= ?2 AND subject <> '' GROUP BY subject`

export const sumBySubject = (db: Db, kind: Kind, from: number): Promise<SubjectCount[]> =>
  db.read(selectBySubject).all(kind, from)

export type LatencyRow = RowOf<typeof selectLatencies>

const selectLatencies = query<[number]>()`
  SELECT ${pick('latencies', 'slot', 'surface', 'buckets')}
  FROM latencies WHERE slot >= ?1`

export const listLatencies = (db: Db, from: number): Promise<LatencyRow[]> => db.read(selectLatencies).all(from)

/** Deletes rows from before a day, at most `batch`. Returns the number. */
export const deleteOldDays = (db: Db, kind: Kind, day: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM daily_numbers WHERE kind = ?1 AND (day, subject) IN (
       SELECT day, subject FROM daily_numbers WHERE kind = ?1 AND day < ?2 LIMIT ?3)`,
    [kind, day, batch],
  )

/** Deletes rows from before a span, at most `batch`. Returns the number. */
export const deleteOldLatencies = (db: Db, slot: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM latencies WHERE (slot, surface, run) IN (
       SELECT slot, surface, run FROM latencies WHERE slot < ?1 LIMIT ?2)`,
    [slot, batch],
  )
