-- By what right delegations, agents and access grants were made, and what ends with it. Meanings stand with the columns
-- in src/db/schema.ts.

-- Proofs of before have no row here: their source is unknown.
CREATE TABLE proof_sources (
  proof_id INTEGER PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  verifier TEXT NOT NULL CHECK (verifier IN ('agent-delegation', 'agent-identity')),
  kind TEXT NOT NULL CHECK (kind IN ('signature', 'session', 'linked-session', 'access-key', 'oauth-grant')),
  source_id TEXT NOT NULL,
  link_proof INTEGER,
  ended_at INTEGER,
  end_reason TEXT
) STRICT;
CREATE INDEX proof_sources_by_source ON proof_sources (source_id) WHERE source_id <> '';
CREATE INDEX proof_sources_by_link ON proof_sources (link_proof) WHERE link_proof IS NOT NULL;

-- One row for each source, so that what a key granted ends without what the owner granted.
CREATE TABLE access_grants_by_source (
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  viewer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  source_kind TEXT NOT NULL
    CHECK (source_kind IN ('unknown', 'signature', 'session', 'linked-session', 'access-key', 'oauth-grant')),
  source_id TEXT NOT NULL,
  link_proof INTEGER,
  PRIMARY KEY (proof_id, viewer, source_id)
) STRICT, WITHOUT ROWID;
INSERT INTO access_grants_by_source
SELECT proof_id, viewer, created_at, expires_at, 'unknown', '', NULL FROM access_grants;
DROP TABLE access_grants;
ALTER TABLE access_grants_by_source RENAME TO access_grants;
CREATE INDEX access_grants_expiring ON access_grants (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX access_grants_by_source ON access_grants (source_id) WHERE source_id <> '';
CREATE INDEX access_grants_by_link ON access_grants (link_proof) WHERE link_proof IS NOT NULL;

-- What was allowed in a session of a linked wallet counts while that link does.
ALTER TABLE oauth_consents ADD COLUMN link_proof INTEGER;
CREATE INDEX oauth_consents_by_link ON oauth_consents (link_proof) WHERE link_proof IS NOT NULL;

-- Triggers, so that no way to revoke can leave anything behind: what ends, ends in the statement that revokes.

CREATE TRIGGER proof_sources_ended AFTER UPDATE OF ended_at ON proof_sources
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL BEGIN
  -- As publishing/store.ts revocationOrdersOf does for a proof that its owner revokes.
  UPDATE publications SET state = 'failed', finished_at = NEW.ended_at, reason = 'the proof was revoked before this was sent'
  WHERE proof_id = NEW.proof_id AND action = 'timestamp' AND state = 'waiting';
  INSERT INTO publications (proof_id, chain_id, action, state, asked_at)
  SELECT proof_id, chain_id, 'revoke', 'waiting', NEW.ended_at FROM publications
  WHERE proof_id = NEW.proof_id AND action = 'timestamp' AND (state <> 'failed' OR tx_hashes IS NOT NULL)
  ON CONFLICT (proof_id, chain_id, action) DO NOTHING;
  UPDATE proofs SET revoked_at = NEW.ended_at, updated_at = NEW.ended_at WHERE id = NEW.proof_id AND revoked_at IS NULL;
  DELETE FROM reserved_names WHERE proof_id = NEW.proof_id;
  DELETE FROM access_grants WHERE proof_id = NEW.proof_id;
END;

CREATE TRIGGER access_keys_revoked AFTER UPDATE OF revoked_at ON access_keys
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'access_key_revoked'
  WHERE source_id = NEW.key_id AND source_id <> '' AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants WHERE source_id = NEW.key_id AND source_id <> '';
END;

-- Signing out ends tokens only; a grant that was signed out can still be revoked.
CREATE TRIGGER oauth_families_revoked AFTER UPDATE OF revoked_at, reason ON oauth_families
WHEN NEW.revoked_at IS NOT NULL AND coalesce(NEW.reason, '') <> 'signed out everywhere' BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'oauth_grant_revoked'
  WHERE source_id = NEW.handle AND source_id <> '' AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants WHERE source_id = NEW.handle AND source_id <> '';
END;

-- Older runs of the same link count as this one: a link that is made again is renewed, not dissolved.
CREATE TRIGGER wallet_links_revoked AFTER UPDATE OF revoked_at ON proofs
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM wallet_links WHERE proof_id = NEW.id) BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'wallet_unlinked'
  WHERE ended_at IS NULL
    AND link_proof IN (
      SELECT id FROM proofs
      WHERE scope52 = NEW.scope52 AND +account_id = NEW.account_id AND (id = NEW.id OR (superseded = 1 AND id < NEW.id)))
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants
  WHERE link_proof IN (
    SELECT id FROM proofs
    WHERE scope52 = NEW.scope52 AND +account_id = NEW.account_id AND (id = NEW.id OR (superseded = 1 AND id < NEW.id)));
  DELETE FROM oauth_consents
  WHERE link_proof IN (
    SELECT id FROM proofs
    WHERE scope52 = NEW.scope52 AND +account_id = NEW.account_id AND (id = NEW.id OR (superseded = 1 AND id < NEW.id)));
END;
