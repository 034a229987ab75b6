/**
 * Files of migrations/ that stood on the main branch in another form, and databases that were made then. Each is known by
 * the hash of what was applied, and is brought to where the file of today leads. No file is edited any more
 * (test/db/migration-hashes.test.ts), so this list does not grow.
 */

export interface FormerMigration {
  readonly name: string
  /** SHA-256 of the text that was applied. */
  readonly sha256: string
  /** Later additions to the file. They run before the unapplied migrations. */
  readonly sql: string
  readonly loses?: FormerLoss
}

/** Data that cannot be kept: reported before it is lost (former-losses.ts). */
export interface FormerLoss {
  /** Counts what is lost, in the former database. ?1 is now, in Unix milliseconds. */
  readonly count: string
  says(count: number): string
  readonly mend: string
}

/** Files that were numbered anew, with the same text. */
export const formerNames: Readonly<Record<string, string>> = {
  '0010_spent_texts': '0009_spent_texts',
  '0011_sources': '0010_sources',
  '0012_erasures': '0011_erasures',
  '0013_bounded_lists': '0012_bounded_lists',
  '0014_gate_summaries': '0013_gate_summaries',
}

/** For all three earlier forms of the first file: of what they have in common nothing else differs. */
const init = `
  DROP INDEX proofs_by_scope;
  CREATE INDEX proofs_by_scope ON proofs (scope52, superseded);
  DROP TRIGGER proofs_inserted;
  CREATE TRIGGER proofs_inserted AFTER INSERT ON proofs BEGIN
    UPDATE proofs SET superseded = 1
    WHERE scope52 = NEW.scope52 AND superseded = 0 AND +account_id = NEW.account_id AND id < NEW.id
      AND visibility <= NEW.visibility;
    UPDATE accounts SET
      current_count = current_count + 1,
      listed_count = listed_count + (NEW.visibility = 2),
      all_count = all_count + 1,
      all_listed_count = all_listed_count + (NEW.visibility = 2)
    WHERE id = NEW.account_id;
  END;
  ALTER TABLE reserved_names RENAME TO former_names;
  CREATE TABLE reserved_names (
    name TEXT NOT NULL,
    proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (name, proof_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO reserved_names (name, proof_id, account_id, expires_at)
    SELECT name, proof_id, account_id, expires_at FROM former_names;
  DROP TABLE former_names;
  CREATE INDEX reserved_names_by_proof ON reserved_names (proof_id);
  CREATE INDEX reserved_names_expiring ON reserved_names (expires_at) WHERE expires_at IS NOT NULL;`

/**
 * Grants end. The old database holds hashes of tokens, while a grant of today is named by its tokens. So no path leads
 * between them. Consents (oauth_consents) and sessions stay.
 */
const lostGrants: FormerLoss = {
  count: 'SELECT count(*) AS count FROM oauth_families WHERE revoked_at IS NULL AND expires_at > ?1',
  says: (count) =>
    `the OAuth tokens of this database are of a build whose tokens this one cannot read: its start ends ${count === 1 ? 'the sign-in of 1 app' : `the sign-ins of ${count} apps`}`,
  mend: 'people sign in to these apps again; nothing else is lost. To keep the tokens, go on with the build that made the database: copy the data folder before this one starts',
}

const signingIn = `
  DROP TABLE oauth_access;
  DROP TABLE oauth_refresh;
  DELETE FROM oauth_codes;
  DROP TABLE oauth_families;
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
  CREATE INDEX oauth_families_expiring ON oauth_families (expires_at);`

/** The sums of the days before: what has been counted since by the server is in the same rows. */
const operator = `
  INSERT INTO daily_numbers
  SELECT 'proofs', created_at / 86400000, '', count(*)
  FROM proofs WHERE created_at > (SELECT max(created_at) FROM proofs) - 400 * 86400000
  GROUP BY 2
  ON CONFLICT (kind, day, subject) DO UPDATE SET count = max(count, excluded.count);`

const countedClients = `
  DROP INDEX oauth_clients_unused;
  CREATE INDEX oauth_clients_unused ON oauth_clients (network, created_at, id, used_at) WHERE used_at IS NULL;`

const sharedPlaces = `
  ALTER TABLE oauth_requests ADD COLUMN client TEXT;
  CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at) WHERE client IS NOT NULL;
  ALTER TABLE social_sign_ins ADD COLUMN network TEXT;
  CREATE INDEX social_sign_ins_started ON social_sign_ins (network, expires_at, hash) WHERE stage = 'started';`

const heldPlaces = `
  CREATE INDEX reservations_by_wallet ON reservations (wallet);
  ALTER TABLE settlements ADD COLUMN refused_at INTEGER;
  CREATE INDEX settlements_by_pair ON settlements (gate, q_hash);
  CREATE INDEX settlements_by_wallet ON settlements (wallet);
  ALTER TABLE unmatched_payments RENAME TO former_unmatched;
  CREATE TABLE unmatched_payments (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    method TEXT NOT NULL,
    gate INTEGER NOT NULL,
    owner TEXT NOT NULL,
    q_hash BLOB CHECK (length(q_hash) = 32),
    wallet TEXT,
    payer TEXT,
    amount TEXT,
    usd_micros INTEGER,
    details TEXT,
    transaction_hash TEXT,
    reason TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('owed', 'refunding', 'refunded', 'used')),
    paid_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    next_at INTEGER
  ) STRICT;
  INSERT INTO unmatched_payments
    SELECT id, identity, method, gate, owner, q_hash, wallet, payer, amount, usd_micros, details, NULL, reason, state,
      paid_at, created_at, updated_at, next_at FROM former_unmatched;
  DROP TABLE former_unmatched;
  CREATE INDEX unmatched_by_owner ON unmatched_payments (owner);
  CREATE INDEX unmatched_by_wallet ON unmatched_payments (wallet);
  CREATE INDEX unmatched_by_transaction ON unmatched_payments (transaction_hash);
  CREATE INDEX unmatched_due ON unmatched_payments (next_at) WHERE next_at IS NOT NULL;`

const checkoutsByWallet = 'CREATE INDEX checkouts_by_wallet ON checkouts (wallet) WHERE wallet IS NOT NULL;'
const quotesByWallet = 'CREATE INDEX quotes_of_wallet ON quotes (wallet);'
const placesByPair = 'CREATE INDEX reservations_by_pair ON reservations (gate, q_hash);'

export const formerMigrations: readonly FormerMigration[] = [
  { name: '0001_init', sha256: 'c6c55623f4563cd0cf162bc8a4b5636c5b592c69718acbc2f76fcea9360450ed', sql: init },
  { name: '0001_init', sha256: 'b3d1c383534163bfb7b8cde77ae799119e482ac102cd90522ba294add7750896', sql: init },
  { name: '0001_init', sha256: '54f79c59c02f4f48b90f11bf1799a7a710a07be442888c4b8ec400946a4a54e6', sql: init },
  {
    name: '0004_signing_in',
    sha256: '585e6ec766f8528f4ad68cae18feb25acc6f6694eed82b054f25d6fb8a729143',
    sql: signingIn,
    loses: lostGrants,
  },
  { name: '0006_operator', sha256: '1a5452c71b8cfe7cfdb5ee858d99aac9a82df450f1b071065d9691ddff76f43e', sql: operator },
  {
    name: '0011_erasures',
    sha256: '24e95730a04c6c5a19163f2dff660733378473ede5dee8ff9d847c4d7f5bb06d',
    sql: countedClients + sharedPlaces,
  },
  {
    name: '0011_erasures',
    sha256: '72b0ca702702fc6a9c62d344c3f58791b756d8d2ede69d04db1bd9bd7e6cc148',
    sql: sharedPlaces,
  },
  {
    name: '0014_reservations',
    sha256: '2b3275c0e00742826417c2b28a3f32ad06ddc3eb8bd9128016ce6c789e433bb6',
    sql: heldPlaces + checkoutsByWallet + quotesByWallet + placesByPair,
  },
  {
    name: '0014_reservations',
    sha256: '09a17e943f95c5f134f61ac5b70f2d94fee168364c5b24ed4aa1cdbe631f8e08',
    sql: checkoutsByWallet + quotesByWallet + placesByPair,
  },
  {
    name: '0014_reservations',
    sha256: '9e6b8ff47649ceb5c9d92395d45a6750f2692caddef87f2455c5270f938f98d0',
    sql: quotesByWallet + placesByPair,
  },
  {
    name: '0014_reservations',
    sha256: 'e1727cd938f9f34e5f1ad9cd06abe97026e9c7f07f8ab8478670b71c7c728af2',
    sql: placesByPair,
  },
]
