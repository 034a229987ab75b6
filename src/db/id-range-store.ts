/**
 * The ids of rows of a span of time, for tables whose ids rise with their times. A search by halves finds them along the
 * primary key, in about 30 steps, so that no index over times is needed.
 */
import type { Reader } from './db.ts'
import { label, query } from './query.ts'

export interface TimeSpan {
  /** Unix milliseconds, inclusive. */
  readonly from?: number | undefined
  /** Unix milliseconds, exclusive. */
  readonly before?: number | undefined
}

export interface IdRange {
  /** Inclusive. */
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

/** A row gets its time before its id, and the machine's clock is corrected in small steps. */
const usualLagMs = 3_600_000

/** Twice the stored jumps, which are few: a row may be dated early by their sum, and the compared row late by as much. */
const selectLag = query<[]>()`
  SELECT ${usualLagMs} + 2 * coalesce(sum(abs(size_ms)), 0) AS ${label('lagMs', 'number')} FROM clock_jumps WHERE id > 0`

/** A search for the least id from which no row is older than the time. */
export type IdSearch = ReturnType<typeof writeIdSearch>

/**
 * `newest` selects the largest id of the table. `timeAt` selects the time of its first row from the id
 * `(low + high) / 2` on.
 */
export const writeIdSearch = ({ newest, timeAt }: { readonly newest: string; readonly timeAt: string }) =>
  query<[at: number]>()`
  WITH RECURSIVE half (low, high) AS (
    SELECT CAST(0 AS BIGINT), coalesce((${newest}), 0) + 1
    UNION ALL
    SELECT CASE WHEN (${timeAt}) < ?1 THEN (low + high) / 2 ELSE low END,
      CASE WHEN (${timeAt}) < ?1 THEN high ELSE (low + high) / 2 END
    FROM half WHERE high - low > 1)
  SELECT min(high) AS ${label('id', 'number')} FROM half`

/**
 * Bounds that hold every row of the span, and a few besides: the caller compares the times of the rows as well.
 * Undefined where the span has no bounds.
 */
export async function findIdRange(
  db: Reader,
  search: IdSearch,
  { from, before }: TimeSpan,
): Promise<IdRange | undefined> {
  if (from === undefined && before === undefined) return undefined
  const lagMs = (await db.read(selectLag).get())?.lagMs ?? usualLagMs
  const find = async (at: number): Promise<number> => (await db.read(search).get(at))?.id ?? 0
  return {
    first: from === undefined ? 0 : await find(from - lagMs),
    end: before === undefined ? Number.MAX_SAFE_INTEGER : await find(before + lagMs),
  }
}
