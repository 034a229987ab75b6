/** What must hold between the totals and the rows that they count: SQL and nothing else. */
import type { StoreRule } from '../db/store-rule.ts'

export const totalsRules: readonly StoreRule[] = [
  {
    name: 'totals',
    sql: `SELECT 'totals say ' || proofs || ' proofs and ' || accounts || ' accounts, and there are '
            || (SELECT count(*) FROM proofs) || ' and ' || (SELECT count(*) FROM accounts) AS says
          FROM (SELECT coalesce(sum(proofs), 0) AS proofs, coalesce(sum(accounts), 0) AS accounts FROM totals) counted
          WHERE proofs <> (SELECT count(*) FROM proofs) OR accounts <> (SELECT count(*) FROM accounts)`,
  },
]
