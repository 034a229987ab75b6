-- People, their sessions and keys, and what they allowed to clients. Meanings stand with the columns in src/db/schema.ts.

CREATE TABLE profiles (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL UNIQUE,
  did TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  account TEXT NOT NULL,
  link_proof INTEGER,
  agent TEXT,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_profile ON sessions (profile);
CREATE INDEX sessions_expiring ON sessions (expires_at);

CREATE TABLE access_keys (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX access_keys_by_profile ON access_keys (profile);

CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('dcr', 'cimd')),
  name TEXT,
  redirect_uris TEXT NOT NULL,
  metadata_hash BLOB CHECK (length(metadata_hash) = 32),
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX oauth_clients_by_metadata ON oauth_clients (metadata_hash) WHERE metadata_hash IS NOT NULL;
CREATE INDEX oauth_clients_expiring ON oauth_clients (expires_at);

-- What a person is being asked to allow, between the page and the answer.
CREATE TABLE oauth_requests (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  session_hash BLOB NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE,
  params TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_requests_by_session ON oauth_requests (session_hash);
CREATE INDEX oauth_requests_expiring ON oauth_requests (expires_at);

CREATE TABLE oauth_consents (
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  redirect_host TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (profile, client, redirect_host)
) STRICT, WITHOUT ROWID;

-- A grant: the root of the tokens that descend from one authorization code. One row, whatever happens to the tokens: they
-- say themselves which generation they are.
CREATE TABLE oauth_families (
  id INTEGER PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  account TEXT NOT NULL,
  link_proof INTEGER,
  scope TEXT NOT NULL,
  resource TEXT NOT NULL,
  signed_in_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  refreshed_at INTEGER,
  refreshed_by TEXT,
  refresh_ends_at INTEGER NOT NULL,
  access_ends_at INTEGER NOT NULL,
  revoked_at INTEGER,
  reason TEXT
) STRICT;
CREATE INDEX oauth_families_by_profile ON oauth_families (profile, client);
CREATE INDEX oauth_families_expiring ON oauth_families (expires_at);

CREATE TABLE oauth_codes (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  account TEXT NOT NULL,
  link_proof INTEGER,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scope TEXT NOT NULL,
  resource TEXT NOT NULL,
  signed_in_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  family INTEGER REFERENCES oauth_families (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_profile ON oauth_codes (profile);
CREATE INDEX oauth_codes_by_family ON oauth_codes (family) WHERE family IS NOT NULL;
CREATE INDEX oauth_codes_expiring ON oauth_codes (expires_at);

CREATE TABLE oauth_keys (
  kid TEXT PRIMARY KEY,
  alg TEXT NOT NULL CHECK (alg IN ('ES256', 'RS256')),
  sealed TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  retired_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
  id INTEGER PRIMARY KEY,
  q_hash BLOB NOT NULL UNIQUE CHECK (length(q_hash) = 32),
  profile INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  wallet TEXT NOT NULL,
  alias TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('single', 'bundle')),
  sealed TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  CHECK ((sealed IS NULL) = (revoked_at IS NOT NULL))
) STRICT;
CREATE INDEX secrets_by_profile ON secrets (profile, id);
CREATE UNIQUE INDEX secrets_by_alias ON secrets (profile, alias) WHERE revoked_at IS NULL;

-- What happened to sign-ins, keys, grants and clients: for the operator, and for the person it happened to.
CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  profile INTEGER,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_by_profile ON audit_events (profile, id) WHERE profile IS NOT NULL;
CREATE INDEX audit_events_by_time ON audit_events (at);
