/**
 * A request acts on grounds: a session, an access key, a grant to an app, a link between wallets. They may end while it
 * is under way, during a verifier's minutes or a slow body. Grounds are noted where they are looked up
 * (request-scope.ts noteGround). Data is stored only while they stand, in the same transaction.
 */
import type { Db, SqlValue, Write, WritePurpose, WriteResult } from '../db/db.ts'
import { query } from '../db/query.ts'
import { AppError } from '../errors.ts'
import { isEveryInOrder } from '../in-order.ts'
import { findScope, type Ground, noteGround } from '../request-scope.ts'
import type { Account } from '../wallet/account.ts'

const listGrounds = (): readonly Ground[] => [...(findScope()?.grounds?.values() ?? [])]

/**
 * Writes, if the grounds of the request stand. Only writes that create something need them. Removals go on, and a
 * payment that has moved must be recorded. Errors: WALLET_AUTH_REQUIRED.
 */
export async function writeOnGrounds(db: Db, statements: Write, purpose: WritePurpose): Promise<WriteResult> {
  const grounds = purpose === 'store' ? listGrounds() : []
  if (grounds.length === 0) return db.write(statements, purpose)
  const guards = grounds.map(({ sql, params, holds = 'share' as const }) => ({ sql, params, mustFind: true, holds }))
  const result = await db.write([...guards, ...statements], purpose)
  if ('changes' in result) return { ...result, changes: result.changes.slice(guards.length) }
  if (result.refusedAt < guards.length) throw makeEndedError('nothing was stored. Sign in again')
  return { refusedAt: result.refusedAt - guards.length }
}

/** The account that a person acts as: a linked one is theirs only as long as the link stands. */
export function adoptAccount<Acting extends Account & { readonly ground?: Ground }>(account: Acting): Acting {
  if (account.ground) noteGround(account.ground)
  return account
}

/** For an answer that shows what only the owner may see, after a wait. Errors: WALLET_AUTH_REQUIRED. */
export async function requireGrounds(db: Db): Promise<void> {
  if (!(await standsStill(db))) throw makeEndedError('sign in again and repeat the request')
}

/** Whether everything stands that the request acts on. */
export const standsStill = (db: Db): Promise<boolean> =>
  isEveryInOrder(
    listGrounds(),
    async ({ sql, params }) => (await db.read(query<readonly SqlValue[]>()`${sql}`).get(...params)) !== null,
  )

const makeEndedError = (next: string): AppError =>
  new AppError(
    'WALLET_AUTH_REQUIRED',
    `the credential was revoked, its wallet unlinked, or its data erased while the request was under way: ${next}`,
  )
