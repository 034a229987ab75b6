-- What was erased stands in the write-ahead log until that is emptied, which a reader of the file can put off for hours.
-- One row: how many deletions were noted, up to which of them the log was emptied, and since when the oldest waits.
CREATE TABLE erasure_traces (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  noted INTEGER NOT NULL,
  emptied INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
INSERT INTO erasure_traces (id, noted, emptied, since) VALUES (1, 0, 0, 0);

-- What tells the person how far an erasure is. Forgotten some days after its end.
CREATE TABLE erasure_receipts (
  handle TEXT PRIMARY KEY,
  asked BLOB,
  total INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  trace INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_receipts_by_request ON erasure_receipts (asked) WHERE asked IS NOT NULL;
CREATE INDEX erasure_receipts_ended ON erasure_receipts (ended_at) WHERE ended_at IS NOT NULL;

-- Null for erasures of before, which nobody asks about.
ALTER TABLE erasures ADD COLUMN receipt TEXT;
CREATE INDEX erasures_by_receipt ON erasures (receipt);
