-- A place may be held for a payment by any method. The code knows which methods there are, so a new one needs no
-- migration. SQLite cannot drop a condition, so the rows move to a table without it.
CREATE TABLE held_places (
  gate INTEGER NOT NULL,
  wallet TEXT NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  version INTEGER NOT NULL,
  method TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  network TEXT,
  PRIMARY KEY (gate, wallet)
) STRICT, WITHOUT ROWID;
INSERT INTO held_places (gate, wallet, q_hash, version, method, created_at, expires_at, network)
  SELECT gate, wallet, q_hash, version, method, created_at, expires_at, network FROM reservations;
DROP TABLE reservations;
ALTER TABLE held_places RENAME TO reservations;
CREATE INDEX reservations_held ON reservations (gate, expires_at);
CREATE INDEX reservations_expiring ON reservations (expires_at);
CREATE INDEX reservations_by_wallet ON reservations (wallet);
CREATE INDEX reservations_by_pair ON reservations (gate, q_hash);
