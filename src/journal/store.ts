/**
 * The journal of what was taken away, and of money that was taken: a restore of an older state takes it away again.
 * Triggers write it, in the write that takes away. This file reads it, and writes what no trigger can know.
 */
import type { Db, Reader, Statement } from '../db/db.ts'
import { label, pick, query } from '../db/query.ts'
import { askInWrite, countRowsChanged, readAnswer } from '../db/rows-changed.ts'
import { journalTurn } from '../db/turns.ts'

export const journalKinds = [
  'erased account',
  'revoked proof',
  'visibility',
  'access key',
  'oauth grant',
  'oauth consent',
  'profile',
  'secret',
  'guest',
  'access grant',
  'share link',
  'operator',
  'gate state',
  'payment',
  'fulfillment',
  'unmatched payment',
  // Nothing to take away: its id is behind all of before.
  'restore',
] as const
export type JournalKind = (typeof journalKinds)[number]

export interface JournalRow {
  readonly id: number
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: string
  readonly thing: string
  /** JSON. */
  readonly detail: string
}

const selectAfter = query<[after: number, limit: number]>()`
  SELECT ${pick('taken_away', 'id', 'at', 'kind', 'thing', 'detail')} FROM taken_away WHERE id > ?1 ORDER BY id LIMIT ?2`

export const listJournal = (db: Reader, after: number, limit: number): Promise<readonly JournalRow[]> =>
  db.read(selectAfter).all(after, limit)

const selectNewest = query<[]>()`SELECT coalesce(max(id), 0) AS ${label('id', 'number')} FROM taken_away`

export const findNewestEntry = async (db: Reader): Promise<number> => (await db.read(selectNewest).get())?.id ?? 0

/**
 * The newest entry behind which no other one appears any more. Ids are given before the commit, so it waits for the writes
 * that have one: a reader that goes on from an id would never see theirs.
 */
export async function findSettledEntry(db: Db): Promise<number> {
  if (!db.isShared) return findNewestEntry(db)
  const ask = { ...askInWrite(selectNewest), turns: [journalTurn] }
  return readAnswer(await db.write([ask], 'free'), selectNewest)?.id ?? 0
}

/** The context of the MAC that stands for the name of an erased account. */
export const erasedContext = 'erased account'

/** Part of the write that begins the erasure. The journal outlives the account, so it holds no name. */
export const noteErased = (mac: string, at: number): Statement => ({
  // A new id also for an account that was erased before: a backup may be of the time between.
  sql: `INSERT INTO taken_away (id, at, kind, thing, detail)
        SELECT coalesce(max(id), 0) + 1, ?1, 'erased account', ?2, '{}' FROM taken_away WHERE true
        ON CONFLICT (kind, thing) DO UPDATE SET id = excluded.id, at = excluded.at`,
  params: [at, mac],
})

/** A row that was replayed, behind all others: a restore of yet another backup needs it again. */
export const keepEntry = ({ at, kind, thing, detail }: Omit<JournalRow, 'id'>): Statement => ({
  sql: `INSERT INTO taken_away (id, at, kind, thing, detail)
        SELECT coalesce(max(id), 0) + 1, ?1, ?2, ?3, ?4 FROM taken_away WHERE true
        ON CONFLICT (kind, thing) DO UPDATE SET id = excluded.id, at = excluded.at, detail = excluded.detail`,
  params: [at, kind, thing, detail],
})

/** A row of the restore itself, at least that far behind all others. */
export const noteRestored = (backupId: string, at: number, id: number): Statement => ({
  sql: `INSERT INTO taken_away (id, at, kind, thing, detail)
        SELECT max(?1, coalesce(max(id), 0) + 1), ?2, 'restore', ?3, '{}' FROM taken_away WHERE true
        ON CONFLICT (kind, thing) DO UPDATE SET id = excluded.id, at = excluded.at`,
  params: [id, at, backupId],
})

/**
 * Deletes up to `batch` rows from before that time, and returns the number. The newest row stays, so that no id is given
 * twice.
 */
export async function deleteOldEntries(db: Db, before: number, batch: number): Promise<number> {
  const result = await db.write(
    [
      {
        sql: `DELETE FROM taken_away WHERE id IN (
                SELECT id FROM (SELECT id, at FROM taken_away ORDER BY id LIMIT ?2) oldest
                WHERE at < ?1 AND id < (SELECT max(id) FROM taken_away))`,
        params: [before, batch],
      },
    ],
    'free',
  )
  return countRowsChanged(result)
}

const selectRestores = query<[]>()`
  SELECT ${pick('restores', 'restoredAt', 'knownUntil')} FROM restores ORDER BY id`

/** What the restored data does not know, in Unix milliseconds. */
export interface LostTime {
  readonly from: number
  /** The restore. */
  readonly until: number
}

/** The last restore after which nobody knew what had been taken away. Unix milliseconds; 0: none. */
const selectBlindRestore = query<[]>()`
  SELECT coalesce(max(restored_at), 0) AS ${label('at', 'number')} FROM restores WHERE journal = 'gone'`

export const findBlindRestore = async (db: Reader): Promise<number> =>
  (await db.read(selectBlindRestore).get())?.at ?? 0

export const listLostTimes = async (db: Reader): Promise<readonly LostTime[]> =>
  (await db.read(selectRestores).all()).map(({ restoredAt, knownUntil }) => ({ from: knownUntil, until: restoredAt }))
