-- Processes that share one database, and the work that one of them does for all. Meanings stand with the columns in
-- src/db/schema.
CREATE TABLE live_processes (
  id TEXT COLLATE "C" PRIMARY KEY,
  started_at BIGINT NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  beats BIGINT NOT NULL
);

CREATE TABLE leases (
  name TEXT COLLATE "C" PRIMARY KEY,
  holder TEXT COLLATE "C",
  fence BIGINT NOT NULL,
  beats BIGINT NOT NULL
);

-- The run that is at work on the row: it counts as interrupted once that run has ended.
ALTER TABLE erasures ADD COLUMN erased_by TEXT COLLATE "C";
ALTER TABLE settlements ADD COLUMN handed_over_by TEXT COLLATE "C";
