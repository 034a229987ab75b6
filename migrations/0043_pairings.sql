-- A phone and a computer that are connected for minutes, for every process of the server. Meanings stand with the columns
-- in src/db/schema.
CREATE TABLE pairings (
  code_hash BLOB PRIMARY KEY CHECK (length(code_hash) = 32),
  computer_hash BLOB NOT NULL CHECK (length(computer_hash) = 32),
  phone_hash BLOB CHECK (length(phone_hash) = 32),
  client TEXT NOT NULL,
  stage TEXT NOT NULL CHECK (stage IN ('open', 'paired', 'ended')),
  sealed TEXT NOT NULL,
  waiting INTEGER NOT NULL,
  version INTEGER NOT NULL,
  heard_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pairings_by_computer ON pairings (computer_hash);
CREATE UNIQUE INDEX pairings_by_phone ON pairings (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX pairings_by_client ON pairings (client);
CREATE INDEX pairings_expiring ON pairings (expires_at);
CREATE INDEX pairings_open ON pairings (expires_at, heard_at, waiting) WHERE stage <> 'ended';

-- Whether a process that runs may have shown the link.
ALTER TABLE operator_link ADD COLUMN made_at INTEGER;
