/** The stored state of the clock: SQL and nothing else. */

import type { ClockJump } from './clock-jump.ts'
import type { Db, Reader, Statement } from './db.ts'
import { type BehindTime, listMovesBack, listMovesOn, type MovedTimes } from './moved-times.ts'
import { pick, query } from './query.ts'
import { clockTurn } from './turns.ts'

/** A start after a crash begins with a steady clock that is up to so much older. */
export const storedEveryMs = 60_000

export interface StoredClock {
  readonly steadyAt: number
  readonly wallAt: number
}

const selectClock = query<[]>()`SELECT ${pick('clock', 'steadyAt', 'wallAt')} FROM clock WHERE id = 1`

export const findStoredClock = async (db: Reader): Promise<StoredClock | undefined> =>
  (await db.read(selectClock).get()) ?? undefined

/**
 * SQL: the time `at`, or the latest stored time of the steady clock where that is later. Deletions use it: a row from a
 * slow clock must not look old once the clock is right.
 */
export const writeLatestSql = (at: string): string =>
  `max(${at}, coalesce((SELECT steady_at FROM clock WHERE id = 1), ${at}))`

/** Stores a reading that is later than the stored one; an earlier one only where `mayGoBack`. */
export async function storeClock(
  db: Db,
  reading: StoredClock,
  times: readonly MovedTimes[],
  { mayGoBack = false, behind }: { readonly mayGoBack?: boolean; readonly behind?: BehindTime | undefined } = {},
): Promise<void> {
  await db.write([storeStatement(reading, mayGoBack), ...(behind ? listMovesOn(times, behind) : [])], 'free')
}

const storeStatement = ({ steadyAt, wallAt }: StoredClock, mayGoBack = false): Statement => ({
  sql: `INSERT INTO clock (id, steady_at, wall_at) VALUES (1, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET steady_at = excluded.steady_at, wall_at = excluded.wall_at
        WHERE clock.steady_at <= excluded.steady_at OR ?3 = 1`,
  params: [Math.floor(steadyAt), Math.floor(wallAt), mayGoBack ? 1 : 0],
})

const mostJumps = 20

export interface FoundJump extends ClockJump {
  /** No earlier than this, by the clock as it is now. */
  readonly since: number
  /** See MovedTimes. */
  readonly latest: number
  /** The correction that the jump makes. */
  readonly behind: BehindTime | undefined
}

/** Processes do not find a jump at the same moment. */
const toleratedDelayMs = 2_000
/** In the size of one jump: a process that had just started knows the earlier clock by its last stored time. */
const sameWithinMs = 5_000 + storedEveryMs

/**
 * Stores the times of the earlier clock with the jump, and `reading`. A server that is killed now sees the clock's
 * later changes at its next start. Of the processes that share a database, the first one stores a jump.
 */
export async function insertJump(
  db: Db,
  jump: FoundJump,
  times: readonly MovedTimes[],
  reading: StoredClock | undefined,
): Promise<void> {
  const { since, at, sizeMs, latest, behind } = jump
  const until = reading?.wallAt ?? at
  await db.write(
    [
      {
        sql: `INSERT INTO clock_jumps (at, size_ms)
              SELECT ?1, ?2 WHERE NOT EXISTS (
                SELECT 1 FROM clock_jumps j
                WHERE j.at BETWEEN ?3 AND ?4 AND abs(j.size_ms - ?2) <= ?5 AND (j.size_ms < 0) = (?2 < 0))`,
        params: [
          Math.floor(at),
          Math.round(sizeMs),
          Math.floor(since) - toleratedDelayMs,
          Math.ceil(until) + toleratedDelayMs,
          // One process may find jumps that follow each other closely, and each counts.
          db.isShared ? sameWithinMs : -1,
        ],
        must: true,
        turns: [clockTurn],
      },
      {
        sql: 'DELETE FROM clock_jumps WHERE id <= (SELECT max(id) FROM clock_jumps) - ?1',
        params: [mostJumps],
      },
      ...listMovesBack(times, jump, latest),
      ...(behind ? listMovesOn(times, behind) : []),
      ...(reading ? [storeStatement(reading)] : []),
    ],
    'free',
  )
}

const selectJumps = query<[]>()`SELECT ${pick('clock_jumps', 'at', 'sizeMs')} FROM clock_jumps ORDER BY id DESC`

/** The newest first. */
export const listJumps = (db: Reader): Promise<readonly ClockJump[]> => db.read(selectJumps).all()
