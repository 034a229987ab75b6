-- Sign-ins at other providers, from the start to the exchange. Meanings stand with the columns in src/db/schema.ts.

CREATE TABLE social_sign_ins (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  stage TEXT NOT NULL CHECK (stage IN ('started', 'returned', 'signed-in', 'failed', 'exchanged')),
  sealed TEXT,
  failure TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX social_sign_ins_expiring ON social_sign_ins (expires_at);
