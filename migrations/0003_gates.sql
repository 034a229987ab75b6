-- Gates, what was paid, and what was handed out. Units and meanings stand with the columns in src/db/schema.ts.

-- What a gate check can look up without reading a proof: verifier, and verifier with one of its subjects. fact52 is the
-- first 52 bits of a hash, so every match is compared with the record.
CREATE TABLE proof_facts (
  account_id INTEGER NOT NULL,
  fact52 INTEGER NOT NULL,
  proof_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, fact52, proof_id)
) STRICT, WITHOUT ROWID;

-- Proofs of before this migration are given their facts at the next start, in batches: where that stands.
CREATE TABLE proof_facts_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  done_up_to INTEGER NOT NULL,
  last_id INTEGER NOT NULL
) STRICT;
INSERT INTO proof_facts_progress SELECT 1, 0, coalesce(max(id), 0) FROM proofs;

CREATE TABLE gates (
  id INTEGER PRIMARY KEY,
  gate_id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'deleted')),
  is_listed INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL,
  fulfilled_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX gates_by_owner ON gates (owner);
CREATE INDEX gates_listed ON gates (id) WHERE is_listed = 1 AND status = 'active';

-- Never changed, only added to: a rollback is a new version with the text of an old one.
CREATE TABLE gate_versions (
  gate INTEGER NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  definition TEXT NOT NULL,
  rewards TEXT,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (gate, version)
) STRICT, WITHOUT ROWID;

-- Gates are never deleted, so what points at one needs no foreign key, which would cost an index.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  method TEXT NOT NULL,
  gate INTEGER NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  state TEXT NOT NULL CHECK (state IN ('claimed', 'final', 'reversed')),
  payer TEXT,
  amount TEXT,
  details TEXT,
  paid_at INTEGER,
  claimed_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  watch_at INTEGER
) STRICT;
CREATE INDEX payments_watched ON payments (watch_at) WHERE watch_at IS NOT NULL;

CREATE TABLE fulfillments (
  id INTEGER PRIMARY KEY,
  gate INTEGER NOT NULL REFERENCES gates (id),
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT NOT NULL,
  version INTEGER NOT NULL,
  receipt_id TEXT NOT NULL UNIQUE,
  payment INTEGER REFERENCES payments (id),
  state TEXT NOT NULL CHECK (state IN ('granted', 'suspended')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX fulfillments_once ON fulfillments (gate, q_hash);
CREATE INDEX fulfillments_by_wallet ON fulfillments (wallet, gate);
CREATE INDEX fulfillments_by_payment ON fulfillments (payment) WHERE payment IS NOT NULL;

-- Card checkouts that were opened here, so that an answer of the provider can be held against what was asked for.
CREATE TABLE checkouts (
  session_id TEXT PRIMARY KEY,
  gate INTEGER NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX checkouts_expiring ON checkouts (expires_at);
CREATE INDEX checkouts_by_pair ON checkouts (gate, q_hash);

-- Both wallets of every wallet-link proof, so that each finds the other without a look into records. Kept by the trigger:
-- most proofs are no links, and their inserts pay one search in a text for it.
CREATE TABLE wallet_links (
  wallet TEXT NOT NULL,
  other TEXT NOT NULL,
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  chain TEXT NOT NULL,
  PRIMARY KEY (wallet, other, proof_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_links_by_proof ON wallet_links (proof_id);

CREATE TRIGGER wallet_links_made AFTER INSERT ON proofs WHEN instr(NEW.record, '"wallet-link"') > 0 BEGIN
  INSERT INTO wallet_links (wallet, other, proof_id, chain)
  SELECT DISTINCT value ->> ('$.data.' || column1 || 'WalletAddress'), value ->> ('$.data.' || column2 || 'WalletAddress'), NEW.id,
    replace(value ->> ('$.data.' || column1 || 'AccountId'), ':' || (value ->> ('$.data.' || column1 || 'WalletAddress')), '')
  FROM (VALUES ('primary', 'secondary'), ('secondary', 'primary')), json_each(NEW.record, '$.rows')
  WHERE value ->> 'verifierId' = 'wallet-link' AND value ->> 'verified';
END;
INSERT INTO wallet_links (wallet, other, proof_id, chain)
SELECT DISTINCT value ->> ('$.data.' || column1 || 'WalletAddress'), value ->> ('$.data.' || column2 || 'WalletAddress'), p.id,
  replace(value ->> ('$.data.' || column1 || 'AccountId'), ':' || (value ->> ('$.data.' || column1 || 'WalletAddress')), '')
FROM proofs p, (VALUES ('primary', 'secondary'), ('secondary', 'primary')), json_each(p.record, '$.rows')
WHERE instr(p.record, '"wallet-link"') > 0 AND value ->> 'verifierId' = 'wallet-link' AND value ->> 'verified';
