/** Operators that were removed after the restored state: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

export const dropOperatorAgain = (account: string): Statement => ({
  sql: 'DELETE FROM operators WHERE account = ?1',
  params: [account],
})

/** A link of before the restore makes nobody an operator. */
export const dropLinks = (): Statement => ({ sql: 'DELETE FROM operator_link', params: [] })
