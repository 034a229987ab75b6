-- The first data model. Units and meanings stand with the columns in src/db/schema.ts.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  current_count INTEGER NOT NULL DEFAULT 0,
  listed_count INTEGER NOT NULL DEFAULT 0,
  all_count INTEGER NOT NULL DEFAULT 0,
  all_listed_count INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE proofs (
  id INTEGER PRIMARY KEY,
  q52 INTEGER NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  scope52 INTEGER NOT NULL,
  status TEXT NOT NULL,
  visibility INTEGER NOT NULL CHECK (visibility BETWEEN 0 AND 2),
  superseded INTEGER NOT NULL DEFAULT 0,
  chain_id INTEGER,
  chain TEXT,
  signature_method TEXT,
  signed_timestamp INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  record TEXT NOT NULL
) STRICT;

-- Short integer keys: three text indexes would cost more than the rest of the insert. q52 and scope52 are the first 52
-- bits of a hash, so every look-up also compares the full value.
CREATE INDEX proofs_by_q52 ON proofs (q52);
CREATE INDEX proofs_by_scope ON proofs (scope52, superseded);
CREATE INDEX proofs_by_account ON proofs (account_id);
-- Costs nothing for private proofs, and lets a public list skip a wallet's private ones.
CREATE INDEX proofs_listed ON proofs (account_id)
  WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL;
CREATE INDEX proofs_expiring ON proofs (expires_at)
  WHERE expires_at IS NOT NULL AND status <> 'expired' AND revoked_at IS NULL;

-- A newer proof of the same account and scope makes the older ones history, save those that more people may see: a
-- private run must not take a public one off the list. Written here, with the counters, so that no statement forgets it.
CREATE TRIGGER proofs_inserted AFTER INSERT ON proofs BEGIN
  -- scope52 is short enough to collide on purpose: only the account's own proofs are touched.
  -- The plus keeps the planner on the index of scope52; the one of account_id grows with the wallet.
  UPDATE proofs SET superseded = 1
  WHERE scope52 = NEW.scope52 AND superseded = 0 AND +account_id = NEW.account_id AND id < NEW.id
    AND visibility <= NEW.visibility;
  UPDATE accounts SET
    current_count = current_count + 1,
    listed_count = listed_count + (NEW.visibility = 2),
    all_count = all_count + 1,
    all_listed_count = all_listed_count + (NEW.visibility = 2)
  WHERE id = NEW.account_id;
END;

CREATE TRIGGER proofs_left_current AFTER UPDATE OF superseded, revoked_at ON proofs
WHEN (OLD.superseded = 0 AND OLD.revoked_at IS NULL) AND NOT (NEW.superseded = 0 AND NEW.revoked_at IS NULL) BEGIN
  UPDATE accounts SET
    current_count = current_count - 1,
    listed_count = listed_count - (NEW.visibility = 2)
  WHERE id = NEW.account_id;
END;

CREATE TABLE contents (
  proof_id INTEGER PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  content TEXT,
  sealed TEXT,
  CHECK ((content IS NULL) <> (sealed IS NULL))
) STRICT;

CREATE TABLE access_grants (
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  viewer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (proof_id, viewer)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_grants_expiring ON access_grants (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE reserved_names (
  name TEXT NOT NULL,
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (name, proof_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reserved_names_by_proof ON reserved_names (proof_id);
CREATE INDEX reserved_names_expiring ON reserved_names (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE spent_signatures (
  digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE erased_proofs (
  q52 INTEGER PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
