-- Whether the blocks that the claims of a proof were read at are final: proofs/finality.ts. NULL for proofs that were read
-- at no block, and for those of before.
ALTER TABLE proofs ADD COLUMN finality INTEGER;

-- Blocks that may still be replaced, and what was read there: a row for each claim of a proof. A row goes when its block is
-- final; where the claim was read again at another block, it stays and tells that block.
CREATE TABLE followed_blocks (
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  -- Place of the claim in the record, from 0.
  place INTEGER NOT NULL,
  -- CAIP-2.
  chain TEXT NOT NULL,
  block_number INTEGER NOT NULL,
  block_hash BLOB NOT NULL CHECK (length(block_hash) = 32),
  -- holds, missing or final.
  state TEXT NOT NULL,
  followed_since INTEGER NOT NULL,
  -- NULL: not looked at any more.
  look_at INTEGER,
  read_again_at INTEGER,
  PRIMARY KEY (proof_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX followed_blocks_due ON followed_blocks (look_at) WHERE look_at IS NOT NULL;
