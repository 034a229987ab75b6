/** The stored state of the clock: SQL and nothing else. */

import type { ClockJump } from './clock-jump.ts'
import type { Db, Reader, Statement } from './db.ts'
import { type BehindTime, listMovesBack, listMovesOn, type MovedTimes } from './moved-times.ts'
import { pick, query } from './query.ts'

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
  /** See MovedTimes. */
  readonly latest: number
  /** The correction that the jump makes. */
  readonly behind: BehindTime | undefined
}

/**
 * Stores the times of the earlier clock with the jump, and `reading`. A server that is killed now sees the clock's
 * later changes at its next start.
 */
export async function insertJump(
  db: Db,
  jump: FoundJump,
  times: readonly MovedTimes[],
  reading: StoredClock | undefined,
): Promise<void> {
  const { at, sizeMs, latest, behind } = jump
  await db.write(
    [
      { sql: 'INSERT INTO clock_jumps (at, size_ms) VALUES (?1, ?2)', params: [Math.floor(at), Math.round(sizeMs)] },
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
