-- What has expired leaves the public lists as it is swept, and their counts with it: no list walks past it.
DROP INDEX proofs_listed;
CREATE INDEX proofs_listed ON proofs (account_id)
  WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';

DROP TRIGGER proofs_left_current;
CREATE TRIGGER proofs_left_current AFTER UPDATE OF superseded, revoked_at ON proofs
WHEN (OLD.superseded = 0 AND OLD.revoked_at IS NULL) AND NOT (NEW.superseded = 0 AND NEW.revoked_at IS NULL) BEGIN
  UPDATE accounts SET
    current_count = current_count - 1,
    listed_count = listed_count - (NEW.visibility = 2 AND OLD.status <> 'expired')
  WHERE id = NEW.account_id;
END;

CREATE TRIGGER proofs_expired AFTER UPDATE OF status ON proofs
WHEN (OLD.status = 'expired') <> (NEW.status = 'expired')
  AND NEW.visibility = 2 AND OLD.superseded = 0 AND OLD.revoked_at IS NULL
  AND NEW.superseded = 0 AND NEW.revoked_at IS NULL BEGIN
  UPDATE accounts SET listed_count = listed_count + (OLD.status = 'expired') - (NEW.status = 'expired')
  WHERE id = NEW.account_id;
END;

UPDATE accounts SET listed_count = (
  SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id
    AND p.visibility = 2 AND p.superseded = 0 AND p.revoked_at IS NULL AND p.status <> 'expired')
WHERE id IN (
  SELECT account_id FROM proofs
  WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL AND status = 'expired');

-- Of listed proofs: how an agent calls itself, and the wallet of the agent that may act. NULL for all others. Found by
-- these without knowing who signed (proofs/agent-store.ts).
ALTER TABLE proofs ADD COLUMN agent_id TEXT;
ALTER TABLE proofs ADD COLUMN granted_to TEXT;
CREATE INDEX proofs_agents ON proofs (agent_id, account_id)
  WHERE agent_id IS NOT NULL AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';
CREATE INDEX proofs_granted ON proofs (granted_to, account_id)
  WHERE granted_to IS NOT NULL AND superseded = 0 AND revoked_at IS NULL AND status <> 'expired';

UPDATE proofs SET agent_id = (
  SELECT json_extract(claim.value, '$.data.agentId') FROM json_each(proofs.record, '$.rows') claim
  WHERE json_extract(claim.value, '$.verifierId') = 'agent-identity' AND json_extract(claim.value, '$.verified') = 1
  LIMIT 1)
WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL AND instr(record, '"agent-identity"') > 0;

UPDATE proofs SET granted_to = (
  SELECT json_extract(claim.value, '$.data.agentWallet') FROM json_each(proofs.record, '$.rows') claim
  WHERE json_extract(claim.value, '$.verifierId') = 'agent-delegation' AND json_extract(claim.value, '$.verified') = 1
  LIMIT 1)
WHERE visibility = 2 AND superseded = 0 AND revoked_at IS NULL AND instr(record, '"agent-delegation"') > 0;
