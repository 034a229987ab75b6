-- A phone and a computer that are connected for minutes, for every process of the server. Meanings stand with the columns
-- in src/db/schema.
CREATE TABLE pairings (
  code_hash BYTEA PRIMARY KEY CHECK (length(code_hash) = 32),
  computer_hash BYTEA NOT NULL CHECK (length(computer_hash) = 32),
  phone_hash BYTEA CHECK (length(phone_hash) = 32),
  client TEXT COLLATE "C" NOT NULL,
  stage TEXT COLLATE "C" NOT NULL CHECK (stage IN ('open', 'paired', 'ended')),
  sealed TEXT COLLATE "C" NOT NULL,
  waiting BIGINT NOT NULL,
  version BIGINT NOT NULL,
  heard_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX pairings_by_computer ON pairings (computer_hash);
CREATE UNIQUE INDEX pairings_by_phone ON pairings (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX pairings_by_client ON pairings (client);
CREATE INDEX pairings_expiring ON pairings (expires_at);
CREATE INDEX pairings_open ON pairings (expires_at, heard_at, waiting) WHERE stage <> 'ended';

-- Whether a process that runs may have shown the link.
ALTER TABLE operator_link ADD COLUMN made_at BIGINT;
