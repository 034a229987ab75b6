-- The names that a person gives to wallets, for their own eyes. Meanings stand with the columns in src/db/schema.ts.
CREATE TABLE wallet_labels (
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  account TEXT NOT NULL,
  wallet TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (profile, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_labels_by_wallet ON wallet_labels (wallet);
