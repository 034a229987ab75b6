-- Who runs this server, and its numbers. Meanings stand with the columns in src/db/schema.ts.

CREATE TABLE operators (
  account TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_link (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  expires_at INTEGER
) STRICT;

-- What a scan would have to count.
CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  accounts INTEGER NOT NULL,
  proofs INTEGER NOT NULL
) STRICT;
INSERT INTO totals SELECT 1, (SELECT count(*) FROM accounts), (SELECT count(*) FROM proofs);
CREATE TRIGGER totals_account_made AFTER INSERT ON accounts BEGIN
  UPDATE totals SET accounts = accounts + 1 WHERE id = 1;
END;
CREATE TRIGGER totals_account_gone AFTER DELETE ON accounts BEGIN
  UPDATE totals SET accounts = accounts - 1 WHERE id = 1;
END;
CREATE TRIGGER totals_proof_made AFTER INSERT ON proofs BEGIN
  UPDATE totals SET proofs = proofs + 1 WHERE id = 1;
END;
CREATE TRIGGER totals_proof_gone AFTER DELETE ON proofs BEGIN
  UPDATE totals SET proofs = proofs - 1 WHERE id = 1;
END;

CREATE TABLE daily_numbers (
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  subject TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, day, subject)
) STRICT, WITHOUT ROWID;
-- Proofs of before are counted from what is left of them, as far back as numbers are kept.
INSERT INTO daily_numbers
SELECT 'proofs', created_at / 86400000, '', count(*)
FROM proofs WHERE created_at > (SELECT max(created_at) FROM proofs) - 400 * 86400000
GROUP BY 2;
INSERT INTO daily_numbers
SELECT 'proofs', p.created_at / 86400000, value ->> 'verifierId', count(*)
FROM proofs p, json_each(p.record, '$.rows')
WHERE value ->> 'verified' AND p.created_at > (SELECT max(created_at) FROM proofs) - 400 * 86400000
GROUP BY 2, 3;

CREATE TABLE latencies (
  slot INTEGER NOT NULL,
  surface TEXT NOT NULL,
  run TEXT NOT NULL,
  buckets TEXT NOT NULL,
  PRIMARY KEY (slot, surface, run)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_events_by_event ON audit_events (event, id);
