-- What a restore must not bring back, and the restores that were made. Meanings stand with the columns in
-- src/db/schema. A thing has one row: of its newest state. `id` grows with each, so that a copy can ask for what came
-- after. The time is that of the stored clock, which a trigger can read.
CREATE TABLE taken_away (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Names the thing among those of its kind.
  thing TEXT NOT NULL,
  -- JSON.
  detail TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX taken_away_by_thing ON taken_away (kind, thing);

CREATE TABLE restores (
  id INTEGER PRIMARY KEY,
  restored_at INTEGER NOT NULL,
  backup_id TEXT NOT NULL,
  -- The moment that was restored.
  backup_at INTEGER NOT NULL,
  journal TEXT NOT NULL CHECK (journal IN ('replayed', 'gone')),
  -- Until when the journal knew what happened. With none: backup_at.
  known_until INTEGER NOT NULL
) STRICT;

CREATE TRIGGER taken_revoked_proof AFTER UPDATE OF revoked_at ON proofs
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.revoked_at, 'revoked proof', lower(hex(NEW.q_hash)), json_object('revokedAt', NEW.revoked_at));
END;
-- Also a later widening of what was narrowed: the newest state counts.
CREATE TRIGGER taken_visibility AFTER UPDATE OF visibility ON proofs
WHEN NEW.visibility < OLD.visibility
  OR (NEW.visibility > OLD.visibility
    AND EXISTS (SELECT 1 FROM taken_away WHERE kind = 'visibility' AND thing = lower(hex(NEW.q_hash)))) BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce(max(wall_at), 0), 'visibility', lower(hex(NEW.q_hash)), json_object('visibility', NEW.visibility) FROM clock;
END;
CREATE TRIGGER taken_access_key AFTER UPDATE OF revoked_at ON access_keys
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.revoked_at, 'access key', NEW.key_id, json_object('revokedAt', NEW.revoked_at));
END;
CREATE TRIGGER taken_oauth_grant AFTER UPDATE OF revoked_at ON oauth_families
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.revoked_at, 'oauth grant', NEW.handle, json_object('revokedAt', NEW.revoked_at, 'reason', NEW.reason));
END;
-- Its subject is random, and names nobody once the profile is gone.
CREATE TRIGGER taken_profile AFTER DELETE ON profiles BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce(max(wall_at), 0), 'profile', OLD.subject, '{}' FROM clock;
END;
CREATE TRIGGER taken_secret AFTER UPDATE OF revoked_at ON secrets
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.revoked_at, 'secret', lower(hex(NEW.q_hash)), json_object('revokedAt', NEW.revoked_at));
END;
CREATE TRIGGER taken_guest AFTER DELETE ON gate_guests BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce((SELECT max(wall_at) FROM clock), 0), 'guest', json_array(gate_id, OLD.wallet, OLD.chain), '{"isRemoved":true}'
  FROM gates WHERE id = OLD.gate;
END;
CREATE TRIGGER taken_guest_back AFTER INSERT ON gate_guests BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT NEW.added_at, 'guest', t.thing, '{"isRemoved":false}'
  FROM gates g JOIN taken_away t ON t.kind = 'guest' AND t.thing = json_array(g.gate_id, NEW.wallet, NEW.chain)
  WHERE g.id = NEW.gate;
END;
-- Not of an account that is being erased: the erasure has a row of its own, without a name.
CREATE TRIGGER taken_access_grant AFTER DELETE ON access_grants
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE wallet = OLD.viewer) BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce((SELECT max(wall_at) FROM clock), 0), 'access grant', json_array(lower(hex(q_hash)), OLD.viewer, OLD.source_id),
    '{"isRemoved":true}'
  FROM proofs WHERE id = OLD.proof_id;
END;
CREATE TRIGGER taken_access_grant_back AFTER INSERT ON access_grants BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT NEW.created_at, 'access grant', t.thing, '{"isRemoved":false}'
  FROM proofs p
  JOIN taken_away t ON t.kind = 'access grant' AND t.thing = json_array(lower(hex(p.q_hash)), NEW.viewer, NEW.source_id)
  WHERE p.id = NEW.proof_id;
END;
CREATE TRIGGER taken_share_link AFTER DELETE ON share_links BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce(max(wall_at), 0), 'share link', lower(hex(OLD.digest)), '{}' FROM clock;
END;
CREATE TRIGGER taken_operator AFTER DELETE ON operators BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce(max(wall_at), 0), 'operator', OLD.account, '{"isRemoved":true}' FROM clock;
END;
CREATE TRIGGER taken_operator_back AFTER INSERT ON operators
WHEN EXISTS (SELECT 1 FROM taken_away WHERE kind = 'operator' AND thing = NEW.account) BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.created_at, 'operator', NEW.account, '{"isRemoved":false}');
END;
CREATE TRIGGER taken_oauth_consent AFTER DELETE ON oauth_consents BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT coalesce((SELECT max(wall_at) FROM clock), 0), 'oauth consent', json_array(subject, OLD.client, OLD.redirect_host),
    '{"isRemoved":true}'
  FROM profiles WHERE id = OLD.profile;
END;
CREATE TRIGGER taken_oauth_consent_back AFTER INSERT ON oauth_consents BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  SELECT NEW.created_at, 'oauth consent', t.thing, '{"isRemoved":false}'
  FROM profiles p
  JOIN taken_away t ON t.kind = 'oauth consent' AND t.thing = json_array(p.subject, NEW.client, NEW.redirect_host)
  WHERE p.id = NEW.profile;
END;
CREATE TRIGGER taken_gate_state AFTER UPDATE OF status, archived_at ON gates
WHEN OLD.status <> NEW.status OR OLD.archived_at IS NOT NEW.archived_at BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'gate state', NEW.gate_id,
    json_object('status', NEW.status, 'archivedAt', NEW.archived_at, 'isListed', NEW.is_listed));
END;

-- Money that was taken, and what it bought: never taken or given twice. The whole row.
CREATE TRIGGER taken_payment AFTER INSERT ON payments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'payment', NEW.identity, json_object('id', NEW.id, 'identity', NEW.identity, 'method', NEW.method,
    'gate', NEW.gate, 'q_hash', hex(NEW.q_hash), 'state', NEW.state, 'payer', NEW.payer, 'amount', NEW.amount,
    'details', NEW.details, 'paid_at', NEW.paid_at, 'claimed_at', NEW.claimed_at, 'updated_at', NEW.updated_at,
    'watch_at', NEW.watch_at, 'refunded', NEW.refunded, 'suspended_for', NEW.suspended_for));
END;
CREATE TRIGGER taken_payment_changed AFTER UPDATE OF state, payer, details, q_hash, refunded, suspended_for ON payments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'payment', NEW.identity, json_object('id', NEW.id, 'identity', NEW.identity, 'method', NEW.method,
    'gate', NEW.gate, 'q_hash', hex(NEW.q_hash), 'state', NEW.state, 'payer', NEW.payer, 'amount', NEW.amount,
    'details', NEW.details, 'paid_at', NEW.paid_at, 'claimed_at', NEW.claimed_at, 'updated_at', NEW.updated_at,
    'watch_at', NEW.watch_at, 'refunded', NEW.refunded, 'suspended_for', NEW.suspended_for));
END;
CREATE TRIGGER taken_fulfillment AFTER INSERT ON fulfillments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.created_at, 'fulfillment', NEW.receipt_id, json_object('id', NEW.id, 'gate', NEW.gate, 'q_hash', hex(NEW.q_hash),
    'wallet', NEW.wallet, 'version', NEW.version, 'receipt_id', NEW.receipt_id, 'payment', NEW.payment, 'state', NEW.state,
    'created_at', NEW.created_at, 'updated_at', NEW.updated_at, 'owner', NEW.owner, 'usd_micros', NEW.usd_micros));
END;
CREATE TRIGGER taken_fulfillment_changed AFTER UPDATE OF state ON fulfillments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'fulfillment', NEW.receipt_id, json_object('id', NEW.id, 'gate', NEW.gate, 'q_hash', hex(NEW.q_hash),
    'wallet', NEW.wallet, 'version', NEW.version, 'receipt_id', NEW.receipt_id, 'payment', NEW.payment, 'state', NEW.state,
    'created_at', NEW.created_at, 'updated_at', NEW.updated_at, 'owner', NEW.owner, 'usd_micros', NEW.usd_micros));
END;
CREATE TRIGGER taken_fulfillment_erased AFTER DELETE ON fulfillments BEGIN
  DELETE FROM taken_away WHERE kind = 'fulfillment' AND thing = OLD.receipt_id;
END;
CREATE TRIGGER taken_unmatched AFTER INSERT ON unmatched_payments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'unmatched payment', NEW.identity, json_object('id', NEW.id, 'identity', NEW.identity,
    'method', NEW.method, 'gate', NEW.gate, 'owner', NEW.owner, 'q_hash', hex(NEW.q_hash), 'wallet', NEW.wallet,
    'payer', NEW.payer, 'amount', NEW.amount, 'usd_micros', NEW.usd_micros, 'details', NEW.details,
    'transaction_hash', NEW.transaction_hash, 'reason', NEW.reason, 'state', NEW.state, 'paid_at', NEW.paid_at,
    'created_at', NEW.created_at, 'updated_at', NEW.updated_at, 'next_at', NEW.next_at));
END;
CREATE TRIGGER taken_unmatched_changed AFTER UPDATE OF state, payer, details, wallet, q_hash, transaction_hash ON unmatched_payments BEGIN
  INSERT OR REPLACE INTO taken_away (at, kind, thing, detail)
  VALUES (NEW.updated_at, 'unmatched payment', NEW.identity, json_object('id', NEW.id, 'identity', NEW.identity,
    'method', NEW.method, 'gate', NEW.gate, 'owner', NEW.owner, 'q_hash', hex(NEW.q_hash), 'wallet', NEW.wallet,
    'payer', NEW.payer, 'amount', NEW.amount, 'usd_micros', NEW.usd_micros, 'details', NEW.details,
    'transaction_hash', NEW.transaction_hash, 'reason', NEW.reason, 'state', NEW.state, 'paid_at', NEW.paid_at,
    'created_at', NEW.created_at, 'updated_at', NEW.updated_at, 'next_at', NEW.next_at));
END;
