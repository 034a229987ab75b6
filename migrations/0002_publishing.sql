-- Orders to record a proof on a chain, and how far each has come. Meanings stand with the columns in src/db/schema.ts.

CREATE TABLE publications (
  id INTEGER PRIMARY KEY,
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  chain_id INTEGER NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('timestamp', 'revoke')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'mined', 'confirmed', 'failed')),
  asked_at INTEGER NOT NULL,
  account TEXT,
  nonce INTEGER,
  signed TEXT,
  signed_at INTEGER,
  tx_hashes TEXT,
  block_number INTEGER,
  gas_used TEXT,
  recorded_at INTEGER,
  finished_at INTEGER,
  reason TEXT,
  CHECK ((finished_at IS NULL) = (state IN ('waiting', 'sent', 'mined'))),
  CHECK (state <> 'sent' OR (account IS NOT NULL AND nonce IS NOT NULL AND signed IS NOT NULL))
) STRICT;

-- One order for each proof, chain and action, whoever asks again.
CREATE UNIQUE INDEX publications_by_proof ON publications (proof_id, chain_id, action);
-- Holds only what is still to be done, so that looking for work costs nothing when there is none.
CREATE INDEX publications_open ON publications (chain_id, state) WHERE finished_at IS NULL;
