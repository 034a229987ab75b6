/** Authorization codes in the database: SQL and nothing else. They are there as SHA-256 only. */

import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'

export interface NewCode {
  /** SHA-256 of the code, 64 hexadecimal digits. */
  readonly hash: string
  readonly profile: number
  readonly client: string
  readonly account: string
  readonly linkProof: number | null
  readonly redirectUri: string
  /** code_challenge, S256. */
  readonly challenge: string
  /** As on the wire. */
  readonly scope: string
  readonly resource: string
  readonly signedInAt: number
  readonly expiresAt: number
}

/** To come after requireSession() of the session that it is given out to. */
export const insertCode = (code: NewCode): Statement => ({
  sql: `INSERT INTO oauth_codes
          (hash, profile, client, account, link_proof, redirect_uri, challenge, scope, resource, signed_in_at, expires_at)
        VALUES (unhex(?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`,
  params: [
    code.hash,
    code.profile,
    code.client,
    code.account,
    code.linkProof,
    code.redirectUri,
    code.challenge,
    code.scope,
    code.resource,
    code.signedInAt,
    code.expiresAt,
  ],
})

export type CodeRow = RowOf<typeof selectCode>

const selectCode = query<[string]>()`
  SELECT ${pick('oauth_codes c', 'profile', 'client', 'account', 'linkProof', 'redirectUri', 'challenge')},
    ${pick('oauth_codes c', 'scope', 'resource', 'signedInAt', 'expiresAt', 'consumedAt', 'family')},
    ${pick('profiles p', 'subject', 'did', { primaryAccount: 'account' })}
  FROM oauth_codes c JOIN profiles p ON p.id = c.profile WHERE c.hash = unhex(?1)`

export const findCode = async (db: Db, hash: string): Promise<CodeRow | undefined> =>
  (await db.read(selectCode).get(hash)) ?? undefined

/** To come after the insert of the family with this handle: refused for a code that was used or is over. */
export const consumeCode = (hash: string, handle: string, at: number): Statement => ({
  sql: `UPDATE oauth_codes SET consumed_at = ?2, family = (SELECT id FROM oauth_families WHERE handle = ?3)
        WHERE hash = unhex(?1) AND consumed_at IS NULL AND expires_at > ?2`,
  params: [hash, at, handle],
  must: true,
})

/** Ends the code unused: its sender had not asked for it. */
export async function burnCode(db: Db, hash: string, at: number): Promise<void> {
  await db.write(
    [
      {
        sql: 'UPDATE oauth_codes SET consumed_at = ?2 WHERE hash = unhex(?1) AND consumed_at IS NULL',
        params: [hash, at],
      },
    ],
    'free',
  )
}

/** Deletes codes that ended before a time, at most `batch`. Returns the number. */
export const deleteOldCodes = (db: Db, before: number, batch: number): Promise<number> =>
  change(db, 'DELETE FROM oauth_codes WHERE hash IN (SELECT hash FROM oauth_codes WHERE expires_at <= ?1 LIMIT ?2)', [
    before,
    batch,
  ])

/** A code that was given out would become a new grant. */
export const dropOpenCodes = (profile: number): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND consumed_at IS NULL',
  params: [profile],
})

export const dropCodesByLink = (profile: number, linkProof: number): Statement => ({
  sql: 'DELETE FROM oauth_codes WHERE profile = ?1 AND link_proof = ?2 AND consumed_at IS NULL',
  params: [profile, linkProof],
})
