/** Makes a database older by its migrations from 0041 on: for tests that need a database of an earlier version. */
import type { Database } from 'bun:sqlite'

export function undoClaimsByAccount(db: Database): void {
  for (const sql of [
    'DROP TABLE pairings',
    'ALTER TABLE operator_link DROP COLUMN made_at',
    "DELETE FROM migrations WHERE name = '0043_pairings'",
    'CREATE TABLE erasure_traces (id INTEGER PRIMARY KEY CHECK (id = 1), noted INTEGER NOT NULL, emptied INTEGER NOT NULL, since INTEGER NOT NULL) STRICT',
    'INSERT INTO erasure_traces (id, noted, emptied, since) VALUES (1, 0, 0, 0)',
    'ALTER TABLE erasure_receipts ADD COLUMN trace INTEGER',
    'DROP TABLE traces',
    "DELETE FROM migrations WHERE name IN ('0044_traces', '0045_many_of_one', '0046_settings')",
    'DROP TABLE leases',
    'DROP TABLE live_processes',
    'ALTER TABLE erasures DROP COLUMN erased_by',
    'ALTER TABLE settlements DROP COLUMN handed_over_by',
    "DELETE FROM migrations WHERE name = '0042_processes'",
    'DROP TRIGGER proofs_replaced',
    'CREATE INDEX proofs_by_scope ON proofs (scope52, superseded)',
    'DELETE FROM proof_facts WHERE abs(fact52) IN (SELECT scope52 FROM proofs WHERE id = proof_id)',
    "DELETE FROM migrations WHERE name = '0041_claims_by_account'",
  ])
    db.run(sql)
}
