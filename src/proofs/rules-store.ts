/** What must hold between proofs, accounts and their counters: SQL and nothing else. */
import { standsProof } from '../db/erasing.ts'
import type { StoreRule } from '../db/store-rule.ts'

export const proofRules: readonly StoreRule[] = [
  {
    name: 'proofs of an account',
    sql: `SELECT 'account ' || a.id || ' counts ' || a.all_count || ' proofs, ' || a.current_count || ' of them current, and has '
            || coalesce(p.all_rows, 0) || ' and ' || coalesce(p.current_rows, 0) AS says
          FROM accounts a LEFT JOIN (
            SELECT account_id, count(*) AS all_rows, sum(CASE WHEN superseded = 0 AND revoked_at IS NULL THEN 1 ELSE 0 END) AS current_rows
            FROM proofs GROUP BY account_id) p ON p.account_id = a.id
          WHERE a.address NOT LIKE 'erased:%'
            AND (a.all_count <> coalesce(p.all_rows, 0) OR a.current_count <> coalesce(p.current_rows, 0))`,
  },
  {
    name: 'runs of a claim',
    sql: `SELECT 'proof ' || p.id || ' is not among the runs of its claim' AS says FROM proofs p
          -- A backup of an earlier version has no such entries.
          WHERE EXISTS (SELECT 1 FROM migrations WHERE name > '0041')
            AND NOT EXISTS (
              SELECT 1 FROM proof_facts f WHERE f.account_id = p.account_id AND f.proof_id = p.id
                AND f.fact52 = CASE p.superseded WHEN 0 THEN p.scope52 ELSE -p.scope52 END)
            AND ${standsProof('p')}`,
  },
]
