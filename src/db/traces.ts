/**
 * Deleted data remains in the write-ahead log until that is emptied, and a reader of the file can delay that. So each
 * such deletion notes, in its own write, that the log must be emptied. The answer says whether it was, and upkeep.ts
 * keeps trying. This file owns the table erasure_traces.
 */

import type { Db, Statement } from './db.ts'
import { pick, query } from './query.ts'

/** Deletions whose text may stand in the log still. */
export interface Traces {
  /** Number of the newest. */
  readonly noted: number
  /** When the oldest was made, in Unix milliseconds. */
  readonly since: number
}

/** Part of the write that deletes. */
export const noteTrace = (at: number): Statement => ({
  sql: `UPDATE erasure_traces SET since = CASE WHEN noted = emptied THEN ?1 ELSE since END, noted = noted + 1
        WHERE id = 1`,
  params: [at],
})

const selectPending = query<[]>()`
  SELECT ${pick('erasure_traces', 'noted', 'since')}
  FROM erasure_traces WHERE id = 1 AND noted > emptied`

export const findTraces = async (db: Db): Promise<Traces | undefined> =>
  (await db.read(selectPending).get()) ?? undefined

/** Deletions noted after that one wait at most since the log was emptied. */
const markEmptied = (upTo: number, at: number): Statement => ({
  sql: `UPDATE erasure_traces SET emptied = ?1, since = CASE WHEN noted > ?1 THEN ?2 ELSE since END
        WHERE id = 1 AND emptied < ?1`,
  params: [upTo, at],
})

interface Where {
  readonly db: Db
  readonly now: () => number
}

/** Tries once, without waiting for readers. Returns what is left. */
export async function clearTraces({ db, now }: Where): Promise<Traces | undefined> {
  const pending = await findTraces(db)
  if (!pending) return undefined
  const at = now()
  if (!(await db.emptyLog())) return pending
  await db.write([markEmptied(pending.noted, at)], 'free')
  return findTraces(db)
}

/** How often and how long an answer waits for readers that are done in a moment. */
const tries = 5
const betweenMs = 20

/** The traces of a deletion for its answer. Undefined: the log holds no deleted data any more. */
export async function leaveNoTrace(where: Where): Promise<Traces | undefined> {
  let left: Traces | undefined
  for (let tried = 0; tried < tries; tried++) {
    if (tried > 0) await new Promise((resolve) => setTimeout(resolve, betweenMs))
    // An unknown state is reported later: the deletion itself stands.
    left = await clearTraces(where).catch(() => findTraces(where.db))
    if (!left) return undefined
  }
  return left
}
