-- The wallets that a gate lets in by name. The list belongs to the gate, not to a version of its definition.
CREATE TABLE gate_guests (
  gate INTEGER NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  -- The address, EVM in lower case.
  wallet TEXT NOT NULL,
  -- CAIP-2 id of the EVM chain that the owner named with it. Empty: none.
  chain TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (gate, wallet, chain)
) STRICT, WITHOUT ROWID;

-- How many there are, kept with every write.
ALTER TABLE gates ADD COLUMN guest_count INTEGER NOT NULL DEFAULT 0;

-- Passes of listed wallets. A pass stands where a purchase names a proof, so that nobody proves anything for a list.
CREATE TABLE guest_passes (
  pass BLOB PRIMARY KEY CHECK (length(pass) = 32),
  gate INTEGER NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  wallet TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX guest_passes_by_wallet ON guest_passes (wallet, gate);
CREATE INDEX guest_passes_by_gate ON guest_passes (gate);
