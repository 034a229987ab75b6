/** Becoming an operator by the one-time link, and ceasing to be one. */

import { makeAuditStatement } from '../audit/log-store.ts'
import type { Session } from '../auth/sessions/store.ts'
import type { Parts } from '../parts.ts'
import { writeAccount } from '../wallet/account.ts'
import { hashIfGood } from './link.ts'
import { dropOperator, insertOperator, spendLink } from './store.ts'

/** Makes the person of a session operator. False for a token that is not that of the link, or was used. */
export async function claim(
  parts: Pick<Parts, 'db' | 'now'>,
  { profile }: Pick<Session, 'profile'>,
  token: unknown,
): Promise<boolean> {
  const hash = await hashIfGood(parts, token)
  if (hash === undefined) return false
  const at = parts.now()
  const account = writeAccount(profile.primary)
  const result = await parts.db.write([
    spendLink(hash, at),
    insertOperator(account, at),
    makeAuditStatement('operator_claimed', { profile: profile.id, at, wallet: account }),
  ])
  return !('refusedAt' in result)
}

/** False for a wallet that is none, or that stands in the configuration. */
export async function removeOperator({ db, now }: Pick<Parts, 'db' | 'now'>, account: string): Promise<boolean> {
  const result = await db.write([
    dropOperator(account),
    makeAuditStatement('operator_removed', { profile: null, at: now(), wallet: account }),
  ])
  return !('refusedAt' in result)
}
