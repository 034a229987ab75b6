-- Links that open a private proof for everybody who has them. Meanings stand with the columns in src/db/schema.ts.
CREATE TABLE share_links (
  digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  label TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  opened_count INTEGER NOT NULL DEFAULT 0,
  last_opened_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX share_links_by_proof ON share_links (proof_id);
CREATE INDEX share_links_expiring ON share_links (expires_at);
