-- Places held for buyers while they pay, payments under way, and payments that arrived for nothing. Units and meanings
-- stand with the columns in src/db/schema.ts.

-- One place for each wallet at a gate. It counts as given out until it expires; the claim takes it away.
CREATE TABLE reservations (
  gate INTEGER NOT NULL,
  wallet TEXT NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  version INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'stablecoin', 'x402')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (gate, wallet)
) STRICT, WITHOUT ROWID;
CREATE INDEX reservations_held ON reservations (gate, expires_at);
CREATE INDEX reservations_expiring ON reservations (expires_at);
CREATE INDEX reservations_by_wallet ON reservations (wallet);
CREATE INDEX reservations_by_pair ON reservations (gate, q_hash);

-- A checkout keeps what it was opened for, and is watched until it is known whether it was paid.
ALTER TABLE checkouts ADD COLUMN wallet TEXT;
ALTER TABLE checkouts ADD COLUMN version INTEGER;
ALTER TABLE checkouts ADD COLUMN usd_micros INTEGER;
ALTER TABLE checkouts ADD COLUMN watch_at INTEGER;
CREATE INDEX checkouts_watched ON checkouts (watch_at) WHERE watch_at IS NOT NULL;
CREATE INDEX checkouts_by_wallet ON checkouts (wallet) WHERE wallet IS NOT NULL;

-- Signed x402 payments that were handed to a facilitator, and are watched until it is known whether they moved money.
CREATE TABLE settlements (
  identity TEXT PRIMARY KEY,
  gate INTEGER NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT NOT NULL,
  version INTEGER NOT NULL,
  usd_micros INTEGER NOT NULL,
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When it can no longer move money.
  ends_at INTEGER NOT NULL,
  watch_at INTEGER NOT NULL,
  -- When the facilitator said that it does not settle it. It may do so all the same.
  refused_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX settlements_watched ON settlements (watch_at);
CREATE INDEX settlements_by_pair ON settlements (gate, q_hash);
CREATE INDEX settlements_by_wallet ON settlements (wallet);

-- Prices that were told to a buyer who pays by a transfer, each with an amount of its own.
CREATE TABLE quotes (
  quote_id TEXT PRIMARY KEY,
  gate INTEGER NOT NULL,
  q_hash BLOB NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT NOT NULL,
  version INTEGER NOT NULL,
  usd_micros INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  -- Millionths of a dollar above the price: what tells this transfer from others.
  suffix INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quotes_by_pair ON quotes (gate, q_hash);
CREATE INDEX quotes_of_wallet ON quotes (wallet);
CREATE INDEX quotes_expiring ON quotes (expires_at);
CREATE UNIQUE INDEX quotes_amount ON quotes (recipient, usd_micros, suffix);

-- Money that arrived and bought nothing. The row stays: it is the record of what became of the money.
CREATE TABLE unmatched_payments (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  method TEXT NOT NULL,
  gate INTEGER NOT NULL,
  owner TEXT NOT NULL,
  q_hash BLOB CHECK (length(q_hash) = 32),
  wallet TEXT,
  payer TEXT,
  amount TEXT,
  usd_micros INTEGER,
  details TEXT,
  -- By which its payer names it where it is used after all.
  transaction_hash TEXT,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('owed', 'refunding', 'refunded', 'used')),
  paid_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- When the refund is tried or looked at next.
  next_at INTEGER
) STRICT;
CREATE INDEX unmatched_by_owner ON unmatched_payments (owner);
CREATE INDEX unmatched_by_wallet ON unmatched_payments (wallet);
CREATE INDEX unmatched_by_transaction ON unmatched_payments (transaction_hash);
CREATE INDEX unmatched_due ON unmatched_payments (next_at) WHERE next_at IS NOT NULL;

-- What was given back of a payment so far, in the unit of its amount, and whether it is disputed: a disputed payment
-- keeps its place, because the seller may win.
ALTER TABLE payments ADD COLUMN refunded TEXT;
ALTER TABLE payments ADD COLUMN suspended_for TEXT;
