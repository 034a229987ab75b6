-- What owners have sold and what buyers have had, found without a walk. Units and meanings stand in src/db/schema.ts.

-- Owners of gates never change, so a fulfilment can hold its own copy.
ALTER TABLE fulfillments ADD COLUMN owner TEXT;
ALTER TABLE fulfillments ADD COLUMN usd_micros INTEGER;
UPDATE fulfillments SET owner = (SELECT owner FROM gates WHERE id = fulfillments.gate);
UPDATE fulfillments SET usd_micros = (
  SELECT CAST(round(CAST(definition ->> '$.price.amountUsd' AS REAL) * 1000000) AS INTEGER) FROM gate_versions v
  WHERE v.gate = fulfillments.gate AND v.version = fulfillments.version)
WHERE payment IS NOT NULL;

-- Each of these ends with the row's own number, which is the order of the lists.
CREATE INDEX fulfillments_by_gate ON fulfillments (gate);
CREATE INDEX fulfillments_of_wallet ON fulfillments (wallet);
CREATE INDEX fulfillments_paid_by ON fulfillments (wallet) WHERE payment IS NOT NULL;
CREATE INDEX fulfillments_paid_to ON fulfillments (owner) WHERE payment IS NOT NULL;

ALTER TABLE gates ADD COLUMN paid_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE gates ADD COLUMN paid_usd_micros INTEGER NOT NULL DEFAULT 0;
UPDATE gates SET (paid_count, paid_usd_micros) = (
  SELECT count(*), coalesce(sum(usd_micros), 0) FROM fulfillments
  WHERE gate = gates.id AND payment IS NOT NULL AND state = 'granted');
