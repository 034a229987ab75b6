-- Visibility may change after the proof was made. Counters and history follow here, so that no statement forgets them.
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
    SELECT 1 FROM proofs newer
    WHERE newer.scope52 = NEW.scope52 AND newer.superseded = 0 AND +newer.account_id = NEW.account_id
      AND newer.id > NEW.id AND newer.visibility >= NEW.visibility AND newer.revoked_at IS NULL);
  -- Current, it replaces the older runs that no more people may see.
  UPDATE proofs SET superseded = 1
  WHERE scope52 = NEW.scope52 AND superseded = 0 AND +account_id = NEW.account_id AND id < NEW.id
    AND visibility <= NEW.visibility
    AND EXISTS (
      SELECT 1 FROM proofs own
      WHERE own.id = NEW.id AND own.superseded = 0 AND own.revoked_at IS NULL AND own.status <> 'expired');
END;
