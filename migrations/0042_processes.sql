-- Processes that share one database, and the work that one of them does for all. Meanings stand with the columns in
-- src/db/schema. A database that one process has for itself has no rows in the two tables, and no values in the two columns.
CREATE TABLE live_processes (
  id TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  beats INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT,
  fence INTEGER NOT NULL,
  beats INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The run that is at work on the row: it counts as interrupted once that run has ended.
ALTER TABLE erasures ADD COLUMN erased_by TEXT;
ALTER TABLE settlements ADD COLUMN handed_over_by TEXT;
