-- The last run of each job that is done beside the server: backup, drill. Meanings stand with the columns in src/db/schema.
CREATE TABLE job_runs (
  job TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL,
  took_ms INTEGER NOT NULL,
  is_good INTEGER NOT NULL,
  says TEXT NOT NULL,
  good_at INTEGER
) STRICT, WITHOUT ROWID;
