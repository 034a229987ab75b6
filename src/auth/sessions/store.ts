/** Sessions in the database: SQL only. Ids are stored as SHA-256 only. */

import type { Db, Statement } from '../../db/db.ts'
import type { MovedTimes } from '../../db/moved-times.ts'
import { compose, pick, pickDigits, query, type RowOf } from '../../db/query.ts'
import { change } from '../../db/rows-changed.ts'
import { type Profile, profileColumns, toProfile } from '../../profiles/store.ts'
import type { Ground } from '../../request-scope.ts'

export interface NewSession {
  /** SHA-256 of the session id, 64 hexadecimal digits. */
  readonly hash: string
  /** Account of the profile: text of wallet/account.ts writeAccount(). */
  readonly primary: string
  /** Text of wallet/account.ts writeAccount(). */
  readonly account: string
  readonly linkProof: number | null
  readonly agent: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Session {
  readonly hash: string
  readonly profile: Profile
  readonly account: string
  readonly linkProof: number | null
  readonly agent: string | null
  readonly createdAt: number
  readonly seenAt: number
  readonly expiresAt: number
}

const sessionColumns = compose`${profileColumns},
  ${pickDigits('sessions s', 'hash')},
  ${pick('sessions s', { signedInAs: 'account' }, 'linkProof', 'agent', { startedAt: 'createdAt' }, 'seenAt')},
  ${pick('sessions s', 'expiresAt')}`

type SessionRow = RowOf<typeof sessionColumns>

const makeSession = ({
  hash,
  signedInAs,
  linkProof,
  agent,
  startedAt,
  seenAt,
  expiresAt,
  ...profile
}: SessionRow): Session => ({
  hash,
  profile: toProfile(profile),
  account: signedInAs,
  linkProof,
  agent,
  createdAt: startedAt,
  seenAt,
  expiresAt,
})

/** For the profile of `primary`, which must exist. */
export const insertSession = ({ primary, ...session }: NewSession): Statement => ({
  sql: `INSERT INTO sessions (hash, profile, account, link_proof, agent, created_at, seen_at, expires_at)
        SELECT unhex(?1), id, ?3, ?4, ?5, ?6, ?6, ?7 FROM profiles WHERE account = ?2`,
  params: [
    session.hash,
    primary,
    session.account,
    session.linkProof,
    session.agent,
    session.createdAt,
    session.expiresAt,
  ],
  must: true,
})

/** Deletes all but the `kept` most recently used sessions of a profile. */
export const dropOldestSessions = (primary: string, kept: number): Statement => ({
  sql: `DELETE FROM sessions WHERE hash IN (
          SELECT hash FROM sessions WHERE profile = (SELECT id FROM profiles WHERE account = ?1)
          ORDER BY seen_at DESC, created_at DESC, hash LIMIT 1000000000 OFFSET ?2)`,
  params: [primary, kept],
})

const selectSession = query<[string]>()`
  SELECT ${sessionColumns} FROM sessions s JOIN profiles ON profiles.id = s.profile WHERE s.hash = unhex(?1)`

/** Finds expired ones too: the caller checks expiresAt and linkProof. */
export async function findSession(db: Db, hash: string): Promise<Session | undefined> {
  const row = await db.read(selectSession).get(hash)
  return row ? makeSession(row) : undefined
}

const selectSessions = query<[number, number]>()`
  SELECT ${sessionColumns} FROM sessions s JOIN profiles ON profiles.id = s.profile
  WHERE s.profile = ?1 AND s.expires_at > ?2 ORDER BY s.seen_at DESC, s.hash`

export const listSessions = async (db: Db, profile: number, now: number): Promise<Session[]> =>
  (await db.read(selectSessions).all(profile, now)).map(makeSession)

export async function markSeen(db: Db, hash: string, seenAt: number): Promise<void> {
  await db.write([{ sql: 'UPDATE sessions SET seen_at = ?2 WHERE hash = unhex(?1)', params: [hash, seenAt] }], 'free')
}

export const dropSession = (hash: string): Statement => ({
  sql: 'DELETE FROM sessions WHERE hash = unhex(?1)',
  params: [hash],
})

export const dropProfileSessions = (profile: number): Statement => ({
  sql: 'DELETE FROM sessions WHERE profile = ?1',
  params: [profile],
})

/** Deletes expired sessions, at most `batch`. Returns how many. */
export const deleteOldSessions = (db: Db, now: number, batch: number): Promise<number> =>
  change(db, 'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= ?1 LIMIT ?2)', [
    now,
    batch,
  ])

/** The sessions that a linked wallet opened by this link. */
export const dropSessionsByLink = (profile: number, linkProof: number): Statement => ({
  sql: 'DELETE FROM sessions WHERE profile = ?1 AND link_proof = ?2',
  params: [profile, linkProof],
})

/** Refuses its write when the session has ended. It stays until the write is done: whoever ends it meets what was made. */
export const requireSession = (hash: string): Statement => ({
  ...makeSessionGround(hash),
  mustFind: true,
  holds: 'share',
})

/**
 * Finds a row as long as the session stands (http/grounds.ts). `hash`: SHA-256 of the session id, 64 hexadecimal
 * digits.
 */
export const makeSessionGround = (hash: string): Ground => ({
  sql: 'SELECT 1 FROM sessions WHERE hash = unhex(?1)',
  params: [hash],
})

/** The most recently used sessions are kept, so a new one must not seem older than all of them. */
export const movedSessionTimes: MovedTimes = {
  moveBack: ({ at }) => ({ sql: 'UPDATE sessions SET seen_at = ?1 WHERE seen_at > ?1', params: [Math.floor(at)] }),
}
