-- Each deletion that must leave no trace is a row of its own until nothing of it is left: one row that all of them change
-- would make writers wait for each other. Meanings stand with the columns in src/db/schema.
CREATE TABLE traces (
  id TEXT COLLATE "C" PRIMARY KEY,
  noted_at BIGINT NOT NULL,
  receipt TEXT COLLATE "C"
);
CREATE INDEX traces_by_receipt ON traces (receipt) WHERE receipt IS NOT NULL;
CREATE INDEX traces_by_time ON traces (noted_at);

INSERT INTO traces (id, noted_at, receipt) SELECT 'before', since, NULL FROM erasure_traces WHERE noted > emptied;
INSERT INTO traces (id, noted_at, receipt)
  SELECT r.handle, r.ended_at, r.handle FROM erasure_receipts r JOIN erasure_traces t ON r.trace > t.emptied
  WHERE r.ended_at IS NOT NULL;
ALTER TABLE erasure_receipts DROP COLUMN trace;
DROP TABLE erasure_traces;
