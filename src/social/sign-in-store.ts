/** Sign-ins at other providers in the database: SQL only. `state` is stored as SHA-256 only. */

import type { Db } from '../db/db.ts'
import { type MovedTimes, moveStep } from '../db/moved-times.ts'
import { writeBusiestNetworkSql } from '../db/network-share.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'

export type Stage = 'started' | 'returned' | 'signed-in' | 'failed' | 'exchanged'

export type SignInRow = RowOf<typeof selectSignIn>

const selectSignIn = query<[string]>()`
  SELECT ${pick('social_sign_ins', 'stage', 'sealed', 'failure', 'expiresAt')}
  FROM social_sign_ins WHERE hash = unhex(?1)`

export const findSignIn = async (db: Db, hash: string): Promise<SignInRow | undefined> =>
  (await db.read(selectSignIn).get(hash)) ?? undefined

export interface NewSignIn {
  readonly hash: string
  readonly sealed: string
  readonly expiresAt: number
  /** request-scope.ts readNetwork(). Null if no request started it. */
  readonly network: string | null
}

/** Above `most` open sign-ins, the network with the most of them loses its oldest. */
export async function insertSignIn(db: Db, signIn: NewSignIn, most: number): Promise<void> {
  await db.write([
    {
      sql: `INSERT INTO social_sign_ins (hash, stage, sealed, expires_at, network)
            VALUES (unhex(?1), 'started', ?2, ?3, ?4)`,
      params: [signIn.hash, signIn.sealed, signIn.expiresAt, signIn.network],
      must: true,
      turns: ['social sign-ins'],
    },
    {
      sql: `DELETE FROM social_sign_ins WHERE hash = (
              SELECT s.hash FROM social_sign_ins s
              WHERE s.stage = 'started' AND s.hash <> unhex(?2) AND coalesce(s.network, '') = (
                ${writeBusiestNetworkSql('social_sign_ins', "stage = 'started' AND hash <> unhex(?2)", 'expires_at')})
              ORDER BY s.expires_at, s.hash LIMIT 1)
            AND (SELECT count(*) FROM social_sign_ins WHERE stage = 'started') > ?1`,
      params: [most, signIn.hash],
    },
  ])
}

/** Records the person's return. False if it was recorded before, or the time is over. */
export async function markReturned(db: Db, hash: string, now: number): Promise<boolean> {
  const result = await db.write([
    {
      sql: `UPDATE social_sign_ins SET stage = 'returned', sealed = NULL
            WHERE hash = unhex(?1) AND stage = 'started' AND expires_at > ?2`,
      params: [hash, now],
      must: true,
    },
  ])
  return 'changes' in result
}

export async function markSignedIn(db: Db, hash: string, sealed: string): Promise<void> {
  await db.write(
    [
      {
        sql: "UPDATE social_sign_ins SET stage = 'signed-in', sealed = ?2 WHERE hash = unhex(?1) AND stage = 'returned'",
        params: [hash, sealed],
      },
    ],
    'settle',
  )
}

export async function markFailed(db: Db, hash: string, failure: string): Promise<void> {
  await db.write(
    [
      {
        sql: "UPDATE social_sign_ins SET stage = 'failed', failure = ?2 WHERE hash = unhex(?1) AND stage = 'returned'",
        params: [hash, failure],
      },
    ],
    'free',
  )
}

/** False when another call did it first, or the time is over. */
export async function markExchanged(db: Db, hash: string, now: number): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: `UPDATE social_sign_ins SET stage = 'exchanged', sealed = NULL
            WHERE hash = unhex(?1) AND stage = 'signed-in' AND expires_at > ?2`,
        params: [hash, now],
        must: true,
      },
    ],
    'free',
  )
  return 'changes' in result
}

/** Deletes sign-ins that ended before a time, at most `batch`. Returns how many. */
export const deleteOldSignIns = (db: Db, before: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM social_sign_ins
            WHERE hash IN (SELECT hash FROM social_sign_ins WHERE expires_at <= ?1 LIMIT ?2)`,
    [before, batch],
  )

export const movedSocialTimes: MovedTimes = moveStep('UPDATE social_sign_ins')
