/**
 * Deleted data remains in the write-ahead log of SQLite until that is emptied, and in dead rows of PostgreSQL until
 * those are vacuumed. A reader can delay both. So each deletion that must leave no trace is noted in its own write. The
 * answer says whether something is left, and upkeep.ts keeps trying. This file owns the table traces.
 */

import { randomBytes } from 'node:crypto'
import type { Db, Statement } from './db.ts'
import { label, pick, query } from './query.ts'

/** Deletions of which something may be left. */
export interface Traces {
  /** When the oldest was made, in Unix milliseconds. */
  readonly since: number
}

/** Part of the write that deletes. `receipt`: of an erasure, whose holder asks about it. */
export const noteTrace = (at: number, receipt: string | null = null): Statement => ({
  sql: 'INSERT INTO traces (id, noted_at, receipt) VALUES (?1, ?2, ?3)',
  params: [randomBytes(16).toString('hex'), at, receipt],
})

const selectPending = query<[]>()`SELECT min(noted_at) AS ${label('since', 'number or null')} FROM traces`

export async function findTraces(db: Db): Promise<Traces | undefined> {
  const since = (await db.read(selectPending).get())?.since
  return since == null ? undefined : { since }
}

/** Forgotten by one write: of more, the rest follows with the next try. */
const mostAtOnce = 20_000

const selectIds = query<
  []
>()`SELECT ${pick('traces', 'id')} FROM traces WHERE noted_at >= 0 ORDER BY noted_at LIMIT ${mostAtOnce}`

/** By their ids: others may have been noted since, of rows that are there still. */
const forgetTraces = (ids: readonly string[]): Statement => ({
  sql: 'DELETE FROM traces WHERE id IN (SELECT value FROM json_each(?1))',
  params: [JSON.stringify(ids)],
})

/** Tries once, without waiting for readers. Returns what is left. */
export async function clearTraces({ db }: { readonly db: Db }): Promise<Traces | undefined> {
  const ids = (await db.read(selectIds).all()).map(({ id }) => id)
  if (ids.length === 0) return undefined
  if (await db.forgetDeleted()) await db.write([forgetTraces(ids)], 'free')
  return findTraces(db)
}

/** How often and how long an answer waits for readers that are done in a moment. */
const tries = 5
const betweenMs = 20

/**
 * The traces of a deletion for its answer. Undefined: nothing of it is left. A vacuum takes too long for an answer to wait:
 * the upkeep makes it.
 */
export async function leaveNoTrace({ db }: { readonly db: Db }): Promise<Traces | undefined> {
  if (db.isShared) return findTraces(db)
  let left: Traces | undefined
  for (let tried = 0; tried < tries; tried++) {
    if (tried > 0) await new Promise((resolve) => setTimeout(resolve, betweenMs))
    // An unknown state is reported later: the deletion itself stands.
    left = await clearTraces({ db }).catch(() => findTraces(db))
    if (!left) return undefined
  }
  return left
}
