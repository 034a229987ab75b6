/**
 * Proofs by the thousand, written straight into the tables. SQLite's triggers run for each of them. On PostgreSQL each
 * would leave another version of the row of their account, and the next one walks past all of them: there the triggers
 * are left out, and what they do follows for all rows at once.
 */
import type { Db, Write } from '../../src/db/db.ts'

export async function writeManyRows(db: Pick<Db, 'isShared' | 'write'>, statements: Write): Promise<void> {
  const texts = (sqls: readonly string[]): Write => sqls.map((sql) => ({ sql, params: [] }))
  await db.write(db.isShared ? [...texts([withoutTriggers, withWalks]), ...statements, ...texts(effects)] : statements)
}

const withoutTriggers = "SET LOCAL session_replication_role = 'replica'"
/** Of whole tables, where the server's own choice of a plan is right. */
const withWalks = 'SET LOCAL enable_seqscan = on'

const effects = [
  `UPDATE proofs SET superseded = 1 WHERE superseded = 0 AND EXISTS (
     SELECT 1 FROM proofs newer
     WHERE newer.account_id = proofs.account_id AND newer.scope52 = proofs.scope52 AND newer.id > proofs.id
       AND newer.visibility >= proofs.visibility)`,
  `INSERT INTO proof_facts (account_id, fact52, proof_id)
   SELECT account_id, CASE WHEN superseded = 0 THEN scope52 ELSE -scope52 END, id FROM proofs ON CONFLICT DO NOTHING`,
  `UPDATE accounts SET current_count = n.standing, listed_count = n.listed, all_count = n.every, all_listed_count = n.shown
   FROM (
     SELECT account_id, count(*) AS every, count(*) FILTER (WHERE visibility = 2) AS shown,
       count(*) FILTER (WHERE superseded = 0 AND revoked_at IS NULL) AS standing,
       count(*) FILTER (WHERE superseded = 0 AND revoked_at IS NULL AND visibility = 2 AND status <> 'expired') AS listed
     FROM proofs GROUP BY account_id) n
   WHERE n.account_id = accounts.id`,
  'DELETE FROM totals',
  `INSERT INTO totals (id, accounts, proofs)
   SELECT 1, (SELECT count(*) FROM accounts), (SELECT count(*) FROM proofs)`,
]
