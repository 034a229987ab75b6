-- The runs of a claim are found among the facts of their account, where the other entries of the same proof are: an index
-- of their own changed one more page for each proof. A fact is a positive number. A run has the number of its claim while it
-- is current, and that number below zero once a newer run has replaced it.
DROP INDEX proofs_by_scope;

INSERT INTO proof_facts (account_id, fact52, proof_id)
SELECT account_id, CASE superseded WHEN 0 THEN scope52 ELSE -scope52 END, id FROM proofs WHERE true ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING;

DROP TRIGGER proofs_inserted;
CREATE TRIGGER proofs_inserted AFTER INSERT ON proofs BEGIN
  UPDATE proofs SET superseded = 1
  WHERE id IN (SELECT proof_id FROM proof_facts WHERE account_id = NEW.account_id AND fact52 = NEW.scope52)
    AND superseded = 0 AND visibility <= NEW.visibility;
  INSERT INTO proof_facts (account_id, fact52, proof_id) VALUES (NEW.account_id, NEW.scope52, NEW.id);
  UPDATE accounts SET
    current_count = current_count + 1,
    listed_count = listed_count + (NEW.visibility = 2),
    all_count = all_count + 1,
    all_listed_count = all_listed_count + (NEW.visibility = 2)
  WHERE id = NEW.account_id;
END;

CREATE TRIGGER proofs_replaced AFTER UPDATE OF superseded ON proofs
WHEN OLD.superseded = 0 AND NEW.superseded = 1 BEGIN
  UPDATE proof_facts SET fact52 = -NEW.scope52
  WHERE account_id = NEW.account_id AND fact52 = NEW.scope52 AND proof_id = NEW.id;
END;

DROP TRIGGER proofs_shown_otherwise;
CREATE TRIGGER proofs_shown_otherwise AFTER UPDATE OF visibility ON proofs
WHEN OLD.visibility <> NEW.visibility BEGIN
  UPDATE accounts SET
    all_listed_count = all_listed_count + (NEW.visibility = 2) - (OLD.visibility = 2),
    listed_count = listed_count + CASE
      WHEN NEW.superseded = 0 AND NEW.revoked_at IS NULL AND NEW.status <> 'expired'
        THEN (NEW.visibility = 2) - (OLD.visibility = 2)
      ELSE 0 END
  WHERE id = NEW.account_id;
  -- A newer run that as many people may see has replaced it.
  UPDATE proofs SET superseded = 1
  WHERE id = NEW.id AND superseded = 0 AND EXISTS (
    SELECT 1 FROM proof_facts f CROSS JOIN proofs newer ON newer.id = f.proof_id
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
END;

DROP TRIGGER wallet_links_revoked;
CREATE TRIGGER wallet_links_revoked AFTER UPDATE OF revoked_at ON proofs
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM wallet_links WHERE proof_id = NEW.id) BEGIN
  UPDATE proof_sources SET ended_at = NEW.revoked_at, end_reason = 'wallet_unlinked'
  WHERE ended_at IS NULL
    AND link_proof IN (
      SELECT NEW.id UNION ALL
      SELECT proof_id FROM proof_facts
      WHERE account_id = NEW.account_id AND fact52 = -NEW.scope52 AND proof_id < NEW.id)
    AND EXISTS (SELECT 1 FROM proofs WHERE id = proof_sources.proof_id AND revoked_at IS NULL);
  DELETE FROM access_grants
  WHERE link_proof IN (
    SELECT NEW.id UNION ALL
    SELECT proof_id FROM proof_facts
    WHERE account_id = NEW.account_id AND fact52 = -NEW.scope52 AND proof_id < NEW.id);
  DELETE FROM oauth_consents
  WHERE link_proof IN (
    SELECT NEW.id UNION ALL
    SELECT proof_id FROM proof_facts
    WHERE account_id = NEW.account_id AND fact52 = -NEW.scope52 AND proof_id < NEW.id);
END;
