/** Rules that the database must satisfy at any moment at which a process may have died. */
import type { Database } from 'bun:sqlite'

const fileRules: Readonly<Record<string, string>> = {
  'the file is damaged': "SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  'a row refers to one that is not there': 'SELECT "table", rowid FROM pragma_foreign_key_check',
}

/** In SQL for both engines. */
export const rules: Readonly<Record<string, string>> = {
  'a counter differs from the count': `
    SELECT a.address FROM accounts a LEFT JOIN proofs p ON p.account_id = a.id GROUP BY a.id
    HAVING a.all_count <> count(p.id)
      OR a.current_count <> count(p.id) FILTER (WHERE p.superseded = 0 AND p.revoked_at IS NULL)
      OR a.listed_count <> count(p.id) FILTER (WHERE p.superseded = 0 AND p.revoked_at IS NULL AND p.visibility = 2 AND p.status <> 'expired')
      OR a.all_listed_count <> count(p.id) FILTER (WHERE p.visibility = 2)`,
  'a name is held by no standing proof': `
    SELECT r.name FROM reserved_names r LEFT JOIN proofs p ON p.id = r.proof_id
    WHERE p.id IS NULL OR p.revoked_at IS NOT NULL OR p.account_id <> r.account_id`,
  'a standing handle has lost its name': `
    SELECT p.id FROM proofs p
    WHERE p.revoked_at IS NULL AND p.superseded = 0
      AND json_extract(p.record, '$.rows[0].verifierId') = 'ownership-pseudonym'
      AND NOT EXISTS (SELECT 1 FROM reserved_names r WHERE r.proof_id = p.id AND r.name = 'pseudonym:' ||
        json_extract(p.record, '$.rows[0].data.namespace') || '/' || json_extract(p.record, '$.rows[0].data.pseudonymId'))`,
  'content without its proof': 'SELECT proof_id FROM contents WHERE proof_id NOT IN (SELECT id FROM proofs)',
  'a proof without the content it says is kept': `
    SELECT p.id FROM proofs p
    WHERE CAST(json_extract(p.record, '$.storeOriginalContent') AS TEXT) IN ('1', 'true') AND p.id NOT IN (SELECT proof_id FROM contents)`,
  'content of a private proof in the clear': `
    SELECT c.proof_id FROM contents c JOIN proofs p ON p.id = c.proof_id WHERE p.visibility = 0 AND c.sealed IS NULL`,
  'a signed text made a proof without being spent': `
    SELECT p.id FROM proofs p
    WHERE p.signature_method IN ('eip191', 'ed25519') AND p.q_hash NOT IN (
      SELECT q_hash FROM spent_signatures WHERE q_hash IS NOT NULL)`,
  'an id twice': 'SELECT hex(q_hash) FROM proofs GROUP BY q_hash HAVING count(*) > 1',
  'a run of a claim stands beside a newer one that as many people see': `
    SELECT older.id FROM proofs older CROSS JOIN proofs newer ON newer.scope52 = older.scope52 AND newer.id > older.id
      AND +newer.account_id = older.account_id AND newer.visibility >= older.visibility
    WHERE older.superseded = 0`,
  'an account without a proof': 'SELECT address FROM accounts WHERE all_count = 0',
}

/** The rules that are broken, each with the first rows that break it. */
export const brokenRules = (db: Database): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries({ ...fileRules, ...rules })
      .map(([rule, query]) => [rule, db.query(`${query} LIMIT 5`).all()] as const)
      .filter(([, rows]) => rows.length > 0),
  )
