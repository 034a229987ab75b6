/** Consent questions and given consents: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'

export interface NewRequest {
  /** SHA-256 of the handle in the page, 64 hexadecimal digits. */
  readonly hash: string
  readonly sessionHash: string
  /** client_id. */
  readonly client: string
  /** JSON. */
  readonly params: string
  readonly expiresAt: number
}

/** One session keeps its newest questions: as many as a person has open in tabs. */
const mostOpen = 32

export async function insertRequest(db: Db, request: NewRequest): Promise<void> {
  await db.write([
    {
      sql: `INSERT INTO oauth_requests (hash, session_hash, params, expires_at, client)
            VALUES (unhex(?1), unhex(?2), ?3, ?4, ?5)`,
      params: [request.hash, request.sessionHash, request.params, request.expiresAt, request.client],
    },
    {
      sql: `DELETE FROM oauth_requests WHERE session_hash = unhex(?1) AND hash IN (
              SELECT hash FROM oauth_requests WHERE session_hash = unhex(?1)
              ORDER BY expires_at DESC, hash LIMIT 1000000000 OFFSET ${mostOpen})`,
      params: [request.sessionHash],
    },
  ])
}

const selectRequest = query<[string, string, number]>()`
  SELECT ${pick('oauth_requests', 'params')}
  FROM oauth_requests WHERE hash = unhex(?1) AND session_hash = unhex(?2) AND expires_at > ?3`

/** The parameters, for the session that was asked. */
export const findRequest = async (
  db: Db,
  hash: string,
  sessionHash: string,
  now: number,
): Promise<string | undefined> => (await db.read(selectRequest).get(hash, sessionHash, now))?.params

/** Answered, once: refused when it was. */
export const consumeRequest = (hash: string, sessionHash: string, now: number): Statement => ({
  sql: 'DELETE FROM oauth_requests WHERE hash = unhex(?1) AND session_hash = unhex(?2) AND expires_at > ?3',
  params: [hash, sessionHash, now],
  must: true,
})

export const deleteOldRequests = (db: Db, now: number, batch: number): Promise<number> =>
  change(
    db,
    'DELETE FROM oauth_requests WHERE hash IN (SELECT hash FROM oauth_requests WHERE expires_at <= ?1 LIMIT ?2)',
    [now, batch],
  )

export interface ConsentKey {
  readonly profile: number
  readonly client: string
  /** redirect-uri.ts readPlace(). */
  readonly place: string
  /** The session's link: null for the primary wallet. */
  readonly linkProof: number | null
}

const selectConsent = query<[number, string, string, number | null]>()`
  SELECT ${pick('oauth_consents', 'scope')}
  FROM oauth_consents WHERE profile = ?1 AND client = ?2 AND redirect_host = ?3
  AND (link_proof IS NULL OR link_proof = CAST(?4 AS BIGINT))`

/** The scope that was allowed, as on the wire: by the primary wallet, or in sessions of the same link. */
export const findConsent = async (
  db: Db,
  { profile, client, place, linkProof }: ConsentKey,
): Promise<string | undefined> => (await db.read(selectConsent).get(profile, client, place, linkProof))?.scope

/** SQL: the parameters that hold the words of a scope, of which `first` is the first. */
const listWords = (words: readonly string[], first: number): string[] => words.map((_, at) => `?${first + at}`)

const lacksWordSql = (word: string): string =>
  `replace(' ' || oauth_consents.scope || ' ', ' ' || ${word} || ' ', '') = ' ' || oauth_consents.scope || ' '`

/**
 * Refuses its write when the consent does not cover the scope any more: the person has disconnected the client
 * meanwhile, or the operator has removed it.
 */
export function requireConsent({ profile, client, place, linkProof }: ConsentKey, scope: string): Statement {
  const words = scope.split(' ')
  const lacksNone = listWords(words, 5).map((word) => `AND NOT ${lacksWordSql(word)}`)
  return {
    sql: `SELECT 1 FROM oauth_consents WHERE profile = ?1 AND client = ?2 AND redirect_host = ?3
          AND (link_proof IS NULL OR link_proof = CAST(?4 AS BIGINT)) ${lacksNone.join(' ')}`,
    params: [profile, client, place, linkProof, ...words],
    mustFind: true,
    holds: 'share',
  }
}

/** SQL: the stored scope, with each asked word that it lacks. */
const joinScopeSql = (words: readonly string[]): string =>
  words.reduce(
    (joined, word) => `${joined} || CASE WHEN ${lacksWordSql(word)} THEN ' ' || ${word} ELSE '' END`,
    'oauth_consents.scope',
  )

/**
 * Adds the scope to what the primary wallet allowed before, or to that of sessions of the same link. The join stands in
 * the write, so that two consents at once do not lose each other. A linked wallet cannot widen the primary wallet's
 * consent: it is asked each time.
 */
export const putConsent = ({ profile, client, place, linkProof }: ConsentKey, scope: string, at: number): Statement => {
  const words = [...new Set(scope.split(' '))]
  return {
    sql: `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at, link_proof)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT (profile, client, redirect_host) DO UPDATE SET
            scope = CASE WHEN oauth_consents.link_proof IS NOT DISTINCT FROM excluded.link_proof
              THEN ${joinScopeSql(listWords(words, 7))} ELSE excluded.scope END,
            created_at = excluded.created_at, link_proof = excluded.link_proof
          WHERE oauth_consents.link_proof IS NOT NULL OR excluded.link_proof IS NULL`,
    params: [profile, client, place, words.join(' '), at, linkProof, ...words],
  }
}

/** Takes scopes out of a remembered consent. Whoever allowed it, less is safe: the person is asked again. */
export const narrowConsent = ({ profile, client, place }: ConsentKey, words: readonly string[]): Statement => ({
  sql: `UPDATE oauth_consents SET scope = trim(${listWords(words, 4).reduce(
    (kept, word) => `replace(${kept}, ' ' || ${word} || ' ', ' ')`,
    "' ' || scope || ' '",
  )})
        WHERE profile = ?1 AND client = ?2 AND redirect_host = ?3`,
  params: [profile, client, place, ...words],
})

const selectRemembered = query<[profile: number, client: string, limit: number]>()`
  SELECT ${pick('oauth_consents', 'redirectHost', 'scope', 'createdAt')}
  FROM oauth_consents WHERE profile = ?1 AND client = ?2 ORDER BY redirect_host LIMIT ?3`

export type RememberedRow = RowOf<typeof selectRemembered>

/** What is remembered for one client, the first places in order. */
export const listRemembered = (db: Db, profile: number, client: string, limit: number): Promise<RememberedRow[]> =>
  db.read(selectRemembered).all(profile, client, limit)

/** For one place, whoever allowed it. */
export const deleteConsent = ({ profile, client, place }: ConsentKey): Statement => ({
  sql: 'DELETE FROM oauth_consents WHERE profile = ?1 AND client = ?2 AND redirect_host = ?3',
  params: [profile, client, place],
})

export const deleteConsents = (profile: number, client: string): Statement => ({
  sql: 'DELETE FROM oauth_consents WHERE profile = ?1 AND client = ?2',
  params: [profile, client],
})

/** Of all clients. */
export const deleteAllConsents = (profile: number): Statement => ({
  sql: 'DELETE FROM oauth_consents WHERE profile = ?1',
  params: [profile],
})
