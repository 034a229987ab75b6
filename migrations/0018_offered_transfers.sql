-- Transfers that were offered while their chain did not stand behind them yet. How old they are is judged as of then: their
-- buyers were told to wait. A row goes with the claim, and after a month. Units and meanings stand in src/db/schema/purchases.ts.
CREATE TABLE offered_transfers (
  transaction_hash TEXT NOT NULL,
  wallet TEXT NOT NULL,
  quote_id TEXT,
  first_at INTEGER NOT NULL,
  PRIMARY KEY (transaction_hash, wallet)
) STRICT, WITHOUT ROWID;
CREATE INDEX offered_transfers_by_wallet ON offered_transfers (wallet);
CREATE INDEX offered_transfers_by_quote ON offered_transfers (quote_id) WHERE quote_id IS NOT NULL;
CREATE INDEX offered_transfers_by_age ON offered_transfers (first_at);

-- Whoever sent money for somebody else finds it in their own list.
CREATE INDEX unmatched_by_payer ON unmatched_payments (payer) WHERE payer IS NOT NULL;
