/** Operators, the one-time link and the totals in the database: SQL only. The link is stored as its SHA-256 only. */

import type { Db, Statement } from '../db/db.ts'
import { label, pick, pickDigits, query, type RowOf } from '../db/query.ts'

export type StoredOperator = RowOf<typeof selectStored>

/** More operators than a server needs. */
const mostListed = 1000

const selectStored = query<[]>()`
  SELECT ${pick('operators', 'account', 'createdAt')}
  FROM operators ORDER BY created_at, account LIMIT ${mostListed}`

export const listStored = (db: Db): Promise<StoredOperator[]> => db.read(selectStored).all()

const selectStoredRow = query<[string]>()`SELECT 1 AS ${label('one', 'number')} FROM operators WHERE account = ?1`

export const isStored = async (db: Db, account: string): Promise<boolean> =>
  (await db.read(selectStoredRow).get(account)) !== null

/** Harmless for an existing operator. */
export const insertOperator = (account: string, at: number): Statement => ({
  sql: 'INSERT INTO operators (account, created_at) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING',
  params: [account, at],
})

export const dropOperator = (account: string): Statement => ({
  sql: 'DELETE FROM operators WHERE account = ?1',
  params: [account],
  must: true,
})

export type StoredLink = RowOf<typeof selectLink>

const selectLink = query<[]>()`
  SELECT ${pickDigits('operator_link', 'hash')},
    ${pick('operator_link', 'expiresAt', 'madeAt')}
  FROM operator_link WHERE id = 1`

export const findLink = async (db: Db): Promise<StoredLink | undefined> =>
  (await db.read(selectLink).get()) ?? undefined

/** Who makes or uses up the link knows of the link and the operators before. */
const turns = ['operator link']

/** Replaces the link before it. */
export const putLink = ({ hash, expiresAt, madeAt }: StoredLink): Statement => ({
  sql: `INSERT INTO operator_link (id, hash, expires_at, made_at) VALUES (1, unhex(?1), ?2, ?3)
        ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at, made_at = excluded.made_at`,
  params: [hash, expiresAt, madeAt],
  turns,
})

/** A link of a start, which does not end by time. Changes no row when there is an operator, or another link than `former`. */
export const putStartLink = (hash: string, madeAt: number, former: StoredLink | undefined): Statement => ({
  sql: `INSERT INTO operator_link (id, hash, expires_at, made_at) SELECT 1, unhex(?1), NULL, ?3
        WHERE NOT EXISTS (SELECT 1 FROM operators)
          AND NOT EXISTS (SELECT 1 FROM operator_link WHERE hash IS DISTINCT FROM unhex(?2))
        ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at, made_at = excluded.made_at`,
  params: [hash, former?.hash ?? null, madeAt],
  must: true,
  turns,
})

/** Uses up the link: a second call changes no row. */
export const spendLink = (hash: string, now: number): Statement => ({
  sql: 'DELETE FROM operator_link WHERE hash = unhex(?1) AND (expires_at IS NULL OR expires_at > ?2)',
  params: [hash, now],
  must: true,
  turns,
})

/** Deletes the link of an earlier start, and an expired one. */
export const dropOldLink = (now: number): Statement => ({
  sql: 'DELETE FROM operator_link WHERE expires_at IS NULL OR expires_at <= ?1',
  params: [now],
})

/** One row in SQLite. On PostgreSQL several, so that its writers do not wait for one another. */
const selectTotals = query<[]>()`
  SELECT coalesce(sum(accounts), 0) AS ${label('accounts', 'number')}, coalesce(sum(proofs), 0) AS ${label('proofs', 'number')}
  FROM totals`

/** The numbers of accounts and proofs, kept by triggers (migrations/0006_operator.sql), so that no rows are counted. */
export const readTotals = (db: Db): Promise<{ readonly accounts: number; readonly proofs: number } | null> =>
  db.read(selectTotals).get()
