-- How the checkout of a gate looks: the seller's name, a color and a picture. No part of a version.
CREATE TABLE gate_appearances (
  gate INTEGER PRIMARY KEY REFERENCES gates (id) ON DELETE CASCADE,
  -- gates.owner, which never changes.
  wallet TEXT NOT NULL,
  seller TEXT,
  -- # and six hexadecimal digits.
  color TEXT,
  -- The picture: what it is, its SHA-256 in hexadecimal digits, and itself in base64.
  media_type TEXT,
  width INTEGER,
  height INTEGER,
  bytes INTEGER,
  digest TEXT,
  picture TEXT,
  -- Of the newest change.
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX gate_appearances_by_wallet ON gate_appearances (wallet);
