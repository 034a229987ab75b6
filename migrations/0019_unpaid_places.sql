-- Places that were held without money: what bounds how often, and how many of them, strangers can have. Units and
-- meanings stand with the columns in src/db/schema/purchases.ts.

-- The network of the buyer, where the place cost nothing: each has a share of what a gate has left.
ALTER TABLE reservations ADD COLUMN network TEXT;

-- The last place that a wallet held at a gate without paying. A payment takes the row away.
CREATE TABLE unpaid_places (
  gate INTEGER NOT NULL,
  wallet TEXT NOT NULL,
  holds INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (gate, wallet)
) STRICT, WITHOUT ROWID;
CREATE INDEX unpaid_places_by_wallet ON unpaid_places (wallet);
CREATE INDEX unpaid_places_ended ON unpaid_places (ends_at);
