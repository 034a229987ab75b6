-- Processes that share one database, and the work that one of them does for all. Meanings stand with the columns in
-- src/db/schema. A database that one process has for itself has no rows here.
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
