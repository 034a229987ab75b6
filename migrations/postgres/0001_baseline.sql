-- The data model of SQLite's migrations 0001 to 0041 for PostgreSQL 15 and later. It runs in one transaction, in a session
-- whose search_path is "proofgate, pg_catalog": some functions stand in for built-in ones. The schema, migrations and
-- write_marks are made by src/db/postgres/migrate.ts.
--
-- Differences that are meant:
-- - SQLite gives a new row the largest id of its table plus one, so the id of a newest row that was deleted is given
--   again, and ids rise in the order of commits. Here a sequence gives each id once. A write that is rolled back leaves a
--   gap. Ids rise in the order in which writes began to insert, so an id may appear below one that was read already. A row
--   that is inserted with its id does not move the sequence: whoever moves rows sets the sequences afterwards.
-- - SQLite's indexes end in the id of the row. Here an index that a list walks in the order of ids names it.
-- - SQLite compares bytes: so does COLLATE "C".
-- - totals has several rows, and its readers add them.

-- Functions that SQLite has and PostgreSQL lacks, or that differ there.

-- NULL for text that is not hexadecimal.
CREATE FUNCTION unhex(text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 ~ '^([0-9A-Fa-f]{2})*$' THEN decode($1, 'hex') END;

-- The empty text for NULL.
CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(upper(encode($1, 'hex')), '');

CREATE FUNCTION zeroblob(bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN decode(repeat('00', $1::integer), 'hex');

CREATE FUNCTION instr(text, text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN strpos($1, $2);

-- The built-in one gives INTEGER, and a parameter that is compared with it would be one.
CREATE FUNCTION octet_length(text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN pg_catalog.octet_length($1);

-- Of ASCII alone, whatever the locale of the database.
CREATE FUNCTION lower(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN pg_catalog.lower($1 COLLATE "C");

-- NULL where one of both is NULL, which greatest() and least() leave out.
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 >= $2 THEN $1 WHEN $1 < $2 THEN $2 END;

CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN $1 <= $2 THEN $1 WHEN $1 > $2 THEN $2 END;

CREATE FUNCTION min(bigint, bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN min(min($1, $2), $3);

CREATE FUNCTION max(bigint, bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN max(max($1, $2), $3);

-- The built-in sum of BIGINT is NUMERIC.
CREATE AGGREGATE sum(bigint) (SFUNC = int8pl, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE);

-- '$.a.b[0]' as {a,b,0}.
CREATE FUNCTION split_json_path(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN string_to_array(substr(replace(replace($1, '[', '.'), ']', ''), 3), '.');

-- JSON of our own, which may spell U+0000 or half of a surrogate pair: no text can hold them here, and U+FFFD stands for
-- them. Without this, one such text in a record would make all of it unreadable.
CREATE FUNCTION read_json(text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Meanwhile \u005c stands for a backslash of the text, so that every other one begins an escape.
  RETURN CASE WHEN strpos($1, '\u') = 0 THEN $1::json ELSE
    replace(
      regexp_replace(
        regexp_replace(
          replace(replace($1, '\\', '\u005c'), '\u0000', '\ufffd'),
          '\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])', '\\ufffd', 'g'),
        '(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}', '\\ufffd', 'g'),
      '\u005c', '\\')::json
    END;

CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN read_json($1) #>> split_json_path($2);

-- The elements of an array. Its parameters have names: without, pg_dump writes what pg_restore cannot read.
CREATE FUNCTION json_each(document text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 20
  BEGIN ATOMIC SELECT a.value FROM json_array_elements_text(read_json(json_each.document)) a; END;

CREATE FUNCTION json_each(document text, path text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 20
  BEGIN ATOMIC SELECT a.value FROM json_array_elements_text(read_json(json_each.document) #> split_json_path(json_each.path)) a; END;

CREATE FUNCTION get_json_member(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN starts_with($2, '$') THEN (read_json($1) #> split_json_path($2))::text ELSE (read_json($1) -> $2)::text END;
CREATE OPERATOR -> (LEFTARG = text, RIGHTARG = text, FUNCTION = get_json_member);

CREATE FUNCTION get_json_text(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN starts_with($2, '$') THEN read_json($1) #>> split_json_path($2) ELSE read_json($1) ->> $2 END;
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = get_json_text);

-- Without one member of an object, such as '$.quoteId'. The others keep their order.
CREATE FUNCTION json_remove(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    SELECT '{' || coalesce(string_agg(to_json(m.key)::text || ':' || m.value::text, ',' ORDER BY m.place), '') || '}'
    FROM pg_catalog.json_each(read_json($1)) WITH ORDINALITY m (key, value, place) WHERE m.key <> substr($2, 3)
    HAVING $1 IS NOT NULL);

-- Tables and indexes.

CREATE TABLE accounts (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  address TEXT COLLATE "C" NOT NULL UNIQUE,
  current_count BIGINT NOT NULL DEFAULT 0,
  listed_count BIGINT NOT NULL DEFAULT 0,
  all_count BIGINT NOT NULL DEFAULT 0,
  all_listed_count BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE proofs (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  q52 BIGINT NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  scope52 BIGINT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  visibility BIGINT NOT NULL CHECK (visibility BETWEEN 0 AND 2),
  superseded BIGINT NOT NULL DEFAULT 0,
  chain_id BIGINT,
  chain TEXT COLLATE "C",
  signature_method TEXT COLLATE "C",
  signed_timestamp BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  revoked_at BIGINT,
  expires_at BIGINT,
  record TEXT COLLATE "C" NOT NULL,
  finality BIGINT,
  app_id TEXT COLLATE "C",
  sponsor_wallet TEXT COLLATE "C",
  agent_id TEXT COLLATE "C",
  granted_to TEXT COLLATE "C"
);
-- Unique, because two processes may store the same proof for two accounts at once.
CREATE UNIQUE INDEX proofs_by_q52 ON proofs (q52, q_hash);
CREATE INDEX proofs_by_account ON proofs (account_id, id);
CREATE INDEX proofs_expiring ON proofs (expires_at)
  WHERE expires_at IS NOT NULL AND status <> 'expired' AND revoked_at IS NULL;
CREATE INDEX proofs_shown ON proofs (account_id, visibility, id)
  WHERE visibility > 0;
CREATE INDEX proofs_scope_listed ON proofs (scope52, id)
  WHERE visibility = 2 AND revoked_at IS NULL;
CREATE INDEX proofs_by_app ON proofs (account_id, app_id, id)
  WHERE app_id IS NOT NULL;
CREATE INDEX proofs_app_listed ON proofs (account_id, app_id, id)
  WHERE app_id IS NOT NULL AND visibility = 2;
CREATE INDEX proofs_listed ON proofs (account_id, id)
  WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';
CREATE INDEX proofs_agents ON proofs (agent_id, account_id, id)
  WHERE agent_id IS NOT NULL AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';
CREATE INDEX proofs_granted ON proofs (granted_to, account_id, id)
  WHERE granted_to IS NOT NULL AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';

CREATE TABLE contents (
  proof_id BIGINT PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  content TEXT COLLATE "C",
  sealed TEXT COLLATE "C",
  CHECK ((content IS NULL) <> (sealed IS NULL))
);

CREATE TABLE reserved_names (
  name TEXT COLLATE "C" NOT NULL,
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (name, proof_id)
);
CREATE INDEX reserved_names_by_proof ON reserved_names (proof_id);
CREATE INDEX reserved_names_expiring ON reserved_names (expires_at)
  WHERE expires_at IS NOT NULL;

CREATE TABLE spent_signatures (
  digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
  expires_at BIGINT NOT NULL,
  q_hash BYTEA CHECK (q_hash IS NULL OR length(q_hash) = 32)
);
CREATE INDEX spent_signatures_expiring ON spent_signatures (expires_at);

CREATE TABLE erased_proofs (
  q52 BIGINT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE TABLE publications (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  chain_id BIGINT NOT NULL,
  action TEXT COLLATE "C" NOT NULL CHECK (action IN ('timestamp', 'revoke')),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'sent', 'mined', 'confirmed', 'failed')),
  asked_at BIGINT NOT NULL,
  account TEXT COLLATE "C",
  nonce BIGINT,
  signed TEXT COLLATE "C",
  signed_at BIGINT,
  tx_hashes TEXT COLLATE "C",
  block_number BIGINT,
  gas_used TEXT COLLATE "C",
  recorded_at BIGINT,
  finished_at BIGINT,
  reason TEXT COLLATE "C",
  CHECK ((finished_at IS NULL) = (state IN ('waiting', 'sent', 'mined'))),
  CHECK (state <> 'sent' OR (account IS NOT NULL AND nonce IS NOT NULL AND signed IS NOT NULL))
);
CREATE UNIQUE INDEX publications_by_proof ON publications (proof_id, chain_id, action);
CREATE INDEX publications_open ON publications (chain_id, state, id)
  WHERE finished_at IS NULL;

CREATE TABLE proof_facts (
  account_id BIGINT NOT NULL,
  fact52 BIGINT NOT NULL,
  proof_id BIGINT NOT NULL,
  PRIMARY KEY (account_id, fact52, proof_id)
);

CREATE TABLE proof_facts_progress (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  done_up_to BIGINT NOT NULL,
  last_id BIGINT NOT NULL
);

CREATE TABLE gates (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  gate_id TEXT COLLATE "C" NOT NULL UNIQUE,
  owner TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'deleted')),
  is_listed BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL,
  fulfilled_count BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  paid_count BIGINT NOT NULL DEFAULT 0,
  paid_usd_micros BIGINT NOT NULL DEFAULT 0,
  guest_count BIGINT NOT NULL DEFAULT 0,
  archived_at BIGINT
);
CREATE INDEX gates_by_owner ON gates (owner, id);
CREATE INDEX gates_listed ON gates (id)
  WHERE is_listed = 1 AND status = 'active';

CREATE TABLE gate_versions (
  gate BIGINT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  definition TEXT COLLATE "C" NOT NULL,
  rewards TEXT COLLATE "C",
  author TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (gate, version)
);

CREATE TABLE payments (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  identity TEXT COLLATE "C" NOT NULL UNIQUE,
  method TEXT COLLATE "C" NOT NULL,
  gate BIGINT NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('claimed', 'final', 'reversed')),
  payer TEXT COLLATE "C",
  amount TEXT COLLATE "C",
  details TEXT COLLATE "C",
  paid_at BIGINT,
  claimed_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  watch_at BIGINT,
  refunded TEXT COLLATE "C",
  suspended_for TEXT COLLATE "C"
);
CREATE INDEX payments_watched ON payments (watch_at)
  WHERE watch_at IS NOT NULL;

CREATE TABLE fulfillments (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  gate BIGINT NOT NULL REFERENCES gates (id),
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  receipt_id TEXT COLLATE "C" NOT NULL UNIQUE,
  payment BIGINT REFERENCES payments (id),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('granted', 'suspended')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  owner TEXT COLLATE "C",
  usd_micros BIGINT
);
CREATE UNIQUE INDEX fulfillments_once ON fulfillments (gate, q_hash);
CREATE INDEX fulfillments_by_wallet ON fulfillments (wallet, gate, id);
CREATE INDEX fulfillments_by_payment ON fulfillments (payment)
  WHERE payment IS NOT NULL;
CREATE INDEX fulfillments_by_gate ON fulfillments (gate, id);
CREATE INDEX fulfillments_of_wallet ON fulfillments (wallet, id);
CREATE INDEX fulfillments_paid_by ON fulfillments (wallet, id)
  WHERE payment IS NOT NULL;
CREATE INDEX fulfillments_paid_to ON fulfillments (owner, id)
  WHERE payment IS NOT NULL;
CREATE INDEX fulfillments_by_version ON fulfillments (gate, version);

CREATE TABLE checkouts (
  session_id TEXT COLLATE "C" PRIMARY KEY,
  gate BIGINT NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  amount_cents BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  wallet TEXT COLLATE "C",
  version BIGINT,
  usd_micros BIGINT,
  watch_at BIGINT
);
CREATE INDEX checkouts_expiring ON checkouts (expires_at);
CREATE INDEX checkouts_by_pair ON checkouts (gate, q_hash);
CREATE INDEX checkouts_watched ON checkouts (watch_at)
  WHERE watch_at IS NOT NULL;
CREATE INDEX checkouts_by_wallet ON checkouts (wallet)
  WHERE wallet IS NOT NULL;

CREATE TABLE profiles (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  subject TEXT COLLATE "C" NOT NULL UNIQUE,
  account TEXT COLLATE "C" NOT NULL UNIQUE,
  did TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  account TEXT COLLATE "C" NOT NULL,
  link_proof BIGINT,
  agent TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_profile ON sessions (profile);
CREATE INDEX sessions_expiring ON sessions (expires_at);

CREATE TABLE access_keys (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  key_id TEXT COLLATE "C" NOT NULL UNIQUE,
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT COLLATE "C" NOT NULL,
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX access_keys_by_profile ON access_keys (profile);

CREATE TABLE oauth_clients (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('dcr', 'cimd')),
  name TEXT COLLATE "C",
  redirect_uris TEXT COLLATE "C" NOT NULL,
  metadata_hash BYTEA CHECK (length(metadata_hash) = 32),
  created_at BIGINT NOT NULL,
  used_at BIGINT,
  expires_at BIGINT NOT NULL,
  network TEXT COLLATE "C"
);
CREATE UNIQUE INDEX oauth_clients_by_metadata ON oauth_clients (metadata_hash)
  WHERE metadata_hash IS NOT NULL;
CREATE INDEX oauth_clients_expiring ON oauth_clients (expires_at);
CREATE INDEX oauth_clients_unused ON oauth_clients (network, created_at, id, used_at)
  WHERE used_at IS NULL;

CREATE TABLE oauth_requests (
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  session_hash BYTEA NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE,
  params TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  client TEXT COLLATE "C"
);
CREATE INDEX oauth_requests_by_session ON oauth_requests (session_hash);
CREATE INDEX oauth_requests_expiring ON oauth_requests (expires_at);
CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at)
  WHERE client IS NOT NULL;

CREATE TABLE oauth_consents (
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT COLLATE "C" NOT NULL,
  redirect_host TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  link_proof BIGINT,
  PRIMARY KEY (profile, client, redirect_host)
);
CREATE INDEX oauth_consents_by_link ON oauth_consents (link_proof)
  WHERE link_proof IS NOT NULL;

CREATE TABLE oauth_families (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  handle TEXT COLLATE "C" NOT NULL UNIQUE,
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  link_proof BIGINT,
  scope TEXT COLLATE "C" NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  signed_in_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  refreshed_at BIGINT,
  refreshed_by TEXT COLLATE "C",
  refresh_ends_at BIGINT NOT NULL,
  access_ends_at BIGINT NOT NULL,
  revoked_at BIGINT,
  reason TEXT COLLATE "C",
  redirect_host TEXT COLLATE "C"
);
CREATE INDEX oauth_families_by_profile ON oauth_families (profile, client);
CREATE INDEX oauth_families_expiring ON oauth_families (expires_at);

CREATE TABLE oauth_codes (
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  client TEXT COLLATE "C" NOT NULL,
  account TEXT COLLATE "C" NOT NULL,
  link_proof BIGINT,
  redirect_uri TEXT COLLATE "C" NOT NULL,
  challenge TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  signed_in_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  consumed_at BIGINT,
  family BIGINT REFERENCES oauth_families (id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_by_profile ON oauth_codes (profile);
CREATE INDEX oauth_codes_by_family ON oauth_codes (family)
  WHERE family IS NOT NULL;
CREATE INDEX oauth_codes_expiring ON oauth_codes (expires_at);

CREATE TABLE oauth_keys (
  kid TEXT COLLATE "C" PRIMARY KEY,
  alg TEXT COLLATE "C" NOT NULL CHECK (alg IN ('ES256', 'RS256')),
  sealed TEXT COLLATE "C" NOT NULL,
  public_jwk TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  not_before BIGINT NOT NULL,
  retired_at BIGINT
);

CREATE TABLE secrets (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  q_hash BYTEA NOT NULL UNIQUE CHECK (length(q_hash) = 32),
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  wallet TEXT COLLATE "C" NOT NULL,
  alias TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL CHECK (type IN ('single', 'bundle')),
  sealed TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  CHECK ((sealed IS NULL) = (revoked_at IS NOT NULL))
);
CREATE INDEX secrets_by_profile ON secrets (profile, id);
CREATE UNIQUE INDEX secrets_by_alias ON secrets (profile, alias)
  WHERE revoked_at IS NULL;

CREATE TABLE audit_events (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  event TEXT COLLATE "C" NOT NULL,
  profile BIGINT,
  details TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_events_by_profile ON audit_events (profile, id)
  WHERE profile IS NOT NULL;
CREATE INDEX audit_events_by_time ON audit_events (at, id);
CREATE INDEX audit_events_by_event ON audit_events (event, id);

CREATE TABLE social_sign_ins (
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  stage TEXT COLLATE "C" NOT NULL CHECK (stage IN ('started', 'returned', 'signed-in', 'failed', 'exchanged')),
  sealed TEXT COLLATE "C",
  failure TEXT COLLATE "C",
  expires_at BIGINT NOT NULL,
  network TEXT COLLATE "C"
);
CREATE INDEX social_sign_ins_expiring ON social_sign_ins (expires_at);
CREATE INDEX social_sign_ins_started ON social_sign_ins (network, expires_at, hash)
  WHERE stage = 'started';

CREATE TABLE operators (
  account TEXT COLLATE "C" PRIMARY KEY,
  created_at BIGINT NOT NULL
);

CREATE TABLE operator_link (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  hash BYTEA NOT NULL CHECK (length(hash) = 32),
  expires_at BIGINT
);

CREATE TABLE totals (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 16),
  accounts BIGINT NOT NULL,
  proofs BIGINT NOT NULL
);

CREATE TABLE daily_numbers (
  kind TEXT COLLATE "C" NOT NULL,
  day BIGINT NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (kind, day, subject)
);

CREATE TABLE latencies (
  slot BIGINT NOT NULL,
  surface TEXT COLLATE "C" NOT NULL,
  run TEXT COLLATE "C" NOT NULL,
  buckets TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (slot, surface, run)
);

CREATE TABLE envelopes (
  proof_id BIGINT PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  sealed TEXT COLLATE "C" NOT NULL
);

CREATE TABLE proof_sources (
  proof_id BIGINT PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  verifier TEXT COLLATE "C" NOT NULL CHECK (verifier IN ('agent-delegation', 'agent-identity')),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('signature', 'session', 'linked-session', 'access-key', 'oauth-grant')),
  source_id TEXT COLLATE "C" NOT NULL,
  link_proof BIGINT,
  ended_at BIGINT,
  end_reason TEXT COLLATE "C"
);
CREATE INDEX proof_sources_by_source ON proof_sources (source_id)
  WHERE source_id <> '';
CREATE INDEX proof_sources_by_link ON proof_sources (link_proof)
  WHERE link_proof IS NOT NULL;

CREATE TABLE access_grants (
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  viewer TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  source_kind TEXT COLLATE "C" NOT NULL CHECK (source_kind IN ('unknown', 'signature', 'session', 'linked-session', 'access-key', 'oauth-grant')),
  source_id TEXT COLLATE "C" NOT NULL,
  link_proof BIGINT,
  PRIMARY KEY (proof_id, viewer, source_id)
);
CREATE INDEX access_grants_expiring ON access_grants (expires_at)
  WHERE expires_at IS NOT NULL;
CREATE INDEX access_grants_by_source ON access_grants (source_id)
  WHERE source_id <> '';
CREATE INDEX access_grants_by_link ON access_grants (link_proof)
  WHERE link_proof IS NOT NULL;
CREATE INDEX access_grants_by_viewer ON access_grants (viewer, proof_id);

CREATE TABLE erasures (
  handle TEXT COLLATE "C" PRIMARY KEY,
  account_id BIGINT NOT NULL,
  wallet TEXT COLLATE "C" NOT NULL,
  contract_on TEXT COLLATE "C",
  proofs_up_to BIGINT NOT NULL,
  fulfillments_up_to BIGINT NOT NULL,
  erased_at BIGINT NOT NULL,
  accepted_since BIGINT NOT NULL,
  forget_at BIGINT NOT NULL,
  receipt TEXT COLLATE "C"
);
CREATE INDEX erasures_by_account ON erasures (account_id);
CREATE INDEX erasures_by_wallet ON erasures (wallet);
CREATE INDEX erasures_by_receipt ON erasures (receipt);

CREATE TABLE record_summaries (
  proof_id BIGINT PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  summary TEXT COLLATE "C" NOT NULL
);

CREATE TABLE gate_summaries (
  gate BIGINT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  -- Of the definition, and of the sealed reward values with it, in UTF-8.
  definition_bytes BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  -- JSON of the definition with its long texts and conditions cut. NULL: the definition is short, or this version is older
  -- than this table, or it is not the newest.
  summary TEXT COLLATE "C",
  PRIMARY KEY (gate, version)
);

CREATE TABLE settlements (
  identity TEXT COLLATE "C" PRIMARY KEY,
  gate BIGINT NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  usd_micros BIGINT NOT NULL,
  details TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  -- When it can no longer move money.
  ends_at BIGINT NOT NULL,
  watch_at BIGINT NOT NULL,
  -- When the facilitator said that it does not settle it. It may do so all the same.
  refused_at BIGINT
);
CREATE INDEX settlements_watched ON settlements (watch_at);
CREATE INDEX settlements_by_pair ON settlements (gate, q_hash);
CREATE INDEX settlements_by_wallet ON settlements (wallet);

CREATE TABLE quotes (
  quote_id TEXT COLLATE "C" PRIMARY KEY,
  gate BIGINT NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  wallet TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  usd_micros BIGINT NOT NULL,
  recipient TEXT COLLATE "C" NOT NULL,
  -- Millionths of a dollar above the price: what tells this transfer from others.
  suffix BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX quotes_by_pair ON quotes (gate, q_hash);
CREATE INDEX quotes_of_wallet ON quotes (wallet);
CREATE INDEX quotes_expiring ON quotes (expires_at);
CREATE UNIQUE INDEX quotes_amount ON quotes (recipient, usd_micros, suffix);
-- Quotes of different prices may come to one amount. On SQLite the single writer sees the other one.
CREATE UNIQUE INDEX quotes_total ON quotes (recipient, (usd_micros + suffix % 10000), (suffix / 10000));

CREATE TABLE unmatched_payments (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  identity TEXT COLLATE "C" NOT NULL UNIQUE,
  method TEXT COLLATE "C" NOT NULL,
  gate BIGINT NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  q_hash BYTEA CHECK (length(q_hash) = 32),
  wallet TEXT COLLATE "C",
  payer TEXT COLLATE "C",
  amount TEXT COLLATE "C",
  usd_micros BIGINT,
  details TEXT COLLATE "C",
  -- By which its payer names it where it is used after all.
  transaction_hash TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('owed', 'refunding', 'refunded', 'used')),
  paid_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- When the refund is tried or looked at next.
  next_at BIGINT
);
CREATE INDEX unmatched_by_owner ON unmatched_payments (owner, id);
CREATE INDEX unmatched_by_wallet ON unmatched_payments (wallet, id);
CREATE INDEX unmatched_by_transaction ON unmatched_payments (transaction_hash);
CREATE INDEX unmatched_due ON unmatched_payments (next_at)
  WHERE next_at IS NOT NULL;
CREATE INDEX unmatched_by_payer ON unmatched_payments (payer, id)
  WHERE payer IS NOT NULL;

CREATE TABLE followed_blocks (
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  -- Place of the claim in the record, from 0.
  place BIGINT NOT NULL,
  -- CAIP-2.
  chain TEXT COLLATE "C" NOT NULL,
  block_number BIGINT NOT NULL,
  block_hash BYTEA NOT NULL CHECK (length(block_hash) = 32),
  -- holds, missing or final.
  state TEXT COLLATE "C" NOT NULL,
  followed_since BIGINT NOT NULL,
  -- NULL: not looked at any more.
  look_at BIGINT,
  read_again_at BIGINT,
  PRIMARY KEY (proof_id, place)
);
CREATE INDEX followed_blocks_due ON followed_blocks (look_at)
  WHERE look_at IS NOT NULL;

CREATE TABLE wallet_links (
  wallet TEXT COLLATE "C" NOT NULL,
  other TEXT COLLATE "C" NOT NULL,
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  chain TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (wallet, other, proof_id, chain)
);
CREATE INDEX wallet_links_by_proof ON wallet_links (proof_id);

CREATE TABLE offered_transfers (
  transaction_hash TEXT COLLATE "C" NOT NULL,
  wallet TEXT COLLATE "C" NOT NULL,
  quote_id TEXT COLLATE "C",
  first_at BIGINT NOT NULL,
  PRIMARY KEY (transaction_hash, wallet)
);
CREATE INDEX offered_transfers_by_wallet ON offered_transfers (wallet);
CREATE INDEX offered_transfers_by_quote ON offered_transfers (quote_id)
  WHERE quote_id IS NOT NULL;
CREATE INDEX offered_transfers_by_age ON offered_transfers (first_at);

CREATE TABLE unpaid_places (
  gate BIGINT NOT NULL,
  wallet TEXT COLLATE "C" NOT NULL,
  holds BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (gate, wallet)
);
CREATE INDEX unpaid_places_by_wallet ON unpaid_places (wallet);
CREATE INDEX unpaid_places_ended ON unpaid_places (ends_at);

CREATE TABLE clock (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  steady_at BIGINT NOT NULL,
  wall_at BIGINT NOT NULL
);

CREATE TABLE clock_jumps (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  size_ms BIGINT NOT NULL
);

CREATE TABLE forgotten_hours (
  day BIGINT PRIMARY KEY,
  hours BIGINT NOT NULL
);

CREATE TABLE heartbeat (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  beaten_at BIGINT NOT NULL
);

CREATE TABLE erasure_traces (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  noted BIGINT NOT NULL,
  emptied BIGINT NOT NULL,
  since BIGINT NOT NULL
);

CREATE TABLE erasure_receipts (
  handle TEXT COLLATE "C" PRIMARY KEY,
  asked BYTEA,
  total BIGINT NOT NULL,
  begun_at BIGINT NOT NULL,
  ended_at BIGINT,
  trace BIGINT
);
CREATE INDEX erasure_receipts_by_request ON erasure_receipts (asked)
  WHERE asked IS NOT NULL;
CREATE INDEX erasure_receipts_ended ON erasure_receipts (ended_at)
  WHERE ended_at IS NOT NULL;

CREATE TABLE site_codes (
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  session_hash BYTEA NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE,
  account TEXT COLLATE "C" NOT NULL,
  origin TEXT COLLATE "C" NOT NULL,
  challenge TEXT COLLATE "C",
  gate TEXT COLLATE "C",
  q_hashes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX site_codes_by_session ON site_codes (session_hash);
CREATE INDEX site_codes_expiring ON site_codes (expires_at);

CREATE TABLE reservations (
  gate BIGINT NOT NULL,
  wallet TEXT COLLATE "C" NOT NULL,
  q_hash BYTEA NOT NULL CHECK (length(q_hash) = 32),
  version BIGINT NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  network TEXT COLLATE "C",
  PRIMARY KEY (gate, wallet)
);
CREATE INDEX reservations_held ON reservations (gate, expires_at);
CREATE INDEX reservations_expiring ON reservations (expires_at);
CREATE INDEX reservations_by_wallet ON reservations (wallet);
CREATE INDEX reservations_by_pair ON reservations (gate, q_hash);

CREATE TABLE gate_guests (
  gate BIGINT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  -- The address, EVM in lower case.
  wallet TEXT COLLATE "C" NOT NULL,
  -- CAIP-2 id of the EVM chain that the owner named with it. Empty: none.
  chain TEXT COLLATE "C" NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (gate, wallet, chain)
);

CREATE TABLE guest_passes (
  pass BYTEA PRIMARY KEY CHECK (length(pass) = 32),
  gate BIGINT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  wallet TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  look_at BIGINT
);
CREATE UNIQUE INDEX guest_passes_by_wallet ON guest_passes (wallet, gate);
CREATE INDEX guest_passes_by_gate ON guest_passes (gate);
CREATE INDEX guest_passes_looked_at ON guest_passes (look_at)
  WHERE look_at IS NOT NULL;

CREATE TABLE hourly_numbers (
  kind TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (kind, hour, subject)
);

CREATE TABLE share_links (
  digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
  proof_id BIGINT NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  label TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  opened_count BIGINT NOT NULL DEFAULT 0,
  last_opened_at BIGINT,
  profile BIGINT REFERENCES profiles (id) ON DELETE CASCADE
);
CREATE INDEX share_links_by_proof ON share_links (proof_id);
CREATE INDEX share_links_expiring ON share_links (expires_at);
CREATE INDEX share_links_by_profile ON share_links (profile, digest);

CREATE TABLE gate_appearances (
  gate BIGINT PRIMARY KEY REFERENCES gates (id) ON DELETE CASCADE,
  -- gates.owner, which never changes.
  wallet TEXT COLLATE "C" NOT NULL,
  seller TEXT COLLATE "C",
  -- # and six hexadecimal digits.
  color TEXT COLLATE "C",
  -- The picture: what it is, its SHA-256 in hexadecimal digits, and itself in base64.
  media_type TEXT COLLATE "C",
  width BIGINT,
  height BIGINT,
  bytes BIGINT,
  digest TEXT COLLATE "C",
  picture TEXT COLLATE "C",
  -- Of the newest change.
  created_at BIGINT NOT NULL
);
CREATE INDEX gate_appearances_by_wallet ON gate_appearances (wallet);

CREATE TABLE wallet_labels (
  profile BIGINT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
  account TEXT COLLATE "C" NOT NULL,
  wallet TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (profile, account)
);
CREATE INDEX wallet_labels_by_wallet ON wallet_labels (wallet);

CREATE TABLE taken_away (
  id BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  -- Names the thing among those of its kind.
  thing TEXT COLLATE "C" NOT NULL,
  -- JSON.
  detail TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX taken_away_by_thing ON taken_away (kind, thing);

CREATE TABLE restores (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  restored_at BIGINT NOT NULL,
  backup_id TEXT COLLATE "C" NOT NULL,
  -- The moment that was restored.
  backup_at BIGINT NOT NULL,
  journal TEXT COLLATE "C" NOT NULL CHECK (journal IN ('replayed', 'gone')),
  -- Until when the journal knew what happened. With none: backup_at.
  known_until BIGINT NOT NULL
);

CREATE TABLE job_runs (
  job TEXT COLLATE "C" PRIMARY KEY,
  ended_at BIGINT NOT NULL,
  took_ms BIGINT NOT NULL,
  is_good BIGINT NOT NULL,
  says TEXT COLLATE "C" NOT NULL,
  good_at BIGINT
);

-- Rows that every database has.
INSERT INTO proof_facts_progress (id, done_up_to, last_id) VALUES (1, 0, 0);
INSERT INTO totals (id, accounts, proofs) VALUES (1, 0, 0);
INSERT INTO heartbeat (id, beaten_at) VALUES (1, 0);
INSERT INTO erasure_traces (id, noted, emptied, since) VALUES (1, 0, 0, 0);

-- The rest keeps the tables true to one another. Each function has the name of the trigger of SQLite that it stands for.

CREATE FUNCTION totals_account_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- One of several rows: otherwise every new account and proof would wait for the one before it.
  INSERT INTO totals (id, accounts, proofs) VALUES (1 + pg_backend_pid() % 16, 1, 0)
  ON CONFLICT (id) DO UPDATE SET accounts = totals.accounts + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER totals_account_made AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION totals_account_made();

CREATE FUNCTION totals_account_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO totals (id, accounts, proofs) VALUES (1 + pg_backend_pid() % 16, -1, 0)
  ON CONFLICT (id) DO UPDATE SET accounts = totals.accounts - 1;
  RETURN NULL;
END $$;
CREATE TRIGGER totals_account_gone AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION totals_account_gone();

CREATE FUNCTION totals_proof_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO totals (id, accounts, proofs) VALUES (1 + pg_backend_pid() % 16, 0, 1)
  ON CONFLICT (id) DO UPDATE SET proofs = totals.proofs + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER totals_proof_made AFTER INSERT ON proofs FOR EACH ROW EXECUTE FUNCTION totals_proof_made();

CREATE FUNCTION totals_proof_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO totals (id, accounts, proofs) VALUES (1 + pg_backend_pid() % 16, 0, -1)
  ON CONFLICT (id) DO UPDATE SET proofs = totals.proofs - 1;
  RETURN NULL;
END $$;
CREATE TRIGGER totals_proof_gone AFTER DELETE ON proofs FOR EACH ROW EXECUTE FUNCTION totals_proof_gone();

CREATE FUNCTION proofs_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Proofs before their account, as in every write that changes both.
  UPDATE proofs SET superseded = 1
  WHERE id IN (SELECT proof_id FROM proof_facts WHERE account_id = NEW.account_id AND fact52 = NEW.scope52)
    AND superseded = 0 AND visibility <= NEW.visibility;
  UPDATE accounts SET
    current_count = current_count + 1,
    listed_count = listed_count + (NEW.visibility = 2)::integer,
    all_count = all_count + 1,
    all_listed_count = all_listed_count + (NEW.visibility = 2)::integer
  WHERE id = NEW.account_id;
  INSERT INTO proof_facts (account_id, fact52, proof_id) VALUES (NEW.account_id, NEW.scope52, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER proofs_inserted AFTER INSERT ON proofs FOR EACH ROW EXECUTE FUNCTION proofs_inserted();

CREATE FUNCTION proofs_replaced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE proof_facts SET fact52 = -NEW.scope52
  WHERE account_id = NEW.account_id AND fact52 = NEW.scope52 AND proof_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER proofs_replaced AFTER UPDATE OF superseded ON proofs FOR EACH ROW
  WHEN (OLD.superseded = 0 AND NEW.superseded = 1) EXECUTE FUNCTION proofs_replaced();

CREATE FUNCTION proofs_left_current() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET
    current_count = current_count - 1,
    listed_count = listed_count - (NEW.visibility = 2 AND OLD.status <> 'expired')::integer
  WHERE id = NEW.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER proofs_left_current AFTER UPDATE OF superseded, revoked_at ON proofs FOR EACH ROW
  WHEN ((OLD.superseded = 0 AND OLD.revoked_at IS NULL) AND NOT (NEW.superseded = 0 AND NEW.revoked_at IS NULL))
  EXECUTE FUNCTION proofs_left_current();

CREATE FUNCTION proofs_expired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET
    listed_count = listed_count + (OLD.status = 'expired')::integer - (NEW.status = 'expired')::integer
  WHERE id = NEW.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER proofs_expired AFTER UPDATE OF status ON proofs FOR EACH ROW
  WHEN ((OLD.status = 'expired') <> (NEW.status = 'expired')
    AND NEW.visibility = 2 AND OLD.superseded = 0 AND OLD.revoked_at IS NULL
    AND NEW.superseded = 0 AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION proofs_expired();

CREATE FUNCTION proofs_shown_otherwise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET
    all_listed_count = all_listed_count + (NEW.visibility = 2)::integer - (OLD.visibility = 2)::integer,
    listed_count = listed_count + CASE
      WHEN NEW.superseded = 0 AND NEW.revoked_at IS NULL AND NEW.status <> 'expired'
        THEN (NEW.visibility = 2)::integer - (OLD.visibility = 2)::integer
      ELSE 0 END
  WHERE id = NEW.account_id;
  -- A newer run that as many people may see has replaced it.
  UPDATE proofs SET superseded = 1
  WHERE id = NEW.id AND superseded = 0 AND EXISTS (
    SELECT 1 FROM proof_facts f JOIN proofs newer ON newer.id = f.proof_id
    WHERE f.account_id = NEW.account_id AND f.fact52 = NEW.scope52 AND f.proof_id > NEW.id
      AND newer.superseded = 0 AND newer.visibility >= NEW.visibility AND newer.revoked_at IS NULL);
  -- Current, it replaces the older runs that no more people may see.
  UPDATE proofs SET superseded = 1
  WHERE id IN (
      SELECT proof_id FROM proof_facts
      WHERE account_id = NEW.account_id AND fact52 = NEW.scope52 AND proof_id < NEW.id)
    AND superseded = 0 AND visibility <= NEW.visibility
    AND EXISTS (
      SELECT 1 FROM proofs own
      WHERE own.id = NEW.id AND own.superseded = 0 AND own.revoked_at IS NULL AND own.status <> 'expired');
  RETURN NULL;
END $$;
CREATE TRIGGER proofs_shown_otherwise AFTER UPDATE OF visibility ON proofs FOR EACH ROW
  WHEN (OLD.visibility <> NEW.visibility) EXECUTE FUNCTION proofs_shown_otherwise();

CREATE FUNCTION wallet_links_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet_links (wallet, other, proof_id, chain)
  SELECT DISTINCT r.value ->> ('$.data.' || side.own || 'WalletAddress'),
    r.value ->> ('$.data.' || side.other || 'WalletAddress'), NEW.id,
    replace(r.value ->> ('$.data.' || side.own || 'AccountId'),
      ':' || (r.value ->> ('$.data.' || side.own || 'WalletAddress')), '')
  FROM (VALUES ('primary', 'secondary'), ('secondary', 'primary')) side (own, other),
    json_each(NEW.record, '$.rows') r
  WHERE r.value ->> 'verifierId' = 'wallet-link' AND r.value -> 'verified' = 'true';
  RETURN NULL;
END $$;
CREATE TRIGGER wallet_links_made AFTER INSERT ON proofs FOR EACH ROW
  WHEN (strpos(NEW.record, '"wallet-link"') > 0) EXECUTE FUNCTION wallet_links_made();

CREATE FUNCTION wallet_links_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[];
BEGIN
  IF NOT EXISTS (SELECT 1 FROM wallet_links WHERE proof_id = NEW.id) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(links.id) INTO ended FROM (
    SELECT NEW.id AS id UNION ALL
    SELECT proof_id FROM proof_facts
    WHERE account_id = NEW.account_id AND fact52 = -NEW.scope52 AND proof_id < NEW.id) links;
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'wallet_unlinked'
  WHERE ended_at IS NULL AND link_proof = ANY (ended)
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants WHERE link_proof = ANY (ended);
  DELETE FROM oauth_consents WHERE link_proof = ANY (ended);
  RETURN NULL;
END $$;
CREATE TRIGGER wallet_links_revoked AFTER UPDATE OF revoked_at ON proofs FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION wallet_links_revoked();

CREATE FUNCTION proof_sources_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The proof first, as in every write that changes both.
  UPDATE proofs SET revoked_at = NEW.ended_at, updated_at = NEW.ended_at
  WHERE id = NEW.proof_id AND revoked_at IS NULL;
  -- As publishing/store.ts orderRevocations does for a proof that its owner revokes.
  UPDATE publications
  SET state = 'failed', finished_at = NEW.ended_at, reason = 'the proof was revoked before this was sent'
  WHERE proof_id = NEW.proof_id AND action = 'timestamp' AND state = 'waiting';
  INSERT INTO publications (proof_id, chain_id, action, state, asked_at)
  SELECT proof_id, chain_id, 'revoke', 'waiting', NEW.ended_at FROM publications
  WHERE proof_id = NEW.proof_id AND action = 'timestamp' AND (state <> 'failed' OR tx_hashes IS NOT NULL)
  ON CONFLICT (proof_id, chain_id, action) DO NOTHING;
  DELETE FROM reserved_names WHERE proof_id = NEW.proof_id;
  DELETE FROM access_grants WHERE proof_id = NEW.proof_id;
  RETURN NULL;
END $$;
CREATE TRIGGER proof_sources_ended AFTER UPDATE OF ended_at ON proof_sources FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION proof_sources_ended();

CREATE FUNCTION access_keys_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'access_key_revoked'
  WHERE source_id = NEW.key_id AND source_id <> '' AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants WHERE source_id = NEW.key_id AND source_id <> '';
  RETURN NULL;
END $$;
CREATE TRIGGER access_keys_revoked AFTER UPDATE OF revoked_at ON access_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION access_keys_revoked();

CREATE FUNCTION oauth_families_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'oauth_grant_revoked'
  WHERE source_id = NEW.handle AND source_id <> '' AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants WHERE source_id = NEW.handle AND source_id <> '';
  RETURN NULL;
END $$;
CREATE TRIGGER oauth_families_revoked AFTER UPDATE OF revoked_at, reason ON oauth_families FOR EACH ROW
  WHEN (NEW.revoked_at IS NOT NULL AND coalesce(NEW.reason, '') <> 'signed out everywhere')
  EXECUTE FUNCTION oauth_families_revoked();

-- The journal of what was taken away. Every note has the largest id, also where it takes the place of an older one.
CREATE SEQUENCE taken_away_ids OWNED BY taken_away.id;

-- A restore names an id that is far behind all others, and the next ones follow it.
CREATE FUNCTION taken_away_numbered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  next_id bigint;
BEGIN
  -- Until the commit: whoever takes it alone knows that no smaller id will appear (src/journal/store.ts).
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('journal', 0));
  next_id := nextval('taken_away_ids');
  IF NEW.id > next_id THEN
    PERFORM setval('taken_away_ids', NEW.id);
  ELSE
    NEW.id := next_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER taken_away_numbered BEFORE INSERT ON taken_away FOR EACH ROW EXECUTE FUNCTION taken_away_numbered();

CREATE FUNCTION note_taken(noted_at bigint, noted_kind text, noted_thing text, noted_detail text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO taken_away (at, kind, thing, detail) VALUES (noted_at, noted_kind, noted_thing, noted_detail)
  ON CONFLICT (kind, thing) DO UPDATE SET id = excluded.id, at = excluded.at, detail = excluded.detail;
END $$;

CREATE FUNCTION read_noted_time() RETURNS bigint LANGUAGE sql STABLE
  RETURN coalesce((SELECT c.wall_at FROM clock c WHERE c.id = 1), 0);

-- JSON as SQLite writes it, without spaces: it names the thing.
CREATE FUNCTION name_thing(VARIADIC parts text[]) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN array_to_json(parts)::text;

CREATE FUNCTION describe_revocation(revoked_at bigint) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN '{"revokedAt":' || revoked_at || '}';

CREATE FUNCTION taken_revoked_proof() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.revoked_at, 'revoked proof', encode(NEW.q_hash, 'hex'), describe_revocation(NEW.revoked_at));
  RETURN NULL;
END $$;
CREATE TRIGGER taken_revoked_proof AFTER UPDATE OF revoked_at ON proofs FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION taken_revoked_proof();

CREATE FUNCTION taken_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.visibility < OLD.visibility
    OR EXISTS (SELECT 1 FROM taken_away WHERE kind = 'visibility' AND thing = encode(NEW.q_hash, 'hex')) THEN
    PERFORM note_taken(read_noted_time(), 'visibility', encode(NEW.q_hash, 'hex'),
      '{"visibility":' || NEW.visibility || '}');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_visibility AFTER UPDATE OF visibility ON proofs FOR EACH ROW
  WHEN (NEW.visibility <> OLD.visibility) EXECUTE FUNCTION taken_visibility();

CREATE FUNCTION taken_access_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.revoked_at, 'access key', NEW.key_id, describe_revocation(NEW.revoked_at));
  RETURN NULL;
END $$;
CREATE TRIGGER taken_access_key AFTER UPDATE OF revoked_at ON access_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION taken_access_key();

CREATE FUNCTION taken_oauth_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.revoked_at, 'oauth grant', NEW.handle,
    (SELECT row_to_json(d)::text FROM (SELECT NEW.revoked_at AS "revokedAt", NEW.reason AS reason) d));
  RETURN NULL;
END $$;
CREATE TRIGGER taken_oauth_grant AFTER UPDATE OF revoked_at ON oauth_families FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION taken_oauth_grant();

CREATE FUNCTION taken_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'profile', OLD.subject, '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER taken_profile AFTER DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION taken_profile();

CREATE FUNCTION taken_secret() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.revoked_at, 'secret', encode(NEW.q_hash, 'hex'), describe_revocation(NEW.revoked_at));
  RETURN NULL;
END $$;
CREATE TRIGGER taken_secret AFTER UPDATE OF revoked_at ON secrets FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION taken_secret();

CREATE FUNCTION taken_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'guest', name_thing(gate_id, OLD.wallet, OLD.chain), '{"isRemoved":true}')
  FROM gates WHERE id = OLD.gate;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_guest AFTER DELETE ON gate_guests FOR EACH ROW EXECUTE FUNCTION taken_guest();

CREATE FUNCTION taken_guest_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.added_at, 'guest', t.thing, '{"isRemoved":false}')
  FROM gates g JOIN taken_away t ON t.kind = 'guest' AND t.thing = name_thing(g.gate_id, NEW.wallet, NEW.chain)
  WHERE g.id = NEW.gate;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_guest_back AFTER INSERT ON gate_guests FOR EACH ROW EXECUTE FUNCTION taken_guest_back();

CREATE FUNCTION taken_access_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'access grant', name_thing(encode(q_hash, 'hex'), OLD.viewer, OLD.source_id),
    '{"isRemoved":true}')
  FROM proofs WHERE id = OLD.proof_id AND NOT EXISTS (SELECT 1 FROM erasures WHERE wallet = OLD.viewer);
  RETURN NULL;
END $$;
CREATE TRIGGER taken_access_grant AFTER DELETE ON access_grants FOR EACH ROW EXECUTE FUNCTION taken_access_grant();

CREATE FUNCTION taken_access_grant_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.created_at, 'access grant', t.thing, '{"isRemoved":false}')
  FROM proofs p JOIN taken_away t
    ON t.kind = 'access grant' AND t.thing = name_thing(encode(p.q_hash, 'hex'), NEW.viewer, NEW.source_id)
  WHERE p.id = NEW.proof_id;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_access_grant_back AFTER INSERT ON access_grants FOR EACH ROW
  EXECUTE FUNCTION taken_access_grant_back();

CREATE FUNCTION taken_share_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'share link', encode(OLD.digest, 'hex'), '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER taken_share_link AFTER DELETE ON share_links FOR EACH ROW EXECUTE FUNCTION taken_share_link();

CREATE FUNCTION taken_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'operator', OLD.account, '{"isRemoved":true}');
  RETURN NULL;
END $$;
CREATE TRIGGER taken_operator AFTER DELETE ON operators FOR EACH ROW EXECUTE FUNCTION taken_operator();

CREATE FUNCTION taken_operator_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.created_at, 'operator', thing, '{"isRemoved":false}')
  FROM taken_away WHERE kind = 'operator' AND thing = NEW.account;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_operator_back AFTER INSERT ON operators FOR EACH ROW EXECUTE FUNCTION taken_operator_back();

CREATE FUNCTION taken_oauth_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(read_noted_time(), 'oauth consent', name_thing(subject, OLD.client, OLD.redirect_host),
    '{"isRemoved":true}')
  FROM profiles WHERE id = OLD.profile;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_oauth_consent AFTER DELETE ON oauth_consents FOR EACH ROW EXECUTE FUNCTION taken_oauth_consent();

CREATE FUNCTION taken_oauth_consent_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.created_at, 'oauth consent', t.thing, '{"isRemoved":false}')
  FROM profiles p JOIN taken_away t
    ON t.kind = 'oauth consent' AND t.thing = name_thing(p.subject, NEW.client, NEW.redirect_host)
  WHERE p.id = NEW.profile;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_oauth_consent_back AFTER INSERT ON oauth_consents FOR EACH ROW
  EXECUTE FUNCTION taken_oauth_consent_back();

CREATE FUNCTION taken_gate_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_taken(NEW.updated_at, 'gate state', NEW.gate_id,
    (SELECT row_to_json(d)::text
     FROM (SELECT NEW.status AS status, NEW.archived_at AS "archivedAt", NEW.is_listed AS "isListed") d));
  RETURN NULL;
END $$;
CREATE TRIGGER taken_gate_state AFTER UPDATE OF status, archived_at ON gates FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.archived_at IS DISTINCT FROM NEW.archived_at)
  EXECUTE FUNCTION taken_gate_state();

CREATE FUNCTION note_payment(paid payments) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    SELECT note_taken(paid.updated_at, 'payment', paid.identity, row_to_json(d)::text)
    FROM (SELECT paid.id, paid.identity, paid.method, paid.gate, hex(paid.q_hash) AS q_hash, paid.state, paid.payer,
      paid.amount, paid.details, paid.paid_at, paid.claimed_at, paid.updated_at, paid.watch_at, paid.refunded,
      paid.suspended_for) d;
  END;

CREATE FUNCTION taken_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_payment(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER taken_payment AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION taken_payment();
CREATE TRIGGER taken_payment_changed
  AFTER UPDATE OF state, payer, details, q_hash, refunded, suspended_for ON payments FOR EACH ROW
  EXECUTE FUNCTION taken_payment();

CREATE FUNCTION note_fulfillment(made fulfillments, noted_at bigint) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    SELECT note_taken(noted_at, 'fulfillment', made.receipt_id, row_to_json(d)::text)
    FROM (SELECT made.id, made.gate, hex(made.q_hash) AS q_hash, made.wallet, made.version, made.receipt_id, made.payment,
      made.state, made.created_at, made.updated_at, made.owner, made.usd_micros) d;
  END;

CREATE FUNCTION taken_fulfillment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_fulfillment(NEW, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER taken_fulfillment AFTER INSERT ON fulfillments FOR EACH ROW EXECUTE FUNCTION taken_fulfillment();

CREATE FUNCTION taken_fulfillment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_fulfillment(NEW, NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER taken_fulfillment_changed AFTER UPDATE OF state ON fulfillments FOR EACH ROW
  EXECUTE FUNCTION taken_fulfillment_changed();

CREATE FUNCTION taken_fulfillment_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM taken_away WHERE kind = 'fulfillment' AND thing = OLD.receipt_id;
  RETURN NULL;
END $$;
CREATE TRIGGER taken_fulfillment_erased AFTER DELETE ON fulfillments FOR EACH ROW
  EXECUTE FUNCTION taken_fulfillment_erased();

CREATE FUNCTION note_unmatched(paid unmatched_payments) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    SELECT note_taken(paid.updated_at, 'unmatched payment', paid.identity, row_to_json(d)::text)
    FROM (SELECT paid.id, paid.identity, paid.method, paid.gate, paid.owner, hex(paid.q_hash) AS q_hash, paid.wallet,
      paid.payer, paid.amount, paid.usd_micros, paid.details, paid.transaction_hash, paid.reason, paid.state,
      paid.paid_at, paid.created_at, paid.updated_at, paid.next_at) d;
  END;

CREATE FUNCTION taken_unmatched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_unmatched(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER taken_unmatched AFTER INSERT ON unmatched_payments FOR EACH ROW EXECUTE FUNCTION taken_unmatched();
CREATE TRIGGER taken_unmatched_changed
  AFTER UPDATE OF state, payer, details, wallet, q_hash, transaction_hash ON unmatched_payments FOR EACH ROW
  EXECUTE FUNCTION taken_unmatched();
