-- Erasures that have begun and are not finished: they delete in slices, and go on after a crash. There are none in a
-- database of before.
CREATE TABLE erasures (
  handle TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  wallet TEXT NOT NULL,
  contract_on TEXT,
  proofs_up_to INTEGER NOT NULL,
  fulfillments_up_to INTEGER NOT NULL,
  erased_at INTEGER NOT NULL,
  accepted_since INTEGER NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_by_account ON erasures (account_id);
CREATE INDEX erasures_by_wallet ON erasures (wallet);

-- An erasure ends what others share with the wallet: without an index it would read every share of the server.
CREATE INDEX access_grants_by_viewer ON access_grants (viewer);

-- The network a client registered from, so that one network cannot push out the clients of all others. Null for clients
-- of before, for those read from a document, and as soon as a person has allowed the client something. The index holds
-- used_at so that SQLite counts without reading the rows.
ALTER TABLE oauth_clients ADD COLUMN network TEXT;
CREATE INDEX oauth_clients_unused ON oauth_clients (network, created_at, id, used_at) WHERE used_at IS NULL;

-- The client that a person is asked about, which is not pushed out meanwhile. Requests of before protect none: they end
-- within minutes.
ALTER TABLE oauth_requests ADD COLUMN client TEXT;
CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at) WHERE client IS NOT NULL;

-- The network a social sign-in was started from, so that one network cannot push out those of all others. Null for
-- sign-ins of before.
ALTER TABLE social_sign_ins ADD COLUMN network TEXT;
CREATE INDEX social_sign_ins_started ON social_sign_ins (network, expires_at, hash) WHERE stage = 'started';
