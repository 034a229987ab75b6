-- Codes by which the server of a site learns who came from it. They live for a minute, and end with the session of the
-- person who agreed.
CREATE TABLE site_codes (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  session_hash BLOB NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE,
  account TEXT NOT NULL,
  origin TEXT NOT NULL,
  challenge TEXT,
  gate TEXT,
  q_hashes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX site_codes_by_session ON site_codes (session_hash);
CREATE INDEX site_codes_expiring ON site_codes (expires_at);
